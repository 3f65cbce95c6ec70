//! Subscriptions over WebSocket, by the protocols that async-graphql knows: `graphql-transport-ws` and its predecessor.

use std::{sync::Arc, time::Duration};

use async_graphql::http::ALL_WEBSOCKET_PROTOCOLS;
use async_graphql_poem::{GraphQLProtocol, GraphQLWebSocket};
use engine::{Engine, EngineExecutor, Permitted};
use graphql_http::{
    Authorize, Authorized, HeadLimits, OriginCheck, RefusalTypes, RequestIds, RequestTelemetry,
    catch_panics,
};
use poem::{
    Endpoint, EndpointExt, FromRequest, IntoResponse, Request, Response, Route, get,
    web::websocket::{WebSocket, WebSocketConfig},
};
use service::{Applications, Http, HttpEndpoint};

use crate::app;

/// The time in which a client sends a message, of which the first is `connection_init`; otherwise its connection is closed.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_mins(1);

/// The applications of the listeners, with `/subscriptions` for clients.
pub(crate) const APPLICATIONS: Applications = Applications {
    clients,
    ..app::APPLICATIONS
};

/// The shared application for clients beside the route of subscriptions. A request passes the middleware from the last to
/// the first.
fn clients(http: &Http) -> HttpEndpoint {
    let (settings, engine) = (&http.settings, &http.engine);
    let schema_hash = engine.contract().hash().to_string();
    let (auth, metrics) = (Arc::clone(&http.auth), Arc::clone(&http.metrics));
    let subscriptions = Subscriptions {
        engine: Arc::clone(engine),
        message_bytes: settings.body_limit_bytes,
    };
    let subscriptions = get(subscriptions)
        .with(Authorize::new(auth, http.name, engine.scopes()))
        .with(OriginCheck(settings.cors_origins.clone()))
        .with(settings.allowed_hosts.clone())
        .with(HeadLimits::new(settings))
        .with(catch_panics())
        .with(RequestTelemetry::new(&schema_hash, metrics, None))
        .with(RefusalTypes)
        .with(RequestIds);
    Route::new()
        .at("/subscriptions", subscriptions)
        .nest_no_strip("/", (app::APPLICATIONS.clients)(http))
        .boxed()
}

/// The endpoint: `async_graphql_poem::GraphQLSubscription` with the scopes of the caller and bounds.
struct Subscriptions {
    engine: Arc<Engine>,
    message_bytes: usize,
}

impl Endpoint for Subscriptions {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        // Mutations require a request by POST, whose effects count for the rate limit.
        let permitted = Permitted::QUERIES.within(Authorized::of(&request).scopes());
        let executor = EngineExecutor::new(Arc::clone(&self.engine)).permitting(permitted);
        let (request, mut body) = request.split();
        let socket = WebSocket::from_request(&request, &mut body).await?;
        let protocol = GraphQLProtocol::from_request(&request, &mut body).await?;
        let config = WebSocketConfig::default()
            .max_message_size(Some(self.message_bytes))
            .max_frame_size(Some(self.message_bytes));
        let upgraded = socket
            .config(config)
            .protocols(ALL_WEBSOCKET_PROTOCOLS)
            .on_upgrade(move |socket| {
                GraphQLWebSocket::new(socket, executor, protocol)
                    .keepalive_timeout(KEEPALIVE_TIMEOUT)
                    .serve()
            });
        Ok(upgraded.into_response())
    }
}
