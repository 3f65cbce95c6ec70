//! The variables of a request: coerced as the specification says (`CoerceVariableValues`, section
//! 6.1.2), defaults put in.

use apollo_compiler::{
    Schema,
    ast::{Type, VariableDefinition},
    executable::Operation,
    request::coerce_variable_values,
    response::{JsonMap, JsonValue},
    validation::Valid,
};
use async_graphql::{Name, ServerError, Value, Variables, indexmap::IndexMap};

/// The most characters of a message; it repeats the value, which may be long.
const MESSAGE_CHARACTERS: usize = 200;

/// Coerces what was given to the types of the operation's variables. Others are left out.
pub(super) fn coerce(
    contract: &Valid<Schema>,
    operation: &Operation,
    mut given: Variables,
) -> Result<Variables, ServerError> {
    let variables = &operation.variables;
    let declared = |name: &Name| {
        variables
            .iter()
            .any(|variable| variable.name == name.as_str())
    };
    given.retain(|name, _| declared(name));
    let stays = |variable: &VariableDefinition| match given.get(variable.name.as_str()) {
        Some(value) => is_of(&variable.ty, value),
        None => !variable.ty.is_non_null() && variable.default_value.is_none(),
    };
    if variables.iter().all(|variable| stays(variable)) {
        return Ok(given);
    }
    let json = to_apollo(contract, operation, &given)?;
    Ok(Variables::from_value(Value::Object(from_members(&json))))
}

/// The same variables as apollo-compiler takes them.
pub(super) fn to_apollo(
    contract: &Valid<Schema>,
    operation: &Operation,
    given: &Variables,
) -> Result<Valid<JsonMap>, ServerError> {
    let mut json = JsonMap::new();
    for variable in &operation.variables {
        if let Some(value) = given.get(variable.name.as_str()) {
            json.insert(variable.name.as_str(), to_json(&variable.ty, value));
        }
    }
    coerce_variable_values(contract, operation, &json).map_err(|error| {
        let message = error.message().to_string();
        ServerError::new(
            message.chars().take(MESSAGE_CHARACTERS).collect::<String>(),
            None,
        )
    })
}

/// Whether there is nothing to coerce, which is so with nearly every variable that is sent.
fn is_of(ty: &Type, value: &Value) -> bool {
    let (Type::Named(name) | Type::NonNullNamed(name)) = ty else {
        return false;
    };
    match (name.as_str(), value) {
        ("ID" | "String", Value::String(_)) | ("Boolean", Value::Boolean(_)) => true,
        ("Int", Value::Number(number)) => number
            .as_i64()
            .is_some_and(|number| i32::try_from(number).is_ok()),
        _ => false,
    }
}

/// An integer in the place of an ID becomes its text, also one that is too long for 64 bits, which
/// the JSON parser has made a float.
fn to_json(ty: &Type, value: &Value) -> JsonValue {
    match value {
        Value::Null | Value::Binary(_) => JsonValue::Null,
        Value::Boolean(value) => JsonValue::Bool(*value),
        Value::String(text) => JsonValue::String(text.as_str().into()),
        Value::Enum(name) => JsonValue::String(name.as_str().into()),
        Value::Number(number) if ty.inner_named_type() == "ID" && !number.is_i64() => {
            match number.as_f64() {
                Some(float) if float.fract() == 0.0 => {
                    JsonValue::String(format!("{float:.0}").into())
                }
                _ => JsonValue::Number(number.clone()),
            }
        }
        Value::Number(number) => JsonValue::Number(number.clone()),
        Value::List(items) => {
            let item = if ty.is_list() { ty.item_type() } else { ty };
            JsonValue::Array(items.iter().map(|value| to_json(item, value)).collect())
        }
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| (name.as_str().into(), to_json(ty, value)));
            JsonValue::Object(members.collect())
        }
    }
}

/// A value of apollo-compiler as one of async-graphql.
pub(super) fn from_json(value: &JsonValue) -> Value {
    match value {
        JsonValue::Null => Value::Null,
        JsonValue::Bool(value) => Value::Boolean(*value),
        JsonValue::Number(number) => Value::Number(number.clone()),
        JsonValue::String(text) => Value::String(text.as_str().to_owned()),
        JsonValue::Array(items) => Value::List(items.iter().map(from_json).collect()),
        JsonValue::Object(members) => Value::Object(from_members(members)),
    }
}

/// The members of an object, in their order.
pub(super) fn from_members(members: &JsonMap) -> IndexMap<Name, Value> {
    let members = members.iter();
    members
        .map(|(name, value)| (Name::new(name.as_str()), from_json(value)))
        .collect()
}
