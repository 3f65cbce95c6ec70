//! Which figures of the rooms become metrics. The other ones are counted where requests are answered.

use std::sync::Arc;

use crate::{
    access::{Access, RateLimiter, Tokens},
    config::TelemetrySettings,
    graphql::{Engine, contract_hash},
    http::{Lifecycle, Limit},
    store::{PoolFigures, ReplicaFigures, Standing, Store},
    telemetry::{Kind, Metrics, Sample},
    trace::Traces,
};

/// The metrics of a service.
pub(super) fn metrics(
    settings: &TelemetrySettings,
    limits: &[Limit],
    engine: &Arc<Engine>,
    store: &Store,
    lifecycle: &Lifecycle,
) -> Metrics {
    // A list that is too long breaks a rule of the contract, and connections too many wait.
    let refuses = |name: &&str| !["list-limit", "connection-limit"].contains(name);
    let names = limits.iter().map(|limit| limit.name).filter(refuses);
    let operation_limit = settings.metrics_operation_limit();
    let mut metrics = Metrics::new(operation_limit, engine.deprecated_elements(), names);
    metrics.sample(
        Kind::Gauge,
        "build_info",
        "Always 1: the version of the service and the hash of its contract",
        || {
            let version = env!("CARGO_PKG_VERSION");
            vec![
                Sample::of(1)
                    .with("version", version)
                    .with("schema_hash", &contract_hash().to_string()),
            ]
        },
    );
    let lifecycle = lifecycle.clone();
    metrics.sample(
        Kind::Gauge,
        "draining",
        "1 from when the service was told to stop, else 0",
        move || vec![Sample::of(lifecycle.is_draining().into())],
    );
    documents(&mut metrics, engine);
    persisted_queries(&mut metrics, engine);
    database(&mut metrics, store);
    replica(&mut metrics, store);
    metrics
}

/// Who is asked for tokens, and whose requests are counted.
pub(super) fn access(metrics: &mut Metrics, access: &Arc<Access>) {
    let of = Arc::clone(access);
    let figures = move || of.tokens.as_ref().map(Tokens::figures);
    let keys = figures.clone();
    metrics.sample(
        Kind::Gauge,
        "auth_keys",
        "Keys that tokens are verified with; 0 where no tokens are asked for",
        move || vec![Sample::of(keys().map_or(0, |told| told.keys as u64))],
    );
    metrics.sample(
        Kind::Counter,
        "auth_key_reload_failures",
        "Times that the file of keys could not be used; the keys before stay in use",
        move || vec![Sample::of(figures().map_or(0, |told| told.failed_reloads))],
    );
    let of = Arc::clone(access);
    metrics.sample(
        Kind::Gauge,
        "rate_limit_callers",
        "Callers that the rate limit remembers",
        move || {
            vec![Sample::of(
                of.rate.as_ref().map_or(0, RateLimiter::callers) as u64
            )]
        },
    );
}

/// What the collector of traces was told.
pub(super) fn traces(metrics: &mut Metrics, traces: Option<Arc<Traces>>) {
    metrics.sample(
        Kind::Counter,
        "trace_spans",
        "Spans of traces, by result; none where they are sent nowhere",
        move || {
            let figures = traces.iter().map(|traces| traces.figures());
            let samples = figures.flat_map(|figures| {
                [
                    Sample::of(figures.exported).with("result", "exported"),
                    Sample::of(figures.dropped).with("result", "dropped"),
                ]
            });
            samples.collect()
        },
    );
}

fn documents(metrics: &mut Metrics, engine: &Arc<Engine>) {
    let of = Arc::clone(engine);
    metrics.sample(
        Kind::Counter,
        "document_cache_hits",
        "Requests whose document had been read before",
        move || vec![Sample::of(of.document_figures().hits)],
    );
    let of = Arc::clone(engine);
    metrics.sample(
        Kind::Counter,
        "document_cache_misses",
        "Requests whose document had to be parsed and validated",
        move || vec![Sample::of(of.document_figures().misses)],
    );
    let of = Arc::clone(engine);
    metrics.sample(
        Kind::Gauge,
        "document_cache_documents",
        "Valid documents that are kept",
        move || vec![Sample::of(of.document_figures().documents as u64)],
    );
    let of = Arc::clone(engine);
    metrics.sample(
        Kind::Gauge,
        "document_cache_text_bytes",
        "Bytes of the texts of the documents that are kept",
        move || vec![Sample::of(of.document_figures().text_bytes)],
    );
}

fn persisted_queries(metrics: &mut Metrics, engine: &Arc<Engine>) {
    let of = Arc::clone(engine);
    metrics.sample(
        Kind::Counter,
        "persisted_query_lookups",
        "Requests that sent a hash in place of a query, by result",
        move || {
            let figures = of.persisted_figures();
            vec![
                Sample::of(figures.found).with("result", "found"),
                Sample::of(figures.not_found).with("result", "not_found"),
            ]
        },
    );
    let of = Arc::clone(engine);
    metrics.sample(
        Kind::Gauge,
        "persisted_queries_registered",
        "Queries registered by clients that are kept",
        move || vec![Sample::of(of.persisted_figures().registered as u64)],
    );
}

fn database(metrics: &mut Metrics, store: &Store) {
    let mut pools = |name, meaning, figure: fn(&PoolFigures) -> u64| {
        let store = store.clone();
        let read = move || {
            let pools = store.figures().pools.into_iter();
            let replica = store.replica_figures().map(|replica| replica.pool);
            pools
                .chain(replica)
                .map(|pool| Sample::of(figure(&pool)).with("pool", pool.name))
                .collect()
        };
        metrics.sample(Kind::Gauge, name, meaning, read);
    };
    pools("pool_connections", "Connections to the database", |pool| {
        pool.connections
    });
    pools(
        "pool_connections_idle",
        "Connections to the database that nobody uses",
        |pool| pool.idle,
    );
    pools(
        "pool_connections_limit",
        "Most connections to the database that requests may use, pool-size",
        |pool| pool.limit,
    );
    pools(
        "pool_waiting",
        "Requests that wait for a statement",
        |pool| pool.waiting,
    );
    let store = store.clone();
    metrics.sample(
        Kind::Counter,
        "database_errors",
        "What went wrong with the database, by kind",
        move || {
            let errors = store.figures().errors.into_iter();
            errors
                .map(|(kind, count)| Sample::of(count).with("kind", kind))
                .collect()
        },
    );
}

/// Without a replica these have no samples.
fn replica(metrics: &mut Metrics, store: &Store) {
    let mut of_replica = |kind, name, meaning, samples: fn(ReplicaFigures) -> Vec<Sample>| {
        let store = store.clone();
        let read = move || store.replica_figures().map_or_else(Vec::new, samples);
        metrics.sample(kind, name, meaning, read);
    };
    of_replica(
        Kind::Gauge,
        "replica_standing",
        "1 for what the replica is good for at the moment, else 0",
        |replica| {
            let all = Standing::ALL.into_iter();
            all.map(|standing| {
                let value = u64::from(standing == replica.standing);
                Sample::of(value).with("standing", standing.name())
            })
            .collect()
        },
    );
    of_replica(
        Kind::Gauge,
        "replica_lag_seconds",
        "How far the replica was behind when it and the primary answered last",
        |replica| {
            let lag = replica.lag.into_iter();
            lag.map(|lag| Sample::of_float(lag.as_secs_f64())).collect()
        },
    );
    of_replica(
        Kind::Counter,
        "replica_reads",
        "Reads while there is a replica, by kind and by what it answered",
        |replica| {
            let reads = replica.reads.into_iter();
            reads
                .map(|(kind, result, count)| {
                    Sample::of(count).with("kind", kind).with("result", result)
                })
                .collect()
        },
    );
}
