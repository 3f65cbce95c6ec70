//! Whether the service can do its work: what `/health/ready` finds out, as often as it is asked and
//! as seldom as the database deserves.

use std::time::Duration;

use futures_util::{FutureExt, future::BoxFuture};
use tokio::{
    sync::Mutex,
    time::{Instant, timeout},
};

use crate::{
    http::{Part, Probe},
    store::{MigrationState, Store, StoreError},
};

/// How long an answer of the database holds: programs that ask more often share it.
const HOLDS: Duration = Duration::from_secs(1);

/// Asks the database, and remembers the answer for a moment.
pub struct Readiness {
    store: Store,
    patience: Duration,
    // Locked while the database is asked: whoever asks meanwhile waits for the same answer.
    last: Mutex<Option<(Instant, Vec<Part>)>>,
}

impl Readiness {
    /// The readiness of a service on this store, which has to answer within `patience`.
    pub fn new(store: Store, patience: Duration) -> Self {
        let last = Mutex::new(None);
        Self {
            store,
            patience,
            last,
        }
    }

    async fn find_out(&self) -> Vec<Part> {
        let mut last = self.last.lock().await;
        if let Some((at, parts)) = &*last
            && at.elapsed() < HOLDS
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
            self.store.migration_status().await
        };
        let answer = timeout(self.patience, asked).await;
        match answer {
            Ok(Ok(migrations)) => {
                let count = |state| migrations.iter().filter(|one| one.state == state).count();
                let (pending, unknown) = (
                    count(MigrationState::Pending),
                    count(MigrationState::Unknown),
                );
                vec![Part::ready("database"), migrations_part(pending, unknown)]
            }
            Ok(Err(error)) => vec![no_answer(&error)],
            Err(_) => vec![too_slow(self.patience)],
        }
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
