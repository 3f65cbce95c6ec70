//! Runs the transactions of batched queries that change rows.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::{
    DbBackend, DbErr, EntityTrait, Iterable, QuerySelect, QueryTrait, Select, Statement,
    UpdateMany, Values,
};
use tokio::time::timeout;

use crate::connection_pool::{ConnectionPool, PooledConnection};
use crate::error::{Error, timeout_error};
use crate::inserter::returning;
use crate::retry::retry_rolled_back;
use crate::row::FromRow;

/// Runs short transactions on the connections that write.
pub struct Writer {
    pool: Arc<ConnectionPool>,
    query_timeout: Duration,
}

/// A transaction on a pooled connection. Dropping it rolls it back.
pub struct WriteTransaction<'a> {
    connection: PooledConnection<'a>,
    writer: &'a Writer,
}

impl Writer {
    pub(crate) fn new(pool: Arc<ConnectionPool>, query_timeout: Duration) -> Self {
        Self {
            pool,
            query_timeout,
        }
    }

    /// Runs a transaction, and again until the query timeout if it was rolled back because of a conflict,
    /// or because its connection was lost before the commit was sent. Each attempt has to begin a
    /// transaction and end it.
    pub async fn run<T, A>(&self, attempt: impl FnMut() -> A) -> Result<T, Error>
    where
        A: Future<Output = Result<T, Error>>,
    {
        retry_rolled_back(self.query_timeout, attempt).await
    }

    /// Begins a transaction.
    pub async fn begin(&self) -> Result<WriteTransaction<'_>, Error> {
        let begun = self.with_timeout(async {
            let mut connection = self
                .pool
                .health
                .abort_on_failover(self.pool.acquire())
                .await?;
            connection.begin().await?;
            Ok(connection)
        });
        Ok(WriteTransaction {
            connection: begun.await?,
            writer: self,
        })
    }

    /// The result of a statement before the commit, whose failure stores nothing.
    async fn with_timeout<T>(
        &self,
        statement: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, Error> {
        match timeout(self.query_timeout, statement).await {
            Ok(result) => {
                let result = self.pool.health.record_error(result);
                result.map_err(Error::classify)
            }
            Err(_) => Err(Error::Unavailable(timeout_error(self.query_timeout))),
        }
    }
}

impl WriteTransaction<'_> {
    /// The row of a query for at most one. Locks it until the end of the transaction.
    pub async fn lock_row<E: EntityTrait, R: FromRow>(
        &mut self,
        query: Select<E>,
    ) -> Result<Option<R>, Error> {
        match self.writer.pool.backend() {
            // The transaction has the write lock of the file.
            DbBackend::Sqlite => self.row(query).await,
            _ => self.row(query.lock_exclusive()).await,
        }
    }

    /// The row of a query for at most one, with what this transaction and triggers have changed.
    async fn row<E: EntityTrait, R: FromRow>(
        &mut self,
        query: Select<E>,
    ) -> Result<Option<R>, Error> {
        let (sql, values) = self.build(&query);
        let rows = self.connection.rows(&sql, values);
        Ok(self.writer.with_timeout(rows).await?.pop())
    }

    /// Runs a statement that has to change exactly one row. If it finds none, another transaction has changed the row
    /// in spite of its lock, and the transaction is repeated.
    pub async fn change_row(&mut self, statement: &impl QueryTrait) -> Result<(), Error> {
        let (sql, values) = self.build(statement);
        let changed = self.connection.execute(&sql, values);
        one_row(self.writer.with_timeout(changed).await?.rows_affected())
    }

    /// Runs an update like [`change_row`](Self::change_row), and returns the row as stored, which `find` selects. PostgreSQL
    /// returns it, which saves a round trip, unless triggers may have changed it since. Others are read: MySQL and MariaDB
    /// cannot return it, and SQLite, without round trips, is slower when it looks for triggers.
    pub async fn update_row<E: EntityTrait, R: FromRow>(
        &mut self,
        update: &UpdateMany<E>,
        find: Select<E>,
    ) -> Result<R, Error> {
        if self.writer.pool.backend() == DbBackend::Postgres {
            let (sql, values) = self.build(update);
            let sql = sql + &returning::<E>(DbBackend::Postgres);
            let columns = E::Column::iter().count();
            let updated = self.connection.rows_returned(&sql, values, columns);
            let (mut rows, has_triggers) = self.writer.with_timeout(updated).await?;
            one_row(rows.len() as u64)?;
            if let (Some(row), false) = (rows.pop(), has_triggers) {
                return Ok(row);
            }
        } else {
            self.change_row(update).await?;
        }
        let removed = || DbErr::RecordNotFound("the updated row cannot be read back".to_owned());
        let stored = self.row(find).await?;
        stored.ok_or_else(|| Error::Unexpected(removed().into()))
    }

    /// Commits. The outcome is unknown if the result is lost, or if a failover has happened since the
    /// connection was acquired, because the new server may lack the commit.
    pub async fn commit(mut self) -> Result<(), Error> {
        // The database aborts a commit after the query timeout, unless it does not respond at all.
        let commit_timeout = self.writer.query_timeout * 2;
        match timeout(commit_timeout, self.connection.commit()).await {
            Ok(Ok(())) => {
                let committed = self.connection.release(Ok(()));
                committed.map_err(|error| Error::OutcomeUnknown(error.into()))
            }
            // The connection is not released: the transaction may still be open.
            Ok(error) => {
                let error = self.writer.pool.health.record_error(error);
                error.map_err(Error::from_commit)
            }
            Err(_) => Err(Error::OutcomeUnknown(timeout_error(commit_timeout))),
        }
    }

    /// Ends a transaction that has changed nothing, and releases the connection.
    pub async fn roll_back(mut self) -> Result<(), Error> {
        let rolled_back = self.connection.roll_back();
        self.writer.with_timeout(rolled_back).await?;
        let released = self.connection.release(Ok(()));
        released.map_err(Error::classify)
    }
}

/// Whether a statement has changed one row.
fn one_row(changed: u64) -> Result<(), Error> {
    match changed {
        1 => Ok(()),
        0 => Err(Error::Unavailable(DbErr::RecordNotUpdated.into())),
        rows => {
            let message = format!("a statement that must change one row has changed {rows}");
            Err(Error::Unexpected(DbErr::Custom(message).into()))
        }
    }
}

impl WriteTransaction<'_> {
    fn build(&self, statement: &impl QueryTrait) -> (String, Values) {
        let Statement { sql, values, .. } = statement.build(self.writer.pool.backend());
        (sql, values.unwrap_or(Values(Vec::new())))
    }
}
