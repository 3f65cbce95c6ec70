//! Connects to SQLite, PostgreSQL, MySQL and MariaDB by SeaORM's pools.

use std::{future::Future, io, sync::Arc, time::Duration};

use async_trait::async_trait;
use sea_orm::{
    ConnectOptions, ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, QueryResult,
    SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
    sqlx::{self, Connection},
};
use tokio::time::{timeout, timeout_at};

use super::backoff::Backoff;
use super::code::Kind;
use super::error::{Cause, Error, StartError};
use super::held::{Held, PING_TIMEOUT};
use super::session;
use super::settings::{Settings, durable};
use super::url::Target;
use super::wait::connect_with_retry;

/// The pools. On a file of SQLite, one connection writes and the others read.
#[derive(Clone)]
pub struct Database {
    pub(super) read: Statements,
    pub(super) write: Statements,
    settings: Arc<Settings>,
}

/// Runs single statements; transactions use the pool.
#[derive(Clone)]
pub(super) struct Statements {
    pub(super) pool: DatabaseConnection,
    held: Option<Arc<Held>>,
}

impl Database {
    /// Connects, and waits for a database that starts up.
    pub async fn connect(mut settings: Settings) -> Result<Self, StartError> {
        connect_with_retry(&mut settings).await?;
        let url = settings.url.clone();
        let opening = |error| StartError::connecting(&url, error);
        let (size, timeout) = (settings.pool_size.max(1), settings.timeout);
        let is_sqlite = matches!(url.0, Target::SqliteFile(_) | Target::SqliteMemory(_));
        let writers = if is_sqlite { 1 } else { size };
        let write = open(&settings, writers, Some(timeout))
            .await
            .map_err(opening)?;
        // A transaction needs a connection of the pool, too.
        let held = settings.held_connections.min(size - 1);
        let has_held = matches!(url.0, Target::Postgres(_)) && held > 0;
        let held = has_held.then(|| Arc::new(Held::new(&write, held, acquire_timeout(timeout))));
        let write = Statements { pool: write, held };
        let read = match url.0 {
            Target::SqliteFile(_) => Statements {
                pool: open(&settings, size, Some(timeout))
                    .await
                    .map_err(opening)?,
                held: None,
            },
            _ => write.clone(),
        };
        let settings = Arc::new(settings);
        Ok(Self {
            read,
            write,
            settings,
        })
    }

    /// The settings. The URL names the product of the server.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<(), Error> {
        let one = self.read.execute_unprepared("SELECT 1");
        match timeout(self.settings.timeout, one).await {
            Ok(result) => result.map(drop).map_err(Error::from),
            Err(_) => Err(Error::Unavailable(Cause::timeout(self.settings.timeout))),
        }
    }

    /// The numbers of open and of idle connections. Those that are kept for single statements are not idle.
    pub fn connections(&self) -> (u32, usize) {
        let pool = &self.write.pool;
        match pool.get_database_backend() {
            DbBackend::Postgres => {
                let pool = pool.get_postgres_connection_pool();
                (pool.size(), pool.num_idle())
            }
            DbBackend::MySql => {
                let pool = pool.get_mysql_connection_pool();
                (pool.size(), pool.num_idle())
            }
            _ => {
                let pool = self.read.pool.get_sqlite_connection_pool();
                (pool.size(), pool.num_idle())
            }
        }
    }

    /// Closes the connections when their statements have ended.
    pub async fn close(&self) {
        for statements in [&self.read, &self.write] {
            if let Some(held) = &statements.held {
                held.close();
            }
            // Closing a pool never fails.
            let _ = statements.pool.clone().close().await;
        }
    }

    /// The result of a read, which is repeated while its connection is lost.
    pub(super) async fn retry<T, A>(&self, read: impl Fn() -> A) -> Result<T, Error>
    where
        A: Future<Output = Result<T, DbErr>>,
    {
        let limit = self.settings.timeout;
        let mut backoff = Backoff::new(limit);
        loop {
            let error = match timeout_at(backoff.deadline, read()).await {
                Ok(Ok(value)) => return Ok(value),
                Ok(Err(error)) => error,
                Err(_) => {
                    self.write.discard_idle();
                    return Err(Error::Unavailable(Cause::timeout(limit)));
                }
            };
            let cause = Cause::from(error);
            self.write.discard_lost(&cause);
            if !cause.is_retryable() || !backoff.wait().await {
                return Err(cause.into());
            }
        }
    }
}

impl Statements {
    /// Closes the idle connections if one was lost, since each lost one would take an attempt.
    pub(super) fn discard_lost(&self, cause: &Cause) {
        if cause.kind() == Kind::Lost {
            self.discard_idle();
        }
    }

    /// Closes the idle connections to a server: after one was lost, or did not respond, the others are probably lost, too, and
    /// each would take a time-out.
    pub(super) fn discard_idle(&self) {
        if let Some(held) = &self.held {
            held.discard_idle();
        }
        match self.pool.get_database_backend() {
            DbBackend::Postgres => {
                let pool = self.pool.get_postgres_connection_pool();
                while let Some(connection) = pool.try_acquire() {
                    drop(connection.detach());
                }
            }
            DbBackend::MySql => {
                let pool = self.pool.get_mysql_connection_pool();
                while let Some(connection) = pool.try_acquire() {
                    drop(connection.detach());
                }
            }
            _ => {}
        }
    }
}

#[async_trait]
impl ConnectionTrait for Statements {
    fn get_database_backend(&self) -> DbBackend {
        self.pool.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        match &self.held {
            Some(held) => held.execute_raw(statement).await,
            None => self.pool.execute_raw(statement).await,
        }
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        match &self.held {
            Some(held) => held.execute_unprepared(sql).await,
            None => self.pool.execute_unprepared(sql).await,
        }
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        match &self.held {
            Some(held) => held.query_one_raw(statement).await,
            None => self.pool.query_one_raw(statement).await,
        }
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        match &self.held {
            Some(held) => held.query_all_raw(statement).await,
            None => self.pool.query_all_raw(statement).await,
        }
    }
}

/// Begins a transaction, on SQLite with the write lock.
pub(super) async fn begin(
    pool: &impl TransactionTrait<Transaction = sea_orm::DatabaseTransaction>,
) -> Result<sea_orm::DatabaseTransaction, DbErr> {
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    };
    pool.begin_with_options(options).await
}

/// Shorter than an operation, because the backoff of sqlx grows to a fifth of it.
fn acquire_timeout(timeout: Duration) -> Duration {
    timeout / 4
}

/// Opens a pool, which connects lazily. SeaORM gets the connection options instead of the URL.
pub(super) async fn open(
    settings: &Settings,
    size: u32,
    statement_timeout: Option<Duration>,
) -> Result<DatabaseConnection, DbErr> {
    let limit = settings.timeout;
    let scheme = match settings.url.0 {
        Target::SqliteFile(_) | Target::SqliteMemory(_) => "sqlite::memory:",
        Target::Postgres(_) => "postgres://localhost",
        Target::MySql(..) => "mysql://localhost",
    };
    let mut options = ConnectOptions::new(scheme);
    options
        .max_connections(size)
        .acquire_timeout(acquire_timeout(limit))
        .connect_lazy(true)
        .sqlx_logging(false)
        .test_before_acquire_if_idle_for(Duration::from_secs(1));
    match settings.url.0.clone() {
        Target::SqliteFile(file) => {
            options.map_sqlx_sqlite_opts(move |_| durable(file.clone(), limit));
            options.map_sqlx_sqlite_pool_opts(|pool| pool.idle_timeout(None).max_lifetime(None));
            options.acquire_timeout(limit);
        }
        // Closing its connection would drop the database.
        Target::SqliteMemory(memory) => {
            options.map_sqlx_sqlite_opts(move |_| memory.clone());
            options.map_sqlx_sqlite_pool_opts(|pool| pool.idle_timeout(None).max_lifetime(None));
            options.acquire_timeout(limit);
        }
        Target::Postgres(server) => {
            options.map_sqlx_postgres_opts(move |_| server.clone());
            options.map_sqlx_postgres_pool_opts(move |pool| {
                let pool = pool.after_connect(move |connection, _| {
                    Box::pin(session::postgres(connection, statement_timeout))
                });
                pool.after_release(|connection, _| Box::pin(ping(connection)))
            });
        }
        Target::MySql(server, _) => {
            options.map_sqlx_mysql_opts(move |_| server.clone());
            options.map_sqlx_mysql_pool_opts(move |pool| {
                let pool = pool.after_connect(move |connection, _| {
                    Box::pin(session::mysql(connection, statement_timeout))
                });
                pool.after_release(|connection, _| Box::pin(ping(connection)))
            });
        }
    }
    sea_orm::Database::connect(options).await
}

/// Tests a connection before sqlx does: its ping has no time-out, so a server that does not respond would keep all
/// connections of the pool.
async fn ping<C: Connection>(connection: &mut C) -> Result<bool, sqlx::Error> {
    match timeout(PING_TIMEOUT, connection.ping()).await {
        Ok(result) => result.map(|()| true),
        Err(_) => Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into())),
    }
}
