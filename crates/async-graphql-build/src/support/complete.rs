//! Values with resolvers, completed as the GraphQL specification says (section 6.4.3).

use std::{borrow::Cow, future::Future, pin::Pin};

use async_graphql::{
    ContainerType, Context, ContextSelectionSet, Positioned, ServerError, ServerResult, Value,
    futures_util::future::join_all, parser::types::Field,
};

use super::{
    registered::TypeInfo,
    selections::{Selected, Selections},
};

/// A value with resolvers.
pub trait Complete: Send + Sync {
    /// Completes the value (GraphQL specification, section 6.4.3). An error is that of a non-null value.
    fn complete(
        &self,
        ctx: &ContextSelectionSet<'_>,
        field: &Positioned<Field>,
    ) -> impl Future<Output = ServerResult<Value>> + Send;
}

impl<T: Complete> Complete for Option<T> {
    async fn complete(&self, ctx: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        let Some(value) = self else {
            return Ok(Value::Null);
        };
        value.complete(ctx, field).await.or_else(|error| {
            ctx.add_error(error);
            Ok(Value::Null)
        })
    }
}

impl<T: Complete> Complete for Vec<T> {
    async fn complete(&self, ctx: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        let items = self.iter().enumerate();
        let items = items.map(|(index, item)| async move { item.complete(&ctx.with_index(index), field).await });
        let items = join_all(items).await.into_iter();
        Ok(Value::List(items.collect::<ServerResult<_>>()?))
    }
}

/// Executes the selected fields of an object concurrently (GraphQL specification, section 6.3). An error is that of a
/// non-null field.
pub async fn resolve_object<T: ContainerType>(
    ctx: &ContextSelectionSet<'_>,
    object: &T,
    info: &TypeInfo,
) -> ServerResult<Value> {
    let selected = Selections::of(ctx).collect(info.conditions);
    let fields: Vec<_> = selected.iter().map(merged).collect();
    // Boxed, because a type can contain itself.
    let values = fields.iter().map(|field| {
        let value: Pin<Box<dyn Future<Output = _> + Send>> = Box::pin(resolve_field(ctx, object, info, field));
        value
    });
    let values = join_all(values).await;
    let keys = fields.iter().map(|field| field.node.response_key().node.clone());
    let members = keys.zip(values).map(|(key, value)| Ok((key, value?)));
    Ok(Value::Object(members.collect::<ServerResult<_>>()?))
}

/// The field with all its selection sets.
fn merged<'a>(selected: &Selected<'a>) -> Cow<'a, Positioned<Field>> {
    if selected.sets.len() < 2 {
        return Cow::Borrowed(selected.field);
    }
    let mut field = selected.field.clone();
    let items = selected.sets.iter().flat_map(|set| set.items.iter().cloned());
    field.node.selection_set.node.items = items.collect();
    Cow::Owned(field)
}

async fn resolve_field<T: ContainerType>(
    ctx: &ContextSelectionSet<'_>,
    object: &T,
    info: &TypeInfo,
    field: &Positioned<Field>,
) -> ServerResult<Value> {
    let name = &field.node.name.node;
    if name == "__typename" {
        return Ok(info.name.into());
    }
    if name.starts_with("__") {
        let message = format!("{name} is answered at the root of an operation only; select it there");
        let mut error = ServerError::new(message, Some(field.pos));
        let extensions = error.extensions.get_or_insert_default();
        extensions.set("code", "BAD_USER_INPUT");
        return Err(ctx.with_field(field).set_error_path(error));
    }
    let resolved = object.resolve_field(&ctx.with_field(field)).await?;
    Ok(resolved.unwrap_or_default())
}

/// The value of a field of an object. That of a nullable field that fails is null; async-graphql would fail its parent.
pub async fn nullable(
    ctx: &Context<'_>,
    info: &TypeInfo,
    resolved: impl Future<Output = ServerResult<Option<Value>>> + Send,
) -> ServerResult<Option<Value>> {
    let is_nullable = info.field(&ctx.item.node.name.node).is_some_and(|field| info.fields[field].is_nullable());
    match resolved.await {
        Err(error) if is_nullable => {
            ctx.add_error(error);
            Ok(Some(Value::Null))
        }
        resolved => resolved,
    }
}
