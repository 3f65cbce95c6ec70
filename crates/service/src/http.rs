//! What the routes and the middleware of a service are made of.

use std::{sync::Arc, time::Duration};

use auth::Auth;
use engine::Engine;
use graphql_http::{GraphiqlTab, HttpSettings, MetricsEndpoint, Ready, Stopping};
use poem::{Response, endpoint::BoxEndpoint};
use telemetry::{metrics::Metrics, trace::Tracer};

/// The endpoint of a listener.
pub type HttpEndpoint = BoxEndpoint<'static, Response>;

/// The HTTP applications of a service: their routes and their middleware.
#[derive(Clone, Copy)]
pub struct Applications {
    /// That of the listener for clients.
    pub clients: fn(&Http) -> HttpEndpoint,
    /// That of a separate listener for operators.
    pub operators: fn(&Http) -> HttpEndpoint,
}

/// What the routes and the middleware of a started service are made of.
pub struct Http {
    /// The name of the service: the realm of `WWW-Authenticate`, and the namespace of GraphiQL's storage.
    pub name: &'static str,
    /// The title of GraphiQL.
    pub title: &'static str,
    /// The initial tabs of GraphiQL.
    pub graphiql_tabs: &'static [GraphiqlTab],
    /// The settings of the server.
    pub settings: HttpSettings,
    /// Executes requests.
    pub engine: Arc<Engine>,
    /// Authenticates and limits callers.
    pub auth: Arc<Auth>,
    /// The metrics of the service.
    pub metrics: Arc<Metrics>,
    /// The readiness of the service.
    pub ready: Ready,
    /// Whether a separate listener serves operators.
    pub has_admin: bool,
    /// Slower operations are logged as slow; `None` logs none.
    pub slow_threshold: Option<Duration>,
    /// Records spans, if tracing is enabled.
    pub tracer: Option<Arc<Tracer>>,
    /// The name of the span attribute of the request id.
    pub request_id_attribute: &'static str,
    /// The graceful shutdown of the listener for clients.
    pub stopping: Stopping,
}

impl Http {
    /// `/metrics`.
    pub fn metrics_endpoint(&self) -> MetricsEndpoint {
        MetricsEndpoint::new(Arc::clone(&self.metrics), self.ready.clone())
    }
}
