//! Streams of values as streams of responses.

use std::future::Future;

use async_graphql::{
    Context, Error, OutputType, PathSegment, QueryPathNode, QueryPathSegment, Response,
    ServerResult, Value,
    futures_util::stream::{self, BoxStream, Stream, StreamExt},
    indexmap::IndexMap,
};

/// The responses of one field of a subscription.
pub(crate) fn responses<'a, T, E, S, F>(ctx: &'a Context<'_>, source: F) -> BoxStream<'a, Response>
where
    T: OutputType + 'a,
    E: Into<Error> + Send + 'a,
    S: Stream<Item = Result<T, E>> + Send + 'a,
    F: Future<Output = ServerResult<S>> + Send + 'a,
{
    let responses = stream::once(source).flat_map(move |source| -> BoxStream<'a, Response> {
        match source {
            Err(error) => stream::once(async move { Response::from_errors(vec![error]) }).boxed(),
            Ok(source) => source.then(move |event| event_response(ctx, event)).boxed(),
        }
    });
    responses.boxed()
}

async fn event_response<T: OutputType, E: Into<Error>>(
    ctx: &Context<'_>,
    event: Result<T, E>,
) -> Response {
    let key = &ctx.item.node.response_key().node;
    let path = QueryPathNode {
        parent: None,
        segment: QueryPathSegment::Name(key),
    };
    let selected = ctx.query_env.create_context(
        ctx.schema_env,
        Some(path),
        &ctx.item.node.selection_set,
        ctx.execute_data,
    );
    let result = match event {
        Ok(answer) => answer.resolve(&selected, ctx.item).await,
        Err(error) => {
            let path = vec![PathSegment::Field(key.to_string())];
            Err(error.into().into_server_error(ctx.item.pos).with_path(path))
        }
    };
    let mut response = match result {
        Ok(value) => Response::new(Value::Object(IndexMap::from([(key.clone(), value)]))),
        Err(error) => Response::from_errors(vec![error]),
    };
    let reported = ctx
        .query_env
        .errors
        .lock()
        .map(|mut errors| std::mem::take(&mut *errors));
    response.errors.extend(reported.unwrap_or_default());
    response
}
