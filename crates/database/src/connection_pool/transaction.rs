//! Transactions on a pooled connection.

use futures_util::future::BoxFuture;
use sea_orm::sqlx::pool::PoolConnection;
use sea_orm::sqlx::{self, AssertSqlSafe, Executor, SqlSafeStr};
use sea_orm::{DbBackend, DbErr, RuntimeErr, Values};
use sea_query_sqlx::SqlxValues;
use sqlx_core::transaction::TransactionManager;

use super::{DriverConnection, PooledConnection};

impl PooledConnection<'_> {
    /// Begins a transaction; on SQLite with the write lock from the start, so that its reads are still
    /// valid when it writes.
    pub(crate) fn begin(&mut self) -> BoxFuture<'_, Result<(), DbErr>> {
        Box::pin(async move {
            let statement = match self.pool.backend() {
                DbBackend::Sqlite => Some("BEGIN IMMEDIATE"),
                _ => None,
            };
            let begun =
                with_driver!(self.connection(), connection => begin(connection, statement).await);
            begun.map_err(execution_error)
        })
    }

    /// Commits the transaction.
    pub(crate) fn commit(&mut self) -> BoxFuture<'_, Result<(), DbErr>> {
        Box::pin(async move {
            let committed = with_driver!(self.connection(), connection => commit(connection).await);
            committed.map_err(execution_error)
        })
    }

    /// Rolls the transaction back.
    pub(crate) fn roll_back(&mut self) -> BoxFuture<'_, Result<(), DbErr>> {
        Box::pin(async move {
            let rolled_back =
                with_driver!(self.connection(), connection => roll_back(connection).await);
            rolled_back.map_err(execution_error)
        })
    }

    /// Runs a statement and returns the number of rows that it matched.
    pub(crate) fn execute<'s>(
        &'s mut self,
        sql: &'s str,
        values: Values,
    ) -> BoxFuture<'s, Result<u64, DbErr>> {
        Box::pin(async move {
            let values = SqlxValues(values);
            let executed = with_driver!(self.connection(), connection => {
                let statement = sqlx::query_with(AssertSqlSafe(sql), values);
                connection.execute(statement).await.map(|done| done.rows_affected())
            });
            executed.map_err(execution_error)
        })
    }
}

impl DriverConnection {
    /// Queues a rollback before the next statement, if a transaction was left open.
    pub(super) fn roll_back_later(&mut self) {
        with_driver!(self, connection => roll_back_later(connection));
    }
}

async fn begin<D: sqlx::Database>(
    connection: &mut PoolConnection<D>,
    statement: Option<&'static str>,
) -> Result<(), sqlx::Error> {
    let statement = statement.map(SqlSafeStr::into_sql_str);
    D::TransactionManager::begin(connection, statement).await
}

async fn commit<D: sqlx::Database>(connection: &mut PoolConnection<D>) -> Result<(), sqlx::Error> {
    D::TransactionManager::commit(connection).await
}

async fn roll_back<D: sqlx::Database>(
    connection: &mut PoolConnection<D>,
) -> Result<(), sqlx::Error> {
    D::TransactionManager::rollback(connection).await
}

fn roll_back_later<D: sqlx::Database>(connection: &mut PoolConnection<D>) {
    if D::TransactionManager::get_transaction_depth(connection) > 0 {
        D::TransactionManager::start_rollback(connection);
    }
}

fn execution_error(error: sqlx::Error) -> DbErr {
    DbErr::Exec(RuntimeErr::SqlxError(error.into()))
}
