//! Literals of documents as values of async-graphql's.

use apollo_compiler::{
    Schema,
    ast::{Type, Value},
    schema::ExtendedType,
};
use async_graphql::{Name, Number};
use async_graphql_value::Value as InputValue;

/// A literal of this type. An integer for an ID becomes its text, however long it is.
pub(crate) fn literal(contract: &Schema, ty: Option<&Type>, value: &Value) -> InputValue {
    let named = ty.map(|ty| ty.inner_named_type().as_str());
    match value {
        Value::Null => InputValue::Null,
        Value::Variable(name) => InputValue::Variable(Name::new(name)),
        Value::Enum(name) => InputValue::Enum(Name::new(name)),
        Value::String(text) => InputValue::String(text.clone()),
        Value::Boolean(value) => InputValue::Boolean(*value),
        Value::Int(number) if named == Some("ID") => InputValue::String(number.as_str().to_owned()),
        Value::Int(number) => match number.as_str().parse::<i64>() {
            Ok(number) => InputValue::Number(number.into()),
            Err(_) => float(number.try_to_f64().ok()),
        },
        Value::Float(number) => float(number.try_to_f64().ok()),
        Value::List(items) => {
            let item = ty.map(|ty| if ty.is_list() { ty.item_type() } else { ty });
            let items = items.iter().map(|value| literal(contract, item, value));
            InputValue::List(items.collect())
        }
        Value::Object(members) => {
            let definition = named.and_then(|named| contract.types.get(named));
            let fields = definition.and_then(ExtendedType::as_input_object);
            let members = members.iter().map(|(name, value)| {
                let field = fields.and_then(|object| object.fields.get(name));
                let ty = field.map(|field| &*field.ty);
                (Name::new(name), literal(contract, ty, value))
            });
            InputValue::Object(members.collect())
        }
    }
}

/// A number that is not finite becomes null; validation refuses it.
fn float(number: Option<f64>) -> InputValue {
    number
        .and_then(Number::from_f64)
        .map_or(InputValue::Null, InputValue::Number)
}
