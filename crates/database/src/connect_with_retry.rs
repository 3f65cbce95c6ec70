//! Connects with retries at startup, and waits for a lost database to become reachable.

use std::future::pending;
use std::io;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sea_orm::sqlx::{ConnectOptions, Connection};
use sea_orm::{DatabaseConnection, DbBackend, DbErr};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::error::{DriverError, connection_error, hint, is_transient};
use crate::retry::{Backoff, retry};
use crate::settings::DatabaseSettings;

/// The timeout of a probe whether a server responds.
const PROBE_TIMEOUT: Duration = Duration::from_secs(1);

/// The interval of log lines while waiting.
const LOG_INTERVAL: Duration = Duration::from_secs(5);

/// The interval of connection attempts to a lost database.
const RETRY_INTERVAL: Duration = Duration::from_millis(100);

/// When a lost database was probed last, and whether it was reachable. Locked during a probe.
pub(crate) type LastProbe = Mutex<Option<(Instant, bool)>>;

/// Waits until the server of a pool accepts connections; the first attempt follows after an interval. Those that
/// wait share a probe. Never returns for a SQLite file.
///
/// The backoff of a sqlx pool grows to a fifth of its timeout, which would delay the detection of a
/// recovered database.
pub(crate) async fn wait_until_reachable(pool: &DatabaseConnection, last_probe: &LastProbe) {
    loop {
        sleep(RETRY_INTERVAL).await;
        let mut last = last_probe.lock().await;
        if last.is_none_or(|(at, _)| at.elapsed() >= RETRY_INTERVAL) {
            // A probe without a response must not delay the others.
            let reachable = timeout(PROBE_TIMEOUT, accepts_connections(pool)).await;
            *last = Some((Instant::now(), reachable == Ok(true)));
        }
        if let Some((_, true)) = *last {
            return;
        }
    }
}

async fn accepts_connections(pool: &DatabaseConnection) -> bool {
    match pool.get_database_backend() {
        DbBackend::Postgres => {
            let server = pool.get_postgres_connection_pool().connect_options();
            is_reachable(server.as_ref()).await
        }
        DbBackend::MySql => {
            let server = pool.get_mysql_connection_pool().connect_options();
            is_reachable(server.as_ref()).await
        }
        _ => pending().await,
    }
}

/// Whether the server accepts a connection.
async fn is_reachable<O: ConnectOptions<Connection: Sized>>(server: &O) -> bool {
    let Ok(connection) = server.connect().await else {
        return false;
    };
    // The connection is not needed any more, so an error of closing it does not matter.
    let _ = connection.close().await;
    true
}

/// Opens one connection outside any pool, because a pool that times out does not report the cause.
/// Retries transient errors until `connect_timeout` and logs that.
pub(crate) async fn connect_with_retry<O: ConnectOptions<Connection: Sized>>(
    settings: &DatabaseSettings,
    server: &O,
) -> Result<(), DbErr> {
    let (url, connect_timeout) = (&settings.url, settings.connect_timeout);
    let started = Instant::now();
    let deadline = started + connect_timeout;
    // Seconds since the start.
    let next_log = AtomicU64::new(0);
    let log = |error: &DbErr| {
        let waited_s = started.elapsed().as_secs();
        if waited_s >= next_log.load(Ordering::Relaxed) {
            let cause = DriverError::from(error.clone());
            tracing::warn!(
                waited_s,
                connect_timeout_s = connect_timeout.as_secs(),
                %cause,
                "waiting for the {url}{}",
                hint(error)
            );
            next_log.store(waited_s + LOG_INTERVAL.as_secs(), Ordering::Relaxed);
        }
    };
    let attempt = || async {
        let mut connecting = pin!(server.connect());
        loop {
            let next_line = Duration::from_secs(next_log.load(Ordering::Relaxed));
            let next_line = (started + next_line).max(Instant::now() + PROBE_TIMEOUT);
            let connected = timeout_at(next_line.min(deadline), &mut connecting).await;
            if let Ok(connected) = connected {
                return connected.map_err(connection_error);
            }
            let silent = no_response(started.elapsed());
            if Instant::now() >= deadline {
                return Err(silent);
            }
            log(&silent);
        }
    };
    let is_retryable = |error: &DbErr| {
        let is_transient = is_transient(error);
        if is_transient {
            log(error);
        }
        is_transient
    };
    let backoff = Backoff::CONNECT.until(deadline);
    let connection = retry(backoff, attempt, is_retryable).await?;
    // The connection is not needed any more, so an error of closing it does not matter.
    let _ = connection.close().await;
    if next_log.into_inner() > 0 {
        tracing::info!("connected to the {url}");
    }
    Ok(())
}

fn no_response(waited: Duration) -> DbErr {
    let message = format!("no response within {} s", waited.as_secs());
    connection_error(io::Error::new(io::ErrorKind::TimedOut, message).into())
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener};

    use futures_util::future::join_all;
    use sea_orm::sqlx::postgres::{PgConnectOptions, PgPoolOptions};

    use super::*;

    #[tokio::test]
    async fn all_that_wait_share_a_probe() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        listener.set_nonblocking(true).expect("it is open");
        let port = listener.local_addr().expect("it is open").port();
        let host = PgConnectOptions::new().host("127.0.0.1").port(port);
        let pool = PgPoolOptions::new().connect_lazy_with(host).into();
        let last_probe = LastProbe::default();
        let waiting = (0..20).map(|_| wait_until_reachable(&pool, &last_probe));
        let waited = timeout(RETRY_INTERVAL * 5, join_all(waiting)).await;
        assert!(waited.is_err(), "the server does not respond");
        let probes = listener.incoming().take_while(Result::is_ok).count();
        assert_eq!(probes, 1);
    }
}
