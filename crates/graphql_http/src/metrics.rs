//! The metrics of the server, and their endpoint in the formats of Prometheus and `OpenMetrics`.

use std::sync::Arc;

use auth::{Auth, RateLimiter, Tokens};
use engine::{DocumentLimits, Engine, ErrorCode};
use poem::{Endpoint, IntoResponse, Request, Response, http::header};
use telemetry::{
    metrics::{Exposition, Kind, Metrics, MetricsSettings, Sample},
    trace::Tracer,
};

use super::{client::header_text, health::Ready, limit, media_type, stopping::Stopping};

/// `/metrics`. A scrape checks readiness, too.
pub struct MetricsEndpoint {
    metrics: Arc<Metrics>,
    ready: Ready,
}

impl MetricsEndpoint {
    /// Shows these metrics, and whether the service is ready.
    pub fn new(metrics: Arc<Metrics>, ready: Ready) -> Self {
        Self { metrics, ready }
    }
}

impl Endpoint for MetricsEndpoint {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        let accept = header_text(request.headers(), header::ACCEPT);
        let exposition = if media_type::prefers_open_metrics(&accept) {
            Exposition::OpenMetrics
        } else {
            Exposition::Prometheus
        };
        let parts = self.ready.parts().await;
        self.metrics.set_ready(parts.iter().all(|part| part.ready));
        let text = self.metrics.render(exposition);
        Ok(text
            .with_content_type(exposition.content_type())
            .with_header(header::VARY, "Accept")
            .with_header(header::CACHE_CONTROL, "no-store")
            .into_response())
    }
}

/// The metrics of a server. Their names begin with `prefix`, and their labels have at
/// most so many operation names.
pub fn metrics(
    prefix: &'static str,
    operation_limit: usize,
    engine: &Arc<Engine>,
    auth: &Arc<Auth>,
    tracer: Option<Arc<Tracer>>,
    stopping: Stopping,
) -> Metrics {
    let mut limits = [&limit::SERVER[..], &DocumentLimits::NAMES].concat();
    if auth.rate.is_some() {
        limits.extend(limit::CALLER);
    }
    let mut metrics = Metrics::new(MetricsSettings {
        prefix,
        operation_limit,
        codes: ErrorCode::ALL.map(ErrorCode::as_str).to_vec(),
        coordinates: engine.coordinates().to_vec(),
        limits,
    });
    metrics.register(
        Kind::Gauge,
        "draining",
        "1 while the service drains, else 0",
        move || vec![Sample::new(stopping.has_begun().into())],
    );
    register_engine(&mut metrics, engine);
    register_auth(&mut metrics, auth);
    register_spans(&mut metrics, tracer);
    metrics
}

fn register_spans(metrics: &mut Metrics, tracer: Option<Arc<Tracer>>) {
    metrics.register(
        Kind::Counter,
        "trace_spans",
        "Trace spans by result; none without a trace endpoint",
        move || {
            let spans = tracer.iter().flat_map(|tracer| tracer.spans());
            spans
                .map(|(result, count)| Sample::new(count).with("result", result))
                .collect()
        },
    );
}

fn register_engine(metrics: &mut Metrics, engine: &Arc<Engine>) {
    let mut register = |kind, name, meaning, samples: fn(&Engine) -> Vec<Sample>| {
        let engine = Arc::clone(engine);
        metrics.register(kind, name, meaning, move || samples(&engine));
    };
    register(
        Kind::Counter,
        "document_cache_hits",
        "Requests whose document was in the document cache",
        |engine| vec![Sample::new(engine.document_stats().hits)],
    );
    register(
        Kind::Counter,
        "document_cache_misses",
        "Requests whose document had to be parsed and validated",
        |engine| vec![Sample::new(engine.document_stats().misses)],
    );
    register(
        Kind::Gauge,
        "document_cache_documents",
        "Documents in the document cache",
        |engine| vec![Sample::new(engine.document_stats().documents as u64)],
    );
    register(
        Kind::Gauge,
        "document_cache_bytes",
        "Memory of the cached documents, estimated from their size",
        |engine| vec![Sample::new(engine.document_stats().bytes)],
    );
    register(
        Kind::Counter,
        "persisted_query_lookups",
        "Requests that sent the hash of a persisted query, by result",
        |engine| {
            let stats = engine.persisted_stats();
            vec![
                Sample::new(stats.found).with("result", "found"),
                Sample::new(stats.not_found).with("result", "not_found"),
            ]
        },
    );
    register(
        Kind::Gauge,
        "persisted_queries_registered",
        "Persisted queries registered by clients",
        |engine| vec![Sample::new(engine.persisted_stats().registered as u64)],
    );
}

fn register_auth(metrics: &mut Metrics, auth: &Arc<Auth>) {
    let mut register = |kind, name, meaning, sample: fn(&Auth) -> u64| {
        let auth = Arc::clone(auth);
        let samples = move || vec![Sample::new(sample(&auth))];
        metrics.register(kind, name, meaning, samples);
    };
    register(
        Kind::Gauge,
        "auth_keys",
        "Token verification keys; 0 without authentication",
        |auth| auth.tokens.as_ref().map_or(0, Tokens::key_count) as u64,
    );
    register(
        Kind::Counter,
        "auth_key_reload_failures",
        "Failed reloads of the key file; the previous keys stay in use",
        |auth| auth.tokens.as_ref().map_or(0, Tokens::failed_reloads),
    );
    register(
        Kind::Gauge,
        "rate_limit_callers",
        "Callers tracked by the rate limit",
        |auth| auth.rate.as_ref().map_or(0, RateLimiter::callers) as u64,
    );
}
