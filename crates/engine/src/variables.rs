//! Coerces the variables of a request and applies their defaults (GraphQL specification, section 6.1.2,
//! `CoerceVariableValues`).

use apollo_compiler::{
    Schema,
    ast::{Type, VariableDefinition},
    executable::Operation,
    request::coerce_variable_values,
    response::{JsonMap, JsonValue},
    schema::ExtendedType,
    validation::Valid,
};
use async_graphql::{Name, Number, Value, Variables, to_value};
use schema::diagnostic;

use crate::invalid_variable::invalid_variable;

/// Coerces values to the types of the operation's variables, and removes undeclared ones.
///
/// [`Value::Enum`] stands for an integer with more digits than a [`Number`] can represent: JSON has no enums.
pub(super) fn coerce(
    contract: &Valid<Schema>,
    operation: &Operation,
    mut values: Variables,
) -> Result<Variables, String> {
    let variables = &operation.variables;
    let declared = |name: &Name| {
        variables
            .iter()
            .any(|variable| variable.name == name.as_str())
    };
    values.retain(|name, _| declared(name));
    let is_coerced = |variable: &VariableDefinition| match values.get(variable.name.as_str()) {
        Some(value) => has_type(&variable.ty, value),
        None => !variable.ty.is_non_null() && variable.default_value.is_none(),
    };
    if variables.iter().all(|variable| is_coerced(variable)) {
        return Ok(values);
    }
    let mut json = JsonMap::new();
    for variable in variables {
        if let Some(value) = values.get(variable.name.as_str()) {
            let value = to_json(contract, &variable.ty, value);
            json.insert(variable.name.as_str(), value);
        }
    }
    let coerced = coerce_variable_values(contract, operation, &json).map_err(|error| {
        let invalid = invalid_variable(contract, operation, &json);
        invalid.map_or_else(
            || diagnostic(&error.message().to_string()),
            |invalid| invalid.to_string(),
        )
    })?;
    let coerced = to_value(&*coerced).expect("JSON is a GraphQL value");
    Ok(Variables::from_value(coerced))
}

/// Whether the value needs no coercion, as in most requests.
fn has_type(ty: &Type, value: &Value) -> bool {
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

/// An integer for an ID becomes its text (GraphQL specification, section 3.5.5). Other mismatches are left
/// for apollo-compiler to refuse.
fn to_json(contract: &Schema, ty: &Type, value: &Value) -> JsonValue {
    let named = ty.inner_named_type();
    match value {
        Value::Null | Value::Binary(_) => JsonValue::Null,
        Value::Boolean(value) => JsonValue::Bool(*value),
        Value::String(text) => JsonValue::String(text.as_str().into()),
        Value::Enum(digits) if named == "ID" => JsonValue::String(digits.as_str().into()),
        Value::Enum(digits) => number(digits),
        Value::Number(number) if named == "ID" && !number.is_f64() => {
            JsonValue::String(number.to_string().into())
        }
        // apollo-compiler refuses integers from 2^53 as floats.
        Value::Number(number) if named == "Float" => {
            let float = number.as_f64().and_then(Number::from_f64);
            JsonValue::Number(float.unwrap_or_else(|| number.clone()))
        }
        Value::Number(number) => JsonValue::Number(number.clone()),
        Value::List(items) => {
            let item = if ty.is_list() { ty.item_type() } else { ty };
            let items = items.iter();
            JsonValue::Array(items.map(|value| to_json(contract, item, value)).collect())
        }
        Value::Object(members) => {
            let input = contract.types.get(named);
            let input = input.and_then(ExtendedType::as_input_object);
            let members = members.iter().map(|(name, value)| {
                let field = input.and_then(|input| input.fields.get(name.as_str()));
                let ty = field.map_or(ty, |field| &field.ty);
                (name.as_str().into(), to_json(contract, ty, value))
            });
            JsonValue::Object(members.collect())
        }
    }
}

/// An integer that a [`Number`] cannot represent exactly; one that is not a finite float stays text.
fn number(digits: &str) -> JsonValue {
    let integer = digits.parse::<i64>().map(Number::from).ok();
    let number = integer.or_else(|| Number::from_f64(digits.parse().ok()?));
    number.map_or_else(|| JsonValue::String(digits.into()), JsonValue::Number)
}

#[cfg(test)]
mod tests {
    use apollo_compiler::ExecutableDocument;
    use async_graphql::value;

    use super::*;

    const SDL: &str = "input Some { id: ID ids: [ID!] count: Int share: Float }
        type Query { a(id: ID ids: [[ID]] some: [Some] share: Float text: String): Int }";

    fn coerced(ty: &str, value: Value) -> Result<Value, String> {
        let contract = Schema::parse_and_validate(SDL, "schema.graphql").expect("it is valid");
        let text =
            format!("query ($v: {ty}) {{ a @include(if: true) b: __typename @skip(if: false) }}");
        let document = ExecutableDocument::parse(&contract, text, "query").expect("it is GraphQL");
        let operation = document.operations.get(None).expect("there is one");
        let mut variables = Variables::default();
        variables.insert(Name::new("v"), value);
        let mut variables = coerce(&contract, operation, variables)?;
        Ok(variables.remove("v").expect("it was sent"))
    }

    #[test]
    fn keeps_the_digits_of_an_integer_for_an_id() {
        let long = Value::Enum(Name::new("123456789012345678901234567890"));
        let text = Value::from("123456789012345678901234567890");
        let input = |value: &Value| value!({ "id": (value.clone()), "ids": [(value.clone())] });
        for (ty, value, expected) in [
            ("ID", value!(7), value!("7")),
            ("ID", Value::from(u64::MAX), value!("18446744073709551615")),
            ("ID!", long.clone(), text.clone()),
            ("[[ID]]", long.clone(), value!([[(text.clone())]])),
            ("[Some]", value!([(input(&long))]), value!([(input(&text))])),
            (
                "Float",
                long.clone(),
                value!(123_456_789_012_345_678_901_234_567_890.0),
            ),
            (
                "Float",
                value!(9_007_199_254_740_993_i64),
                value!(9_007_199_254_740_992.0),
            ),
            ("Int", Value::Enum(Name::new("-0")), value!(0)),
        ] {
            assert_eq!(coerced(ty, value), Ok(expected), "{ty}");
        }
        for (ty, value) in [
            ("Int", long.clone()),
            ("String", long.clone()),
            ("Boolean", long),
            ("Float", Value::Enum(Name::new("9".repeat(400)))),
        ] {
            let error = coerced(ty, value).expect_err(ty);
            assert!(error.starts_with("$v"), "{ty}: {error}");
        }
    }

    #[test]
    fn rejects_a_float_as_an_id() {
        for (ty, value) in [
            ("ID", value!(1.0)),
            ("[ID!]", value!([1, 1.0])),
            ("Some", value!({ "id": 1.0 })),
            ("Some", value!({ "ids": ["1", 1.5] })),
        ] {
            let error = coerced(ty, value).expect_err(ty);
            assert!(error.starts_with("$v"), "{ty}: {error}");
        }
    }
}
