//! Validates default values, `@oneOf` input objects and deprecated inputs, which apollo-compiler 1 does not.

use std::collections::BTreeSet;

use apollo_compiler::{
    Name, Node, Schema,
    ast::Value,
    parser::SourceSpan,
    schema::{ExtendedType, InputObjectType, Type},
};

use crate::{Element, element::elements, excerpt, suggestion};

/// Calls `report` with the source and a message for every problem.
pub(crate) fn validate(schema: &Schema, mut report: impl FnMut(Option<SourceSpan>, String)) {
    for element in elements(schema) {
        let Some(input) = element.input() else {
            continue;
        };
        if let Some(value) = &input.default_value
            && let Err(error) =
                validate_value(schema, &input.ty, value).and_then(|()| refuse_cycle(schema, element, value))
        {
            let message = format!("the default value of \"{}\" is not valid: {error}", input.name);
            report(value.location(), message);
        }
        if input.is_required() && element.deprecation().is_some() {
            let message = format!("the {} {:?} is required and must not be deprecated", element.kind(), input.name);
            report(input.name.location(), message);
        }
        if let Element::InputField(owner, field) = element
            && (field.ty.is_non_null() || field.default_value.is_some())
            && let Some(definition) = schema.get_input_object(owner)
            && definition.directives.has("oneOf")
        {
            let message = format!(
                "the field \"{}\" of the @oneOf type {owner} must be nullable and have no default value",
                field.name
            );
            report(field.name.location(), message);
        }
    }
}

fn validate_value(schema: &Schema, ty: &Type, value: &Value) -> Result<(), String> {
    if value.is_null() {
        return if ty.is_non_null() { Err(format!("null is not a value of the type {ty}")) } else { Ok(()) };
    }
    if ty.is_list() {
        return match value {
            Value::List(items) => items.iter().try_for_each(|item| validate_value(schema, ty.item_type(), item)),
            // A single value is coerced to a list of one item.
            item => validate_value(schema, ty.item_type(), item),
        };
    }
    let name = ty.inner_named_type();
    let fits = match (schema.types.get(name), value) {
        (Some(ExtendedType::InputObject(input)), Value::Object(fields)) => {
            return validate_input_object(schema, input, fields);
        }
        (Some(ExtendedType::Enum(found)), Value::Enum(value)) => found.values.contains_key(value),
        (Some(ExtendedType::Scalar(_)), value) => match (name.as_str(), value) {
            ("Int", Value::Int(number)) => number.try_to_i32().is_ok(),
            ("Float", Value::Int(number)) => number.try_to_f64().is_ok(),
            ("Float", Value::Float(number)) => number.try_to_f64().is_ok(),
            ("ID", Value::Int(_) | Value::String(_))
            | ("String", Value::String(_))
            | ("Boolean", Value::Boolean(_)) => true,
            // The values of a custom scalar are not known.
            (name, _) => !crate::built_in::is_scalar(name),
        },
        _ => false,
    };
    if fits {
        return Ok(());
    }
    let value = value.serialize().no_indent().to_string();
    Err(format!("{} is not a value of the type {ty}", excerpt(&value)))
}

fn validate_input_object(
    schema: &Schema,
    input: &InputObjectType,
    given: &[(Name, Node<Value>)],
) -> Result<(), String> {
    for (index, (name, value)) in given.iter().enumerate() {
        if given[..index].iter().any(|(other, _)| other == name) {
            return Err(format!("the field {:?} is given more than once", excerpt(name)));
        }
        let Some(field) = input.fields.get(name) else {
            let suggestion = suggestion(name, input.fields.keys().map(Name::as_str));
            return Err(format!("{} has no field {:?}{suggestion}", input.name, excerpt(name)));
        };
        validate_value(schema, &field.ty, value)?;
    }
    let is_missing = |name: &str| given.iter().all(|(given, _)| given != name);
    if let Some(field) = input.fields.values().find(|field| field.is_required() && is_missing(&field.name)) {
        return Err(format!("{} requires the field \"{}\"", input.name, field.name));
    }
    let has_one_field = matches!(given, [(_, value)] if !value.is_null());
    if input.directives.has("oneOf") && !has_one_field {
        return Err(format!("{} requires exactly one field, which is not null", input.name));
    }
    Ok(())
}

/// Refuses a default value of an input field that would contain itself, through the default values of fields that
/// it omits.
fn refuse_cycle(schema: &Schema, element: Element<'_>, value: &Value) -> Result<(), String> {
    let Element::InputField(owner, origin) = element else {
        return Ok(());
    };
    let mut visited = BTreeSet::new();
    let mut pending = vec![(&*origin.ty, value)];
    while let Some((ty, value)) = pending.pop() {
        let given = match value {
            Value::List(items) => {
                pending.extend(items.iter().map(|item| (ty.item_type(), &**item)));
                continue;
            }
            Value::Object(given) => given,
            _ => continue,
        };
        let Some(input) = schema.get_input_object(ty.inner_named_type()) else {
            continue;
        };
        for field in input.fields.values() {
            let given = given.iter().find(|(name, _)| *name == field.name);
            if let Some((_, value)) = given {
                pending.push((&*field.ty, value));
            } else if let Some(value) = &field.default_value {
                if (&input.name, &field.name) == (owner, &origin.name) {
                    return Err("it contains itself".to_owned());
                }
                if visited.insert((&input.name, &field.name)) {
                    pending.push((&*field.ty, value));
                }
            }
        }
    }
    Ok(())
}
