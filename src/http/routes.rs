//! Every path that the service answers.

use std::{any::Any, sync::Arc};

use poem::{
    Endpoint, EndpointExt, IntoResponse, Response, Route,
    error::{MethodNotAllowedError, NotFoundError},
    get,
    http::{StatusCode, header},
    middleware::CatchPanic,
};

use super::{Limits, endpoint::GraphqlEndpoint, graphiql, pages, panics};
use crate::graphql::Engine;

type Panic = Box<dyn Any + Send>;

/// Every path that the service answers.
pub fn routes(engine: Arc<Engine>, limits: Limits) -> impl Endpoint<Output = Response> + 'static {
    Route::new()
        .at("/", get(pages::to_graphiql))
        .at("/graphql", GraphqlEndpoint::new(engine, limits))
        .at("/graphiql", get(graphiql::page))
        .at("/graphiql/assets/:name", get(graphiql::asset))
        .at("/schema.graphql", get(pages::schema))
        .catch_error(not_found)
        .catch_error(page_is_only_read)
        .with(CatchPanic::new().with_handler(|payload: Panic| panics::answer(&*payload)))
        .map_to_response()
}

async fn not_found(_: NotFoundError) -> Response {
    let text = "Not found. GraphQL is served at /graphql, a page to try it at /graphiql, the schema at /schema.graphql.\n";
    text.with_status(StatusCode::NOT_FOUND).into_response()
}

async fn page_is_only_read(_: MethodNotAllowedError) -> Response {
    "This page can only be read, with GET.\n"
        .with_status(StatusCode::METHOD_NOT_ALLOWED)
        .with_header(header::ALLOW, "GET, HEAD")
        .into_response()
}
