//! Runs changes of rows that depend on what is stored.

use std::marker::PhantomData;
use std::sync::Arc;

use sea_orm::{
    DbBackend, DbErr, EntityTrait, Iterable, QuerySelect, QueryTrait, Select, Statement,
    UpdateMany, Values,
};
use tokio::time::timeout;

use crate::batcher::{BatchedQuery, Observer};
use crate::connection_pool::{ConnectionPool, PooledConnection};
use crate::error::{Error, timeout_error};
use crate::inserter::returning;
use crate::reader::fan_out_error;
use crate::retry::retry_rolled_back;
use crate::row::FromRow;

/// A change of rows that depends on what is stored.
pub trait Change: Send + Sync + 'static {
    /// The result.
    type Output: Send + 'static;
    /// Observes the changes and their transactions.
    type Observer: Observer;

    /// The name of the change in traces.
    const NAME: &'static str;

    /// Reads and changes rows. Nothing is stored after an error. It is repeated if the transaction is rolled back, and
    /// other changes may precede and follow it in the transaction.
    fn apply(
        &self,
        transaction: &mut WriteTransaction<'_>,
    ) -> impl Future<Output = Result<Self::Output, Error>> + Send;
}

/// Runs changes in short transactions on the connections that write.
pub struct Writer<C> {
    pool: Arc<ConnectionPool>,
    change: PhantomData<fn() -> C>,
}

/// A transaction on a pooled connection. Dropping it rolls it back.
pub struct WriteTransaction<'a> {
    connection: PooledConnection<'a>,
    has_changed: bool,
}

impl<C: Change> BatchedQuery for Writer<C> {
    type Request = C;
    type Output = Result<C::Output, Error>;
    type Observer = C::Observer;

    const NAME: &'static str = C::NAME;

    fn can_batch(_: &C, _: &C) -> bool {
        true
    }

    /// Runs the changes in one transaction, in their order. If one fails, each is run by itself.
    async fn run(&self, changes: Vec<C>) -> Vec<Self::Output> {
        // The semaphore is never closed.
        let _permit = self.pool.change_permits.acquire().await;
        match self.transact(&changes).await {
            Ok(outputs) => outputs.into_iter().map(Ok).collect(),
            Err(Error::Unexpected(_)) if changes.len() > 1 => {
                let mut outputs = Vec::with_capacity(changes.len());
                for change in changes.chunks(1) {
                    let output = self.transact(change).await;
                    outputs.push(output.map(|mut outputs| outputs.swap_remove(0)));
                }
                outputs
            }
            Err(error) => fan_out_error(&error, changes.len()),
        }
    }
}

impl<C: Change> Writer<C> {
    /// The maximum number of changes in a transaction.
    pub(crate) const MAX_BATCH: usize = 64;

    pub(crate) fn new(pool: Arc<ConnectionPool>) -> Self {
        Self {
            pool,
            change: PhantomData,
        }
    }

    /// Runs a transaction, and again until the query timeout if it was rolled back because of a conflict,
    /// or because its connection was lost before the commit was sent.
    async fn transact(&self, changes: &[C]) -> Result<Vec<C::Output>, Error> {
        retry_rolled_back(self.pool.query_timeout, || self.attempt(changes)).await
    }

    async fn attempt(&self, changes: &[C]) -> Result<Vec<C::Output>, Error> {
        let mut transaction = WriteTransaction::begin(&self.pool).await?;
        let mut outputs = Vec::with_capacity(changes.len());
        for change in changes {
            outputs.push(change.apply(&mut transaction).await?);
        }
        transaction.end().await?;
        Ok(outputs)
    }
}

impl<'a> WriteTransaction<'a> {
    async fn begin(pool: &'a ConnectionPool) -> Result<Self, Error> {
        let begun = pool.with_timeout(async {
            let mut connection = pool.health.abort_on_failover(pool.acquire()).await?;
            connection.begin().await?;
            Ok(connection)
        });
        Ok(Self {
            connection: begun.await?,
            has_changed: false,
        })
    }

    /// The row of a query for at most one. Locks it until the end of the transaction.
    pub async fn lock_row<E: EntityTrait, R: FromRow>(
        &mut self,
        query: Select<E>,
    ) -> Result<Option<R>, Error> {
        match self.connection.pool.backend() {
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
        let pool = self.connection.pool;
        let rows = pool.with_timeout(self.connection.rows(&sql, values));
        Ok(rows.await?.pop())
    }

    /// Runs a statement that has to change exactly one row. If it changes none on MySQL, another node of a Galera cluster,
    /// which does not know the lock, has changed the row, and the transaction is repeated.
    pub async fn change_row(&mut self, statement: &impl QueryTrait) -> Result<(), Error> {
        let (sql, values) = self.build(statement);
        let pool = self.connection.pool;
        let changed = pool.with_timeout(self.connection.execute(&sql, values));
        let changed = changed.await?.rows_affected();
        self.expect_one_row(changed)
    }

    /// Runs an update like [`change_row`](Self::change_row), and returns the row as stored, which `find` selects. PostgreSQL
    /// returns it, which saves a round trip, unless triggers may have changed it since. Others are read: MySQL and MariaDB
    /// cannot return it, and SQLite, without round trips, is slower when it looks for triggers.
    pub async fn update_row<E: EntityTrait, R: FromRow>(
        &mut self,
        update: &UpdateMany<E>,
        find: Select<E>,
    ) -> Result<R, Error> {
        let pool = self.connection.pool;
        if pool.backend() == DbBackend::Postgres {
            let (sql, values) = self.build(update);
            let sql = sql + &returning::<E>(DbBackend::Postgres);
            let columns = E::Column::iter().count();
            let updated = self.connection.rows_returned(&sql, values, columns);
            let (mut rows, has_triggers) = pool.with_timeout(updated).await?;
            self.expect_one_row(rows.len() as u64)?;
            if let (Some(row), false) = (rows.pop(), has_triggers) {
                return Ok(row);
            }
        } else {
            self.change_row(update).await?;
        }
        let removed = || DbErr::Custom("the updated row cannot be read back".to_owned());
        let stored = self.row(find).await?;
        stored.ok_or_else(|| Error::Unexpected(removed().into()))
    }

    /// Whether a statement has changed one row.
    fn expect_one_row(&mut self, changed: u64) -> Result<(), Error> {
        self.has_changed = true;
        match changed {
            1 => Ok(()),
            // Elsewhere the lock excludes other transactions, and a trigger has suppressed the change.
            0 if self.connection.pool.backend() == DbBackend::MySql => {
                Err(Error::Unavailable(DbErr::RecordNotUpdated.into()))
            }
            rows => {
                let message = format!("a statement that must change one row has changed {rows}");
                Err(Error::Unexpected(DbErr::Custom(message).into()))
            }
        }
    }

    fn build(&self, statement: &impl QueryTrait) -> (String, Values) {
        let Statement { sql, values, .. } = statement.build(self.connection.pool.backend());
        (sql, values.unwrap_or(Values(Vec::new())))
    }

    /// Commits, unless nothing was changed, and releases the connection. The outcome is unknown if the result of the commit
    /// is lost, or if a failover has happened since the connection was acquired, because the new server may lack the commit.
    async fn end(mut self) -> Result<(), Error> {
        let pool = self.connection.pool;
        if !self.has_changed {
            pool.with_timeout(self.connection.roll_back()).await?;
            let released = self.connection.release(Ok(()));
            return released.map_err(Error::classify);
        }
        // The database aborts a commit after the query timeout, unless it does not respond at all.
        let commit_timeout = pool.query_timeout * 2;
        match timeout(commit_timeout, self.connection.commit()).await {
            Ok(Ok(())) => {
                let committed = self.connection.release(Ok(()));
                committed.map_err(|error| Error::OutcomeUnknown(error.into()))
            }
            // The connection is not released: the transaction may still be open.
            Ok(error) => {
                let error = pool.health.record_error(error);
                error.map_err(Error::from_commit)
            }
            Err(_) => Err(Error::OutcomeUnknown(timeout_error(commit_timeout))),
        }
    }
}
