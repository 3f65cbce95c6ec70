//! Runs the read-only statements of batched queries.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::{DbBackend, DbErr, Values};
use tokio::time::{Instant, sleep};

use crate::connection_pool::{ConnectionPool, PooledConnection};
use crate::error::{Error, failed_before_send, is_conflict, is_lost_connection};
use crate::retry::{Backoff, retry};
use crate::row::FromRow;

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
    /// The kind of database, to build statements for.
    pub fn backend(&self) -> DbBackend {
        self.pool.backend()
    }

    /// The rows of a statement that returns the columns of `R`. Retries until the query timeout while
    /// connections are lost or refused and on conflicts, so that a restart of the database causes a delay
    /// instead of an error.
    pub async fn rows<R: FromRow>(&self, sql: &str, values: &Values) -> Result<Vec<R>, Error> {
        let query = async {
            match &self.primary {
                None => {
                    let attempt = || self.try_rows(sql, values);
                    retry(Backoff::STATEMENT, attempt, can_retry_read).await
                }
                Some((primary, lag_limit)) => {
                    self.up_to_date_rows(sql, values, primary, *lag_limit).await
                }
            }
        };
        self.pool.with_timeout(query).await
    }

    async fn try_rows<R: FromRow>(&self, sql: &str, values: &Values) -> Result<Vec<R>, DbErr> {
        let health = &self.pool.health;
        let mut connection = health.abort_on_failover(self.pool.acquire()).await?;
        let rows = health
            .abort_on_failover(connection.rows(sql, values.clone()))
            .await;
        connection.release(rows)
    }

    async fn up_to_date_rows<R: FromRow>(
        &self,
        sql: &str,
        values: &Values,
        primary: &ConnectionPool,
        lag_limit: Duration,
    ) -> Result<Vec<R>, DbErr> {
        // The batch is complete, so this position covers everything acknowledged before its requests.
        let mut connection = primary.acquire().await?;
        let position = connection.fetch_integer(PRIMARY_POSITION).await;
        let position = connection.release(position)?;
        // Position and rows on one connection, because an address may lead to several replicas.
        let mut connection = self.pool.acquire().await?;
        let rows = match wait_until_replayed(&mut connection, position, lag_limit).await {
            Ok(()) => connection.rows(sql, values.clone()).await,
            Err(error) => Err(error),
        };
        connection.release(rows)
    }
}

/// Polls a replica until it has replayed a position of the primary.
async fn wait_until_replayed(
    connection: &mut PooledConnection<'_>,
    position: Option<i64>,
    lag_limit: Duration,
) -> Result<(), DbErr> {
    let mut backoff = Backoff::REPLAY.until(Instant::now() + lag_limit);
    loop {
        let replayed = connection.fetch_integer(REPLICA_POSITION).await?;
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

fn can_retry_read(error: &DbErr) -> bool {
    is_lost_connection(error) || failed_before_send(error) || is_conflict(error)
}
