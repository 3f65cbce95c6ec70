//! Compares values by meaning, not by spelling.

use apollo_compiler::{Name, Node, Schema, ast::Value, schema::Type};

use crate::report::shortened;

/// Whether two values are equal after coercion to this type: fields of objects have no order, a
/// single value is coerced to a list, an omitted field has its default value, `1` equals the float `1.0` and the id
/// `"1"`.
pub(super) fn is_equivalent<'a>(schema: &'a Schema, ty: &Type, one: &'a Value, other: &'a Value) -> bool {
    match (one, other) {
        (Value::List(items), Value::List(others)) => {
            let mut pairs = items.iter().zip(others);
            items.len() == others.len() && pairs.all(|(item, other)| is_equivalent(schema, ty.item_type(), item, other))
        }
        (Value::List(items), single) | (single, Value::List(items)) if ty.is_list() && !single.is_null() => {
            matches!(&items[..], [item] if is_equivalent(schema, ty.item_type(), item, single))
        }
        (Value::Object(fields), Value::Object(others)) => {
            let input = schema.get_input_object(ty.inner_named_type());
            fields.iter().chain(others).all(|(name, _)| {
                let field = input.and_then(|input| input.fields.get(name));
                let default = field.and_then(|field| field.default_value.as_ref());
                let value = |given: &'a [(Name, Node<Value>)]| {
                    let given = given.iter().find(|(given, _)| given == name);
                    given.map(|(_, value)| value).or(default)
                };
                // The members of a value of a custom scalar have no types.
                let ty = field.map_or(ty, |field| &*field.ty);
                match (value(fields), value(others)) {
                    (Some(value), Some(other)) => is_equivalent(schema, ty, value, other),
                    _ => false,
                }
            })
        }
        (Value::Int(number), Value::Float(other)) | (Value::Float(other), Value::Int(number)) => {
            is_named(ty, "Float") && number.try_to_f64() == other.try_to_f64()
        }
        (Value::Float(number), Value::Float(other)) => {
            number == other || is_named(ty, "Float") && number.try_to_f64() == other.try_to_f64()
        }
        (Value::Int(number), Value::String(text)) | (Value::String(text), Value::Int(number)) => {
            is_named(ty, "ID") && number.as_str() == text
        }
        _ => one == other,
    }
}

fn is_named(ty: &Type, name: &str) -> bool {
    ty.inner_named_type() == name
}

/// A value in one line, truncated where it is long.
pub(super) fn shown(value: &Value) -> String {
    shortened(&value.serialize().no_indent().to_string())
}
