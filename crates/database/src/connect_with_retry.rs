//! Connects with retries at startup, and waits for a lost database to become reachable.

use std::future::pending;
use std::io;
use std::time::Duration;

use sea_orm::sqlx::Connection;
use sea_orm::{DatabaseConnection, DbBackend, DbErr};
use tokio::time::{Instant, sleep, timeout_at};

use crate::error::is_transient;
use crate::hosts::{Host, connection_error, first_writable};
use crate::identity::Primary;
use crate::retry::{Backoff, retry};
use crate::settings::DatabaseSettings;

/// The interval of log lines while waiting.
const LOG_INTERVAL: Duration = Duration::from_secs(5);

/// The interval of connection attempts to a lost database.
const RETRY_INTERVAL: Duration = Duration::from_millis(100);

/// Waits until the server of a pool accepts connections; the first attempt follows after an interval.
/// Never returns for a SQLite file.
///
/// The backoff of a sqlx pool grows to a fifth of its timeout, which would delay the detection of a
/// recovered database.
pub(crate) async fn wait_until_reachable(pool: &DatabaseConnection) {
    loop {
        sleep(RETRY_INTERVAL).await;
        let reachable = match pool.get_database_backend() {
            DbBackend::Postgres => {
                let host = pool.get_postgres_connection_pool().connect_options();
                is_reachable(host.as_ref()).await
            }
            DbBackend::MySql => {
                let host = pool.get_mysql_connection_pool().connect_options();
                is_reachable(host.as_ref()).await
            }
            _ => pending().await,
        };
        if reachable {
            return;
        }
    }
}

/// Whether the server accepts a connection.
pub(crate) async fn is_reachable<H: Host>(host: &H) -> bool {
    let Ok(connection) = host.connect().await else {
        return false;
    };
    // The connection is not needed any more, so an error of closing it does not matter.
    let _ = connection.close().await;
    true
}

/// Opens one connection outside any pool, because a pool that times out does not report the cause.
/// Retries transient errors until `connect_timeout` and logs that. Returns the index of the host that
/// accepts writes.
pub(crate) async fn connect_with_retry<H: Host>(
    settings: &DatabaseSettings,
    hosts: &[H],
    primary: &Primary,
) -> Result<usize, DbErr> {
    let (url, connect_timeout) = (&settings.url, settings.connect_timeout);
    let hosts: Vec<_> = hosts.iter().cloned().enumerate().collect();
    let started = Instant::now();
    let deadline = started + connect_timeout;
    let mut next_log = started;
    let attempt = || async {
        let connected = timeout_at(deadline, first_writable(&hosts, primary)).await;
        let timed_out = |_| {
            Err(connection_error(
                io::Error::from(io::ErrorKind::TimedOut).into(),
            ))
        };
        connected.unwrap_or_else(timed_out)
    };
    let is_retryable = |error: &DbErr| {
        let now = Instant::now();
        let is_transient = is_transient(error);
        if is_transient && now >= next_log {
            tracing::warn!(
                waited_s = started.elapsed().as_secs(),
                connect_timeout_s = connect_timeout.as_secs(),
                cause = %error,
                "waiting for the {url}"
            );
            next_log = now + LOG_INTERVAL;
        }
        is_transient
    };
    let backoff = Backoff::CONNECT.until(deadline);
    let (index, connection) = retry(backoff, attempt, is_retryable).await?;
    // The connection is not needed any more, so an error of closing it does not matter.
    let _ = connection.close().await;
    if next_log > started {
        tracing::info!("connected to the {url}");
    }
    Ok(index)
}
