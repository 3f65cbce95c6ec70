//! A middleware that counts requests and their operations in metrics.

use std::{
    sync::{Arc, atomic::AtomicU64},
    time::{Duration, Instant},
};

use engine::ErrorCode;
use futures_util::FutureExt;
use poem::{Endpoint, Request, Response};
use telemetry::metrics::{GaugeGuard, Metrics};

use super::{
    client, handled::Around, into_response::into_response, report::Reports, routes::GRAPHQL,
};

/// Records the metrics of GraphQL requests and of refusals.
#[derive(Clone)]
pub struct RequestMetrics {
    metrics: Arc<Metrics>,
    slow: Option<Duration>,
}

impl RequestMetrics {
    /// Records in these metrics. Operations that take longer than `slow` are counted as slow.
    pub fn new(metrics: Arc<Metrics>, slow: Option<Duration>) -> Self {
        Self { metrics, slow }
    }
}

impl Around for RequestMetrics {
    fn around<E: Endpoint>(
        &self,
        endpoint: &E,
        request: Request,
    ) -> impl Future<Output = poem::Result<Response>> + Send {
        let RequestMetrics { metrics, slow } = self;
        let started = Instant::now();
        let is_graphql = request.uri().path() == GRAPHQL;
        let source = client::call_source(request.headers());
        let in_flight = is_graphql.then(|| InFlight {
            metrics,
            _gauge: metrics.request_in_flight(),
            is_answered: false,
        });
        endpoint.call(request).map(move |result| {
            let response = into_response(result);
            if let Some(mut in_flight) = in_flight {
                in_flight.is_answered = true;
            }
            for report in response
                .data::<Reports>()
                .into_iter()
                .flat_map(|all| &**all)
            {
                let elapsed = report.elapsed.unwrap_or_else(|| started.elapsed());
                metrics.record_response(
                    report.metrics_operation(),
                    source,
                    report.code().map(ErrorCode::as_str),
                    elapsed,
                );
                if let Some(limit) = report.limit() {
                    metrics.record_limit_refused(limit);
                }
                if report.is_slower_than(*slow) {
                    metrics.record_slow();
                }
            }
            Ok(response)
        })
    }
}

/// A GraphQL request in flight. A client that disconnects drops it before it is answered.
struct InFlight<'m> {
    metrics: &'m Metrics,
    _gauge: GaugeGuard<&'m AtomicU64>,
    is_answered: bool,
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        if !self.is_answered {
            self.metrics.record_abandoned();
        }
    }
}
