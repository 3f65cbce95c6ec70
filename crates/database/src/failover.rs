//! Failover: switches to the server that accepts writes when the current one no longer does.
//!
//! Only used if a URL names several servers. The current server is probed twice a second and after
//! each lost connection. While it accepts writes, no other server is used. Otherwise new connections
//! go to the first other server that accepts writes, unless its timeline is older than that of the
//! current one: a primary from before a promotion is not used.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::DatabaseConnection;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use crate::connection_health::ConnectionHealth;
use crate::hosts::{Host, PROBE_TIMEOUT, first_writable};
use crate::identity::Primary;

/// The interval of the probes of the current server.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// The minimum interval of log lines that report why no server is used.
const LOG_INTERVAL: Duration = Duration::from_secs(5);

/// A background task that is aborted when the last clone is dropped.
pub(crate) type Task = Arc<JoinSet<()>>;

/// Spawns the task that switches a pool to a host that accepts writes, if there are several hosts.
/// `current` is the index of the host in use.
pub(crate) fn spawn_failover<H: Host>(
    hosts: &[H],
    current: usize,
    pool: &DatabaseConnection,
    health: &ConnectionHealth,
    primary: &Primary,
) -> Task {
    let mut task = JoinSet::new();
    if hosts.len() > 1 {
        let hosts = hosts.iter().cloned().enumerate().collect();
        task.spawn(follow_primary(
            hosts,
            current,
            pool.clone(),
            health.clone(),
            primary.clone(),
        ));
    }
    Arc::new(task)
}

async fn follow_primary<H: Host>(
    hosts: Vec<(usize, H)>,
    mut current: usize,
    pool: DatabaseConnection,
    health: ConnectionHealth,
    primary: Primary,
) {
    let probe = timeout(PROBE_TIMEOUT, hosts[current].1.connect()).await;
    let mut probe = probe.ok().and_then(Result::ok);
    let mut losses = health.losses();
    // The time and the cause of the last log line.
    let mut last_logged: Option<(Instant, String)> = None;
    loop {
        if let Some(connection) = &mut probe
            && let Ok(Ok(true)) = timeout(PROBE_TIMEOUT, H::accepts_writes(connection)).await
        {
            tokio::select! {
                () = sleep(CHECK_INTERVAL) => {}
                // Never an error, because `health` holds the sender.
                _ = losses.changed() => {}
            }
            continue;
        }
        probe = None;
        // The other hosts are tried first, because the current one has just failed its probe.
        let mut candidates = hosts.clone();
        candidates.sort_by_key(|(index, _)| *index == current);
        match first_writable(&candidates, &primary).await {
            Ok((found, connection)) => {
                probe = Some(connection);
                let (_, host) = &hosts[found];
                if found != current {
                    current = found;
                    tracing::warn!(
                        server = host.name(),
                        "failover: another server accepts writes"
                    );
                    host.clone().switch(&pool);
                    health.record_failover();
                } else if last_logged.is_some() {
                    tracing::info!(server = host.name(), "the server accepts writes again");
                }
                last_logged = None;
            }
            Err(error) => {
                let cause = error.to_string();
                let is_new = last_logged
                    .as_ref()
                    .is_none_or(|(at, before)| *before != cause && at.elapsed() >= LOG_INTERVAL);
                if is_new {
                    tracing::warn!(cause, "no server accepts writes");
                    last_logged = Some((Instant::now(), cause));
                }
                sleep(CHECK_INTERVAL / 5).await;
            }
        }
    }
}
