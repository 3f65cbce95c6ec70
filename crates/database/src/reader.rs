//! Runs the read-only statements of batched queries.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, ExecResult, QueryResult, Statement};
use tokio::time::{Instant, sleep, timeout};

use crate::connection_pool::{ConnectionPool, PooledConnection};
use crate::error::{failed_before_send, is_conflict, is_lost_connection, timeout_error};
use crate::retry::{Backoff, retry};

/// The flushed WAL position of the primary in bytes. Everything that it has acknowledged is before it.
const PRIMARY_POSITION: &str = "SELECT (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint";

/// The replayed WAL position of a replica in bytes, or null on a server that is not a replica.
const REPLICA_POSITION: &str = "SELECT CASE WHEN pg_is_in_recovery() \
     THEN (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint END";

/// Runs read-only statements on a primary or a replica.
#[derive(Clone)]
pub struct Reader {
    pub(crate) pool: Arc<ConnectionPool>,
    /// The primary of a replica, which has to replay everything that the primary acknowledged before a statement within
    /// this lag limit.
    pub(crate) primary: Option<(Arc<ConnectionPool>, Duration)>,
}

impl Reader {
    async fn rows(&self, statement: &Statement) -> Result<Vec<QueryResult>, DbErr> {
        match &self.primary {
            None => {
                let attempt = || self.try_rows(statement);
                retry(Backoff::STATEMENT, attempt, can_retry_read).await
            }
            Some((primary, lag_limit)) => {
                self.up_to_date_rows(statement, primary, *lag_limit).await
            }
        }
    }

    async fn try_rows(&self, statement: &Statement) -> Result<Vec<QueryResult>, DbErr> {
        let connection = self.pool.acquire().await?;
        let rows = connection.query_all_raw(statement.clone()).await;
        connection.release(rows)
    }

    async fn up_to_date_rows(
        &self,
        statement: &Statement,
        primary: &ConnectionPool,
        lag_limit: Duration,
    ) -> Result<Vec<QueryResult>, DbErr> {
        // The batch is complete, so this position covers everything acknowledged before its requests.
        let connection = primary.acquire().await?;
        let position = integer(&connection, PRIMARY_POSITION).await;
        let position = connection.release(position)?;
        // Position and rows on one connection, because an address may lead to several replicas.
        let connection = self.pool.acquire().await?;
        let rows = match wait_until_replayed(&connection, position, lag_limit).await {
            Ok(()) => connection.query_all_raw(statement.clone()).await,
            Err(error) => Err(error),
        };
        connection.release(rows)
    }
}

/// A connection for queries. It retries them until the query timeout while connections are lost or refused and on
/// conflicts, so that a restart of the database causes a delay instead of an error.
#[async_trait]
impl ConnectionTrait for Reader {
    fn get_database_backend(&self) -> DbBackend {
        self.pool.backend()
    }

    /// Fails: a statement that changes rows must not be repeated.
    async fn execute_raw(&self, _: Statement) -> Result<ExecResult, DbErr> {
        Err(DbErr::Custom(READ_ONLY.to_owned()))
    }

    /// Fails like [`execute_raw`](Self::execute_raw).
    async fn execute_unprepared(&self, _: &str) -> Result<ExecResult, DbErr> {
        Err(DbErr::Custom(READ_ONLY.to_owned()))
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let rows = self.query_all_raw(statement).await?;
        Ok(rows.into_iter().next())
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let query_timeout = self.pool.query_timeout;
        let rows = timeout(query_timeout, self.rows(&statement)).await;
        rows.unwrap_or_else(|_| Err(timeout_error(query_timeout)))
    }
}

const READ_ONLY: &str = "a reader runs queries only";

/// Polls a replica until it has replayed a position of the primary.
async fn wait_until_replayed(
    connection: &PooledConnection<'_>,
    position: Option<i64>,
    lag_limit: Duration,
) -> Result<(), DbErr> {
    let mut backoff = Backoff::REPLAY.until(Instant::now() + lag_limit);
    loop {
        let replayed = integer(connection, REPLICA_POSITION).await?;
        match replayed.zip(position) {
            None => return Err(DbErr::Custom("the server is not a replica".to_owned())),
            Some((replayed, position)) if replayed >= position => return Ok(()),
            Some(_) => {}
        }
        match backoff.next_delay() {
            Some(delay) => sleep(delay).await,
            None => return Err(DbErr::Custom("the replica lags too far behind".to_owned())),
        }
    }
}

/// The result of a query for one 64-bit integer.
async fn integer(db: &impl ConnectionTrait, sql: &'static str) -> Result<Option<i64>, DbErr> {
    let query = Statement::from_string(db.get_database_backend(), sql);
    let row = db.query_one_raw(query).await?;
    row.map_or(Ok(None), |row| row.try_get_by_index(0))
}

fn can_retry_read(error: &DbErr) -> bool {
    is_lost_connection(error) || failed_before_send(error) || is_conflict(error)
}
