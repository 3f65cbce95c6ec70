//! An OpenTelemetry collector on a loopback address, and the spans it received.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use poem::{
    Endpoint, Request, Response, Server,
    http::StatusCode,
    listener::{Acceptor, TcpAcceptor},
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

/// A collector that stops when it is dropped.
pub(crate) struct Collector {
    pub(crate) addr: SocketAddr,
    received: Received,
    serving: JoinHandle<()>,
}

#[derive(Clone, Default)]
struct Received(Arc<Mutex<Vec<Value>>>);

/// A received span.
#[derive(Clone, Debug)]
pub(crate) struct Span(pub(crate) Value);

impl Span {
    pub(crate) fn text(&self, member: &str) -> &str {
        self.0[member].as_str().unwrap_or_default()
    }

    pub(crate) fn name(&self) -> &str {
        self.text("name")
    }

    /// Start and end in nanoseconds since the Unix epoch.
    pub(crate) fn times(&self) -> (u64, u64) {
        let time = |member| self.text(member).parse().unwrap();
        (time("startTimeUnixNano"), time("endTimeUnixNano"))
    }

    pub(crate) fn attribute(&self, key: &str) -> Option<&str> {
        let attributes = self.0["attributes"].as_array().unwrap();
        let found = attributes
            .iter()
            .find(|attribute| attribute["key"] == key)?;
        let value = found["value"].as_object().unwrap().values().next();
        value.unwrap().as_str()
    }
}

impl Endpoint for Received {
    type Output = Response;

    async fn call(&self, mut request: Request) -> poem::Result<Response> {
        assert_eq!(request.uri().path(), "/v1/traces");
        let content_type = request.content_type();
        assert_eq!(content_type, Some("application/json"));
        let body = request.take_body().into_bytes().await?;
        let body = serde_json::from_slice(&body).unwrap();
        self.0.lock().unwrap().push(body);
        Ok(StatusCode::OK.into())
    }
}

impl Collector {
    pub(crate) async fn start() -> Self {
        Self::start_at("127.0.0.1:0".parse().unwrap()).await
    }

    pub(crate) async fn start_at(addr: SocketAddr) -> Self {
        let listener = TcpListener::bind(addr).await.unwrap();
        let addr = listener.local_addr().unwrap();
        let received = Received::default();
        let endpoint = received.clone();
        let acceptor = TcpAcceptor::from_tokio(listener).unwrap();
        assert_eq!(acceptor.local_addr().len(), 1);
        let serving = tokio::spawn(async move {
            Server::new_with_acceptor(acceptor)
                .run(endpoint)
                .await
                .unwrap();
        });
        Self {
            addr,
            received,
            serving,
        }
    }

    /// The flag that exports spans to this collector.
    pub(crate) fn flag(&self) -> String {
        format!("--trace-endpoint=http://{}/v1/traces", self.addr)
    }

    /// All spans received so far.
    pub(crate) fn spans(&self) -> Vec<Span> {
        let received = self.received.0.lock().unwrap();
        let resources = received
            .iter()
            .flat_map(|body| body["resourceSpans"].as_array().unwrap());
        let scopes = resources.flat_map(|resource| {
            let attributes = resource["resource"]["attributes"].as_array().unwrap();
            let name =
                json!({ "key": "service.name", "value": { "stringValue": "vehicle-catalogue" } });
            assert!(attributes.contains(&name), "{attributes:?}");
            let has_instance = attributes.iter().any(|attribute| {
                let id = attribute["value"]["stringValue"].as_str();
                attribute["key"] == "service.instance.id" && id.is_some_and(|id| id.len() == 32)
            });
            assert!(has_instance, "{attributes:?}");
            resource["scopeSpans"].as_array().unwrap()
        });
        let spans = scopes.flat_map(|scope| scope["spans"].as_array().unwrap());
        spans.cloned().map(Span).collect()
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.serving.abort();
    }
}
