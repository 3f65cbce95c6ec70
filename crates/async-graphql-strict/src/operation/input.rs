//! Values of documents as constants of async-graphql's.

use apollo_compiler::{
    Schema,
    ast::{Type, Value},
    schema::ExtendedType,
};
use async_graphql::{Name, Number, Value as ConstValue, Variables};

/// A value of this type with its variables replaced. An integer for an ID becomes its text, however long it is. `None` is a
/// variable without a value: such an argument or member of an object is absent, such an item of a list is null (GraphQL
/// specification, sections 3.10, 3.11 and 6.4.1).
pub(super) fn value(schema: &Schema, variables: &Variables, ty: Option<&Type>, of: &Value) -> Option<ConstValue> {
    let named = ty.map(|ty| ty.inner_named_type().as_str());
    Some(match of {
        Value::Null => ConstValue::Null,
        Value::Variable(name) => variables.get(name.as_str())?.clone(),
        Value::Enum(name) => ConstValue::Enum(Name::new(name)),
        Value::String(text) => ConstValue::String(text.clone()),
        Value::Boolean(value) => ConstValue::Boolean(*value),
        Value::Int(number) if named == Some("ID") => ConstValue::String(number.as_str().to_owned()),
        Value::Int(number) => match number.as_str().parse::<i64>() {
            Ok(number) => ConstValue::Number(number.into()),
            Err(_) => float(number.try_to_f64().ok()),
        },
        Value::Float(number) => float(number.try_to_f64().ok()),
        Value::List(items) => {
            let item = ty.map(|ty| if ty.is_list() { ty.item_type() } else { ty });
            let items = items.iter();
            let items = items.map(|of| value(schema, variables, item, of).unwrap_or_default());
            ConstValue::List(items.collect())
        }
        Value::Object(members) => {
            let definition = named.and_then(|named| schema.types.get(named));
            let fields = definition.and_then(ExtendedType::as_input_object);
            let members = members.iter().filter_map(|(name, of)| {
                let field = fields.and_then(|object| object.fields.get(name));
                let ty = field.map(|field| &*field.ty);
                Some((Name::new(name), value(schema, variables, ty, of)?))
            });
            ConstValue::Object(members.collect())
        }
    })
}

/// A number that is not finite becomes null; validation refuses it.
fn float(number: Option<f64>) -> ConstValue {
    number.and_then(Number::from_f64).map_or(ConstValue::Null, ConstValue::Number)
}
