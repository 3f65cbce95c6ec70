//! Connects to SQLite, PostgreSQL, MySQL and MariaDB by SeaORM's pools.

use std::{future::Future, panic::resume_unwind, sync::Arc, time::Duration};

use sea_orm::{
    ConnectOptions, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, SqliteTransactionMode,
    TransactionOptions, TransactionTrait,
    sqlx::{self, Connection, pool::PoolConnectionMetadata},
};
use tokio::time::{Instant, timeout, timeout_at};

use super::cause::{Cause, Kind};
use super::error::{Error, StartError};
use super::held::{PING_TIMEOUT, Statements};
use super::session;
use super::settings::{Settings, Target};
use super::wait::{Backoff, wait_for_database};

/// A connection to a server that is older is replaced, so that its memory does not grow.
const MAX_AGE: Duration = Duration::from_mins(30);

/// Connections of the pool that are kept for single statements; PostgreSQL only.
const HELD_CONNECTIONS: u32 = 4;

/// The pools. On a file of SQLite, one connection writes and the others read.
#[derive(Clone)]
pub struct Database {
    pub(super) read: Statements,
    pub(super) write: Statements,
    settings: Arc<Settings>,
}

impl Database {
    /// Connects, and waits for a database that starts up.
    pub async fn connect(settings: Settings) -> Result<Self, StartError> {
        wait_for_database(&settings).await?;
        let size = settings.pool_size.max(1);
        let open = async |size| open(&settings, size, Some(settings.timeout)).await;
        let writers = match settings.url.target {
            Target::SqliteFile(_) | Target::SqliteMemory(_) => 1,
            Target::Postgres(_) | Target::MySql(_) => size,
        };
        // A transaction needs a connection of the pool, too.
        let held = HELD_CONNECTIONS.min(size - 1);
        let write = Statements::new(open(writers).await?, held, acquire_timeout(settings.timeout));
        let read = match settings.url.target {
            Target::SqliteFile(_) => Statements::new(open(size).await?, 0, Duration::ZERO),
            _ => write.clone(),
        };
        let settings = Arc::new(settings);
        Ok(Self { read, write, settings })
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The numbers of open and of idle connections. Those that are kept for single statements are not idle.
    pub fn connections(&self) -> (u32, usize) {
        fn sizes<D: sqlx::Database>(pool: &sqlx::Pool<D>) -> (u32, usize) {
            (pool.size(), pool.num_idle())
        }
        let pool = self.read.pool();
        match pool.get_database_backend() {
            DbBackend::Postgres => sizes(pool.get_postgres_connection_pool()),
            DbBackend::MySql => sizes(pool.get_mysql_connection_pool()),
            _ => sizes(pool.get_sqlite_connection_pool()),
        }
    }

    /// Closes the connections when their statements have ended.
    pub async fn close(&self) {
        self.read.close().await;
        self.write.close().await;
    }

    /// The result of a read, which is repeated while its connection is lost.
    pub(super) async fn retry<T, A>(&self, read: impl Fn() -> A) -> Result<T, Error>
    where
        A: Future<Output = Result<T, DbErr>>,
    {
        let mut backoff = Backoff::new(self.settings.timeout);
        loop {
            match self.within(backoff.deadline, read()).await {
                Err(cause) if cause.is_retryable() && backoff.wait().await => {}
                result => return Ok(result?),
            }
        }
    }

    /// The result of an attempt, or why there is none at the deadline. After the failure of a connection to a server it opens
    /// another pool: the idle connections are probably lost, too, and each would take an attempt; and one that returns to its
    /// pool can keep its place for ever, since sqlx pings it without a time-out
    /// (<https://github.com/transact-rs/sqlx/issues/4349>).
    pub(super) async fn within<T, E>(
        &self,
        deadline: Instant,
        attempt: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Cause>
    where
        Cause: From<E>,
    {
        let began = Instant::now();
        let cause = match timeout_at(deadline, attempt).await {
            Ok(Ok(value)) => return Ok(value),
            Ok(Err(error)) => Cause::from(error),
            Err(_) => Cause::timeout(self.settings.timeout),
        };
        let is_server = matches!(self.settings.url.target, Target::Postgres(_) | Target::MySql(_));
        let is_lost = matches!(cause.kind, Kind::Lost | Kind::Stale | Kind::NoResponse);
        // A later pool was opened because of another attempt.
        if is_server && is_lost && self.write.since() <= began {
            // Boxed, because its future is large, and each statement would copy it.
            let open = Box::pin(open(&self.settings, self.settings.pool_size.max(1), Some(self.settings.timeout)));
            match open.await {
                Ok(pool) => self.write.replace(pool),
                Err(error) => tracing::error!(%error, "cannot open another pool"),
            }
        }
        Err(cause)
    }

    /// Begins a transaction that writes, on SQLite with the write lock.
    pub(super) async fn begin(&self) -> Result<DatabaseTransaction, DbErr> {
        let options = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        };
        self.write.pool().begin_with_options(options).await
    }
}

/// Shorter than an operation, because the backoff of sqlx grows to a fifth of it, but long enough for a handshake of TLS on a
/// busy machine: attempts that are all abandoned would take its time from each other.
fn acquire_timeout(timeout: Duration) -> Duration {
    (timeout / 4).max(Duration::from_secs(1)).min(timeout)
}

/// Opens a pool, which connects lazily. SeaORM gets the connection options instead of the URL.
pub(super) async fn open(
    settings: &Settings,
    size: u32,
    statement_timeout: Option<Duration>,
) -> Result<DatabaseConnection, StartError> {
    let limit = settings.timeout;
    let scheme = match settings.url.target {
        Target::SqliteFile(_) | Target::SqliteMemory(_) => "sqlite::memory:",
        Target::Postgres(_) => "postgres://localhost",
        Target::MySql(_) => "mysql://localhost",
    };
    let mut options = ConnectOptions::new(scheme);
    options
        .max_connections(size)
        .acquire_timeout(acquire_timeout(limit))
        .connect_lazy(true)
        .sqlx_logging(false)
        .test_before_acquire_if_idle_for(Duration::from_secs(1));
    match settings.url.target.clone() {
        Target::SqliteFile(file) | Target::SqliteMemory(file) => {
            let file = file.busy_timeout(limit);
            options.acquire_timeout(limit);
            options.map_sqlx_sqlite_opts(move |_| file.clone());
            // Closing its connection would drop a database in memory.
            options.map_sqlx_sqlite_pool_opts(|pool| pool.idle_timeout(None).max_lifetime(None));
        }
        Target::Postgres(server) => {
            options.map_sqlx_postgres_opts(move |_| server.clone());
            options.map_sqlx_postgres_pool_opts(move |pool| {
                let pool =
                    pool.after_connect(move |connection, _| Box::pin(session::postgres(connection, statement_timeout)));
                pool.max_lifetime(None).after_release(|connection, meta| Box::pin(release(connection, meta)))
            });
        }
        Target::MySql(server) => {
            options.map_sqlx_mysql_opts(move |_| server.clone());
            options.map_sqlx_mysql_pool_opts(move |pool| {
                let pool =
                    pool.after_connect(move |connection, _| Box::pin(session::mysql(connection, statement_timeout)));
                pool.max_lifetime(None).after_release(|connection, meta| Box::pin(release(connection, meta)))
            });
        }
    }
    let opened = sea_orm::Database::connect(options).await;
    opened.map_err(|error| StartError::CannotConnect { database: settings.url.to_string(), source: error.into() })
}

/// Tests a connection that returns to its pool, and closes an old one. sqlx would wait for a server that does not respond,
/// and keep the connection open. Unwinding ends the task that returns it.
async fn release<C: Connection>(connection: &mut C, meta: PoolConnectionMetadata) -> Result<bool, sqlx::Error> {
    match timeout(PING_TIMEOUT, connection.ping()).await {
        Ok(result) => result.map(|()| meta.age < MAX_AGE),
        Err(_) => resume_unwind(Box::new("the server does not respond")),
    }
}
