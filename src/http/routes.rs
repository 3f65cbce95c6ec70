//! Every path that the service answers.

use std::{
    any::Any,
    future::{Ready, ready},
    sync::Arc,
};

use poem::{
    Endpoint, EndpointExt, IntoResponse, Response, Route,
    error::{MethodNotAllowedError, NotFoundError},
    get,
    http::{StatusCode, header},
    middleware::CatchPanic,
};

use super::{
    Graphiql, HttpSettings, Limit, SchemaDocument, Watch,
    admin::{Operations, admin_routes},
    documents::Document,
    endpoint::GraphqlEndpoint,
    envelope::Envelope,
    graphiql,
    guard::Guard,
    observe::Observe,
    pages, panics,
};
use crate::{access::Access, graphql::Engine};

type Panic = Box<dyn Any + Send>;

/// Where GraphQL is asked.
pub(super) const GRAPHQL: &str = "/graphql";

/// Every path that the service answers to clients; `limits` are told at `/limits`. `operations` are
/// told here, too, when there is no other address for them.
pub fn routes(
    engine: Arc<Engine>,
    watch: Watch,
    operations: Option<Operations>,
    access: Arc<Access>,
    settings: &HttpSettings,
    limits: &[Limit],
) -> impl Endpoint<Output = Response> + 'static {
    let endpoint = GraphqlEndpoint::new(engine, Guard::new(access), settings.clone());
    let route = Route::new()
        .at(GRAPHQL, endpoint)
        .at("/limits", get(Document::limits(limits)));
    let route = match settings.schema_document {
        SchemaDocument::On => route.at("/schema.graphql", get(Document::schema())),
        SchemaDocument::Off => route,
    };
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
        .catch_error(not_found(settings.schema_document))
        .catch_error(page_is_only_read)
        .with(CatchPanic::new().with_handler(|payload: Panic| panics::answer(&*payload)))
        .map_to_response();
    Observe::new(Envelope::new(inner, settings.clone()), watch)
}

/// Tells whoever asks for an unknown path which ones are known.
fn not_found(schema: SchemaDocument) -> impl Fn(NotFoundError) -> Ready<Response> {
    let text = match schema {
        SchemaDocument::On => {
            "Not found. GraphQL is served at /graphql, the schema at /schema.graphql.\n"
        }
        SchemaDocument::Off => "Not found. GraphQL is served at /graphql.\n",
    };
    move |_| ready(text.with_status(StatusCode::NOT_FOUND).into_response())
}

pub(super) async fn page_is_only_read(_: MethodNotAllowedError) -> Response {
    "This page can only be read, with GET.\n"
        .with_status(StatusCode::METHOD_NOT_ALLOWED)
        .with_header(header::ALLOW, "GET, HEAD")
        .into_response()
}
