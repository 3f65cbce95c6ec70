//! The fields of objects with resolvers.

use std::{any::type_name, future::Future, pin::Pin};

use async_graphql::{
    Context, Error, Guard, InputType, Pos, Positioned, ServerError, ServerResult, Value,
    parser::types::Directive,
};

use super::{complete::Complete, json::written, write_json::WriteJson};

/// A field that is resolved. Boxed, so that the code of an object does not contain that of its fields.
pub type Resolving<'a> = Pin<Box<dyn Future<Output = ServerResult<Value>> + Send + 'a>>;

/// An argument of the field, or its default value.
pub fn argument<T: InputType>(
    ctx: &Context<'_>,
    name: &str,
    default: Option<fn() -> T>,
) -> ServerResult<T> {
    match ctx.param_value(name, default) {
        Ok((_, value)) => Ok(value),
        Err(error) => Err(ctx.set_error_path(error)),
    }
}

/// A directive of the executed document.
pub struct Applied<'a>(&'a Context<'a>, &'a Directive);

/// The directives of this name on the field, then those on its operation.
pub fn applied<'a>(ctx: &'a Context<'a>, name: &'a str) -> impl Iterator<Item = Applied<'a>> {
    let operation = &ctx.query_env.operation.node.directives;
    let directives = ctx.item.node.directives.iter().chain(operation);
    let named = directives.filter(move |directive| directive.node.name.node == name);
    named.map(|directive| Applied(ctx, &directive.node))
}

impl Applied<'_> {
    /// An argument, or its default value.
    pub fn argument<T: InputType>(
        &self,
        name: &str,
        default: Option<fn() -> T>,
    ) -> Result<T, Error> {
        let Self(ctx, directive) = self;
        let value = directive.get_argument(name).cloned();
        let value = match (value, default) {
            (Some(Positioned { node, .. }), _) => node.into_const_with(|variable| {
                let value = ctx.query_env.variables.get(&variable);
                Ok::<_, Error>(value.cloned().unwrap_or_default())
            })?,
            (None, Some(default)) => return Ok(default()),
            (None, None) => Value::Null,
        };
        let parsed = T::parse(Some(value));
        parsed.map_err(|error| Error::new(error.into_server_error(Pos::default()).message))
    }
}

/// Resolves a field to a value that is written as JSON text.
pub fn written_field<'a, T, E>(
    ctx: &'a Context<'_>,
    resolved: impl Future<Output = Result<T, E>> + Send + 'a,
) -> Resolving<'a>
where
    T: WriteJson + Send + Sync,
    E: Into<Error>,
{
    Box::pin(async move {
        let value = resolved.await.map_err(|error| failed(ctx, error))?;
        written(
            &value,
            &ctx.with_selection_set(&ctx.item.node.selection_set),
        )
    })
}

/// Resolves a field to a value with resolvers.
pub fn completed_field<'a, T, E>(
    ctx: &'a Context<'_>,
    resolved: impl Future<Output = Result<T, E>> + Send + 'a,
) -> Resolving<'a>
where
    T: Complete,
    E: Into<Error>,
{
    Box::pin(async move {
        let value = resolved.await.map_err(|error| failed(ctx, error))?;
        let selected = ctx.with_selection_set(&ctx.item.node.selection_set);
        value.complete(&selected, ctx.item).await
    })
}

/// Resolves a field if the guard permits it.
pub async fn guarded<T, E: Into<Error>>(
    ctx: &Context<'_>,
    guard: impl Guard,
    resolved: impl Future<Output = Result<T, E>> + Send,
) -> Result<T, Error> {
    guard.check(ctx).await?;
    resolved.await.map_err(Into::into)
}

fn failed(ctx: &Context<'_>, error: impl Into<Error>) -> ServerError {
    ctx.set_error_path(error.into().into_server_error(ctx.item.pos))
}

/// The default value at a location of the contract. It is described when the schema is built.
///
/// # Panics
///
/// If the Rust type of the scalar refuses it.
pub fn default_scalar<T: InputType>(value: Value, location: &str) -> T {
    T::parse(Some(value)).unwrap_or_else(|error| {
        let message = error.into_server_error(Pos::default()).message;
        panic!(
            "{location}: the default value is not one of {}: {message}",
            type_name::<T>()
        )
    })
}
