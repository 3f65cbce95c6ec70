//! Arguments and input objects: from what a request gives to Rust values.

use std::convert::Infallible;

use async_graphql::{
    Context, InputType, InputValueError, InputValueResult, Name, ServerResult, Value,
    indexmap::IndexMap,
};

/// The value of an argument, coerced as the GraphQL specification says (`CoerceArgumentValues`,
/// section 6.4.1): an omitted argument, and one given as a variable that the request omits,
/// takes the default.
pub(crate) fn argument<T: InputType>(
    ctx: &Context<'_>,
    name: &str,
    default: Option<fn() -> T>,
) -> ServerResult<T> {
    let given = ctx
        .item
        .node
        .arguments
        .iter()
        .find(|(given, _)| given.node.as_str() == name);
    let (pos, value) = match given {
        None => (ctx.item.pos, None),
        Some((_, value)) => {
            let put_in = |name: Name| Ok(variable(ctx, &name).unwrap_or_else(absent));
            let value_with_absent: Result<Value, Infallible> =
                value.node.clone().into_const_with(put_in);
            let Ok(value_with_absent) = value_with_absent;
            (value.pos, present(value_with_absent))
        }
    };
    match (value, default) {
        (None, Some(default)) => Ok(default()),
        (value, _) => InputType::parse(value)
            .map_err(|error| ctx.set_error_path(error.into_server_error(pos))),
    }
}

/// Stands for a variable without a value; no name of a request can be like it.
fn absent() -> Value {
    Value::Enum(Name::new("(absent)"))
}

/// Leaves out what is absent: an argument, a member of an object; in a list it is null.
fn present(value: Value) -> Option<Value> {
    match value {
        Value::Enum(name) if name == "(absent)" => None,
        Value::List(items) => {
            let items = items
                .into_iter()
                .map(|item| present(item).unwrap_or_default());
            Some(Value::List(items.collect()))
        }
        Value::Object(members) => {
            let members = members.into_iter();
            let present = members.filter_map(|(name, value)| Some((name, present(value)?)));
            Some(Value::Object(present.collect()))
        }
        value => Some(value),
    }
}

fn variable(ctx: &Context<'_>, name: &Name) -> Option<Value> {
    let definitions = &ctx.query_env.operation.node.variable_definitions;
    let definition = definitions
        .iter()
        .find(|definition| definition.node.name.node == *name)?;
    let default = definition
        .node
        .default_value
        .as_ref()
        .map(|value| &value.node);
    ctx.query_env.variables.get(name).or(default).cloned()
}

/// Takes the members out of an input object.
pub(crate) fn members<T: InputType>(
    value: Option<Value>,
) -> Result<IndexMap<Name, Value>, InputValueError<T>> {
    match value.unwrap_or_default() {
        Value::Object(members) => Ok(members),
        other => Err(InputValueError::expected_type(other)),
    }
}

/// The member of an input object with this name, or its default.
pub(crate) fn member<T: InputType, M: InputType>(
    members: &mut IndexMap<Name, Value>,
    name: &str,
    default: Option<fn() -> M>,
) -> Result<M, InputValueError<T>> {
    match (members.swap_remove(name), default) {
        (None, Some(default)) => Ok(default()),
        (value, _) => M::parse(value).map_err(InputValueError::propagate),
    }
}

/// The only member of a `@oneOf` input object, which may not be null.
pub(crate) fn only_member<T: InputType>(
    value: Option<Value>,
) -> Result<(Name, Value), InputValueError<T>> {
    let mut members = members::<T>(value)?.into_iter();
    match (members.next(), members.next()) {
        (Some((name, value)), None) if value != Value::Null => Ok((name, value)),
        _ => Err(InputValueError::custom(
            "exactly one member must be given, and it must not be null",
        )),
    }
}

/// The value of an enum with this name.
pub(crate) fn enum_value<T: InputType + Copy>(
    value: Option<Value>,
    values: &[(&'static str, T)],
) -> InputValueResult<T> {
    let name = match &value {
        Some(Value::Enum(name)) => name.as_str(),
        Some(Value::String(name)) => name.as_str(),
        _ => return Err(InputValueError::expected_type(value.unwrap_or_default())),
    };
    values
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, value)| *value)
        .ok_or_else(|| InputValueError::custom(format_args!("it has no value {name:?}")))
}
