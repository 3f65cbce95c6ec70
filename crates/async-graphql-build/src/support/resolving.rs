//! The fields of objects with resolvers.

use std::{any::type_name, future::Future, pin::Pin};

use async_graphql::{Context, ContextDirective, Error, Guard, InputType, Pos, ServerError, ServerResult, Value};

use super::{complete::Complete, json::written, write_json::WriteJson};

/// A field that is resolved. Boxed, so that the code of an object does not contain that of its fields.
pub type Resolving<'a> = Pin<Box<dyn Future<Output = ServerResult<Value>> + Send + 'a>>;

/// An argument of the field, or its default value.
pub fn argument<T: InputType>(ctx: &Context<'_>, name: &str, default: Option<fn() -> T>) -> ServerResult<T> {
    let value = ctx.param_value(name, default).map(|(_, value)| value);
    value.map_err(|error| ctx.set_error_path(error))
}

/// The directives of this name on the field, then those on its operation.
pub fn applied<'a>(ctx: &'a Context<'a>, name: &'a str) -> impl Iterator<Item = ContextDirective<'a>> {
    let operation = &ctx.query_env.operation.node.directives;
    let directives = ctx.item.node.directives.iter().chain(operation);
    let named = directives.filter(move |directive| directive.node.name.node == name);
    named.map(move |directive| ctx.query_env.create_context(ctx.schema_env, ctx.path_node, directive, ctx.execute_data))
}

/// Resolves a field to a value that is written as JSON text.
pub fn written_field<'a, T: WriteJson + Send + Sync, E: Into<Error>>(
    ctx: &'a Context<'_>,
    resolved: impl Future<Output = Result<T, E>> + Send + 'a,
) -> Resolving<'a> {
    Box::pin(async move {
        let value = resolved.await.map_err(|error| failed(ctx, error))?;
        written(&value, &ctx.with_selection_set(&ctx.item.node.selection_set))
    })
}

/// Resolves a field to a value with resolvers.
pub fn completed_field<'a, T: Complete, E: Into<Error>>(
    ctx: &'a Context<'_>,
    resolved: impl Future<Output = Result<T, E>> + Send + 'a,
) -> Resolving<'a> {
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
        panic!("{location}: the default value is not one of {}: {message}", type_name::<T>())
    })
}
