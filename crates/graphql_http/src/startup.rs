//! Serves requests while the service starts: liveness, readiness with the pending part, and 503 for everything else.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use futures_util::{
    FutureExt,
    future::{BoxFuture, ready},
};
use parking_lot::Mutex;
use poem::{
    Endpoint, EndpointExt, Request, Response,
    endpoint::{BoxEndpoint, DynEndpoint},
    http::Method,
};

use super::{
    cors::Origins,
    health::{Part, Probe, Ready, live},
    hosts::AllowedHosts,
    refusal::Refusal,
    refusal_type::RefusalTypes,
    request_id::RequestIds,
    security_headers::SecurityHeaders,
    stopping::Stopping,
};

/// A starting service. Clones share its state.
#[derive(Clone)]
pub struct Startup(Arc<State>);

struct State {
    /// Set when the shutdown begins.
    draining: Arc<AtomicBool>,
    stopping: Stopping,
    /// The part that `/health/ready` reports until the service has started.
    pending: Mutex<Part>,
    clients: OnceLock<BoxEndpoint<'static, Response>>,
    operators: OnceLock<BoxEndpoint<'static, Response>>,
}

impl Startup {
    /// Starts with `pending` as the part that is not ready.
    pub fn new(pending: Part) -> Self {
        Self(Arc::new(State {
            draining: Arc::default(),
            stopping: Stopping::new(),
            pending: Mutex::new(pending),
            clients: OnceLock::new(),
            operators: OnceLock::new(),
        }))
    }

    /// Replaces the pending part.
    pub fn wait_for(&self, part: Part) {
        *self.0.pending.lock() = part;
    }

    /// Completes the start: these endpoints handle every request from now on. `operators` is that of the separate listener,
    /// if there is one.
    pub fn complete(
        &self,
        clients: BoxEndpoint<'static, Response>,
        operators: Option<BoxEndpoint<'static, Response>>,
    ) {
        // A service starts once.
        if let Some(operators) = operators {
            let _ = self.0.operators.set(operators);
        }
        let _ = self.0.clients.set(clients);
    }

    /// The middleware for the graceful shutdown of the listener for clients.
    pub fn stopping(&self) -> Stopping {
        self.0.stopping.clone()
    }

    /// Whether the shutdown has begun.
    pub fn draining(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0.draining)
    }

    pub(super) fn drain(&self) {
        self.0.draining.store(true, Relaxed);
    }

    /// The endpoint of the listener for clients.
    pub(super) fn clients(&self, hosts: &AllowedHosts, origins: &Origins, health: bool) -> Switch {
        Switch {
            startup: self.clone(),
            started: |state| &state.clients,
            starting: self.starting(hosts, origins, health),
        }
    }

    /// The endpoint of the separate listener for operators.
    pub(super) fn operators(&self, hosts: &AllowedHosts) -> Switch {
        Switch {
            startup: self.clone(),
            started: |state| &state.operators,
            starting: self.starting(hosts, &Origins::None, true),
        }
    }

    fn starting(
        &self,
        hosts: &AllowedHosts,
        origins: &Origins,
        serves_health: bool,
    ) -> BoxEndpoint<'static, Response> {
        let starting = Starting {
            serves_health,
            ready: Ready::new(Arc::new(self.clone()), self.draining()),
        };
        starting
            .with(origins.clone())
            .with(hosts.clone())
            .with(SecurityHeaders)
            .with(RefusalTypes)
            .with(RequestIds)
            .boxed()
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
    started: fn(&State) -> &OnceLock<BoxEndpoint<'static, Response>>,
    starting: BoxEndpoint<'static, Response>,
}

impl Endpoint for Switch {
    type Output = Response;

    fn call(&self, request: Request) -> impl Future<Output = poem::Result<Response>> + Send {
        let started = (self.started)(&self.startup.0).get();
        DynEndpoint::call(&**started.unwrap_or(&self.starting), request)
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
        let serves_health = self.serves_health && request.method() == Method::GET;
        match request.uri().path() {
            "/health/live" if serves_health => Ok(live()),
            "/health/ready" if serves_health => self.ready.call(request).await,
            _ => Err(Refusal::Starting.into()),
        }
    }
}
