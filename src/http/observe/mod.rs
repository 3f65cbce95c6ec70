//! What an operator is told of each request: lines in the log, and figures.
//!
//! Told are names, kinds, codes and times. Never told are queries, variables, answers and credentials.

mod identity;
mod observed;
mod request_id;
mod traced;

use std::{
    future::Future,
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use futures_util::{FutureExt, future::Either};
use poem::{Endpoint, Request, Response};

use self::{identity::Identity, observed::Observed, traced::Traced};
pub(super) use self::{
    identity::{REQUEST_ID, name},
    observed::{Operation, note},
};
use super::routes::GRAPHQL;
use crate::{
    graphql::{ErrorCode, contract_hash},
    telemetry::{Metrics, RequestInFlight},
    trace::Traces,
};

/// The beginning of the hash of the contract: enough to tell the instances of a log apart.
static SCHEMA_HASH: LazyLock<String> =
    LazyLock::new(|| contract_hash().to_string().chars().take(12).collect());

/// Where requests are told of, and which of them are slow.
#[derive(Clone, Debug)]
pub struct Watch {
    /// Where they are counted.
    pub metrics: Arc<Metrics>,
    /// From when on an operation is slow, if any is.
    pub slow: Option<Duration>,
    /// Where spans go, if somebody collects them.
    pub traces: Option<Arc<Traces>>,
}

/// An endpoint that is watched: every response has the name of its request.
pub(super) struct Observe<E> {
    inner: E,
    watch: Watch,
}

impl<E: Endpoint<Output = Response>> Observe<E> {
    pub(super) fn new(inner: E, watch: Watch) -> Self {
        Self { inner, watch }
    }
}

impl<E: Endpoint<Output = Response>> Endpoint for Observe<E> {
    type Output = Response;

    fn call(&self, request: Request) -> impl Future<Output = poem::Result<Response>> + Send {
        let exchange = Exchange::begin(&self.watch, &request);
        let traced = exchange.traced(&request);
        let answer = self.inner.call(request);
        let answer = match &traced {
            // In a box, so that those who are not traced carry no second future.
            Some(traced) => Either::Left(traced.record(Box::pin(answer))),
            None => Either::Right(answer),
        };
        answer.map(move |answered| {
            let mut response = answered.unwrap_or_else(poem::Error::into_response);
            if let Some(traced) = traced {
                traced.end(&exchange.identity, &response);
            }
            let id = exchange.identity.header();
            response.headers_mut().insert(REQUEST_ID, id);
            exchange.end(&mut response);
            Ok(response)
        })
    }
}

/// A request that is being answered.
struct Exchange<'w> {
    watch: &'w Watch,
    identity: Identity,
    started: Instant,
    /// Of a request of GraphQL that has no answer yet.
    in_flight: Option<RequestInFlight>,
}

impl<'w> Exchange<'w> {
    fn begin(watch: &'w Watch, request: &Request) -> Self {
        let is_graphql = request.uri().path() == GRAPHQL;
        Self {
            watch,
            identity: Identity::of(request.headers()),
            started: Instant::now(),
            in_flight: is_graphql.then(|| watch.metrics.request()),
        }
    }

    /// Begins a span if there is somebody to collect it.
    fn traced(&self, request: &Request) -> Option<Traced> {
        let traces = self.watch.traces.as_ref()?;
        self.in_flight.as_ref()?;
        let root = traces.begin(self.identity.parent())?;
        Some(Traced::begin(root, request))
    }

    fn end(mut self, response: &mut Response) {
        self.in_flight = None;
        let Some(Observed(operations)) = response.extensions_mut().remove::<Observed>() else {
            return;
        };
        let status = response.status().as_u16();
        let position = |place| (operations.len() > 1).then_some(place);
        for (place, operation) in (1_u64..).zip(&operations) {
            self.tell(operation, status, position(place));
        }
    }

    fn tell(&self, operation: &Operation, status: u16, position: Option<u64>) {
        let Self {
            watch, identity, ..
        } = self;
        let elapsed = operation.elapsed.unwrap_or_else(|| self.started.elapsed());
        let profile = operation.profile.as_deref();
        watch
            .metrics
            .answered(profile, identity.caller, operation.code, elapsed);
        if let Some(limit) = &operation.limit {
            watch.metrics.limit_refused(limit);
        }
        for hidden in &operation.hidden {
            tracing::error!(
                request_id = identity.request_id(),
                reference = hidden.cause.reference,
                code = hidden.code.map(ErrorCode::as_str),
                cause = hidden.cause.chain,
                "a request failed"
            );
        }
        // What was refused was not executed: its client was slow, if anybody was.
        let slow = |threshold: &Duration| operation.elapsed.is_some_and(|took| took > *threshold);
        if let Some(threshold) = watch.slow.filter(slow) {
            watch.metrics.slow();
            tracing::warn!(
                request_id = identity.request_id(),
                trace_id = identity.trace_id(),
                operation_type = operation.kind(),
                operation_name = operation.name(),
                duration_ms = milliseconds(elapsed),
                threshold_ms = milliseconds(threshold),
                "an operation was slow"
            );
        }
        tracing::info!(
            target: "access",
            request_id = identity.request_id(),
            trace_id = identity.trace_id(),
            operation_type = operation.kind(),
            operation_name = operation.name(),
            position,
            caller = identity.told_caller(),
            app_version = identity.app_version(),
            duration_ms = milliseconds(elapsed),
            status,
            code = operation.outcome(),
            limit = operation.limit.as_deref(),
            schema_hash = SCHEMA_HASH.as_str(),
            "answered"
        );
    }
}

impl Drop for Exchange<'_> {
    /// Whoever goes away takes the future of the answer along, in whatever state it is.
    fn drop(&mut self) {
        if self.in_flight.is_some() {
            self.watch.metrics.abandoned();
            tracing::info!(
                target: "access",
                request_id = self.identity.request_id(),
                trace_id = self.identity.trace_id(),
                caller = self.identity.told_caller(),
                app_version = self.identity.app_version(),
                duration_ms = milliseconds(self.started.elapsed()),
                code = "ABANDONED",
                "abandoned: the client went away, or the service had to stop"
            );
        }
    }
}

/// With the precision of microseconds.
fn milliseconds(elapsed: Duration) -> f64 {
    let us = u32::try_from(elapsed.as_micros()).unwrap_or(u32::MAX);
    f64::from(us) / 1000.0
}
