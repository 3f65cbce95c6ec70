//! Whether the service is ready: the database responds, its migrations are applied, and its tables are those that the
//! service was made for.

use std::{
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Duration,
};

use graphql_sdl::counted;
use poem_graphql::Part;
use tokio::{
    sync::Mutex,
    time::{Instant, timeout},
};

use crate::{
    graphql::HASH,
    store::{Database, State, schema_check},
    telemetry::error_chain,
};

/// How long a result is cached, to limit the load.
const CACHED: Duration = Duration::from_secs(1);
const TIMEOUT: Duration = Duration::from_secs(2);

/// Checks the database, and caches the result.
pub(crate) struct Readiness {
    database: Database,
    is_draining: AtomicBool,
    was_ready: AtomicBool,
    // Locked during a check, so that concurrent requests share its result.
    last: Mutex<Option<(Instant, Vec<Part>)>>,
}

impl Readiness {
    pub(crate) fn new(database: Database) -> Self {
        Self { database, is_draining: AtomicBool::new(false), was_ready: AtomicBool::new(true), last: Mutex::new(None) }
    }

    /// Reports from now on that the service is stopping.
    pub(crate) fn drain(&self) {
        self.is_draining.store(true, Relaxed);
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.is_draining.load(Relaxed)
    }

    pub(crate) fn was_ready(&self) -> bool {
        self.was_ready.load(Relaxed) && !self.is_draining()
    }

    /// Every part that readiness depends on, the most important first.
    pub(crate) async fn parts(&self) -> Vec<Part> {
        let mut parts = self.cached().await;
        // Checked last, so that a drain that started during the check counts.
        let stopping = || Err("the service is stopping".to_owned());
        let state = self.is_draining().then(stopping).unwrap_or(Ok(None));
        parts.push(part("lifecycle", state));
        parts
    }

    async fn cached(&self) -> Vec<Part> {
        let mut last = self.last.lock().await;
        if let Some((at, parts)) = &*last
            && at.elapsed() < CACHED
        {
            return parts.clone();
        }
        let parts = self.check().await;
        self.was_ready.store(parts.iter().all(|part| part.ready), Relaxed);
        *last = Some((Instant::now(), parts.clone()));
        parts
    }

    async fn check(&self) -> Vec<Part> {
        let hash = part("contract", Ok(Some(HASH.to_owned())));
        let checked = match timeout(TIMEOUT, schema_check::check(&self.database)).await {
            Ok(checked) => checked.map_err(|error| error_chain(&error)),
            Err(_) => Err(format!("no response within {} seconds", TIMEOUT.as_secs())),
        };
        let (migrations, differences) = match checked {
            Ok(checked) => checked,
            Err(error) => {
                tracing::warn!(error, "not ready");
                return vec![part("database", Err("no response from the database".to_owned())), hash];
            }
        };
        let count = |state| migrations.iter().filter(|one| one.state == state).count() as u64;
        let (pending, unknown) = (count(State::Pending), count(State::Unknown));
        // During a rollout all instances of the old version would become unready at once if those counted.
        let applied = match (pending, unknown) {
            (0, 0) => Ok(None),
            (0, newer) => Ok(Some(format!("of a newer version: {}", counted(newer, "migration")))),
            (pending, _) => {
                Err(format!("pending: {}; run vehicle-catalogue migrate up", counted(pending, "migration")))
            }
        };
        // What a pending migration creates is no difference.
        let differences = if pending > 0 { Vec::new() } else { differences };
        for difference in &differences {
            tracing::warn!("not ready: {difference}");
        }
        let contract = if differences.is_empty() {
            hash
        } else {
            let count = counted(differences.len() as u64, "difference");
            let reason = format!("{count} between contract and tables; run vehicle-catalogue schema check");
            part("contract", Err(reason))
        };
        vec![part("database", Ok(None)), part("migrations", applied), contract]
    }
}

/// A part that is ready, perhaps with a hint, or why it is not.
fn part(name: &'static str, state: Result<Option<String>, String>) -> Part {
    match state {
        Ok(detail) => Part { name, ready: true, detail },
        Err(reason) => Part { name, ready: false, detail: Some(reason) },
    }
}
