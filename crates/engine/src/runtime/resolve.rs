//! Resolves the fields of objects with asynchronous resolvers: the root types, and others.

use std::{future::Future, pin::Pin};

use async_graphql::ServerResult;
use futures_util::future::join_all;

use super::{
    context::Context,
    json::write_text,
    path::{Path, Segment},
    plain::Plain,
    plan::{Plan, Step},
    planner::Object,
    request_state::RequestState,
    writer::JsonWriter,
};

/// A root type.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Root {
    Query,
    Mutation,
}

/// An object type with asynchronous resolvers.
pub trait Resolvers: Object + Send + Sync {
    /// Resolves the field at this position, as JSON. An error is that of a non-null field.
    fn resolve_field(
        &self,
        field: usize,
        ctx: &Context<'_>,
    ) -> impl Future<Output = ServerResult<Vec<u8>>> + Send;
}

/// The root type of a contract without mutations.
#[derive(Clone, Copy, Debug)]
pub struct NoMutation;

impl Object for NoMutation {
    const NAME: &'static str = "Mutation";
    const FIELDS: &'static [&'static str] = &[];
    const CONDITIONS: &'static [&'static str] = &[];
    const HAS_RESOLVERS: bool = true;
}

impl Resolvers for NoMutation {
    async fn resolve_field(&self, _: usize, _: &Context<'_>) -> ServerResult<Vec<u8>> {
        Ok(b"null".to_vec())
    }
}

/// The result of a resolver whose type has asynchronous resolvers.
pub trait Resolve: Send + Sync {
    /// Resolves the selected fields of this value, as JSON.
    fn resolve(
        &self,
        at: At<'_>,
        plan: &Plan,
    ) -> impl Future<Output = ServerResult<Vec<u8>>> + Send;
}

/// Where a value is: its request and its path.
#[derive(Clone, Copy)]
pub struct At<'a> {
    request: &'a RequestState,
    path: &'a Path<'a>,
}

impl At<'_> {
    /// Writes a plain object that is a possible type of an abstract type with resolvers.
    pub fn write(self, object: &impl Plain, plan: &Plan) -> ServerResult<Vec<u8>> {
        let mut json = JsonWriter::new(0, self.request.remaining_bytes());
        object.write(plan, &mut json);
        json.finish(self.request, self.path)
    }
}

/// Resolves the result of a resolver.
pub async fn resolve(ctx: &Context<'_>, value: &impl Resolve) -> ServerResult<Vec<u8>> {
    let (request, path) = (ctx.request, &ctx.path);
    value.resolve(At { request, path }, &ctx.step.plan).await
}

/// Resolves the fields of a root type: serially for a mutation, otherwise concurrently (GraphQL specification,
/// section 6.2). The results are in the order of the steps.
pub(crate) async fn resolve_steps<T: Resolvers>(
    object: &T,
    root: Root,
    request: &RequestState,
    steps: &[Step],
) -> Vec<ServerResult<Vec<u8>>> {
    if root == Root::Mutation || steps.len() == 1 {
        let mut fields = Vec::with_capacity(steps.len());
        for step in steps {
            fields.push(resolve_step(object, request, None, step).await);
        }
        fields
    } else {
        join_all(
            steps
                .iter()
                .map(|step| resolve_step(object, request, None, step)),
        )
        .await
    }
}

async fn resolve_step<T: Resolvers>(
    object: &T,
    request: &RequestState,
    parent: Option<&Path<'_>>,
    step: &Step,
) -> ServerResult<Vec<u8>> {
    if let (Some(field), Some(call)) = (step.field, &step.call) {
        let ctx = Context::new(request, parent, step, call);
        // The resolver is not called, so that no effect is reported as an error.
        if let Some(invalid) = &call.invalid {
            let mut error = invalid.error.clone();
            error.path = ctx.path();
            return if invalid.is_nullable {
                Ok(request.report(error))
            } else {
                Err(error)
            };
        }
        return object.resolve_field(field, &ctx).await;
    }
    let mut json = Vec::with_capacity(T::NAME.len() + 2);
    write_text(T::NAME, &mut json);
    request.written(json.len());
    Ok(json)
}

impl<T: Resolvers> Resolve for T {
    async fn resolve(&self, at: At<'_>, plan: &Plan) -> ServerResult<Vec<u8>> {
        let steps = plan.steps();
        let keys: usize = steps
            .iter()
            .map(|step| step.json_key.as_bytes().len())
            .sum();
        at.request.written(keys + "{}".len());
        if at.request.is_too_large() {
            return Ok(Vec::new());
        }
        // Boxed, because a type can contain itself.
        let fields = steps.iter().map(|step| {
            let field = resolve_step(self, at.request, Some(at.path), step);
            let field: Pin<Box<dyn Future<Output = _> + Send>> = Box::pin(field);
            field
        });
        let mut json = vec![b'{'];
        for (step, field) in steps.iter().zip(join_all(fields).await) {
            step.json_key.write(&mut json);
            json.extend_from_slice(&field?);
        }
        json.push(b'}');
        Ok(json)
    }
}

impl<T: Resolve> Resolve for Option<T> {
    async fn resolve(&self, at: At<'_>, plan: &Plan) -> ServerResult<Vec<u8>> {
        let Some(value) = self else {
            return Ok(b"null".to_vec());
        };
        let resolved = value.resolve(at, plan).await;
        Ok(resolved.unwrap_or_else(|error| at.request.report(error)))
    }
}

impl<T: Resolve> Resolve for Vec<T> {
    async fn resolve(&self, at: At<'_>, plan: &Plan) -> ServerResult<Vec<u8>> {
        let items = self.iter().enumerate().map(|(index, item)| async move {
            let parent = Some(at.path);
            let segment = Segment::Index(index);
            let path = &Path { parent, segment };
            let request = at.request;
            item.resolve(At { request, path }, plan).await
        });
        let mut json = vec![b'['];
        for (index, item) in join_all(items).await.into_iter().enumerate() {
            if index > 0 {
                json.push(b',');
            }
            json.extend_from_slice(&item?);
        }
        json.push(b']');
        Ok(json)
    }
}
