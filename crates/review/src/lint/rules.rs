//! The lint rules, and the messages of their violations.

use apollo_compiler::{
    Name,
    ast::{FieldDefinition, Type},
};
use schema::{Constraint, Element, Schema};

use super::{
    allowance::Allowances,
    claims,
    finding::{Finding, Rule},
    name::{Case, words},
};
use crate::reach::reachable_types;

/// The arguments that bound a list.
const BOUNDS: [&str; 4] = ["count", "first", "last", "limit"];

/// The suffix of connection types, after the convention of Relay.
const CONNECTION: &str = "Connection";

/// The violations of every rule that no allowance permits.
pub(super) fn apply(schema: &Schema, allowances: &mut Allowances) -> Vec<Finding> {
    let mut found = Vec::new();
    let reachable = reachable_types(schema);
    let mutation = schema.tree().schema_definition.mutation.as_ref();
    for element in schema.elements() {
        let Some(name) = element.name() else { continue };
        let span = name.location();
        let mut add = |rule: Rule, message: Option<String>| {
            let message = message.filter(|_| !allowances.permit(rule, span));
            found.extend(message.map(|message| Finding {
                rule,
                severity: rule.severity(),
                coordinate: element.coordinate(),
                message,
                location: schema.location(span),
            }));
        };
        add(Rule::Described, missing_description(element));
        let (rule, case) = naming(element);
        add(rule, wrong_case(element, name, case));
        add(Rule::DeprecationReason, missing_reason(element));
        add(Rule::IdName, wrong_id_name(element, name));
        for message in contradictions(schema, element) {
            add(Rule::Constraint, Some(message));
        }
        match element {
            Element::Type(_) if !reachable.contains(name) => {
                let message = "is not reachable from the root types: use it or remove it";
                add(Rule::UnusedType, Some(message.to_owned()));
            }
            Element::Field(ty, field) => {
                if mutation.is_some_and(|mutation| mutation.name == *ty) {
                    add(Rule::MutationVerb, missing_verb(name));
                }
                add(Rule::ListBounded, missing_bound(field, ty));
            }
            _ => {}
        }
    }
    for name in schema.defined_scalars() {
        let (rule, span) = (Rule::BuiltInScalar, name.location());
        if !allowances.permit(rule, span) {
            found.push(Finding {
                rule,
                severity: rule.severity(),
                coordinate: name.to_string(),
                message: "is a built-in scalar, whose definition is ignored: remove it".to_owned(),
                location: schema.location(span),
            });
        }
    }
    found
}

fn missing_description(element: Element) -> Option<String> {
    let description = element.description();
    description
        .is_none_or(|text| text.trim().is_empty())
        .then(|| {
            format!(
                "has no description: document the {} for clients",
                element.kind()
            )
        })
}

/// The naming convention of an element, and its rule.
fn naming(element: Element) -> (Rule, Case) {
    match element {
        Element::Schema(_) | Element::Type(_) => (Rule::TypeName, Case::Pascal),
        Element::EnumValue(..) => (Rule::EnumValueName, Case::Upper),
        _ => (Rule::FieldName, Case::Camel),
    }
}

fn wrong_case(element: Element, name: &str, case: Case) -> Option<String> {
    let right = case.correct(name)?;
    let (kind, case) = (element.kind(), case.name());
    Some(format!("is not {case}: rename the {kind} to {right}"))
}

fn missing_reason(element: Element) -> Option<String> {
    element.deprecation()?.trim().is_empty().then(|| {
        "is deprecated without a reason: name the replacement in @deprecated(reason:)".to_owned()
    })
}

fn wrong_id_name(element: Element, name: &str) -> Option<String> {
    let ty = element.ty()?;
    let is_id = ty.inner_named_type() == "ID";
    if name == "id" && !is_id {
        return Some(format!(
            "is named id but has the type {ty}: change the type to ID"
        ));
    }
    let (word, expected) = if ty.is_list() {
        ("ids", "ids, or …Ids")
    } else {
        ("id", "id, or …Id")
    };
    let last = words(name).pop().unwrap_or_default();
    let fits = name == word
        || (last.len() == word.len() && last.starts_with('I') && last[1..] == word[1..]);
    (is_id && !fits).then(|| format!("has the type {ty} but is not named {expected}"))
}

/// The problems of the constraint, or what the description says otherwise.
fn contradictions(schema: &Schema, element: Element) -> Vec<String> {
    match Constraint::of(schema, element) {
        Ok(Some(constraint)) => {
            let description = element.description().map_or("", |text| text);
            let is_list = element.ty().is_some_and(Type::is_list);
            claims::contradictions(description, &constraint, is_list)
        }
        Ok(None) => Vec::new(),
        Err(problems) => {
            let messages = problems.into_iter().map(|(_, message)| message);
            messages
                .map(|message| format!("has a wrong constraint: {message}"))
                .collect()
        }
    }
}

fn missing_verb(name: &str) -> Option<String> {
    let first = words(name).into_iter().next()?.to_lowercase();
    (!is_verb(&first)).then(|| {
        format!(
            "begins with {first:?}, which is not a known verb: begin with one, as in createBook"
        )
    })
}

fn is_verb(word: &str) -> bool {
    include_str!("verbs.txt").lines().any(|verb| verb == word)
}

fn missing_bound(field: &FieldDefinition, ty: &Name) -> Option<String> {
    let output = field.ty.inner_named_type();
    let is_list = field.ty.is_list() && !ty.ends_with(CONNECTION);
    if !is_list && !output.ends_with(CONNECTION) {
        return None;
    }
    let bounds = field.arguments.iter().any(|argument| {
        let is_number =
            matches!(&*argument.ty, Type::Named(name) | Type::NonNullNamed(name) if name == "Int");
        is_number && BOUNDS.contains(&argument.name.as_str())
    });
    (!bounds).then(|| {
        format!(
            "returns a list without a limit: add an Int argument named {}",
            BOUNDS.join(", ").replace(", limit", " or limit")
        )
    })
}
