//! Coerces the variables of a request and applies their defaults (GraphQL specification, section 6.1.2,
//! `CoerceVariableValues`), and replaces variables in the values of a document.
//!
//! `coerce_variable_values` of apollo-compiler refuses `1.0` for an `Int` and an integer above 2^53 for a `Float`,
//! rounds long integers for an `ID`, does not know `@oneOf`, and its errors name neither the variable nor the path and
//! contain the whole value. The tests compare its results where it conforms.

use std::mem;

use apollo_compiler::{
    Schema,
    ast::{self, Type},
    executable::Operation,
    schema::{ExtendedType, InputObjectType},
};
use async_graphql::{Name, Number, Value, Variables};
use graphql_sdl::{excerpt, printable, suggestion};
use indexmap::IndexMap;

use crate::{
    contract::Contract,
    error::{ErrorCode, RequestError},
};

/// The largest float below which every integer is one.
const MAX_EXACT: f64 = 9_007_199_254_740_991.0;

/// Coerces values to the types of the operation's variables, and removes undeclared ones.
pub(crate) fn coerce(
    contract: &Contract,
    operation: &Operation,
    mut given: Variables,
) -> Result<Variables, RequestError> {
    let mut coerced = Variables::default();
    for variable in &operation.variables {
        let (name, ty) = (variable.name.as_str(), &variable.ty);
        let inside = |error: String| {
            let message = format!("${}{error}", excerpt(name));
            RequestError::new(ErrorCode::BadUserInput, message)
        };
        if let Some((name, mut value)) = given.remove_entry(name) {
            Coercion(contract).value(ty, &mut value).map_err(inside)?;
            coerced.insert(name, value);
        } else if let Some(default) = &variable.default_value {
            let default = value(&contract.schema, &Variables::default(), Some(ty), default);
            coerced.insert(Name::new(name), default.unwrap_or_default());
        } else if ty.is_non_null() {
            return Err(inside(required(ty, "must be given")));
        }
    }
    Ok(coerced)
}

/// A value of a document of this type, with its variables replaced. An integer for an ID becomes its text, however long it
/// is. `None` is a variable without a value: such an argument or member of an object is absent, such an item of a list is
/// null (GraphQL specification, sections 3.10, 3.11 and 6.4.1).
pub(super) fn value(schema: &Schema, variables: &Variables, ty: Option<&Type>, of: &ast::Value) -> Option<Value> {
    let named = ty.map(|ty| ty.inner_named_type().as_str());
    Some(match of {
        ast::Value::Null => Value::Null,
        ast::Value::Variable(name) => variables.get(name.as_str())?.clone(),
        ast::Value::Enum(name) => Value::Enum(Name::new(name)),
        ast::Value::String(text) => Value::String(text.clone()),
        ast::Value::Boolean(value) => Value::Boolean(*value),
        ast::Value::Int(number) if named == Some("ID") => Value::String(number.as_str().to_owned()),
        ast::Value::Int(number) => match number.as_str().parse::<i64>() {
            Ok(number) => Value::Number(number.into()),
            Err(_) => float(number.try_to_f64().ok()),
        },
        ast::Value::Float(number) => float(number.try_to_f64().ok()),
        ast::Value::List(items) => {
            let item = ty.map(|ty| if ty.is_list() { ty.item_type() } else { ty });
            let items = items.iter();
            let items = items.map(|of| value(schema, variables, item, of).unwrap_or_default());
            Value::List(items.collect())
        }
        ast::Value::Object(members) => {
            let definition = named.and_then(|named| schema.types.get(named));
            let fields = definition.and_then(ExtendedType::as_input_object);
            let members = members.iter().filter_map(|(name, of)| {
                let field = fields.and_then(|object| object.fields.get(name));
                let ty = field.map(|field| &*field.ty);
                Some((Name::new(name), value(schema, variables, ty, of)?))
            });
            Value::Object(members.collect())
        }
    })
}

/// A number that is not finite becomes null; validation refuses it.
fn float(number: Option<f64>) -> Value {
    number.and_then(Number::from_f64).map_or(Value::Null, Value::Number)
}

/// The coercion of the values of one request. Its errors begin with the path within the value.
struct Coercion<'a>(&'a Contract);

impl Coercion<'_> {
    fn value(&self, ty: &Type, value: &mut Value) -> Result<(), String> {
        match (ty, &mut *value) {
            (_, Value::Null) if ty.is_non_null() => Err(required(ty, "must not be null")),
            (_, Value::Null) => Ok(()),
            (Type::Named(named) | Type::NonNullNamed(named), _) => self.named(named, value),
            (Type::List(item_type) | Type::NonNullList(item_type), Value::List(items)) => {
                items.iter_mut().enumerate().try_for_each(|(index, item)| {
                    let item = self.value(item_type, item);
                    item.map_err(|error| format!("[{index}]{error}"))
                })
            }
            (Type::List(item_type) | Type::NonNullList(item_type), _) => {
                self.value(item_type, value)?;
                *value = Value::List(vec![mem::take(value)]);
                Ok(())
            }
        }
    }

    fn named(&self, named: &str, value: &mut Value) -> Result<(), String> {
        let hint = match (self.0.schema.types.get(named), &mut *value) {
            (Some(ExtendedType::InputObject(input)), Value::Object(members)) => {
                return self.members(input, members);
            }
            (Some(ExtendedType::Enum(definition)), Value::String(name)) => {
                if definition.values.contains_key(name.as_str()) {
                    *value = Value::Enum(Name::new(name));
                    return Ok(());
                }
                self.suggestion(name, definition.values.keys())
            }
            (Some(ExtendedType::Scalar(_)) | None, value) => {
                if scalar(named, value).is_some() {
                    return Ok(());
                }
                String::new()
            }
            _ => String::new(),
        };
        let value = quoted(value);
        Err(format!(" must be of the type {named}, it is {value}{hint}"))
    }

    /// The defaults of omitted fields are applied when arguments are parsed.
    fn members(&self, input: &InputObjectType, members: &mut IndexMap<Name, Value>) -> Result<(), String> {
        let mut keys = members.keys();
        if let Some(unknown) = keys.find(|key| !input.fields.contains_key(key.as_str())) {
            let hint = self.suggestion(unknown, input.fields.keys());
            let (ty, unknown) = (&input.name, excerpt(unknown));
            return Err(format!(" must not have the field {unknown:?}, {ty} does not have it{hint}"));
        }
        let is_single = || members.len() == 1 && members[0] != Value::Null;
        if input.directives.has("oneOf") && !is_single() {
            return Err(" must have exactly one field, which is not null".to_owned());
        }
        for (name, field) in &input.fields {
            let coerced = match members.get_mut(name.as_str()) {
                Some(value) => self.value(&field.ty, value),
                None if field.is_required() => Err(required(&field.ty, "must be given")),
                None => Ok(()),
            };
            coerced.map_err(|error| format!(".{name}{error}"))?;
        }
        Ok(())
    }

    /// The [`suggestion`] of a name of the contract, which is secret where introspection is off.
    fn suggestion<'n>(&self, name: &str, known: impl Iterator<Item = &'n apollo_compiler::Name>) -> String {
        if self.0.is_public { suggestion(name, known.map(apollo_compiler::Name::as_str)) } else { String::new() }
    }
}

/// Coerces to the scalar with this name, if possible.
fn scalar(named: &str, value: &mut Value) -> Option<()> {
    match (named, &*value) {
        ("ID" | "String", Value::String(_)) | ("Boolean", Value::Boolean(_)) | ("Float", Value::Number(_)) => {}
        // An integer for an ID becomes its text (section 3.5.5).
        ("ID", _) => *value = Value::String(integer(value)?),
        ("Int", _) => *value = Value::from(integer(value)?.parse::<i32>().ok()?),
        ("String" | "Boolean" | "Float", _) => return None,
        // A custom scalar accepts any value.
        _ => {}
    }
    Some(())
}

/// The digits of a number with an empty fractional part, which is an integer however JSON writes it (section 3.5). A float
/// that may stand for another integer, because it has too many digits, is none.
fn integer(value: &Value) -> Option<String> {
    let Value::Number(number) = value else {
        return None;
    };
    if number.is_f64() && number.as_f64()?.abs() > MAX_EXACT {
        return None;
    }
    let number = number.to_string();
    let digits = number.strip_suffix(".0").unwrap_or(&number);
    (!digits.contains(['.', 'e'])).then(|| digits.to_owned())
}

/// The error of a value that a non-null type requires. The type is truncated, since a document can nest lists.
fn required(ty: &Type, rule: &str) -> String {
    format!(" {rule}, its type is {}", excerpt(&ty.to_string()))
}

/// A value as JSON, which is what the client sent, truncated.
fn quoted(value: &Value) -> String {
    let json = serde_json::to_string(value).expect("GraphQL values are JSON values");
    printable(&excerpt(&json)).into_owned()
}
