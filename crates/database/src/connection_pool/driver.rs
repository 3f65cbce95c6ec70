//! The connections of the drivers.

use futures_util::future::{BoxFuture, FutureExt, TryFutureExt};
use futures_util::stream::TryStreamExt;
use sea_orm::sqlx::pool::PoolConnection;
use sea_orm::sqlx::{self, AssertSqlSafe, Database, Executor, IntoArguments, SqlSafeStr, Sqlite};
use sea_orm::{DbErr, ExecResult, QueryResult, RuntimeErr, Statement, Values};
use sea_query_sqlx::SqlxValues;
use sqlx_core::transaction::TransactionManager;

use crate::connection_health::ping;
use crate::row::query_error;

/// A connection of any driver. It is used as a trait object, because each crate that awaits or drops the
/// connection of a driver compiles all three drivers again.
pub(crate) trait DriverConnection: Send + 'static {
    /// Runs a statement that returns rows.
    fn query(&mut self, statement: Statement) -> BoxFuture<'_, Result<Vec<QueryResult>, DbErr>>;

    /// Runs a statement that returns no rows.
    fn execute(&mut self, statement: Statement) -> BoxFuture<'_, Result<ExecResult, DbErr>>;

    /// Runs statements that are not prepared.
    fn execute_unprepared(&mut self, sql: &str) -> BoxFuture<'_, Result<ExecResult, DbErr>>;

    /// Begins a transaction; on SQLite with the write lock from the start, so that its reads are still
    /// valid when it writes.
    fn begin(&mut self) -> BoxFuture<'_, Result<(), DbErr>>;

    /// Commits the transaction.
    fn commit(&mut self) -> BoxFuture<'_, Result<(), DbErr>>;

    /// Rolls the transaction back.
    fn roll_back(&mut self) -> BoxFuture<'_, Result<(), DbErr>>;

    /// Queues a rollback before the next statement, if a transaction was left open.
    fn roll_back_later(&mut self);

    /// Checks that the database responds.
    fn ping(&mut self) -> BoxFuture<'_, Result<(), DbErr>>;

    /// Closes the connection instead of returning it to sqlx.
    fn close(self: Box<Self>);
}

impl<D: Database> DriverConnection for PoolConnection<D>
where
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
    SqlxValues: IntoArguments<D>,
    QueryResult: From<D::Row>,
    ExecResult: From<D::QueryResult>,
{
    fn query(&mut self, statement: Statement) -> BoxFuture<'_, Result<Vec<QueryResult>, DbErr>> {
        let query = sqlx::query_with(AssertSqlSafe(statement.sql), values(statement.values));
        let rows = Executor::fetch(&mut **self, query);
        rows.map_ok(QueryResult::from)
            .map_err(query_error)
            .try_collect()
            .boxed()
    }

    fn execute(&mut self, statement: Statement) -> BoxFuture<'_, Result<ExecResult, DbErr>> {
        let query = sqlx::query_with(AssertSqlSafe(statement.sql), values(statement.values));
        let done = Executor::execute(&mut **self, query);
        done.map_ok(ExecResult::from)
            .map_err(execution_error)
            .boxed()
    }

    fn execute_unprepared(&mut self, sql: &str) -> BoxFuture<'_, Result<ExecResult, DbErr>> {
        let done = Executor::execute(&mut **self, sqlx::raw_sql(AssertSqlSafe(sql)));
        done.map_ok(ExecResult::from)
            .map_err(execution_error)
            .boxed()
    }

    fn begin(&mut self) -> BoxFuture<'_, Result<(), DbErr>> {
        let statement = (D::NAME == Sqlite::NAME).then(|| "BEGIN IMMEDIATE".into_sql_str());
        let begun = D::TransactionManager::begin(self, statement);
        begun.map_err(execution_error).boxed()
    }

    fn commit(&mut self) -> BoxFuture<'_, Result<(), DbErr>> {
        let committed = D::TransactionManager::commit(self);
        committed.map_err(execution_error).boxed()
    }

    fn roll_back(&mut self) -> BoxFuture<'_, Result<(), DbErr>> {
        let rolled_back = D::TransactionManager::rollback(self);
        rolled_back.map_err(execution_error).boxed()
    }

    fn roll_back_later(&mut self) {
        if D::TransactionManager::get_transaction_depth(self) > 0 {
            D::TransactionManager::start_rollback(self);
        }
    }

    fn ping(&mut self) -> BoxFuture<'_, Result<(), DbErr>> {
        ping(&mut **self).map_err(query_error).boxed()
    }

    fn close(mut self: Box<Self>) {
        self.close_on_drop();
    }
}

fn values(values: Option<Values>) -> SqlxValues {
    SqlxValues(values.unwrap_or(Values(Vec::new())))
}

fn execution_error(error: sqlx::Error) -> DbErr {
    DbErr::Exec(RuntimeErr::SqlxError(error.into()))
}
