//! Waiting for a database that is starting up itself: at the start, and when it was lost.

use std::future::pending;
use std::io;
use std::time::Duration;

use sea_orm::sqlx::Connection;
use sea_orm::{DatabaseConnection, DbBackend, DbErr};
use tokio::time::{Instant, sleep, timeout_at};

use super::error::may_pass;
use super::hosts::{Host, first_writable, not_connected};
use super::target::Target;

/// How often the log says what is waited for.
const REMINDER: Duration = Duration::from_secs(5);

/// Between two attempts to reach a database that was lost.
const TURN: Duration = Duration::from_millis(100);

/// Waits until the server of a pool can be connected to, which is not tried at once. Never comes
/// back for a file.
///
/// A pool waits longer and longer between its attempts, up to a fifth of its time-out: a database that
/// has returned would not be noticed for so long.
pub(super) async fn returned(pool: &DatabaseConnection) {
    loop {
        sleep(TURN).await;
        let reached = match pool.get_database_backend() {
            DbBackend::Postgres => {
                let host = pool.get_postgres_connection_pool().connect_options();
                is_reached(host.as_ref()).await
            }
            DbBackend::MySql => {
                let host = pool.get_mysql_connection_pool().connect_options();
                is_reached(host.as_ref()).await
            }
            _ => pending().await,
        };
        if reached {
            return;
        }
    }
}

async fn is_reached<H: Host>(host: &H) -> bool {
    let Ok(connection) = host.connect().await else {
        return false;
    };
    // It has served its purpose; whether it says goodbye does not matter.
    let _ = connection.close().await;
    true
}

/// Makes one connection, outside any pool, since a pool that gives up does not say what it met.
/// Tries again for `patience` if the database may be starting up, and says so in the log. Answers the
/// place among the hosts of the one that takes writes.
pub(super) async fn reach<H: Host>(
    target: &Target,
    hosts: &[H],
    patience: Duration,
) -> Result<usize, DbErr> {
    let hosts: Vec<_> = hosts.iter().cloned().enumerate().collect();
    let started = Instant::now();
    let deadline = started + patience;
    let mut reminder = started;
    let mut pause = Duration::from_millis(20);
    loop {
        let error = match timeout_at(deadline, first_writable(&hosts)).await {
            Ok(Ok((place, connection))) => {
                // It has served its purpose; whether it says goodbye does not matter.
                let _ = connection.close().await;
                if reminder > started {
                    tracing::info!("connected to the {target}");
                }
                return Ok(place);
            }
            Ok(Err(error)) => error,
            Err(_) => not_connected(io::Error::from(io::ErrorKind::TimedOut).into()),
        };
        let now = Instant::now();
        if !may_pass(&error) || now + pause >= deadline {
            return Err(error);
        }
        if now >= reminder {
            tracing::warn!(
                waited_s = started.elapsed().as_secs(),
                patience_s = patience.as_secs(),
                cause = %error,
                "waiting for the {target}"
            );
            reminder = now + REMINDER;
        }
        sleep(pause).await;
        pause = (pause * 2).min(Duration::from_millis(500));
    }
}
