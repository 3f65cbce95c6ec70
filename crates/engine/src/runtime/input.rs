//! Coerces arguments and input objects to Rust values.

use std::fmt::Display;

use async_graphql::{ID, MaybeUndefined, Name, Value, Variables};
use async_graphql_value::Value as InputValue;
use indexmap::IndexMap;

use crate::quote::quoted;

/// A type of arguments and of fields of input objects.
pub trait Input: Sized {
    /// Coerces a value, or its absence.
    fn parse(value: Option<Value>) -> Result<Self, InputError>;
}

/// A custom scalar, implemented by a Rust type of the crate that includes the contract.
pub trait Scalar: Sized {
    /// Coerces a value of an argument.
    fn parse(value: Value) -> Result<Self, InputError>;

    /// The value in a response.
    fn to_value(&self) -> Value;
}

/// Why a value cannot be coerced: the path of its invalid part, and the reason.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{}", format!("{path} {reason}").trim_start())]
pub struct InputError {
    path: String,
    reason: String,
}

impl InputError {
    /// An error with this reason, which follows the path of the value in the message: `must be a calendar date`.
    pub fn new(reason: impl Into<String>) -> Self {
        let (path, reason) = (String::new(), reason.into());
        Self { path, reason }
    }

    /// The value is not of the type with this name.
    pub fn expected(ty: &str, value: &Value) -> Self {
        match value {
            Value::Null => Self::new("must not be null"),
            value => {
                let value = quoted(value);
                Self::new(format!("must be of the type {ty}, it is {value}"))
            }
        }
    }

    /// The error with a suggestion after its reason.
    pub(crate) fn followed_by(self, suggestion: &str) -> Self {
        let reason = self.reason + suggestion;
        Self { reason, ..self }
    }

    /// The error of the value that has the invalid one at this position, such as `[3]` or `.title`.
    pub(crate) fn inside(self, position: impl Display) -> Self {
        let path = format!("{position}{}", self.path);
        Self { path, ..self }
    }
}

/// The value of an argument with these variables. A variable without a value is absent, as is a member of an object
/// with such a value; in a list, such an item is null.
pub(crate) fn constant(value: &InputValue, variables: &Variables) -> Option<Value> {
    Some(match value {
        InputValue::Variable(name) => variables.get(name)?.clone(),
        InputValue::Null => Value::Null,
        InputValue::Number(number) => Value::Number(number.clone()),
        InputValue::String(text) => Value::String(text.clone()),
        InputValue::Boolean(value) => Value::Boolean(*value),
        InputValue::Binary(bytes) => Value::Binary(bytes.clone()),
        InputValue::Enum(name) => Value::Enum(name.clone()),
        InputValue::List(items) => {
            let items = items.iter();
            let items = items.map(|item| constant(item, variables).unwrap_or_default());
            Value::List(items.collect())
        }
        InputValue::Object(members) => {
            let members = members.iter();
            let members = members
                .filter_map(|(name, value)| Some((name.clone(), constant(value, variables)?)));
            Value::Object(members.collect())
        }
    })
}

/// The members of an input object.
pub fn members(ty: &str, value: Option<Value>) -> Result<IndexMap<Name, Value>, InputError> {
    match value.unwrap_or_default() {
        Value::Object(members) => Ok(members),
        other => Err(InputError::expected(ty, &other)),
    }
}

/// The member of an input object with this name, or its default.
pub fn member<T: Input>(
    members: &mut IndexMap<Name, Value>,
    name: &str,
    default: Option<fn() -> T>,
) -> Result<T, InputError> {
    match (members.swap_remove(name), default) {
        (None, Some(default)) => Ok(default()),
        (value, _) => T::parse(value).map_err(|error| error.inside(format!(".{name}"))),
    }
}

/// The only member of a `@oneOf` input object, which must not be null, and its name.
pub fn only_member(
    ty: &str,
    value: Option<Value>,
) -> Result<(Name, IndexMap<Name, Value>), InputError> {
    let members = members(ty, value)?;
    match members.first() {
        Some((name, value)) if members.len() == 1 && *value != Value::Null => {
            Ok((name.clone(), members))
        }
        _ => Err(InputError::new(
            "must have exactly one field, which is not null",
        )),
    }
}

/// The enum value with this name.
pub fn enum_value<T: Copy>(
    ty: &str,
    value: Option<Value>,
    values: &[(&'static str, T)],
) -> Result<T, InputError> {
    let value = value.unwrap_or_default();
    let name = match &value {
        Value::Enum(name) => name.as_str(),
        Value::String(name) => name.as_str(),
        _ => "",
    };
    let mut values = values.iter();
    let found = values.find(|(candidate, _)| *candidate == name);
    found
        .map(|(_, value)| *value)
        .ok_or_else(|| InputError::expected(ty, &value))
}

impl<T: Input> Input for Option<T> {
    fn parse(value: Option<Value>) -> Result<Self, InputError> {
        match value.unwrap_or_default() {
            Value::Null => Ok(None),
            value => T::parse(Some(value)).map(Some),
        }
    }
}

impl<T: Input> Input for MaybeUndefined<T> {
    fn parse(value: Option<Value>) -> Result<Self, InputError> {
        match value {
            None => Ok(Self::Undefined),
            Some(Value::Null) => Ok(Self::Null),
            value => T::parse(value).map(Self::Value),
        }
    }
}

impl<T: Input> Input for Vec<T> {
    /// A value that is not a list is a list of it.
    fn parse(value: Option<Value>) -> Result<Self, InputError> {
        match value.unwrap_or_default() {
            Value::List(items) => {
                let items = items.into_iter().enumerate();
                let items = items.map(|(index, item)| {
                    T::parse(Some(item)).map_err(|error| error.inside(format!("[{index}]")))
                });
                items.collect()
            }
            Value::Null => Err(InputError::expected("list", &Value::Null)),
            value => Ok(vec![T::parse(Some(value))?]),
        }
    }
}

impl<T: Input> Input for Box<T> {
    fn parse(value: Option<Value>) -> Result<Self, InputError> {
        T::parse(value).map(Box::new)
    }
}

impl Input for String {
    fn parse(value: Option<Value>) -> Result<Self, InputError> {
        match value.unwrap_or_default() {
            Value::String(text) => Ok(text),
            other => Err(InputError::expected("String", &other)),
        }
    }
}

impl Input for ID {
    fn parse(value: Option<Value>) -> Result<Self, InputError> {
        match value.unwrap_or_default() {
            Value::String(text) => Ok(Self(text)),
            Value::Number(number) if !number.is_f64() => Ok(Self(number.to_string())),
            other => Err(InputError::expected("ID", &other)),
        }
    }
}

impl Input for bool {
    fn parse(value: Option<Value>) -> Result<Self, InputError> {
        match value.unwrap_or_default() {
            Value::Boolean(value) => Ok(value),
            other => Err(InputError::expected("Boolean", &other)),
        }
    }
}

impl Input for i32 {
    fn parse(value: Option<Value>) -> Result<Self, InputError> {
        let value = value.unwrap_or_default();
        let number = match &value {
            Value::Number(number) => number.as_i64(),
            _ => None,
        };
        number
            .and_then(|number| Self::try_from(number).ok())
            .ok_or_else(|| InputError::expected("Int", &value))
    }
}

impl Input for f64 {
    fn parse(value: Option<Value>) -> Result<Self, InputError> {
        let value = value.unwrap_or_default();
        let number = match &value {
            Value::Number(number) => number.as_f64(),
            _ => None,
        };
        number.ok_or_else(|| InputError::expected("Float", &value))
    }
}
