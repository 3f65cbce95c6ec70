//! What each rule asks, and what is said where it is not done.

use std::collections::{BTreeMap, BTreeSet};

use apollo_compiler::{
    Name,
    ast::{FieldDefinition, Type},
    parser::SourceSpan,
    schema::ExtendedType,
};

use super::{
    Rule,
    elements::{self, Element, Kind},
    name::{Case, words},
};
use crate::Schema;

/// The arguments that bound a list.
const BOUNDS: [&str; 4] = ["count", "first", "last", "limit"];

/// What a type is called that stands between a list and its items, after the convention of Relay.
const CONNECTION: &str = "Connection";

/// What a deprecation gives as its reason when its author gave none.
const NO_REASON: &str = "No longer supported";

/// Something that a rule does not like.
pub(super) struct Found {
    pub(super) rule: Rule,
    pub(super) span: Option<SourceSpan>,
    pub(super) coordinate: String,
    pub(super) message: String,
}

/// Whatever does not do what a rule asks.
pub(super) fn apply(schema: &Schema) -> Vec<Found> {
    let mut found = Vec::new();
    let reached = reached(schema);
    let mutation = schema.tree().schema_definition.mutation.as_ref();
    for element in elements::of(schema) {
        let mut add = |rule, message| {
            found.push(Found {
                rule,
                span: element.span(),
                coordinate: element.coordinate.clone(),
                message,
            });
        };
        if let Some(message) = not_described(&element) {
            add(Rule::Described, message);
        }
        if let Some((rule, message)) = wrong_name(&element) {
            add(rule, message);
        }
        if let Some(message) = no_reason(&element) {
            add(Rule::DeprecationReason, message);
        }
        if let Kind::Type = element.kind
            && !reached.contains(element.name)
        {
            let message = "can't be reached from the root types: use it or remove it".to_owned();
            add(Rule::UnusedType, message);
        }
        if let Some(message) = wrong_id(&element) {
            add(Rule::IdName, message);
        }
        if let Kind::Field(field, ty) = element.kind {
            if mutation.is_some_and(|mutation| mutation.name == *ty)
                && let Some(message) = no_verb(field)
            {
                add(Rule::MutationVerb, message);
            }
            if let Some(message) = not_bounded(schema, field, ty) {
                add(Rule::ListBounded, message);
            }
        }
    }
    found
}

fn not_described(element: &Element<'_>) -> Option<String> {
    let what = element.kind.name();
    (!element.described)
        .then(|| format!("has no description: say what the {what} means to a client"))
}

fn wrong_name(element: &Element<'_>) -> Option<(Rule, String)> {
    let (rule, case) = match element.kind {
        Kind::Type => (Rule::TypeName, Case::Pascal),
        Kind::EnumValue => (Rule::EnumValueName, Case::Upper),
        Kind::Field(..) | Kind::InputField(_) | Kind::Argument(_) | Kind::Directive => {
            (Rule::FieldName, Case::Camel)
        }
    };
    let right = case.correct(element.name)?;
    let (what, case) = (element.kind.name(), case.name());
    Some((
        rule,
        format!("the name of the {what} is not {case}: write {right}"),
    ))
}

fn no_reason(element: &Element<'_>) -> Option<String> {
    let reason = element.deprecated?.trim();
    (reason.is_empty() || reason == NO_REASON).then(|| {
        "is deprecated without a reason: say why, and what to use instead, in @deprecated(reason:)"
            .to_owned()
    })
}

fn wrong_id(element: &Element<'_>) -> Option<String> {
    let ty = match element.kind {
        Kind::Field(field, _) => &field.ty,
        Kind::Argument(ty) | Kind::InputField(ty) => ty,
        Kind::Type | Kind::Directive | Kind::EnumValue => return None,
    };
    let is_id = ty.inner_named_type() == "ID";
    let name = element.name.as_str();
    if name == "id" && !is_id {
        return Some(format!(
            "is named id but has the type {ty}: give it the type ID"
        ));
    }
    let (one, many) = ("id", "ids");
    let last = words(name).pop().unwrap_or_default();
    let fits = |word: &str| {
        name == word
            || (last.len() == word.len() && last.starts_with('I') && last[1..] == word[1..])
    };
    if !is_id || fits(if ty.is_list() { many } else { one }) {
        return None;
    }
    let expected = if ty.is_list() {
        "ids, or …Ids"
    } else {
        "id, or …Id"
    };
    Some(format!(
        "has the type {ty} but is not named {expected} after what it identifies"
    ))
}

fn no_verb(field: &FieldDefinition) -> Option<String> {
    let first = words(&field.name).into_iter().next()?.to_lowercase();
    (!is_verb(&first)).then(|| {
        format!(
            "begins with {first:?}, which is not known as a verb: say what it does, as in createVehicle"
        )
    })
}

fn is_verb(word: &str) -> bool {
    include_str!("verbs.txt").lines().any(|verb| verb == word)
}

fn not_bounded(schema: &Schema, field: &FieldDefinition, ty: &Name) -> Option<String> {
    let answer = field.ty.inner_named_type();
    let is_list = field.ty.is_list() && !ty.ends_with(CONNECTION);
    if !is_list && !answer.ends_with(CONNECTION) || schema.tree().types.get(answer).is_none() {
        return None;
    }
    let bounds = field.arguments.iter().any(|argument| {
        let is_number =
            matches!(&*argument.ty, Type::Named(name) | Type::NonNullNamed(name) if name == "Int");
        is_number && BOUNDS.contains(&argument.name.as_str())
    });
    (!bounds).then(|| {
        format!(
            "answers a list that no argument bounds: give it an Int argument named {}",
            BOUNDS.join(", ").replace(", limit", " or limit")
        )
    })
}

/// The types that a client can meet: whatever the root types and the directives lead to, the types
/// that a reached interface or union can be, and the interfaces that a reached type implements.
fn reached(schema: &Schema) -> BTreeSet<Name> {
    let tree = schema.tree();
    let mut leads_to: BTreeMap<&Name, Vec<&Name>> = BTreeMap::new();
    for (name, definition) in &tree.types {
        let next = leads_to.entry(name).or_default();
        match definition {
            ExtendedType::Object(object) => {
                of_fields(object.fields.values().map(|field| &***field), next);
                next.extend(object.implements_interfaces.iter().map(|name| &name.name));
            }
            ExtendedType::Interface(interface) => {
                of_fields(interface.fields.values().map(|field| &***field), next);
                next.extend(
                    interface
                        .implements_interfaces
                        .iter()
                        .map(|name| &name.name),
                );
            }
            ExtendedType::Union(union) => next.extend(union.members.iter().map(|name| &name.name)),
            ExtendedType::InputObject(input) => {
                next.extend(
                    input
                        .fields
                        .values()
                        .map(|field| field.ty.inner_named_type()),
                );
            }
            ExtendedType::Scalar(_) | ExtendedType::Enum(_) => {}
        }
    }
    for (name, definition) in &tree.types {
        let implemented = match definition {
            ExtendedType::Object(object) => &object.implements_interfaces,
            ExtendedType::Interface(interface) => &interface.implements_interfaces,
            _ => continue,
        };
        for interface in implemented {
            leads_to.entry(&interface.name).or_default().push(name);
        }
    }
    let roots = tree.schema_definition.iter_root_operations();
    let mut open: Vec<&Name> = roots.map(|(_, root)| &root.name).collect();
    for directive in tree.directive_definitions.values() {
        open.extend(
            directive
                .arguments
                .iter()
                .map(|argument| argument.ty.inner_named_type()),
        );
    }
    let mut reached = BTreeSet::new();
    while let Some(name) = open.pop() {
        if reached.insert(name.clone()) {
            open.extend(leads_to.get(name).into_iter().flatten());
        }
    }
    reached
}

fn of_fields<'a>(fields: impl Iterator<Item = &'a FieldDefinition>, names: &mut Vec<&'a Name>) {
    for field in fields {
        names.push(field.ty.inner_named_type());
        let arguments = field.arguments.iter();
        names.extend(arguments.map(|argument| argument.ty.inner_named_type()));
    }
}
