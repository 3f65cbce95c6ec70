//! Registers the metrics of the build and the database. The crate `graphql_http` registers its own.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use database::{Database, PoolStats};
use telemetry::metrics::{Kind, Metrics, Sample};

use crate::Definition;

/// Registers the metrics of a service on this database.
pub(super) fn register(metrics: &mut Metrics, service: &Definition, database: &Database) {
    let (version, contract) = (service.version, service.contract);
    metrics.register(
        Kind::Gauge,
        "build_info",
        "Always 1: the version of the service and the hash of its contract",
        move || {
            let hash = contract.hash().to_string();
            let info = Sample::new(1).with("version", version);
            vec![info.with("schema_hash", &hash)]
        },
    );
    register_database(metrics, database);
}

/// Registers the failed reloads of the certificate, if there is one.
pub(super) fn register_certificate(metrics: &mut Metrics, failed_reloads: Option<Arc<AtomicU64>>) {
    metrics.register(
        Kind::Counter,
        "certificate_reload_failures",
        "Failed reloads of the certificate; the previous one stays in use. None without TLS",
        move || {
            let failed = failed_reloads.iter();
            failed
                .map(|failed| Sample::new(failed.load(Relaxed)))
                .collect()
        },
    );
}

fn register_database(metrics: &mut Metrics, database: &Database) {
    let mut pools = |name, meaning, stat: fn(&PoolStats) -> u64| {
        let database = database.clone();
        let read = move || {
            let pools = database.stats().pools.into_iter();
            pools
                .map(|pool| Sample::new(stat(&pool)).with("pool", pool.name))
                .collect()
        };
        metrics.register(Kind::Gauge, name, meaning, read);
    };
    pools("pool_connections", "Connections to the database", |pool| {
        pool.connections
    });
    pools(
        "pool_connections_idle",
        "Idle connections to the database",
        |pool| pool.idle,
    );
    pools(
        "pool_connections_limit",
        "Maximum number of connections in the pool, pool-size",
        |pool| pool.limit,
    );
    pools("pool_waiting", "Requests queued for a statement", |pool| {
        pool.waiting
    });
    let database = database.clone();
    metrics.register(
        Kind::Counter,
        "database_errors",
        "Database errors by kind",
        move || {
            let errors = database.stats().errors.into_iter();
            errors
                .map(|(kind, count)| Sample::new(count).with("kind", kind))
                .collect()
        },
    );
}
