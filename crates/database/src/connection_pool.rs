//! The connection pool of batched queries.
//!
//! sqlx pings each connection when it is released to its pool, which costs a round trip per statement.
//! This pool keeps idle connections instead of releasing them to sqlx.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures_util::future::{BoxFuture, FutureExt};
use sea_orm::sqlx;
use sea_orm::{
    ConnAcquireErr, ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, QueryResult,
    Statement,
};
use tokio::sync::{self, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::connect_with_retry::{LastProbe, wait_until_reachable};
use crate::connection_health::ConnectionHealth;
use crate::error::{
    Error, connection_error, is_lost_connection, is_read_only, is_refusal, is_stale_statement,
    timeout_error,
};

mod driver;
mod queues;

use driver::DriverConnection;
use queues::Queues;

/// A connection acquired from sqlx longer ago than this is released to sqlx, which closes old connections.
const MAX_CONNECTION_AGE: Duration = Duration::from_mins(5);

/// A pool of connections to one database.
pub(crate) struct ConnectionPool {
    pub(crate) db: DatabaseConnection,
    idle: Mutex<Vec<IdleConnection>>,
    permits: Arc<Semaphore>,
    pub(crate) max_connections: u32,
    /// The timeout of acquiring a connection, and of a statement.
    pub(crate) query_timeout: Duration,
    /// The maximum number of transactions that can wait for the lock of a row: half of the connections.
    pub(crate) max_changes: usize,
    /// One permit for each of these transactions.
    pub(crate) change_permits: Semaphore,
    release_policy: ReleasePolicy,
    pub(crate) health: ConnectionHealth,
    last_probe: LastProbe,
    pub(crate) queues: Queues,
}

/// What happens to a released connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReleasePolicy {
    /// It stays idle in the pool.
    KeepIdle,
    /// It returns to the sqlx pool and is never closed: it holds the in-memory database.
    ReturnToPool,
}

struct IdleConnection {
    connection: Box<dyn DriverConnection>,
    acquired_at: Instant,
    idle_since: Instant,
}

/// A connection in use. Dropping it without [`release`](Self::release) closes it, because its state is unknown: the
/// response to a cancelled statement or ping would be read as that of the next one. The connection of an in-memory
/// database returns to sqlx, which waits for its statement.
pub(crate) struct PooledConnection<'a> {
    pub(crate) pool: &'a ConnectionPool,
    driver: sync::Mutex<Driver>,
    acquired_at: Instant,
    /// `None` while the connection is pinged.
    permit: Option<OwnedSemaphorePermit>,
}

/// `None` once the connection is released.
struct Driver(Option<Box<dyn DriverConnection>>);

impl Driver {
    fn open(&mut self) -> &mut dyn DriverConnection {
        self.0.as_deref_mut().expect("only `release` takes it")
    }
}

impl ConnectionPool {
    /// A pool of at most `max_connections` connections.
    pub(crate) fn new(
        db: DatabaseConnection,
        max_connections: u32,
        query_timeout: Duration,
        release_policy: ReleasePolicy,
        health: ConnectionHealth,
    ) -> Self {
        let max_changes = (max_connections as usize / 2).max(1);
        Self {
            db,
            idle: Mutex::default(),
            permits: Arc::new(Semaphore::new(max_connections as usize)),
            max_connections,
            query_timeout,
            max_changes,
            change_permits: Semaphore::new(max_changes),
            release_policy,
            health,
            last_probe: LastProbe::default(),
            queues: Queues::default(),
        }
    }

    pub(crate) fn backend(&self) -> DbBackend {
        self.db.get_database_backend()
    }

    /// Acquires a connection; waits for a permit if all are in use.
    pub(crate) async fn acquire(&self) -> Result<PooledConnection<'_>, DbErr> {
        match self.try_acquire() {
            Some(pooled) => Ok(pooled),
            None => self.acquire_slow().await,
        }
    }

    /// An idle connection that needs no ping.
    fn try_acquire(&self) -> Option<PooledConnection<'_>> {
        let permit = Arc::clone(&self.permits).try_acquire_owned().ok()?;
        let idle = self.pop_idle()?;
        if self.can_skip_ping(&idle) {
            return Some(self.pooled(idle.connection, idle.acquired_at, Some(permit)));
        }
        self.push_idle(idle);
        None
    }

    fn can_skip_ping(&self, idle: &IdleConnection) -> bool {
        let can_skip_ping = self.backend() == DbBackend::Sqlite
            || self.health.can_skip_ping(idle.idle_since.elapsed());
        can_skip_ping && !self.is_stale(idle)
    }

    fn is_stale(&self, idle: &IdleConnection) -> bool {
        self.health.is_stale(idle.acquired_at.elapsed())
    }

    fn acquire_slow(&self) -> BoxFuture<'_, Result<PooledConnection<'_>, DbErr>> {
        Box::pin(async move {
            let closed = |_| DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed);
            let permit = Arc::clone(&self.permits).acquire_owned().await;
            let permit = permit.map_err(closed)?;
            while let Some(idle) = self.pop_idle() {
                let (can_skip_ping, is_stale) = (self.can_skip_ping(&idle), self.is_stale(&idle));
                let mut pooled = self.pooled(idle.connection, idle.acquired_at, None);
                if can_skip_ping || (!is_stale && pooled.ping().await.is_ok()) {
                    pooled.permit = Some(permit);
                    return Ok(pooled);
                }
                drop(pooled);
                // The other idle connections are probably lost too, and each ping could take its timeout.
                self.close_idle();
            }
            // Taken before connecting: a server that changes meanwhile makes the connection stale.
            let acquired_at = Instant::now();
            let connection = self.connect().await?;
            Ok(self.pooled(connection, acquired_at, Some(permit)))
        })
    }

    /// The result of a statement within the query timeout. Its failure must not store anything.
    pub(crate) fn with_timeout<T>(
        &self,
        statement: impl Future<Output = Result<T, DbErr>>,
    ) -> impl Future<Output = Result<T, Error>> {
        timeout(self.query_timeout, statement).map(|result| match result {
            Ok(result) => self.health.record_error(result).map_err(Error::classify),
            Err(_) => Err(Error::Unavailable(timeout_error(self.query_timeout).into())),
        })
    }

    /// Opens a connection, which stays idle.
    pub(crate) async fn open_connection(&self) -> Result<(), DbErr> {
        let acquired_at = Instant::now();
        let connection = self.acquire_from_driver().await?;
        self.pooled(connection, acquired_at, None).release(Ok(()))
    }

    /// Checks that the database responds, without waiting for a permit.
    pub(crate) async fn ping(&self) -> Result<(), DbErr> {
        let connection = self.acquire_from_driver().await?;
        let mut pooled = self.pooled(connection, Instant::now(), None);
        pooled.ping().await?;
        // Returns to sqlx.
        drop(pooled.driver.get_mut().0.take());
        Ok(())
    }

    /// The number of idle connections.
    pub(crate) fn idle(&self) -> u64 {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.len() as u64
    }

    /// The number of connections in use.
    pub(crate) fn in_use(&self) -> u64 {
        let free = self.permits.available_permits() as u64;
        u64::from(self.max_connections).saturating_sub(free)
    }

    /// Waits until all connections are released, then closes the pool.
    pub(crate) async fn close(&self) {
        // Fails only if the semaphore is closed already, and then no connection is in use.
        drop(self.permits.acquire_many(self.max_connections).await);
        self.permits.close();
        while let Some(idle) = self.pop_idle() {
            drop(idle);
        }
    }

    fn pooled(
        &self,
        driver: Box<dyn DriverConnection>,
        acquired_at: Instant,
        permit: Option<OwnedSemaphorePermit>,
    ) -> PooledConnection<'_> {
        PooledConnection {
            pool: self,
            driver: sync::Mutex::new(Driver(Some(driver))),
            acquired_at,
            permit,
        }
    }

    fn pop_idle(&self) -> Option<IdleConnection> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.pop()
    }

    fn push_idle(&self, connection: IdleConnection) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(connection);
    }

    fn close_idle(&self) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.drain(..).for_each(|idle| idle.connection.close());
    }

    async fn connect(&self) -> Result<Box<dyn DriverConnection>, DbErr> {
        tokio::select! {
            biased;
            connection = self.acquire_from_driver() => return connection,
            () = wait_until_reachable(&self.db, &self.last_probe) => {}
        }
        self.acquire_from_driver().await
    }

    async fn acquire_from_driver(&self) -> Result<Box<dyn DriverConnection>, DbErr> {
        let db = &self.db;
        let connection = match self.backend() {
            DbBackend::Postgres => boxed(db.get_postgres_connection_pool().acquire().await),
            DbBackend::MySql => boxed(db.get_mysql_connection_pool().acquire().await),
            _ => boxed(db.get_sqlite_connection_pool().acquire().await),
        };
        connection.map_err(|error| match error {
            sqlx::Error::PoolTimedOut => DbErr::ConnectionAcquire(ConnAcquireErr::Timeout),
            sqlx::Error::PoolClosed => DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed),
            other => connection_error(other),
        })
    }
}

impl PooledConnection<'_> {
    /// Begins a transaction; on SQLite with the write lock from the start.
    pub(crate) async fn begin(&self) -> Result<(), DbErr> {
        self.driver.lock().await.open().begin().await
    }

    /// Commits the transaction.
    pub(crate) async fn commit(&self) -> Result<(), DbErr> {
        self.driver.lock().await.open().commit().await
    }

    /// Rolls the transaction back.
    pub(crate) async fn roll_back(&self) -> Result<(), DbErr> {
        self.driver.lock().await.open().roll_back().await
    }

    async fn ping(&self) -> Result<(), DbErr> {
        self.driver.lock().await.open().ping().await
    }

    /// Releases the connection after a statement and returns the result of that. A refused statement
    /// leaves the connection usable.
    pub(crate) fn release<T>(self, result: Result<T, DbErr>) -> Result<T, DbErr> {
        let result = self.pool.health.record_error(result);
        if result.as_ref().err().is_none_or(is_reusable_after) {
            self.return_to_idle();
        }
        result
    }

    fn return_to_idle(mut self) {
        let Some(connection) = self.driver.get_mut().0.take() else {
            return;
        };
        if self.pool.release_policy == ReleasePolicy::ReturnToPool
            || self.acquired_at.elapsed() > MAX_CONNECTION_AGE
        {
            return;
        }
        self.pool.push_idle(IdleConnection {
            connection,
            acquired_at: self.acquired_at,
            idle_since: Instant::now(),
        });
    }
}

/// Statements run one after another.
#[async_trait]
impl ConnectionTrait for PooledConnection<'_> {
    fn get_database_backend(&self) -> DbBackend {
        self.pool.backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.driver.lock().await.open().execute(statement).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.driver
            .lock()
            .await
            .open()
            .execute_unprepared(sql)
            .await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let rows = self.query_all_raw(statement).await?;
        Ok(rows.into_iter().next())
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.driver.lock().await.open().query(statement).await
    }
}

impl Drop for PooledConnection<'_> {
    fn drop(&mut self) {
        match (self.driver.get_mut().0.take(), self.pool.release_policy) {
            (Some(connection), ReleasePolicy::KeepIdle) => connection.close(),
            (Some(mut connection), ReleasePolicy::ReturnToPool) => connection.roll_back_later(),
            (None, _) => {}
        }
    }
}

fn boxed<C: DriverConnection>(
    connection: Result<C, sqlx::Error>,
) -> Result<Box<dyn DriverConnection>, sqlx::Error> {
    Ok(Box::new(connection?))
}

/// Whether a connection can be reused after this error. After a read-only error a new connection may
/// reach a server that accepts writes, and a stale statement stays prepared.
fn is_reusable_after(error: &DbErr) -> bool {
    is_refusal(error)
        && !is_lost_connection(error)
        && !is_read_only(error)
        && !is_stale_statement(error)
}
