//! The readiness check of `/health/ready`: queries the database, and caches the result to limit the
//! load.

use std::time::Duration;

use futures_util::{FutureExt, future::BoxFuture};
use graphql_http::{Part, Probe};
use tokio::{
    sync::Mutex,
    time::{Instant, timeout},
};

use crate::{
    contract_check::{Drift, Tables, columns},
    graphql::{contract, contract_hash},
    store::{MigrationState, Store, StoreError},
};

/// How long a result is cached.
const CACHE_DURATION: Duration = Duration::from_secs(1);

/// Checks the database, and caches the result.
pub(super) struct Readiness {
    store: Store,
    timeout: Duration,
    cache_duration: Duration,
    // Locked during a check, so that concurrent requests share its result.
    last: Mutex<Option<(Instant, Vec<Part>)>>,
}

impl Readiness {
    /// The readiness of a service on this store, whose check fails after `timeout`.
    pub(super) fn new(store: Store, timeout: Duration) -> Self {
        Self {
            store,
            timeout,
            cache_duration: CACHE_DURATION,
            last: Mutex::new(None),
        }
    }

    async fn cached_parts(&self) -> Vec<Part> {
        let mut last = self.last.lock().await;
        if let Some((at, parts)) = &*last
            && at.elapsed() < self.cache_duration
        {
            return parts.clone();
        }
        let parts = self.check().await;
        *last = Some((Instant::now(), parts.clone()));
        parts
    }

    async fn check(&self) -> Vec<Part> {
        let tables = async {
            self.store.ping().await?;
            Tables::read(&self.store).await
        };
        let tables = timeout(self.timeout, tables).await;
        let replica = self.store.replica_stats();
        // The replica never affects readiness, since the primary can serve its reads.
        let replica = replica.map(|replica| {
            let detail = format!("it {}", replica.state);
            Part::ready("replica").with_detail(detail)
        });
        let mut parts = match tables {
            Ok(Ok(tables)) => {
                let migrations = || tables.migrations.iter();
                let count = |state| migrations().filter(|one| one.state == state).count();
                let (pending, unknown) = (
                    count(MigrationState::Pending),
                    count(MigrationState::Unknown),
                );
                // Columns that a pending migration creates are not a difference.
                let drifts = match pending {
                    0 => columns(contract(), &tables.columns),
                    _ => Vec::new(),
                };
                vec![
                    Part::ready("database"),
                    migrations_part(pending, unknown),
                    contract_part(&drifts),
                ]
            }
            Ok(Err(error)) => vec![unavailable(&error), contract_part(&[])],
            Err(_) => vec![timed_out(self.timeout), contract_part(&[])],
        };
        parts.extend(replica);
        parts
    }
}

impl Probe for Readiness {
    fn parts(&self) -> BoxFuture<'_, Vec<Part>> {
        self.cached_parts().boxed()
    }
}

/// Unknown migrations do not affect readiness: during a rollout, all instances of the old version
/// would become unready at once.
fn migrations_part(pending: usize, unknown: usize) -> Part {
    match (pending, unknown) {
        (0, 0) => Part::ready("migrations"),
        (0, newer) => Part::ready("migrations")
            .with_detail(format!("{newer} migrations of a newer version are applied")),
        (pending, _) => Part::not_ready(
            "migrations",
            format!("{pending} migrations are pending; run vehicle-catalogue migrate up"),
        ),
    }
}

/// The hash of the contract, and whether the tables agree with it.
fn contract_part(drifts: &[Drift]) -> Part {
    for drift in drifts {
        let Drift {
            contract,
            elsewhere,
            message,
            ..
        } = drift;
        tracing::warn!("not ready: {contract} and {elsewhere} differ: {message}");
    }
    match drifts.len() {
        0 => Part::ready("contract").with_detail(contract_hash().to_string()),
        count => Part::not_ready(
            "contract",
            format!(
                "{count} differences between contract and tables; run vehicle-catalogue schema check"
            ),
        ),
    }
}

fn unavailable(error: &StoreError) -> Part {
    tracing::warn!(error = error as &dyn std::error::Error, "not ready");
    Part::not_ready("database", "no response from the database")
}

fn timed_out(timeout: Duration) -> Part {
    let seconds = timeout.as_secs();
    tracing::warn!("not ready: no response from the database within {seconds} seconds");
    let reason = format!("no response from the database within {seconds} seconds");
    Part::not_ready("database", reason)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Readiness, migrations_part};
    use graphql_http::{Part, Probe};

    use crate::store::Store;

    async fn store() -> Store {
        let store = Store::in_memory().await;
        store.migrate_up().await.unwrap();
        store
    }

    fn is_ready(parts: &[Part]) -> bool {
        parts.iter().all(|part| part.ready)
    }

    #[tokio::test]
    async fn a_closed_database_is_not_ready() {
        let store = store().await;
        let mut readiness = Readiness::new(store.clone(), Duration::from_secs(5));
        readiness.cache_duration = Duration::ZERO;
        assert!(is_ready(&readiness.parts().await));
        store.close().await;
        let parts = readiness.parts().await;
        let reason = "no response from the database";
        assert_eq!(parts[0], Part::not_ready("database", reason));
    }

    #[tokio::test]
    async fn the_result_of_a_check_is_cached() {
        let store = store().await;
        let mut readiness = Readiness::new(store.clone(), Duration::from_secs(5));
        readiness.cache_duration = Duration::from_hours(1);
        assert!(is_ready(&readiness.parts().await));
        store.close().await;
        assert!(is_ready(&readiness.parts().await));
    }

    #[test]
    fn only_pending_migrations_affect_readiness() {
        assert!(migrations_part(0, 0).ready);
        assert!(migrations_part(0, 2).ready);
        assert!(!migrations_part(1, 0).ready);
        assert!(!migrations_part(1, 2).ready);
    }
}
