//! Default values that are no values of their types. apollo-compiler 1 does not look at them.

use apollo_compiler::{
    Node, Schema,
    ast::{InputValueDefinition, Value},
    schema::{ExtendedType, InputObjectType, Type},
};

use crate::schema::is_built_in;

/// Calls `report` with every such default and what is wrong with it.
pub(crate) fn check(schema: &Schema, mut report: impl FnMut(&Node<Value>, String)) {
    let mut input = |input: &InputValueDefinition| {
        if let Some(value) = &input.default_value
            && let Err(wrong) = is_of(schema, &input.ty, value)
        {
            let message = format!("the default of \"{}\" is wrong: {wrong}", input.name);
            report(value, message);
        }
    };
    let definitions = schema.types.values();
    for definition in definitions.filter(|definition| !is_built_in(definition)) {
        let fields = match definition {
            ExtendedType::Object(object) => &object.fields,
            ExtendedType::Interface(interface) => &interface.fields,
            ExtendedType::InputObject(object) => {
                object.fields.values().for_each(|field| input(field));
                continue;
            }
            ExtendedType::Scalar(_) | ExtendedType::Union(_) | ExtendedType::Enum(_) => continue,
        };
        for argument in fields.values().flat_map(|field| &field.arguments) {
            input(argument);
        }
    }
    for directive in schema.directive_definitions.values() {
        directive
            .arguments
            .iter()
            .for_each(|argument| input(argument));
    }
}

fn is_of(schema: &Schema, ty: &Type, value: &Value) -> Result<(), String> {
    if value.is_null() {
        return if ty.is_non_null() {
            Err(format!("null is not of the type {ty}"))
        } else {
            Ok(())
        };
    }
    if ty.is_list() {
        return match value {
            Value::List(items) => {
                let mut items = items.iter();
                items.try_for_each(|item| is_of(schema, ty.item_type(), item))
            }
            // One item stands for the list of it.
            item => is_of(schema, ty.item_type(), item),
        };
    }
    let name = ty.inner_named_type();
    let fits = match (schema.types.get(name), value) {
        (Some(ExtendedType::InputObject(input)), Value::Object(fields)) => {
            return is_object_of(schema, input, fields);
        }
        (Some(ExtendedType::Enum(found)), Value::Enum(value)) => found.values.contains_key(value),
        (Some(ExtendedType::Scalar(_)), value) => match (name.as_str(), value) {
            ("Int", Value::Int(number)) => number.try_to_i32().is_ok(),
            ("Float", Value::Int(number)) => number.try_to_f64().is_ok(),
            ("Float", Value::Float(number)) => number.try_to_f64().is_ok(),
            ("ID", Value::Int(_) | Value::String(_))
            | ("String", Value::String(_))
            | ("Boolean", Value::Boolean(_)) => true,
            ("Int" | "Float" | "ID" | "String" | "Boolean", _) => false,
            // What a scalar of the schema's own looks like is not known here.
            _ => true,
        },
        _ => false,
    };
    if fits {
        return Ok(());
    }
    let value = value.serialize().no_indent();
    Err(format!("{value} is not of the type {ty}"))
}

fn is_object_of(
    schema: &Schema,
    input: &InputObjectType,
    given: &[(apollo_compiler::Name, Node<Value>)],
) -> Result<(), String> {
    for (name, value) in given {
        let field = input.fields.get(name);
        let field = field.ok_or_else(|| format!("{} has no field \"{name}\"", input.name))?;
        is_of(schema, &field.ty, value)?;
    }
    let is_missing = |name: &str| given.iter().all(|(given, _)| given != name);
    for field in input.fields.values() {
        if field.is_required() && is_missing(&field.name) {
            return Err(format!("{} requires \"{}\"", input.name, field.name));
        }
    }
    let is_one = matches!(given, [(_, value)] if !value.is_null());
    if input.directives.has("oneOf") && !is_one {
        return Err(format!("{} takes exactly one field, not null", input.name));
    }
    Ok(())
}
