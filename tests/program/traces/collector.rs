//! An OpenTelemetry collector on a loopback address, and the spans it received.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest, common::v1::any_value::Value, trace,
};
use poem::{
    Endpoint, Request, Response, Server,
    http::StatusCode,
    listener::{Acceptor, TcpAcceptor},
};
use prost::Message as _;
use tokio::{net::TcpListener, task::JoinHandle};

/// A collector that stops when it is dropped.
pub(crate) struct Collector {
    pub(crate) addr: SocketAddr,
    received: Received,
    serving: JoinHandle<()>,
}

#[derive(Clone, Default)]
struct Received(Arc<Mutex<Vec<ExportTraceServiceRequest>>>);

/// A received span.
#[derive(Clone, Debug)]
pub(crate) struct Span(pub(crate) trace::v1::Span);

impl Span {
    pub(crate) fn name(&self) -> &str {
        &self.0.name
    }

    /// The id of its trace, of itself and of its parent, in hexadecimal digits.
    pub(crate) fn ids(&self) -> [String; 3] {
        let ids = [&self.0.trace_id, &self.0.span_id, &self.0.parent_span_id];
        ids.map(|id| id.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}")))
    }

    /// Start and end in nanoseconds since the Unix epoch.
    pub(crate) fn times(&self) -> (u64, u64) {
        (self.0.start_time_unix_nano, self.0.end_time_unix_nano)
    }

    pub(crate) fn attribute(&self, key: &str) -> Option<String> {
        let mut attributes = self.0.attributes.iter();
        let value = attributes.find(|it| it.key == key)?.value.clone()?.value;
        match value? {
            Value::StringValue(text) => Some(text),
            Value::IntValue(number) => Some(number.to_string()),
            other => panic!("{other:?}"),
        }
    }
}

impl Endpoint for Received {
    type Output = Response;

    async fn call(&self, mut request: Request) -> poem::Result<Response> {
        assert_eq!(request.uri().path(), "/v1/traces");
        let content_type = request.content_type();
        assert_eq!(content_type, Some("application/x-protobuf"));
        let body = request.take_body().into_bytes().await?;
        let body = ExportTraceServiceRequest::decode(body).unwrap();
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
            Server::new_with_acceptor(acceptor).run(endpoint).await.unwrap();
        });
        Self { addr, received, serving }
    }

    /// The flag that exports spans to this collector.
    pub(crate) fn flag(&self) -> String {
        format!("--trace-endpoint=http://{}/v1/traces", self.addr)
    }

    /// All spans received so far.
    pub(crate) fn spans(&self) -> Vec<Span> {
        let received = self.received.0.lock().unwrap();
        let resources = received.iter().flat_map(|body| &body.resource_spans);
        let scopes = resources.flat_map(|spans| {
            let resource = spans.resource.as_ref().unwrap();
            let name = resource.attributes.iter().find(|it| it.key == "service.name");
            let name = name.and_then(|it| it.value.clone()?.value);
            let expected = Value::StringValue("vehicle-catalogue".to_owned());
            assert_eq!(name, Some(expected), "{resource:?}");
            &spans.scope_spans
        });
        let spans = scopes.flat_map(|scope| &scope.spans);
        spans.cloned().map(Span).collect()
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.serving.abort();
    }
}
