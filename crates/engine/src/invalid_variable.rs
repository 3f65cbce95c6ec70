//! Finds the part of a variable that cannot be coerced, since the errors of apollo-compiler name neither items of lists
//! nor the variable of an input field.

use apollo_compiler::{
    Schema,
    ast::Type,
    executable::Operation,
    response::{JsonMap, JsonValue},
    schema::{ExtendedType, InputObjectType},
};
use schema::excerpt;

use crate::runtime::InputError;

/// The error of the first variable that cannot be coerced (GraphQL specification, section 6.1.2).
pub(super) fn invalid_variable(
    contract: &Schema,
    operation: &Operation,
    values: &JsonMap,
) -> Option<InputError> {
    operation.variables.iter().find_map(|variable| {
        let invalid = match values.get(variable.name.as_str()) {
            Some(value) => invalid_part(contract, &variable.ty, value)?,
            None if variable.ty.is_non_null() && variable.default_value.is_none() => {
                missing(&variable.ty)
            }
            None => return None,
        };
        Some(invalid.inside(format!("${}", excerpt(&variable.name))))
    })
}

fn invalid_part(contract: &Schema, ty: &Type, value: &JsonValue) -> Option<InputError> {
    if value.is_null() {
        let reason = || format!("must not be null, its type is {}", name(ty));
        return ty.is_non_null().then(|| InputError::new(reason()));
    }
    if ty.is_list() {
        // A single value is the only item of the list.
        let Some(items) = value.as_array() else {
            return invalid_part(contract, ty.item_type(), value);
        };
        return items.iter().enumerate().find_map(|(index, item)| {
            let invalid = invalid_part(contract, ty.item_type(), item)?;
            Some(invalid.inside(format!("[{index}]")))
        });
    }
    let named = ty.inner_named_type();
    let is_valid = match contract.types.get(named)? {
        ExtendedType::InputObject(input) => match value.as_object() {
            Some(members) => return invalid_member(contract, input, members),
            None => false,
        },
        ExtendedType::Enum(definition) => {
            let name = value.as_str();
            name.is_some_and(|name| definition.values.contains_key(name))
        }
        ExtendedType::Scalar(_) => match named.as_str() {
            "Int" => value
                .as_i64()
                .is_some_and(|value| i32::try_from(value).is_ok()),
            "Float" => value.is_number(),
            "String" => value.is_string(),
            "Boolean" => value.is_boolean(),
            "ID" => value.is_string() || value.is_i64(),
            _ => true,
        },
        _ => false,
    };
    (!is_valid).then(|| InputError::expected(named, value))
}

fn invalid_member(
    contract: &Schema,
    input: &InputObjectType,
    members: &JsonMap,
) -> Option<InputError> {
    let mut keys = members.keys();
    if let Some(unknown) = keys.find(|key| !input.fields.contains_key(key.as_str())) {
        let (ty, unknown) = (&input.name, excerpt(unknown.as_str()));
        let reason = format!("must not have the field {unknown:?}, {ty} does not have it");
        return Some(InputError::new(reason));
    }
    input.fields.iter().find_map(|(name, field)| {
        let invalid = match members.get(name.as_str()) {
            Some(member) => invalid_part(contract, &field.ty, member)?,
            None if field.is_required() => missing(&field.ty),
            None => return None,
        };
        Some(invalid.inside(format!(".{name}")))
    })
}

fn missing(ty: &Type) -> InputError {
    InputError::new(format!("must be given, its type is {}", name(ty)))
}

/// The type, truncated since a document can nest lists.
fn name(ty: &Type) -> String {
    excerpt(&ty.to_string()).into_owned()
}
