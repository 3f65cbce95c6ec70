//! Runs the read-only statements of batched queries.

use std::sync::Arc;

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, ExecResult, QueryResult, Statement};
use tokio::time::timeout;

use crate::connection_pool::ConnectionPool;
use crate::error::{failed_before_send, is_conflict, is_lost_connection, timeout_error};
use crate::retry::{Backoff, retry};

/// Runs read-only statements.
#[derive(Clone)]
pub struct Reader {
    pub(crate) pool: Arc<ConnectionPool>,
}

impl Reader {
    async fn rows(&self, statement: &Statement) -> Result<Vec<QueryResult>, DbErr> {
        let attempt = || self.try_rows(statement);
        retry(Backoff::STATEMENT, attempt, can_retry_read).await
    }

    async fn try_rows(&self, statement: &Statement) -> Result<Vec<QueryResult>, DbErr> {
        let connection = self.pool.acquire().await?;
        let rows = connection.query_all_raw(statement.clone()).await;
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

fn can_retry_read(error: &DbErr) -> bool {
    is_lost_connection(error) || failed_before_send(error) || is_conflict(error)
}
