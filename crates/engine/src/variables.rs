//! Coerces the variables of a request and applies their defaults (GraphQL specification, section 6.1.2,
//! `CoerceVariableValues`).

use std::mem;

use apollo_compiler::{
    Schema,
    ast::Type,
    executable::Operation,
    schema::{ExtendedType, InputObjectType},
};
use async_graphql::{Name, Number, Value, Variables};
use indexmap::IndexMap;
use schema::{excerpt, suggestion};

use crate::{
    input_error::InputError,
    introspection::Introspection,
    literal::{constant, literal},
};

/// Coerces values to the types of the operation's variables, and removes undeclared ones.
///
/// [`Value::Enum`] stands for an integer with more digits than a [`Number`] can represent: JSON has no enums.
pub(super) fn coerce(
    contract: &Schema,
    introspection: Introspection,
    operation: &Operation,
    mut values: Variables,
) -> Result<Variables, InputError> {
    let coercion = Coercion {
        contract,
        introspection,
    };
    let variables = &operation.variables;
    let declared = |name: &Name| {
        variables
            .iter()
            .any(|variable| variable.name == name.as_str())
    };
    values.retain(|name, _| declared(name));
    for variable in variables {
        let (name, ty) = (variable.name.as_str(), &variable.ty);
        let inside = |error: InputError| error.inside(format!("${}", excerpt(name)));
        if let Some(value) = values.get_mut(name) {
            *value = coercion.value(ty, mem::take(value)).map_err(inside)?;
        } else if let Some(default) = &variable.default_value {
            let default = literal(contract, Some(ty), default);
            let default = constant(&default, &Variables::default());
            values.insert(Name::new(name), default.unwrap_or_default());
        } else if ty.is_non_null() {
            return Err(inside(missing(ty)));
        }
    }
    Ok(values)
}

/// The coercion of the values of one request.
struct Coercion<'a> {
    contract: &'a Schema,
    introspection: Introspection,
}

impl Coercion<'_> {
    fn value(&self, ty: &Type, value: Value) -> Result<Value, InputError> {
        let item_type = match ty {
            _ if value == Value::Null => {
                let reason = || format!("must not be null, its type is {}", type_name(ty));
                return if ty.is_non_null() {
                    Err(InputError::new(reason()))
                } else {
                    Ok(value)
                };
            }
            Type::Named(named) | Type::NonNullNamed(named) => {
                return self.named(named, value);
            }
            Type::List(item_type) | Type::NonNullList(item_type) => item_type,
        };
        let Value::List(items) = value else {
            // A single value is the only item of the list.
            return Ok(Value::List(vec![self.value(item_type, value)?]));
        };
        let items = items.into_iter().enumerate().map(|(index, item)| {
            let item = self.value(item_type, item);
            item.map_err(|error| error.inside(format!("[{index}]")))
        });
        items.collect::<Result<_, _>>().map(Value::List)
    }

    fn named(&self, named: &str, value: Value) -> Result<Value, InputError> {
        let value = match (named, value) {
            ("ID", Value::Enum(digits)) => Value::String(digits.to_string()),
            ("Int", Value::Enum(digits)) if digits == "-0" => Value::from(0),
            ("Int" | "ID", Value::Number(number)) => integer(number),
            ("Float", Value::Enum(digits)) => number(&digits).unwrap_or(Value::Enum(digits)),
            (_, value) => value,
        };
        match (named, value) {
            ("ID" | "String", value @ Value::String(_))
            | ("Boolean", value @ Value::Boolean(_)) => Ok(value),
            // An integer for an ID becomes its text (section 3.5.5).
            ("ID", Value::Number(number)) if !number.is_f64() => {
                Ok(Value::String(number.to_string()))
            }
            ("Int", Value::Number(number)) if is_int(&number) => Ok(Value::Number(number)),
            ("Float", Value::Number(number)) => {
                let float = number.as_f64().and_then(Number::from_f64);
                Ok(Value::Number(float.unwrap_or(number)))
            }
            ("ID" | "String" | "Boolean" | "Int" | "Float", value) => {
                Err(InputError::expected(named, &value))
            }
            (_, value) => match (self.contract.types.get(named), value) {
                (Some(ExtendedType::InputObject(input)), Value::Object(members)) => {
                    self.members(input, members)
                }
                (Some(ExtendedType::Enum(definition)), Value::String(name)) => {
                    if definition.values.contains_key(name.as_str()) {
                        return Ok(Value::String(name));
                    }
                    let suggestion = self.suggestion(&name, definition.values.keys());
                    let error = InputError::expected(named, &Value::String(name));
                    Err(error.followed_by(&suggestion))
                }
                (Some(ExtendedType::Scalar(_)), value) => with_numbers(named, value),
                (_, value) => Err(InputError::expected(named, &value)),
            },
        }
    }

    /// The defaults of omitted fields are applied when arguments are parsed.
    fn members(
        &self,
        input: &InputObjectType,
        mut members: IndexMap<Name, Value>,
    ) -> Result<Value, InputError> {
        let mut keys = members.keys();
        if let Some(unknown) = keys.find(|key| !input.fields.contains_key(key.as_str())) {
            let suggestion = self.suggestion(unknown, input.fields.keys());
            let (ty, unknown) = (&input.name, excerpt(unknown));
            let reason =
                format!("must not have the field {unknown:?}, {ty} does not have it{suggestion}");
            return Err(InputError::new(reason));
        }
        for (name, field) in &input.fields {
            let inside = |error: InputError| error.inside(format!(".{name}"));
            if let Some(value) = members.get_mut(name.as_str()) {
                *value = self.value(&field.ty, mem::take(value)).map_err(inside)?;
            } else if field.is_required() {
                return Err(inside(missing(&field.ty)));
            }
        }
        Ok(Value::Object(members))
    }

    /// The [`suggestion`] of a name of the contract, which is secret where introspection is off.
    fn suggestion<'n>(
        &self,
        name: &str,
        known: impl Iterator<Item = &'n apollo_compiler::Name>,
    ) -> String {
        match self.introspection {
            Introspection::On => suggestion(name, known.map(apollo_compiler::Name::as_str)),
            Introspection::Off => String::new(),
        }
    }
}

fn is_int(number: &Number) -> bool {
    let number = number.as_i64();
    number.is_some_and(|number| i32::try_from(number).is_ok())
}

/// The largest float below which every integer is one.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// A number with an empty fractional part is an integer, however JSON writes it (section 3.5).
fn integer(number: Number) -> Value {
    let exact = number.as_f64().filter(|float| {
        number.is_f64() && float.fract() == 0.0 && (-MAX_EXACT..=MAX_EXACT).contains(float)
    });
    #[expect(
        clippy::cast_possible_truncation,
        reason = "it is an integer of less than 64 bits"
    )]
    exact.map_or(Value::Number(number), |float| Value::from(float as i64))
}

/// The value of a custom scalar with this name.
fn with_numbers(named: &str, value: Value) -> Result<Value, InputError> {
    Ok(match value {
        Value::Enum(digits) => {
            number(&digits).ok_or_else(|| InputError::expected(named, &Value::Enum(digits)))?
        }
        Value::List(items) => {
            let items = items.into_iter();
            let items = items.map(|item| with_numbers(named, item));
            Value::List(items.collect::<Result<_, _>>()?)
        }
        Value::Object(members) => {
            let members = members.into_iter();
            let members = members.map(|(name, value)| Ok((name, with_numbers(named, value)?)));
            Value::Object(members.collect::<Result<_, _>>()?)
        }
        value => value,
    })
}

/// An integer that a [`Number`] cannot represent exactly, unless it exceeds the range of a float.
fn number(digits: &str) -> Option<Value> {
    let integer = digits.parse::<i64>().map(Number::from).ok();
    let number = integer.or_else(|| Number::from_f64(digits.parse().ok()?));
    number.map(Value::Number)
}

fn missing(ty: &Type) -> InputError {
    InputError::new(format!("must be given, its type is {}", type_name(ty)))
}

/// The type, truncated since a document can nest lists.
fn type_name(ty: &Type) -> String {
    excerpt(&ty.to_string()).into_owned()
}

#[cfg(test)]
mod tests;
