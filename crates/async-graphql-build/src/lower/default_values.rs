//! Default values as Rust expressions.

use std::slice;

use apollo_compiler::{
    Name, Node,
    ast::{Type, Value},
    schema::{ExtendedType, InputObjectType},
};

use super::lowering::Lowering;
use crate::name;

/// Why the value has its type: the reader of the schema validates default values.
const VALID: &str = "the default value was validated";

impl Lowering<'_> {
    /// The Rust expression for a default value of this type in a field of the input object `owner` (empty for an
    /// argument).
    pub(super) fn default_value(&self, owner: &str, ty: &Type, value: &Node<Value>) -> String {
        match (ty, &**value) {
            (_, Value::Null) => "None".to_owned(),
            (Type::Named(_) | Type::List(_), _) => {
                let value = self.default_value(owner, &ty.clone().non_null(), value);
                format!("Some({value})")
            }
            (Type::NonNullList(item), constant) => {
                // A single value is a list of one (GraphQL specification, section 3.11).
                let values = constant.as_list().unwrap_or(slice::from_ref(value));
                format!("vec![{}]", list(values.iter().map(|value| self.default_value("", item, value))))
            }
            (Type::NonNullNamed(named), constant) => match (&self.schema.types[named], constant) {
                (ExtendedType::InputObject(definition), Value::Object(given)) => {
                    let object = self.default_object(definition, given);
                    if self.boxing.is_boxed(owner, ty) { format!("Box::new({object})") } else { object }
                }
                (ExtendedType::Enum(_), Value::Enum(variant)) => {
                    let ty = self.names.type_ident(named);
                    let convert = name::enum_value_ident;
                    let value = self.names.part_ident(named, variant, convert);
                    format!("{ty}::{value}")
                }
                _ => scalar(named, value).unwrap_or_else(|| self.custom_scalar(named, value)),
            },
        }
    }

    fn default_object(&self, definition: &InputObjectType, given: &[(Name, Node<Value>)]) -> String {
        let named = &definition.name;
        let ident_of_type = self.names.type_ident(named);
        if definition.directives.has("oneOf") {
            let (name, value) = given.first().expect(VALID);
            let ty = definition.fields[name].ty.as_ref().clone().non_null();
            let (variant, value) =
                (self.names.part_ident(named, name, name::type_ident), self.default_value(named, &ty, value));
            return format!("{ident_of_type}::{variant}({value})");
        }
        let distinguishes = self.bindings.distinguish_omitted.contains(named.as_str());
        let fields = definition.fields.iter().map(|(name, field)| {
            let ident = self.names.part_ident(named, name, name::field_ident);
            let given = given.iter().find(|(given, _)| given == name);
            let given = given.map(|(_, value)| value);
            let default = field.default_value.as_ref();
            let value = if distinguishes && default.is_none() && !field.ty.is_non_null() {
                let non_null = field.ty.as_ref().clone().non_null();
                match given {
                    None => "async_graphql::MaybeUndefined::Undefined".to_owned(),
                    Some(value) if value.is_null() => "async_graphql::MaybeUndefined::Null".to_owned(),
                    Some(value) => {
                        let value = self.default_value(named, &non_null, value);
                        format!("async_graphql::MaybeUndefined::Value({value})")
                    }
                }
            } else {
                match (given, default) {
                    (Some(value), _) => self.default_value(named, &field.ty, value),
                    // Default values that omit fields can contain each other in exponential number.
                    (None, Some(_)) => format!("{ident_of_type}::{}()", name::default_ident(name)),
                    (None, None) => "None".to_owned(),
                }
            };
            format!("{ident}: {value}")
        });
        format!("{ident_of_type} {{ {} }}", list(fields))
    }

    /// The value of the Rust type of a custom scalar, which parses it when async-graphql describes the default value.
    fn custom_scalar(&self, named: &str, value: &Node<Value>) -> String {
        let rust = self.named_rust(named);
        let location = self.location(value.location()).to_string();
        let value = constant(value);
        format!("support::default_scalar::<{rust}>({value}, {location:?})")
    }
}

/// Whether the value has a number that `f64` cannot represent.
pub(super) fn is_too_large(value: &Value) -> bool {
    match value {
        Value::Int(digits) => digits.try_to_f64().is_err(),
        Value::Float(number) => number.try_to_f64().is_err(),
        Value::List(items) => items.iter().any(|item| is_too_large(item)),
        Value::Object(members) => members.iter().any(|(_, member)| is_too_large(member)),
        _ => false,
    }
}

/// Expressions between commas.
fn list(expressions: impl Iterator<Item = String>) -> String {
    expressions.collect::<Vec<_>>().join(", ")
}

/// A value of async-graphql's.
fn constant(value: &Value) -> String {
    match value {
        Value::Null | Value::Variable(_) => "async_graphql::Value::Null".to_owned(),
        Value::Boolean(literal) => format!("async_graphql::Value::Boolean({literal})"),
        Value::String(text) => format!("async_graphql::Value::String({text:?}.to_owned())"),
        Value::Enum(name) => {
            let name = name.as_str();
            format!("async_graphql::Value::Enum(async_graphql::Name::new({name:?}))")
        }
        Value::Int(digits) => match digits.as_str().parse::<i64>() {
            Ok(number) => format!("async_graphql::Value::from({number}i64)"),
            Err(_) => constant_float(digits.try_to_f64().expect(VALID)),
        },
        Value::Float(number) => constant_float(number.try_to_f64().expect(VALID)),
        Value::List(items) => {
            let items = list(items.iter().map(|item| constant(item)));
            format!("async_graphql::Value::List(vec![{items}])")
        }
        Value::Object(members) => {
            let members = list(members.iter().map(|(name, member)| {
                let (name, member) = (name.as_str(), constant(member));
                format!("(async_graphql::Name::new({name:?}), {member})")
            }));
            format!("async_graphql::Value::Object([{members}].into_iter().collect())")
        }
    }
}

fn constant_float(number: f64) -> String {
    format!("async_graphql::Value::from({number:?})")
}

/// A value of a built-in scalar.
fn scalar(named: &str, value: &Value) -> Option<String> {
    let float = |number: f64| format!("{number:?}");
    Some(match (named, value) {
        ("Int", Value::Int(number)) => number.try_to_i32().expect(VALID).to_string(),
        ("Float", Value::Float(number)) => float(number.try_to_f64().expect(VALID)),
        ("Float", Value::Int(number)) => float(number.try_to_f64().expect(VALID)),
        ("String", Value::String(text)) => format!("{text:?}.to_owned()"),
        ("Boolean", Value::Boolean(literal)) => literal.to_string(),
        ("ID", Value::String(text)) => format!("async_graphql::ID({text:?}.to_owned())"),
        ("ID", Value::Int(digits)) => {
            format!("async_graphql::ID({:?}.to_owned())", digits.as_str())
        }
        _ => return None,
    })
}
