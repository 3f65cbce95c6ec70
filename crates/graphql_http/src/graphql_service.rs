//! What is served.

use std::{sync::Arc, time::Duration};

use auth::Auth;
use engine::Engine;
use telemetry::{metrics::Metrics, trace::Tracer};

use super::{graphiql::GraphiqlTab, limit::Limit};

/// A GraphQL service, to be served to clients.
pub struct GraphqlService {
    /// Executes requests.
    pub engine: Arc<Engine>,
    /// The name of the service: the realm of `WWW-Authenticate`, and the namespace of GraphiQL's storage.
    pub name: &'static str,
    /// The title of GraphiQL.
    pub title: &'static str,
    /// The default tabs of GraphiQL.
    pub graphiql_tabs: &'static [GraphiqlTab],
    /// Authenticates and limits callers.
    pub auth: Arc<Auth>,
    /// The prefix of the names of metrics.
    pub metrics_prefix: &'static str,
    /// The maximum number of operation names in metrics.
    pub metrics_operation_limit: usize,
    /// Registers the metrics that the server does not have.
    pub register_metrics: Box<dyn Fn(&mut Metrics) + Send>,
    /// Records spans, if tracing is enabled.
    pub tracer: Option<Arc<Tracer>>,
    /// The name of the span attribute of the request id.
    pub request_id_attribute: &'static str,
    /// Slower operations are logged as slow; `None` logs none.
    pub slow_threshold: Option<Duration>,
    /// The limits that `/limits` lists besides those of the server, of documents and of callers.
    pub limits: Vec<Limit>,
}

impl GraphqlService {
    /// A service without authentication, rate limit and traces. Its name is also its title and the prefix of its
    /// metrics, so it consists of letters, digits and underscores.
    pub fn new(name: &'static str, engine: Engine) -> Self {
        Self {
            engine: Arc::new(engine),
            name,
            title: name,
            graphiql_tabs: &[],
            auth: Arc::default(),
            metrics_prefix: name,
            metrics_operation_limit: 100,
            register_metrics: Box::new(|_| ()),
            tracer: None,
            request_id_attribute: "http.request.id",
            slow_threshold: None,
            limits: Vec::new(),
        }
    }
}
