//! A small service, and a client that sees every byte.

use std::{future::pending, net::SocketAddr, sync::Arc, time::Duration};

use async_graphql::{Context, EmptySubscription, Object, Schema};
use async_graphql_strict::{Settings, SkipValidation, Strict};
use poem::{
    Endpoint, EndpointExt, IntoEndpoint, Request, Response,
    http::{HeaderValue, Method},
};
use poem_graphql::{ConnectionLimits, GraphQL, GraphQLSettings, IdempotencyKey, LimitedAcceptor};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::oneshot,
    task::JoinHandle,
    time::sleep,
};

pub(crate) type Executor = Schema<Query, Mutation, EmptySubscription>;

pub(crate) const SDL: &str = "
    type Query { greeting(name: String): String!  text(bytes: Int!): String!  wait: Boolean!  panic: Boolean! }
    type Mutation { create: Boolean! }
";

pub(crate) struct Query;

#[Object]
impl Query {
    async fn greeting(&self, name: Option<String>) -> String {
        format!("hello {}", name.as_deref().unwrap_or("world"))
    }

    async fn text(&self, bytes: usize) -> String {
        "x".repeat(bytes)
    }

    async fn wait(&self) -> bool {
        pending().await
    }

    async fn panic(&self) -> bool {
        let canary = Some("canary-4b1c");
        canary.is_none_or(|canary| panic!("{canary}"))
    }
}

pub(crate) struct Mutation;

#[Object]
impl Mutation {
    /// Whether there is a key; each one counts as replayed.
    async fn create(&self, context: &Context<'_>) -> bool {
        let key = context.data::<Option<Arc<IdempotencyKey>>>().unwrap();
        key.as_ref().inspect(|key| key.record(true)).is_some()
    }
}

pub(crate) fn graphql(settings: GraphQLSettings) -> GraphQL<Executor> {
    let schema = Schema::build(Query, Mutation, EmptySubscription).extension(SkipValidation);
    let mut strict = Settings::default();
    strict.limits.response_bytes = u32::MAX;
    let contract = graphql_sdl::Schema::parse("schema.graphql", SDL).unwrap();
    GraphQL::new(Strict::new(schema.finish(), &contract, strict), settings)
}

/// A request with a JSON body.
pub(crate) fn post(body: &str) -> Request {
    let request = Request::builder().method(Method::POST).uri_str("/graphql");
    request.content_type("application/json").body(body.to_owned())
}

/// A request with a header in addition.
pub(crate) fn with(mut request: Request, name: &'static str, value: &str) -> Request {
    request.headers_mut().append(name, HeaderValue::from_str(value).unwrap());
    request
}

/// The text of a response.
pub(crate) async fn text(response: Response) -> String {
    response.into_body().into_string().await.unwrap()
}

/// The first error of a response.
pub(crate) async fn error(response: Response) -> Value {
    let text = text(response).await;
    let json: Value = serde_json::from_str(&text).unwrap();
    assert!(json.get("data").is_none(), "{json}");
    json["errors"][0].clone()
}

/// A service on a port of its own.
pub(crate) struct Service {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<std::io::Result<()>>,
}

impl Service {
    pub(crate) async fn start(endpoint: impl IntoEndpoint<Endpoint: 'static>, limits: ConnectionLimits) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let acceptor = LimitedAcceptor::new(listener, limits).unwrap();
        Self::serve(endpoint, acceptor, address)
    }

    pub(crate) fn serve(
        endpoint: impl IntoEndpoint<Endpoint: 'static>,
        acceptor: impl poem::listener::Acceptor + 'static,
        address: SocketAddr,
    ) -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async { stopped.await.unwrap_or_default() };
        let endpoint = endpoint.into_endpoint().boxed();
        let drain = Some(Duration::from_millis(500));
        let server = poem_graphql::server(acceptor);
        let task = tokio::spawn(server.run_with_graceful_shutdown(endpoint, stopped, drain));
        let stop = Some(stop);
        Self { address, stop, task }
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// Sends bytes on a connection of their own, and reads until the service closes it.
    pub(crate) async fn exchange(&self, bytes: &str) -> String {
        let mut stream = self.connect().await;
        stream.write_all(bytes.as_bytes()).await.unwrap();
        read_to_end(&mut stream).await
    }

    pub(crate) fn stop(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
    }

    pub(crate) async fn stopped(self) {
        self.task.await.unwrap().unwrap();
    }
}

/// Reads until the service closes the connection, which may be by a reset.
pub(crate) async fn read_to_end(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes).await;
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Answers `/MILLISECONDS` after that time, with as many bytes.
pub(crate) fn slow() -> impl Endpoint<Output = Response> + 'static {
    poem::endpoint::make(|request: Request| async move {
        let number = request.uri().path()[1..].parse().unwrap();
        sleep(Duration::from_millis(number)).await;
        Response::from("x".repeat(usize::try_from(number).unwrap()))
    })
}

pub(crate) fn get(path: &str, more: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n")
}
