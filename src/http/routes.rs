//! Every path that the service answers.

use std::{
    future::{Future, Ready, ready},
    sync::Arc,
};

use futures_util::future::Either;
use poem::{
    Endpoint, EndpointExt, IntoResponse, Request, Response, Route,
    endpoint::BoxEndpoint,
    error::{MethodNotAllowedError, NotFoundError},
    get,
    http::{StatusCode, header},
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
    pages,
    panics::Caught,
};
use crate::{access::Access, graphql::Engine};

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
    let graphql = GraphqlEndpoint::new(engine, Guard::new(access), settings.clone());
    let route = Route::new().at("/limits", get(Document::limits(limits)));
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
    let others = route
        .catch_error(not_found(settings.schema_document))
        .catch_error(page_is_only_read)
        .map_to_response()
        .boxed();
    let inner = Envelope::new(Caught(Paths { graphql, others }), settings.clone());
    Observe::new(inner, watch)
}

/// The path that nearly everybody asks for, and the others. Every layer of poem's routes costs each
/// request a little, so GraphQL is not behind them.
struct Paths {
    graphql: GraphqlEndpoint,
    others: BoxEndpoint<'static, Response>,
}

impl Endpoint for Paths {
    type Output = Response;

    fn call(&self, request: Request) -> impl Future<Output = poem::Result<Response>> + Send {
        if request.uri().path() == GRAPHQL {
            Either::Left(self.graphql.call(request))
        } else {
            Either::Right(self.others.call(request))
        }
    }
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
