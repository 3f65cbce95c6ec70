//! The readiness check of `/health/ready`: queries the database, and caches the result to limit the
//! load.

use std::{sync::Arc, time::Duration};

use database::{Database, Error, MigrationState};
use futures_util::{FutureExt, future::BoxFuture};
use graphql_http::{Part, Probe};
use schema::counted;
use tokio::{
    sync::Mutex,
    time::{Instant, timeout},
};

use crate::{
    Definition,
    contract_check::{Drift, Tables, columns},
};

/// How long a result is cached.
const CACHE_DURATION: Duration = Duration::from_secs(1);

/// Checks the database, and caches the result.
pub(super) struct Readiness {
    service: Arc<Definition>,
    database: Database,
    timeout: Duration,
    cache_duration: Duration,
    // Locked during a check, so that concurrent requests share its result.
    last: Mutex<Option<(Instant, Vec<Part>)>>,
}

impl Readiness {
    /// The readiness of a service on this database, whose check fails after `timeout`.
    pub(super) fn new(service: Arc<Definition>, database: Database, timeout: Duration) -> Self {
        Self {
            service,
            database,
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
            self.database.ping().await?;
            Tables::read(&self.database).await
        };
        let tables = timeout(self.timeout, tables).await;
        match tables {
            Ok(Ok(tables)) => {
                let migrations = || tables.migrations.iter();
                let count = |state| migrations().filter(|one| one.state == state).count();
                let (pending, unknown) = (
                    count(MigrationState::Pending),
                    count(MigrationState::Unknown),
                );
                // Columns that a pending migration creates are not a difference.
                let drifts = match pending {
                    0 => columns(
                        &self.service,
                        self.service.contract.schema(),
                        &tables.columns,
                    ),
                    _ => Vec::new(),
                };
                vec![
                    Part::ready("database"),
                    self.migrations_part(pending, unknown),
                    self.contract_part(&drifts),
                ]
            }
            Ok(Err(error)) => vec![unavailable(&error), self.contract_part(&[])],
            Err(_) => vec![timed_out(self.timeout), self.contract_part(&[])],
        }
    }

    /// Unknown migrations do not affect readiness: during a rollout, all instances of the old version
    /// would become unready at once.
    fn migrations_part(&self, pending: usize, unknown: usize) -> Part {
        match (pending, unknown) {
            (0, 0) => Part::ready("migrations"),
            (0, newer) => {
                let newer = counted(newer as u64, "migration");
                Part::ready("migrations").with_detail(format!("of a newer version: {newer}"))
            }
            (pending, _) => {
                let (pending, program) = (pending as u64, self.service.application.name);
                let pending = counted(pending, "migration");
                Part::not_ready(
                    "migrations",
                    format!("pending: {pending}; run {program} migrate up"),
                )
            }
        }
    }

    /// The hash of the contract, and whether the tables agree with it.
    fn contract_part(&self, drifts: &[Drift]) -> Part {
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
            0 => Part::ready("contract").with_detail(self.service.contract.hash().to_string()),
            count => Part::not_ready(
                "contract",
                format!(
                    "{count} differences between contract and tables; run {} schema check",
                    self.service.application.name
                ),
            ),
        }
    }
}

impl Probe for Readiness {
    fn parts(&self) -> BoxFuture<'_, Vec<Part>> {
        self.cached_parts().boxed()
    }
}

fn unavailable(error: &Error) -> Part {
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
    use std::{sync::Arc, time::Duration};

    use database::{Application, Database};
    use engine::Contract;
    use graphql_http::{Part, Probe};

    use super::Readiness;
    use crate::{Applications, Definition};

    static CONTRACT: Contract = Contract::new("schema.graphql", "type Query { one: Int }");

    /// The readiness of a service without tables.
    async fn readiness(cache_duration: Duration) -> Readiness {
        let application = Application {
            name: "test",
            table: "one",
            migrations: &[],
            columns: Vec::new,
        };
        let engine = |_, _| unreachable!("readiness executes nothing");
        let applications = Applications {
            clients: |_| unreachable!("readiness serves nothing"),
            operators: |_| unreachable!("readiness serves nothing"),
        };
        let service = Definition::new(
            application,
            "0.1.0",
            &CONTRACT,
            CONTRACT.sdl(),
            applications,
            engine,
        );
        let database = Database::in_memory(application).await;
        Readiness {
            cache_duration,
            ..Readiness::new(Arc::new(service), database, Duration::from_secs(5))
        }
    }

    fn is_ready(parts: &[Part]) -> bool {
        parts.iter().all(|part| part.ready)
    }

    #[tokio::test]
    async fn a_closed_database_is_not_ready() {
        let readiness = readiness(Duration::ZERO).await;
        assert!(is_ready(&readiness.parts().await));
        readiness.database.close().await;
        let parts = readiness.parts().await;
        let reason = "no response from the database";
        assert_eq!(parts[0], Part::not_ready("database", reason));
    }

    #[tokio::test]
    async fn the_result_of_a_check_is_cached() {
        let readiness = readiness(Duration::from_hours(1)).await;
        assert!(is_ready(&readiness.parts().await));
        readiness.database.close().await;
        assert!(is_ready(&readiness.parts().await));
    }

    #[tokio::test]
    async fn only_pending_migrations_affect_readiness() {
        let readiness = readiness(Duration::ZERO).await;
        let is_ready = |pending, unknown| readiness.migrations_part(pending, unknown).ready;
        assert!(is_ready(0, 0) && is_ready(0, 2));
        assert!(!is_ready(1, 0) && !is_ready(1, 2));
    }
}
