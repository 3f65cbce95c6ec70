//! Serves requests while the service starts: liveness, readiness with the pending part, and 503 for
//! everything else.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, AtomicU64},
};

use futures_util::{
    FutureExt,
    future::{BoxFuture, ready},
};
use parking_lot::Mutex;
use poem::{
    Endpoint, EndpointExt, Request, Response,
    http::{Method, header},
};
use telemetry::metrics::GaugeGuard;

use super::{
    admin,
    graphql_service::GraphqlService,
    health::{Part, Probe, Ready, live},
    listeners::Listeners,
    media_type::ResponseType,
    metadata::{RequestMetadata, header_text},
    metrics::{self, MetricsEndpoint},
    pipeline::Pipeline,
    refusal::Refusal,
    routes,
    server::Handler,
    settings::HttpSettings,
    unsent::UnsentResponses,
};

/// The pipelines of a started service.
struct Pipelines {
    clients: Pipeline,
    /// Set if there is a separate listener for operators.
    operators: Option<Pipeline>,
}

/// A starting service. Clones share its state.
#[derive(Clone)]
pub struct Startup(Arc<State>);

struct State {
    settings: Arc<HttpSettings>,
    /// Set when the shutdown begins.
    draining: Arc<AtomicBool>,
    /// Whether there is a separate listener for operators.
    has_admin: bool,
    /// The part that `/health/ready` reports until the service has started.
    pending: Mutex<Part>,
    service: OnceLock<Pipelines>,
}

impl Startup {
    /// Starts with `pending` as the part that is not ready.
    pub fn new(settings: HttpSettings, listeners: &Listeners, pending: Part) -> Self {
        Self(Arc::new(State {
            settings: Arc::new(settings),
            draining: Arc::default(),
            has_admin: listeners.admin.is_some(),
            pending: Mutex::new(pending),
            service: OnceLock::new(),
        }))
    }

    /// Replaces the pending part.
    pub fn wait_for(&self, part: Part) {
        *self.0.pending.lock() = part;
    }

    /// Completes the start: `service` handles every request from now on.
    pub fn complete(&self, service: GraphqlService, probe: Arc<dyn Probe>) {
        let state = &self.0;
        let metrics = Arc::new(metrics::new(&service, &state.settings, &state.draining));
        let endpoint = MetricsEndpoint {
            metrics: Arc::clone(&metrics),
            ready: self.ready(probe),
        };
        let (shared, operators) = if state.has_admin {
            let engine = Arc::clone(&service.engine);
            let operators = admin::pipeline(endpoint, engine, &state.settings);
            (None, Some(operators))
        } else {
            (Some(endpoint), None)
        };
        // A service starts once.
        let _ = state.service.set(Pipelines {
            clients: routes::clients(service, metrics, Arc::clone(&state.settings), shared),
            operators,
        });
    }

    pub(super) fn draining(&self) -> &AtomicBool {
        &self.0.draining
    }

    pub(super) fn settings(&self) -> &HttpSettings {
        &self.0.settings
    }

    /// Counts a connection. Connections before the end of the start are not counted: there are no
    /// metrics yet.
    pub(super) fn connection(&self) -> Option<GaugeGuard<Arc<AtomicU64>>> {
        let observer = self.0.service.get()?.clients.observer.as_ref()?;
        Some(observer.metrics.open_connection())
    }

    /// The handler of the listener for clients.
    pub(super) fn clients(&self) -> Switch {
        Switch {
            startup: self.clone(),
            started: |service| Some(&service.clients),
            starting: self.starting(Arc::clone(&self.0.settings), !self.0.has_admin),
        }
    }

    /// The handler of the separate listener for operators.
    pub(super) fn operators(&self, settings: &HttpSettings) -> Switch {
        Switch {
            startup: self.clone(),
            started: |service| service.operators.as_ref(),
            starting: self.starting(Arc::new(settings.clone()), true),
        }
    }

    fn starting(&self, settings: Arc<HttpSettings>, serves_health: bool) -> Pipeline {
        let starting = Starting {
            serves_health,
            ready: self.ready(Arc::new(self.clone())),
        };
        Pipeline {
            settings,
            observer: None,
            graphql: None,
            others: starting.boxed(),
        }
    }

    fn ready(&self, probe: Arc<dyn Probe>) -> Ready {
        let draining = Arc::clone(&self.0.draining);
        Ready { draining, probe }
    }
}

impl Probe for Startup {
    fn parts(&self) -> BoxFuture<'_, Vec<Part>> {
        ready(vec![self.0.pending.lock().clone()]).boxed()
    }
}

/// Delegates to the service once it has started.
pub(super) struct Switch {
    startup: Startup,
    started: fn(&Pipelines) -> Option<&Pipeline>,
    starting: Pipeline,
}

impl Handler for Switch {
    fn handle<'h>(
        &'h self,
        request: Box<Request>,
        metadata: Box<RequestMetadata>,
        unsent: &'h Arc<UnsentResponses>,
    ) -> BoxFuture<'h, Response> {
        let started = self.startup.0.service.get().and_then(self.started);
        let pipeline = started.unwrap_or(&self.starting);
        pipeline.handle(request, metadata, Some(unsent))
    }
}

/// Handles requests until the service has started.
struct Starting {
    serves_health: bool,
    ready: Ready,
}

impl Endpoint for Starting {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        let serves_health = self.serves_health && *request.method() == Method::GET;
        match request.uri().path() {
            "/health/live" if serves_health => Ok(live()),
            "/health/ready" if serves_health => self.ready.call(request).await,
            _ => {
                let accept = header_text(request.headers(), &header::ACCEPT);
                let response_type = ResponseType::negotiate(&accept).unwrap_or(ResponseType::Json);
                Ok(Refusal::Starting.into_outcome(response_type).response)
            }
        }
    }
}
