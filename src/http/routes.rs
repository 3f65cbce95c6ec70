//! Every path that the service answers.

use std::{any::Any, sync::Arc};

use poem::{
    Endpoint, EndpointExt, IntoResponse, Response, Route,
    error::{MethodNotAllowedError, NotFoundError},
    get,
    http::{StatusCode, header},
    middleware::CatchPanic,
};

use super::{
    Graphiql, HttpSettings, Limit,
    admin::{Operations, admin_routes},
    documents::Document,
    endpoint::GraphqlEndpoint,
    envelope::Envelope,
    graphiql, pages, panics,
};
use crate::graphql::Engine;

type Panic = Box<dyn Any + Send>;

/// Every path that the service answers to clients; `limits` are told at `/limits`. `operations` are
/// told here, too, when there is no other address for them.
pub fn routes(
    engine: Arc<Engine>,
    operations: Option<Operations>,
    settings: &HttpSettings,
    limits: &[Limit],
) -> impl Endpoint<Output = Response> + 'static {
    let route = Route::new()
        .at("/graphql", GraphqlEndpoint::new(engine, settings.clone()))
        .at("/schema.graphql", get(Document::schema()))
        .at("/limits", get(Document::limits(limits)));
    let route = match settings.graphiql {
        Graphiql::On => route
            .at("/", get(pages::to_graphiql))
            .at("/graphiql", get(graphiql::page))
            .at("/graphiql/assets/:name", get(graphiql::asset)),
        Graphiql::Off => route,
    };
    let route = match operations {
        Some(operations) => admin_routes(route, operations),
        None => route,
    };
    let inner = route
        .catch_error(not_found)
        .catch_error(page_is_only_read)
        .with(CatchPanic::new().with_handler(|payload: Panic| panics::answer(&*payload)))
        .map_to_response();
    Envelope::new(inner, settings.clone())
}

async fn not_found(_: NotFoundError) -> Response {
    let text = "Not found. GraphQL is served at /graphql, the schema at /schema.graphql.\n";
    text.with_status(StatusCode::NOT_FOUND).into_response()
}

pub(super) async fn page_is_only_read(_: MethodNotAllowedError) -> Response {
    "This page can only be read, with GET.\n"
        .with_status(StatusCode::METHOD_NOT_ALLOWED)
        .with_header(header::ALLOW, "GET, HEAD")
        .into_response()
}
