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
    introspection::Introspection,
    runtime::{InputError, constant, literal},
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
        let value = match value {
            Value::Enum(digits) if named == "ID" => Value::String(digits.to_string()),
            Value::Enum(digits) => number(&digits),
            value => value,
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
                (Some(ExtendedType::Scalar(_)), value) => Ok(with_numbers(value)),
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

/// The value of a custom scalar.
fn with_numbers(value: Value) -> Value {
    match value {
        Value::Enum(digits) => number(&digits),
        Value::List(items) => Value::List(items.into_iter().map(with_numbers).collect()),
        Value::Object(members) => {
            let members = members.into_iter();
            let members = members.map(|(name, value)| (name, with_numbers(value)));
            Value::Object(members.collect())
        }
        value => value,
    }
}

/// An integer that a [`Number`] cannot represent exactly; one that is not a finite float stays text.
fn number(digits: &str) -> Value {
    let integer = digits.parse::<i64>().map(Number::from).ok();
    let number = integer.or_else(|| Number::from_f64(digits.parse().ok()?));
    number.map_or_else(|| Value::String(digits.to_owned()), Value::Number)
}

fn missing(ty: &Type) -> InputError {
    InputError::new(format!("must be given, its type is {}", type_name(ty)))
}

/// The type, truncated since a document can nest lists.
fn type_name(ty: &Type) -> String {
    excerpt(&ty.to_string()).into_owned()
}

#[cfg(test)]
mod tests {
    use apollo_compiler::{ExecutableDocument, request::coerce_variable_values, response::JsonMap};
    use async_graphql::value;
    use proptest::{
        collection::{hash_map, vec},
        prelude::*,
        sample::select,
    };
    use serde_json::{Value as Json, json};

    use super::*;

    /// Without IDs and default values, which apollo-compiler treats differently.
    const COMPARED: &str = "enum Kind { A B } scalar Any type Query { a: Int }
        input In { count: Int! share: Float in: In kinds: [Kind!] any: [Any] text: String yes: Boolean }";

    fn json() -> impl Strategy<Value = Json> {
        let leaf = select(vec![
            json!(null),
            json!(true),
            json!(1),
            json!(1.5),
            json!(i64::from(i32::MAX) + 1),
            json!("A"),
            json!("text"),
        ]);
        leaf.prop_recursive(4, 24, 4, |inner| {
            let keys = select(vec![
                "count", "share", "in", "kinds", "any", "text", "yes", "other",
            ]);
            prop_oneof![
                vec(inner.clone(), 0..3).prop_map(Json::from),
                hash_map(keys.prop_map(str::to_owned), inner, 0..5)
                    .prop_map(|members| Json::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn coerces_like_apollo_compiler(
            ty in select(vec!["In", "In!", "[In]", "[[Int!]!]", "Int", "Float!", "String", "Boolean", "[Kind]!", "Any"]),
            given in json(),
        ) {
            let contract = Schema::parse_and_validate(COMPARED, "schema.graphql").expect("it is valid");
            let text = format!("query ($v: {ty}) {{ a @include(if: true) }}");
            let document = ExecutableDocument::parse(&contract, text, "query").expect("it is GraphQL");
            let operation = document.operations.get(None).expect("there is one");
            let mut values = JsonMap::new();
            values.insert("v", given.clone().into());
            let expected = coerce_variable_values(&contract, operation, &values).ok();
            let expected = expected.map(|values| json!(&*values).to_string());
            let variables = Variables::from_json(json!({ "v": given }));
            let found = coerce(&contract, Introspection::On, operation, variables).ok();
            // An integer for a Float becomes a float.
            let found = found.map(|values| json!(values.into_value()).to_string().replace(".0", ""));
            prop_assert_eq!(found, expected);
        }
    }

    const SDL: &str = "input Some { id: ID ids: [ID!] count: Int share: Float }
        type Query { a(id: ID ids: [[ID]] some: [Some] share: Float text: String): Int }";

    fn coerced_to(ty: &str, value: Value) -> Result<Value, String> {
        let contract = Schema::parse_and_validate(SDL, "schema.graphql").expect("it is valid");
        let text =
            format!("query ($v: {ty}) {{ a @include(if: true) b: __typename @skip(if: false) }}");
        let document = ExecutableDocument::parse(&contract, text, "query").expect("it is GraphQL");
        let operation = document.operations.get(None).expect("there is one");
        let mut variables = Variables::default();
        variables.insert(Name::new("v"), value);
        let mut variables = coerce(&contract, Introspection::On, operation, variables)
            .map_err(|error| error.to_string())?;
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
            assert_eq!(coerced_to(ty, value), Ok(expected), "{ty}");
        }
        for (ty, value) in [
            ("Int", long.clone()),
            ("String", long.clone()),
            ("Boolean", long),
            ("Float", Value::Enum(Name::new("9".repeat(400)))),
        ] {
            let error = coerced_to(ty, value).expect_err(ty);
            assert!(error.starts_with("$v"), "{ty}: {error}");
        }
    }

    #[test]
    fn suggests_no_name_for_a_long_one() {
        let misspelt =
            |length| Value::Object([(Name::new("count".repeat(length)), value!(1))].into());
        let error = |length| coerced_to("Some", misspelt(length)).expect_err("it is unknown");
        assert!(error(2).ends_with("; did you mean \"count\"?"));
        assert!(error(13).ends_with("Some does not have it"));
    }

    #[test]
    fn rejects_a_float_as_an_id() {
        for (ty, value) in [
            ("ID", value!(1.0)),
            ("[ID!]", value!([1, 1.0])),
            ("Some", value!({ "id": 1.0 })),
            ("Some", value!({ "ids": ["1", 1.5] })),
        ] {
            let error = coerced_to(ty, value).expect_err(ty);
            assert!(error.starts_with("$v"), "{ty}: {error}");
        }
    }
}
