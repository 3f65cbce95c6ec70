//! Whether the service can do its work: what `/health/ready` finds out, as often as it is asked and
//! as seldom as the database deserves.

use std::time::Duration;

use futures_util::{FutureExt, future::BoxFuture};
use tokio::{
    sync::Mutex,
    time::{Instant, timeout},
};

use crate::{
    check::{Drift, Tables, columns},
    graphql::{contract, contract_hash},
    http::{Part, Probe},
    store::{MigrationState, Store, StoreError},
};

/// How long an answer of the database holds: programs that ask more often share it.
const HOLDS: Duration = Duration::from_secs(1);

/// Asks the database, and remembers the answer for a moment.
pub struct Readiness {
    store: Store,
    patience: Duration,
    holds: Duration,
    // Locked while the database is asked: whoever asks meanwhile waits for the same answer.
    last: Mutex<Option<(Instant, Vec<Part>)>>,
}

impl Readiness {
    /// The readiness of a service on this store, which has to answer within `patience`.
    pub fn new(store: Store, patience: Duration) -> Self {
        let (last, holds) = (Mutex::new(None), HOLDS);
        Self {
            store,
            patience,
            holds,
            last,
        }
    }

    async fn find_out(&self) -> Vec<Part> {
        let mut last = self.last.lock().await;
        if let Some((at, parts)) = &*last
            && at.elapsed() < self.holds
        {
            return parts.clone();
        }
        let parts = self.ask().await;
        *last = Some((Instant::now(), parts.clone()));
        parts
    }

    async fn ask(&self) -> Vec<Part> {
        let asked = async {
            self.store.ping().await?;
            Tables::read(&self.store).await
        };
        let answer = timeout(self.patience, asked).await;
        let replica = self.store.replica_figures();
        // It is never a reason to stop: the primary does what it does not do.
        let replica = replica.map(|replica| {
            let detail = format!("it {}", replica.standing);
            Part::ready("replica").with_detail(detail)
        });
        let mut parts = match answer {
            Ok(Ok(tables)) => {
                let migrations = || tables.migrations.iter();
                let count = |state| migrations().filter(|one| one.state == state).count();
                let (pending, unknown) = (
                    count(MigrationState::Pending),
                    count(MigrationState::Unknown),
                );
                // Columns that a pending migration is going to make are no difference.
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
            Ok(Err(error)) => vec![no_answer(&error), contract_part(&[])],
            Err(_) => vec![too_slow(self.patience), contract_part(&[])],
        };
        parts.extend(replica);
        parts
    }
}

impl Probe for Readiness {
    fn parts(&self) -> BoxFuture<'_, Vec<Part>> {
        self.find_out().boxed()
    }
}

/// A database that is ahead is no reason to stop: while a new version is rolled out, the instances
/// of the old one would stop all at once.
fn migrations_part(pending: usize, unknown: usize) -> Part {
    match (pending, unknown) {
        (0, 0) => Part::ready("migrations"),
        (0, newer) => Part::ready("migrations").with_detail(format!(
            "{newer} of a newer version of the service are applied"
        )),
        (pending, _) => Part::not_ready(
            "migrations",
            format!("{pending} are not applied; run vehicle-catalogue migrate up"),
        ),
    }
}

/// Which contract is served, and whether the tables fit it.
fn contract_part(drifts: &[Drift]) -> Part {
    for drift in drifts {
        let Drift {
            contract,
            elsewhere,
            message,
            ..
        } = drift;
        tracing::warn!("not ready: {contract} and {elsewhere} do not agree: {message}");
    }
    match drifts.len() {
        0 => Part::ready("contract").with_detail(contract_hash().to_string()),
        count => Part::not_ready(
            "contract",
            format!("differences to the tables: {count}; run vehicle-catalogue schema check"),
        ),
    }
}

fn no_answer(error: &StoreError) -> Part {
    tracing::warn!(error = error as &dyn std::error::Error, "not ready");
    Part::not_ready("database", "the database does not answer")
}

fn too_slow(patience: Duration) -> Part {
    let seconds = patience.as_secs();
    tracing::warn!("not ready: no answer of the database within {seconds} seconds");
    let reason = format!("the database does not answer within {seconds} seconds");
    Part::not_ready("database", reason)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Readiness, migrations_part};
    use crate::{
        http::{Part, Probe},
        store::{DatabaseSettings, DatabaseUrl, Store},
    };

    async fn store() -> Store {
        let timeout = Duration::from_secs(5);
        let settings = DatabaseSettings {
            url: DatabaseUrl::parse("sqlite::memory:").unwrap(),
            pool_size: 1,
            statements: 1,
            queue_limit: 1,
            connect_timeout: timeout,
            timeout,
            migration_lock_timeout: timeout,
        };
        let store = Store::connect(&settings).await.unwrap();
        store.migrate_up().await.unwrap();
        store
    }

    fn is_ready(parts: &[Part]) -> bool {
        parts.iter().all(|part| part.ready)
    }

    #[tokio::test]
    async fn a_database_that_answers_no_more_is_not_ready() {
        let store = store().await;
        let mut readiness = Readiness::new(store.clone(), Duration::from_secs(5));
        readiness.holds = Duration::ZERO;
        assert!(is_ready(&readiness.parts().await));
        store.close().await;
        let parts = readiness.parts().await;
        let reason = "the database does not answer";
        assert_eq!(parts[0], Part::not_ready("database", reason));
    }

    #[tokio::test]
    async fn an_answer_of_the_database_is_shared_for_a_moment() {
        let store = store().await;
        let mut readiness = Readiness::new(store.clone(), Duration::from_secs(5));
        readiness.holds = Duration::from_hours(1);
        assert!(is_ready(&readiness.parts().await));
        store.close().await;
        assert!(is_ready(&readiness.parts().await));
    }

    #[test]
    fn only_migrations_that_are_missing_matter() {
        assert!(migrations_part(0, 0).ready);
        assert!(migrations_part(0, 2).ready);
        assert!(!migrations_part(1, 0).ready);
        assert!(!migrations_part(1, 2).ready);
    }
}
