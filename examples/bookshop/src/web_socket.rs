//! Subscriptions over WebSocket, by the protocols that async-graphql knows: `graphql-transport-ws` and its predecessor.

use std::{future::pending, sync::Arc, time::Duration};

use async_graphql::{
    Data, Executor, Request as Operation, Response as OperationResponse, ServerError,
    http::ALL_WEBSOCKET_PROTOCOLS,
};
use async_graphql_poem::{GraphQLProtocol, GraphQLWebSocket};
use engine::{Engine, EngineExecutor, ErrorCode, ErrorFacts, Permitted};
use futures_util::{
    SinkExt as _, StreamExt as _,
    stream::{self, BoxStream},
};
use graphql_http::{
    Authorize, Authorized, HeadLimits, OriginCheck, RefusalTypes, RequestIds, RequestTelemetry,
    Stopping, catch_panics,
};
use poem::{
    Endpoint, EndpointExt, FromRequest, IntoResponse, Request, Response, Route, get,
    web::websocket::{Message, WebSocket, WebSocketConfig, WebSocketStream},
};
use service::{Applications, Http, HttpEndpoint};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, oneshot},
    time::timeout,
};

use crate::app;

/// The maximum number of concurrent operations in a connection.
const MAX_OPERATIONS: usize = 16;

/// The timeout of the first message of a client, `connection_init`.
const INIT_TIMEOUT: Duration = Duration::from_secs(5);

/// The close codes of WebSocket and of the protocol.
const GOING_AWAY: u16 = 1001;
const INIT_TIMED_OUT: u16 = 4408;

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
        stopping: http.stopping.clone(),
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

/// The endpoint. `async_graphql_poem::GraphQLSubscription` has neither limits nor a shutdown.
struct Subscriptions {
    engine: Arc<Engine>,
    message_bytes: usize,
    stopping: Stopping,
}

impl Endpoint for Subscriptions {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        let authorized = Authorized::of(&request);
        let (request, mut body) = request.split();
        let socket = WebSocket::from_request(&request, &mut body).await?;
        let protocol = GraphQLProtocol::from_request(&request, &mut body).await?;
        let permitted = Permitted::QUERIES.within(authorized.scopes());
        let operations = Operations {
            executor: EngineExecutor::new(Arc::clone(&self.engine)).permitting(permitted),
            authorized,
            permits: Arc::new(Semaphore::new(MAX_OPERATIONS)),
        };
        let config = WebSocketConfig::default()
            .max_message_size(Some(self.message_bytes))
            .max_frame_size(Some(self.message_bytes));
        let closing = self.stopping.closing();
        let upgraded = socket
            .config(config)
            .protocols(ALL_WEBSOCKET_PROTOCOLS)
            .on_upgrade(move |socket| serve(socket, protocol, operations, closing));
        Ok(upgraded.into_response())
    }
}

/// Serves a connection until its client ends it or the listener is closed.
async fn serve(
    socket: WebSocketStream,
    protocol: GraphQLProtocol,
    operations: Operations,
    closing: impl Future<Output = ()>,
) {
    let (mut sink, stream) = socket.split();
    let (initialized, waiting) = oneshot::channel();
    let on_init = |_| async {
        // An error means that the timeout has elapsed.
        let _ = initialized.send(());
        Ok(Data::default())
    };
    let serving = GraphQLWebSocket::new_with_pair(&mut sink, stream, operations, protocol)
        .on_connection_init(on_init)
        .serve();
    let init_timed_out = async {
        if timeout(INIT_TIMEOUT, waiting).await.is_ok() {
            pending::<()>().await;
        }
    };
    let (code, reason) = tokio::select! {
        () = serving => return,
        () = closing => (GOING_AWAY, "the server stops"),
        () = init_timed_out => (INIT_TIMED_OUT, "Connection initialisation timeout"),
    };
    // An error means that the client has closed the connection.
    let _ = sink.send(Message::close_with(code, reason)).await;
}

/// The operations of a connection. Mutations require a request by POST, whose effects count for the rate limit.
#[derive(Clone)]
struct Operations {
    executor: EngineExecutor,
    authorized: Authorized,
    permits: Arc<Semaphore>,
}

impl Operations {
    fn admit(&self) -> Result<OwnedSemaphorePermit, ServerError> {
        self.authorized.charge_operation()?;
        let permit = Arc::clone(&self.permits).try_acquire_owned();
        permit.map_err(|_| {
            let message = format!(
                "the connection has {MAX_OPERATIONS} operations, the maximum; complete one of them"
            );
            ErrorFacts::of_code(ErrorCode::LimitExceeded).into_server_error(message)
        })
    }
}

impl Executor for Operations {
    async fn execute(&self, operation: Operation) -> OperationResponse {
        self.executor.execute(operation).await
    }

    fn execute_stream(
        &self,
        operation: Operation,
        data: Option<Arc<Data>>,
    ) -> BoxStream<'static, OperationResponse> {
        let permit = match self.admit() {
            Ok(permit) => permit,
            Err(error) => {
                return stream::iter([OperationResponse::from_errors(vec![error])]).boxed();
            }
        };
        let responses = self.executor.execute_stream(operation, data);
        responses
            .inspect(move |response| {
                // Until the stream is dropped.
                let _ = &permit;
                log_causes(response);
            })
            .boxed()
    }
}

/// Logs the causes of masked errors. The client gets only their references.
fn log_causes(response: &OperationResponse) {
    for facts in response.errors.iter().filter_map(ErrorFacts::of) {
        if let Some(cause) = &facts.cause {
            let (reference, code) = (&cause.reference, facts.code.as_str());
            tracing::error!(reference, code, cause = cause.chain, "an operation failed");
        }
    }
}
