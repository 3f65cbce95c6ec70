//! Runs single statements. On PostgreSQL it keeps idle connections checked out of the pool of sqlx, which sends a ping and
//! waits for it whenever a connection is returned: that takes a third of the CPU of a lookup on one connection.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, QueryResult, RuntimeErr, Statement, Values,
    sqlx::{self, AssertSqlSafe, Connection as _, Postgres, pool::PoolConnection},
};
use sea_query_sqlx::SqlxValues;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{Instant, timeout},
};

use super::cause::{Cause, Kind};

/// A connection that was idle for longer is tested before it is used.
const MAX_UNTESTED: Duration = Duration::from_secs(1);

/// The time of a test.
pub(super) const PING_TIMEOUT: Duration = Duration::from_secs(1);

/// Runs single statements; transactions use the pool.
#[derive(Clone)]
pub(super) struct Statements {
    /// With the time at which it was opened.
    pool: Arc<Mutex<(DatabaseConnection, Instant)>>,
    backend: DbBackend,
    held: Option<Arc<Held>>,
}

struct Held {
    /// Of the pool; the other connections are for transactions.
    permits: Semaphore,
    acquire_timeout: Duration,
    /// With the time since which they are idle.
    idle: Mutex<Vec<(PoolConnection<Postgres>, Instant)>>,
}

impl Statements {
    /// Keeps up to `held` connections of the pool; PostgreSQL only.
    pub(super) fn new(pool: DatabaseConnection, held: u32, acquire_timeout: Duration) -> Self {
        let backend = pool.get_database_backend();
        let is_held = held > 0 && backend == DbBackend::Postgres;
        let held =
            is_held.then(|| Held { permits: Semaphore::new(held as usize), acquire_timeout, idle: Mutex::default() });
        let (pool, held) = (Arc::new(Mutex::new((pool, Instant::now()))), held.map(Arc::new));
        Self { pool, backend, held }
    }

    /// The pool of the statements and transactions that begin now.
    pub(super) fn pool(&self) -> DatabaseConnection {
        lock(&self.pool).0.clone()
    }

    /// When that pool was opened.
    pub(super) fn since(&self) -> Instant {
        lock(&self.pool).1
    }

    /// Uses another pool from now on, and closes the idle connections.
    pub(super) fn replace(&self, pool: DatabaseConnection) {
        *lock(&self.pool) = (pool, Instant::now());
        if let Some(held) = &self.held {
            for (connection, _) in std::mem::take(&mut *lock(&held.idle)) {
                drop(connection.detach());
            }
        }
    }

    /// Refuses further statements, and closes the connections when theirs have ended.
    pub(super) async fn close(&self) {
        if let Some(held) = &self.held {
            held.permits.close();
            lock(&held.idle).clear();
        }
        // Closing a pool never fails.
        let _ = self.pool().close().await;
    }

    /// Runs a statement on an idle connection. One whose caller goes away is left to the pool.
    async fn query(&self, held: &Held, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let acquired = self.acquire(held).await;
        let acquired = acquired.map_err(|error| DbErr::Conn(RuntimeErr::SqlxError(error.into())));
        let (mut connection, _permit) = acquired?;
        let values = statement.values.unwrap_or_else(|| Values(Vec::new()));
        let query = sqlx::query_with(AssertSqlSafe(statement.sql), SqlxValues(values));
        let rows = query.fetch_all(&mut *connection).await;
        let rows = rows.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(error.into())));
        match rows.as_ref().err().map(|error| Cause::from(error.clone()).kind) {
            Some(Kind::Lost | Kind::Stale) => drop(connection.detach()),
            // A statement that the server refused leaves the connection in order.
            _ => lock(&held.idle).push((connection, Instant::now())),
        }
        Ok(rows?.into_iter().map(QueryResult::from).collect())
    }

    async fn acquire<'a>(
        &self,
        held: &'a Held,
    ) -> Result<(PoolConnection<Postgres>, SemaphorePermit<'a>), sqlx::Error> {
        let permit = timeout(held.acquire_timeout, held.permits.acquire()).await;
        let permit = permit.map_err(|_| sqlx::Error::PoolTimedOut)?;
        let permit = permit.map_err(|_| sqlx::Error::PoolClosed)?;
        loop {
            let idle = lock(&held.idle).pop();
            let Some((mut connection, since)) = idle else {
                let pool = self.pool();
                // Boxed, because its future is large, and each statement would copy it.
                let acquired = Box::pin(pool.get_postgres_connection_pool().acquire());
                return Ok((acquired.await?, permit));
            };
            let is_fresh = since.elapsed() < MAX_UNTESTED;
            if is_fresh || matches!(timeout(PING_TIMEOUT, connection.ping()).await, Ok(Ok(()))) {
                return Ok((connection, permit));
            }
            drop(connection.detach());
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[async_trait]
impl ConnectionTrait for Statements {
    fn get_database_backend(&self) -> DbBackend {
        self.backend
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.pool().execute_raw(statement).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.pool().execute_unprepared(sql).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.pool().query_one_raw(statement).await
    }

    /// What lookups, lists, pages and, on PostgreSQL, creates run.
    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        match &self.held {
            Some(held) => self.query(held, statement).await,
            None => self.pool().query_all_raw(statement).await,
        }
    }
}
