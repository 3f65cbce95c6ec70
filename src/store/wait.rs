//! Waits for a database that starts up, and finds out why it cannot be used.

use std::{io, time::Duration};

use sea_orm::{
    DbErr, RuntimeErr,
    sqlx::{self, ConnectOptions as _, Connection},
};
use tokio::time::{Instant, timeout_at};

use super::backoff::Backoff;
use super::error::{Cause, StartError};
use super::held::PING_TIMEOUT;
use super::session;
use super::settings::{Settings, durable};
use super::url::Target;

/// The interval of log lines while waiting for the database.
const LOG_INTERVAL: Duration = Duration::from_secs(5);

/// Opens one connection outside any pool, because a pool that times out does not report the cause. Repeats that until the
/// time-out, and logs it. Finds out whether a MySQL server is MariaDB.
pub(super) async fn connect_with_retry(settings: &mut Settings) -> Result<(), StartError> {
    let (url, limit) = (settings.url.clone(), settings.connect_timeout);
    let started = Instant::now();
    let mut backoff = Backoff::new(limit);
    let mut next_log = started;
    let mut attempt = Box::pin(try_connect(settings));
    let product = loop {
        // A server that does not respond is logged, too, while the attempt goes on.
        let log_at = next_log
            .max(Instant::now() + PING_TIMEOUT)
            .min(backoff.deadline);
        let (error, is_over) = match timeout_at(log_at, &mut attempt).await {
            Ok(Ok(product)) => break product,
            Ok(Err(error)) => {
                attempt = Box::pin(try_connect(settings));
                let is_over = !Cause::from(error.clone()).is_transient();
                (error, is_over)
            }
            Err(_) => (
                no_response(started.elapsed()),
                Instant::now() >= backoff.deadline,
            ),
        };
        if is_over {
            return Err(StartError::connecting(&url, error));
        }
        let failed = StartError::connecting(&url, error);
        if Instant::now() >= next_log
            && let StartError::CannotConnect { source: cause, .. } = &failed
        {
            tracing::warn!(
                waited_s = started.elapsed().as_secs(),
                connect_timeout_s = limit.as_secs(),
                %cause,
                "waiting for the {url}{}",
                cause.remedy()
            );
            next_log = Instant::now() + LOG_INTERVAL;
        }
        if !backoff.wait().await {
            return Err(failed);
        }
    };
    drop(attempt);
    if next_log > started {
        tracing::info!("connected to the {url}");
    }
    if let (Target::MySql(_, name), Some(product)) = (&mut settings.url.0, product) {
        *name = product;
    }
    Ok(())
}

/// Connects once and sets up the session. Returns the name of the product, if the server tells it.
async fn try_connect(settings: &Settings) -> Result<Option<&'static str>, DbErr> {
    let limit = Some(settings.timeout);
    let connected = async {
        match &settings.url.0 {
            Target::SqliteFile(file) => {
                let connection = durable(file.clone(), settings.timeout).connect().await?;
                connection.close().await.map(|()| None)
            }
            Target::SqliteMemory(_) => Ok(None),
            Target::Postgres(server) => {
                let mut connection = server.connect().await?;
                session::postgres(&mut connection, limit).await?;
                connection.close().await.map(|()| None)
            }
            Target::MySql(server, _) => {
                let mut connection = server.connect().await?;
                session::mysql(&mut connection, limit).await?;
                // Not `SELECT VERSION()`: a change of a table of a Galera cluster blocks that.
                let version = sqlx::query_as("SHOW VARIABLES LIKE 'version'");
                let (_, version): (String, String) = version.fetch_one(&mut connection).await?;
                let product = version.contains("MariaDB").then_some("MariaDB");
                connection.close().await.map(|()| product)
            }
        }
    };
    let connected: Result<_, sqlx::Error> = connected.await;
    connected.map_err(|error| DbErr::Conn(RuntimeErr::SqlxError(error.into())))
}

fn no_response(waited: Duration) -> DbErr {
    let message = format!("no response within {} s", waited.as_secs());
    let error = sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, message));
    DbErr::Conn(RuntimeErr::SqlxError(error.into()))
}
