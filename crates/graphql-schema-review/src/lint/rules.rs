//! The lint rules, and the messages of their violations.

use std::collections::{HashMap, hash_map::Entry};

use apollo_compiler::{Name, ast::Type};
use chrono::NaiveDate;
use graphql_sdl::{Constraint, Element, Schema};

use super::{
    allowance::Allowances,
    bounds::Lists,
    claims,
    comments::Comments,
    federation,
    finding::{Finding, Options, Rule},
    name::{Case, Named, words},
    relay::Relay,
};
use crate::reach::reachable_types;

/// The violations of every rule that no allowance permits.
pub(super) fn apply(schema: &Schema, options: &Options, allowances: &mut Allowances, today: NaiveDate) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut add = |rule: Rule, coordinate: String, span, message| {
        let Some(severity) = options.severity(rule) else {
            return;
        };
        if !allowances.permit(rule, span, &coordinate) {
            found.push(Finding { rule, severity, coordinate, message, location: schema.location(span) });
        }
    };
    // The body of a webhook is no result of an operation.
    let reachable = reachable_types(schema, |name| name.contains("Webhook"));
    let mutation = schema.tree().schema_definition.mutation.as_ref();
    let relay = Relay::new(schema);
    let lists = Lists::new(schema, &relay, &options.limits);
    let comments = Comments::read(schema);
    let is_federated = federation::is_federated(schema);
    for element in schema.elements() {
        let Some(name) = element.name() else { continue };
        if is_federated && federation::defines(element) {
            continue;
        }
        let is_mutation = element.owner().is_some_and(|ty| lists.is_mutation(ty));
        let description = match comments.wrong(element) {
            Some(comment) => (Rule::CommentDescription, Some(comment)),
            None => (Rule::Described, missing_description(element).filter(|_| !relay.defines(element))),
        };
        let mut violations = vec![
            description,
            wrong_name(element, name, options),
            (Rule::DeprecationReason, missing_reason(element)),
            (Rule::DeprecationDate, wrong_date(element, today)),
            (Rule::IdName, wrong_identifier(element, name, is_mutation)),
        ];
        violations.extend(relay.violation(element).map(|(rule, message)| (rule, Some(message))));
        match element {
            Element::Type(_) if !reachable.contains(name) => {
                let message = "is not reachable from the root types: use it or remove it";
                violations.push((Rule::UnusedType, Some(message.to_owned())));
            }
            Element::Field(ty, field) => {
                if mutation.is_some_and(|mutation| mutation.name == *ty)
                    && !lists.is_mutation(field.ty.inner_named_type())
                {
                    violations.push((Rule::MutationVerb, missing_verb(name, &options.verbs)));
                }
                violations.push((Rule::FieldPrefix, repeated_type(ty, name)));
                violations.push((Rule::ListBounded, lists.missing_bound(ty, field)));
            }
            _ => {}
        }
        violations.extend(contradictions(schema, element).into_iter().map(|message| (Rule::Constraint, Some(message))));
        for (rule, message) in violations {
            if let Some(message) = message {
                add(rule, element.coordinate(), name.location(), message);
            }
        }
        for (value, message) in equal_values(element) {
            let span = value.name_span();
            add(Rule::EnumValueUnique, value.coordinate(), span, message);
        }
    }
    for name in schema.defined_scalars() {
        let message = "is a built-in scalar, whose definition is ignored: remove it";
        add(Rule::BuiltInScalar, name.to_string(), name.location(), message.to_owned());
    }
    found
}

fn missing_description(element: Element) -> Option<String> {
    let description = element.description();
    description
        .is_none_or(|text| text.trim().is_empty())
        .then(|| format!("has no description: document the {} for clients", element.kind()))
}

/// The naming convention that the name of an element violates.
fn wrong_name(element: Element, name: &str, options: &Options) -> (Rule, Option<String>) {
    let (rule, named, default) = match element {
        Element::Schema(_) | Element::Type(_) => (Rule::TypeName, Named::Types, Case::Pascal),
        Element::EnumValue(..) => (Rule::EnumValueName, Named::Values, Case::Upper),
        Element::Field(..) => (Rule::FieldName, Named::Fields, Case::Camel),
        Element::InputField(..) => (Rule::FieldName, Named::Inputs, Case::Camel),
        Element::Directive(_) => (Rule::FieldName, Named::Directives, Case::Camel),
        Element::Argument(..) | Element::DirectiveArgument(..) => (Rule::FieldName, Named::Arguments, Case::Camel),
    };
    let case = options.styles.get(&named).copied().unwrap_or(default);
    let prefixes = options.prefixes.iter();
    let prefix = prefixes.filter(|prefix| name.starts_with(prefix.as_str())).max_by_key(|prefix| prefix.len());
    let prefix = prefix.map_or("", |prefix| prefix);
    let right = case.correct(&name[prefix.len()..], &options.abbreviations);
    let message = right.map(|right| {
        let (kind, case) = (element.kind(), case.name());
        match &*right {
            "" => format!("is not {case}: rename the {kind} to words"),
            _ => format!("is not {case}: rename the {kind} to {prefix}{right}"),
        }
    });
    (rule, message)
}

/// The values of an enum that equal an earlier one without regard to case.
fn equal_values(element: Element) -> Vec<(Element, String)> {
    let mut equal = Vec::new();
    let mut earlier: HashMap<String, &Name> = HashMap::new();
    for value in element.parts() {
        let Element::EnumValue(_, definition) = value else {
            continue;
        };
        let name = &definition.value;
        match earlier.entry(name.to_lowercase()) {
            Entry::Vacant(entry) => drop(entry.insert(name)),
            Entry::Occupied(entry) => equal.push((
                value,
                format!("differs from {} only in case: generated code can have one name for both", entry.get()),
            )),
        }
    }
    equal
}

fn missing_reason(element: Element) -> Option<String> {
    element
        .deprecation()?
        .trim()
        .is_empty()
        .then(|| "is deprecated without a reason: name the replacement in @deprecated(reason:)".to_owned())
}

/// What is wrong with the date in the reason of a deprecation.
fn wrong_date(element: Element, today: NaiveDate) -> Option<String> {
    let reason = element.deprecation()?;
    let words = reason.split(|letter: char| letter != '-' && !letter.is_ascii_digit());
    match words.filter_map(|word| word.parse::<NaiveDate>().ok()).max() {
        None => {
            Some("is deprecated without a date: add that of the removal to the reason, as in 2027-01-31".to_owned())
        }
        Some(day) if day < today => Some(format!("should have been removed on {day}: remove it, or set a later date")),
        Some(_) => None,
    }
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
            messages.map(|message| format!("has a wrong constraint: {message}")).collect()
        }
    }
}

/// The name of a field that begins with that of its type.
fn repeated_type(ty: &str, name: &str) -> Option<String> {
    let (start, rest) = name.split_at_checked(ty.len())?;
    let is_word = rest.starts_with(|next: char| next == '_' || next.is_ascii_uppercase());
    (is_word && start.eq_ignore_ascii_case(ty)).then(|| {
        let (first, others) = rest.trim_start_matches('_').split_at_checked(1).unwrap_or_default();
        let short = first.to_lowercase() + others;
        format!("repeats the name of its type: rename the field to {short}")
    })
}

fn missing_verb(name: &str, verbs: &[String]) -> Option<String> {
    let has_verb = words(name).into_iter().map(|word| word.to_lowercase()).any(|word| is_verb(&word, verbs));
    (!has_verb).then(|| "has no known verb: say what it does, as in createBook or bookCreate".to_owned())
}

/// Whether a word is a verb, or one with a prefix: `unresolve`, `regenerate`.
fn is_verb(word: &str, others: &[String]) -> bool {
    let is_known = |word: &str| {
        include_str!("verbs.txt").lines().any(|verb| verb == word) || others.iter().any(|verb| verb == word)
    };
    ["", "un", "re", "de", "dis"].into_iter().any(|prefix| word.strip_prefix(prefix).is_some_and(is_known))
}

/// What is wrong with an identifier. The types of arguments and input fields are in operations, as those of variables, but
/// the type of a field is not in the response, so its name has to say that it is an identifier.
fn wrong_identifier(element: Element, name: &str, is_mutation: bool) -> Option<String> {
    let ty = element.ty()?;
    let named = ty.inner_named_type();
    // A filter or an order of identifiers has a type of its own.
    if name == "id" && matches!(named.as_str(), "String" | "Int" | "Float") && !ty.is_list() {
        return Some(format!("is named id but has the type {ty}: change the type to ID"));
    }
    // A mutation that returns the identifier of what it creates, such as a job, is named after what it does.
    let is_field = matches!(element, Element::Field(..)) && !is_mutation;
    (is_field && named == "ID" && !names_identifier(name)).then(|| {
        let expected = if ty.is_list() { "ids, or …Ids" } else { "id, or …Id" };
        format!("has the type {ty} but is not named {expected}")
    })
}

/// Whether a word of a name is an identifier: `bookId`, `bookIDs`, `id_in`, `uuid`, `cursor`.
fn names_identifier(name: &str) -> bool {
    words(name).iter().any(|word| {
        let word = word.to_lowercase();
        word == "cursor" || word.ends_with("id") || word.ends_with("ids")
    })
}
