//! Keeps idle connections of PostgreSQL checked out of the pool of sqlx, which sends a ping and waits for it whenever a
//! connection is returned: that takes a third of the CPU of a lookup on one connection.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use async_trait::async_trait;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, QueryResult, RuntimeErr,
    Statement, Values,
    sqlx::{
        self, AssertSqlSafe, Connection as _, Executor, PgConnection, PgPool, Postgres,
        pool::PoolConnection,
    },
};
use sea_query_sqlx::SqlxValues;
use tokio::{sync::Semaphore, time::timeout};

use super::code::is_stale;

/// A connection that was idle for longer is tested before it is used.
const MAX_UNTESTED: Duration = Duration::from_secs(1);

/// The time of a test.
pub(super) const PING_TIMEOUT: Duration = Duration::from_secs(1);

/// A connection and the time since which it is idle.
type Idle = (PoolConnection<Postgres>, Instant);

pub(super) struct Held {
    pool: PgPool,
    /// Of the pool; the other connections are for transactions.
    permits: Semaphore,
    idle: Mutex<Vec<Idle>>,
    acquire_timeout: Duration,
}

/// A connection in use. Unless it is returned, it is closed: its caller may have gone away in the middle of a statement.
struct Used(Option<PoolConnection<Postgres>>);

impl Drop for Used {
    fn drop(&mut self) {
        if let Some(connection) = self.0.take() {
            drop(connection.detach());
        }
    }
}

impl Held {
    pub(super) fn new(
        database: &DatabaseConnection,
        connections: u32,
        acquire_timeout: Duration,
    ) -> Self {
        Self {
            pool: database.get_postgres_connection_pool().clone(),
            permits: Semaphore::new(connections as usize),
            idle: Mutex::default(),
            acquire_timeout,
        }
    }

    /// Runs a statement on an idle connection.
    async fn with<T>(
        &self,
        run: impl AsyncFnOnce(&mut PgConnection) -> Result<T, sqlx::Error>,
    ) -> Result<T, DbErr> {
        let permit = timeout(self.acquire_timeout, self.permits.acquire()).await;
        let permit = permit.map_err(|_| failed(sqlx::Error::PoolTimedOut))?;
        let _permit = permit.map_err(|_| failed(sqlx::Error::PoolClosed))?;
        let connection = self.connection().await.map_err(failed)?;
        let mut used = Used(Some(connection));
        let connection = used.0.as_mut().expect("it was just acquired");
        let result = run(connection).await;
        match &result {
            Err(sqlx::Error::Database(error)) if is_stale(error.as_ref()) => {}
            // The server refused the statement: the connection is in order.
            Ok(_) | Err(sqlx::Error::Database(_) | sqlx::Error::ColumnDecode { .. }) => {
                self.idle()
                    .extend(used.0.take().map(|it| (it, Instant::now())));
            }
            // The others were probably lost with it, for instance when the server was restarted.
            Err(sqlx::Error::Io(_)) => self.discard_idle(),
            Err(_) => {}
        }
        result.map_err(failed)
    }

    async fn connection(&self) -> Result<PoolConnection<Postgres>, sqlx::Error> {
        loop {
            let idle = self.idle().pop();
            match idle {
                Some((connection, since)) if since.elapsed() < MAX_UNTESTED => {
                    return Ok(connection);
                }
                Some((connection, _)) => {
                    let mut used = Used(Some(connection));
                    let connection = used.0.as_mut().expect("it was just taken");
                    if let Ok(Ok(())) = timeout(PING_TIMEOUT, connection.ping()).await {
                        return Ok(used.0.take().expect("it was just tested"));
                    }
                }
                None => return self.pool.acquire().await,
            }
        }
    }

    /// Closes the idle connections.
    pub(super) fn discard_idle(&self) {
        let idle = std::mem::take(&mut *self.idle());
        for (connection, _) in idle {
            drop(connection.detach());
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refuses further statements, and closes the idle connections.
    pub(super) fn close(&self) {
        self.permits.close();
        self.discard_idle();
    }
}

fn query(statement: Statement) -> sqlx::query::Query<'static, Postgres, SqlxValues> {
    let values = statement.values.unwrap_or_else(|| Values(Vec::new()));
    sqlx::query_with(AssertSqlSafe(statement.sql), SqlxValues(values))
}

fn failed(error: sqlx::Error) -> DbErr {
    DbErr::Query(RuntimeErr::SqlxError(error.into()))
}

#[async_trait]
impl ConnectionTrait for Held {
    fn get_database_backend(&self) -> DbBackend {
        DbBackend::Postgres
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        let done = self.with(async |connection| connection.execute(query(statement)).await);
        done.await.map(ExecResult::from)
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        let sql = sqlx::raw_sql(AssertSqlSafe(sql));
        let done = self.with(async |connection| connection.execute(sql).await);
        done.await.map(ExecResult::from)
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let row = self.with(async |connection| connection.fetch_optional(query(statement)).await);
        Ok(row.await?.map(QueryResult::from))
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let rows = self.with(async |connection| connection.fetch_all(query(statement)).await);
        Ok(rows.await?.into_iter().map(QueryResult::from).collect())
    }
}
