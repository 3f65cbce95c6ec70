//! Values with resolvers, completed as the GraphQL specification says (section 6.4.3).

use std::{
    borrow::Cow,
    future::{Future, poll_fn},
    pin::Pin,
    sync::{Mutex, PoisonError},
    task::Poll,
};

use async_graphql::{
    ContainerType, Context, ContextSelectionSet, OutputType, Positioned, ServerError, ServerResult,
    Value, parser::types::Field, registry::Registry, resolver_utils::resolve_list,
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
    async fn complete(
        &self,
        ctx: &ContextSelectionSet<'_>,
        field: &Positioned<Field>,
    ) -> ServerResult<Value> {
        let Some(value) = self else {
            return Ok(Value::Null);
        };
        value.complete(ctx, field).await.or_else(|error| {
            ctx.add_error(error);
            Ok(Value::Null)
        })
    }
}

impl<T: Complete + OutputType> Complete for Vec<T> {
    async fn complete(
        &self,
        ctx: &ContextSelectionSet<'_>,
        field: &Positioned<Field>,
    ) -> ServerResult<Value> {
        let error = Mutex::new(None);
        let items = self.iter().map(|item| Item {
            item,
            error: &error,
        });
        let list = resolve_list(ctx, field, items, Some(self.len())).await?;
        match error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(list),
        }
    }
}

/// An item of a list. It keeps its error, whose path async-graphql would replace by its own.
struct Item<'a, T> {
    item: &'a T,
    error: &'a Mutex<Option<ServerError>>,
}

impl<T: Complete + OutputType> OutputType for Item<'_, T> {
    type_of!(T);

    async fn resolve(
        &self,
        ctx: &ContextSelectionSet<'_>,
        field: &Positioned<Field>,
    ) -> ServerResult<Value> {
        let completed = self.item.complete(ctx, field).await;
        Ok(completed.unwrap_or_else(|error| {
            let mut first = self.error.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert(error);
            Value::Null
        }))
    }
}

/// A value with resolvers that is completed.
pub struct Completed<T>(pub T);

impl<T: Complete + OutputType> OutputType for Completed<T> {
    type_of!(T);

    async fn resolve(
        &self,
        ctx: &ContextSelectionSet<'_>,
        field: &Positioned<Field>,
    ) -> ServerResult<Value> {
        self.0.complete(ctx, field).await
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
        let value: Pin<Box<dyn Future<Output = _> + Send>> =
            Box::pin(resolve_field(ctx, object, info, field));
        value
    });
    let values = join_all(values.collect()).await;
    let keys = fields
        .iter()
        .map(|field| field.node.response_key().node.clone());
    let members = keys.zip(values).map(|(key, value)| Ok((key, value?)));
    Ok(Value::Object(members.collect::<ServerResult<_>>()?))
}

/// The field with all its selection sets.
fn merged<'a>(selected: &Selected<'a>) -> Cow<'a, Positioned<Field>> {
    if selected.sets.len() < 2 {
        return Cow::Borrowed(selected.field);
    }
    let mut field = selected.field.clone();
    let items = selected
        .sets
        .iter()
        .flat_map(|set| set.items.iter().cloned());
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
        let message =
            format!("{name} is answered at the root of an operation only; select it there");
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
    let is_nullable = info
        .field(&ctx.item.node.name.node)
        .is_some_and(|field| info.fields[field].is_nullable());
    match resolved.await {
        Err(error) if is_nullable => {
            ctx.add_error(error);
            Ok(Some(Value::Null))
        }
        resolved => resolved,
    }
}

/// Waits for futures concurrently. The results are in their order.
async fn join_all<F: Future + Unpin>(mut futures: Vec<F>) -> Vec<F::Output> {
    let mut results: Vec<_> = futures.iter().map(|_| None).collect();
    poll_fn(|cx| {
        let mut is_pending = false;
        for (future, result) in futures.iter_mut().zip(&mut results) {
            if result.is_none() {
                match Pin::new(future).poll(cx) {
                    Poll::Ready(value) => *result = Some(value),
                    Poll::Pending => is_pending = true,
                }
            }
        }
        if is_pending {
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    })
    .await;
    results.into_iter().flatten().collect()
}
