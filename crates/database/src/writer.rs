//! Runs changes of rows that depend on what is stored.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sea_orm::sea_query::Query;
use sea_orm::{
    ConnectionTrait, DbBackend, DbErr, DeleteMany, EntityTrait, FromQueryResult, Iterable,
    QuerySelect, QueryTrait, Select, UpdateMany,
};
use tokio::time::timeout;

use crate::batcher::{BatchedQuery, Observer};
use crate::connection_pool::{ConnectionPool, PooledConnection};
use crate::error::{Error, fan_out_error, timeout_error};
use crate::inserter::{has_triggers, returning};
use crate::retry::{is_rolled_back, retry_rolled_back};

/// A change of rows that depends on what is stored.
pub trait Change: Send + Sync + 'static {
    /// The result.
    type Output: Send + 'static;
    /// Observes the changes and their transactions.
    type Observer: Observer;

    /// The name of the change in traces.
    const NAME: &'static str;

    /// Reads a row and changes it with one statement, which has to compare a column that every change of the row changes.
    /// Nothing is stored after an error. It is repeated if the transaction is rolled back, and other changes may precede
    /// and follow it in the transaction.
    fn apply(
        &self,
        transaction: &mut WriteTransaction<'_>,
    ) -> impl Future<Output = Result<Self::Output, Error>> + Send;
}

/// Runs changes on the connections that write: in short transactions that lock the row, on PostgreSQL first without one.
pub struct Writer<C> {
    pool: Arc<ConnectionPool>,
    /// Whether the last updated row was in a table of PostgreSQL without triggers.
    has_no_triggers: AtomicBool,
    change: PhantomData<fn() -> C>,
}

/// A transaction on a pooled connection. Dropping it rolls it back.
pub struct WriteTransaction<'a> {
    connection: PooledConnection<'a>,
    has_no_triggers: &'a AtomicBool,
    mode: Mode,
    has_changed: bool,
}

/// How a row is protected from other transactions between reading and changing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// It is locked.
    Locked,
    /// It is not: the statement that changes it finds no row if another transaction has changed it, and commits by itself.
    /// That takes two round trips instead of four.
    Optimistic,
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
            has_no_triggers: AtomicBool::new(false),
            change: PhantomData,
        }
    }

    /// Runs a transaction, and again until the query timeout if it was rolled back because of a conflict,
    /// or because its connection was lost before the commit was sent.
    async fn transact(&self, changes: &[C]) -> Result<Vec<C::Output>, Error> {
        if self.pool.backend() == DbBackend::Postgres {
            match self.attempt(changes, Mode::Optimistic).await {
                Err(error) if is_rolled_back(&error) => {}
                result => return result,
            }
        }
        let attempt = || self.attempt(changes, Mode::Locked);
        retry_rolled_back(self.pool.query_timeout, attempt).await
    }

    async fn attempt(&self, changes: &[C], mode: Mode) -> Result<Vec<C::Output>, Error> {
        let mut transaction =
            WriteTransaction::begin(&self.pool, &self.has_no_triggers, mode).await?;
        let mut outputs = Vec::with_capacity(changes.len());
        for change in changes {
            match change.apply(&mut transaction).await {
                Ok(output) => outputs.push(output),
                Err(error) => return Err(transaction.fail(error)),
            }
        }
        transaction.end().await?;
        Ok(outputs)
    }
}

impl<'a> WriteTransaction<'a> {
    async fn begin(
        pool: &'a ConnectionPool,
        has_no_triggers: &'a AtomicBool,
        mode: Mode,
    ) -> Result<Self, Error> {
        let begun = pool.with_timeout(async {
            let connection = pool.acquire().await?;
            if mode == Mode::Locked {
                connection.begin().await?;
            }
            Ok(connection)
        });
        Ok(Self {
            connection: begun.await?,
            has_no_triggers,
            mode,
            has_changed: false,
        })
    }

    /// The row of a query for at most one, which is not changed by others before this transaction has changed it.
    pub async fn lock_row<E: EntityTrait, R: FromQueryResult + Send + Sync>(
        &mut self,
        query: Select<E>,
    ) -> Result<Option<R>, Error> {
        // On SQLite, the transaction has the write lock of the file.
        let is_locked_by_query =
            self.mode == Mode::Locked && self.connection.pool.backend() != DbBackend::Sqlite;
        let query = if is_locked_by_query {
            query.lock_exclusive()
        } else {
            query
        };
        let rows = query.into_model::<R>();
        let pool = self.connection.pool;
        let rows = pool.with_timeout(rows.all(&self.connection)).await?;
        Ok(rows.into_iter().next())
    }

    /// Deletes the row that was read, and returns it as it was: PostgreSQL returns it, because a row that is not locked can
    /// have been changed since by a program that does not change the column that is compared.
    pub async fn delete_row<E: EntityTrait, R: FromQueryResult>(
        &mut self,
        mut delete: DeleteMany<E>,
        read: R,
    ) -> Result<R, Error> {
        let pool = self.connection.pool;
        if pool.backend() != DbBackend::Postgres {
            self.change_row(&delete).await?;
            return Ok(read);
        }
        let columns = Query::returning().columns(E::Column::iter());
        delete.query().returning(columns);
        let deleted = self.connection.query_all(delete.as_query());
        let rows = change(pool, self.mode, deleted).await?;
        self.expect_one_row(rows.len() as u64)?;
        match rows.first() {
            Some(row) => R::from_query_result(row, "").map_err(|error| self.unreadable(error)),
            None => Ok(read),
        }
    }

    /// Runs a statement that has to change exactly one row. If it changes none without a lock, or on MySQL, where another
    /// node of a Galera cluster does not know the lock, another transaction has changed the row, and this one is repeated.
    async fn change_row(&mut self, statement: &impl QueryTrait) -> Result<(), Error> {
        let pool = self.connection.pool;
        let changed = self.connection.execute_raw(statement.build(pool.backend()));
        let changed = change(pool, self.mode, changed).await?.rows_affected();
        self.expect_one_row(changed)
    }

    /// Updates the row that was read, and returns it as stored, which `find` selects. PostgreSQL returns it, which saves a
    /// round trip, unless triggers may have changed it since: a table with triggers needs a transaction. Others are read:
    /// MySQL and MariaDB cannot return it, and SQLite, without round trips, is slower when it looks for triggers.
    pub async fn update_row<E: EntityTrait, R: FromQueryResult + Send + Sync>(
        &mut self,
        update: &UpdateMany<E>,
        find: Select<E>,
    ) -> Result<R, Error> {
        let pool = self.connection.pool;
        if pool.backend() == DbBackend::Postgres {
            if self.mode == Mode::Optimistic && !self.has_no_triggers.load(Ordering::Relaxed) {
                return Err(changed_by_another());
            }
            let mut update = update.build(DbBackend::Postgres);
            update.sql.push_str(&returning::<E>(DbBackend::Postgres));
            let updated = self.connection.query_all_raw(update);
            let rows = change(pool, self.mode, updated).await?;
            self.expect_one_row(rows.len() as u64)?;
            let has_triggers = has_triggers(&rows).map_err(|error| self.unreadable(error))?;
            self.has_no_triggers.store(!has_triggers, Ordering::Relaxed);
            if let (Some(row), false) = (rows.first(), has_triggers) {
                return R::from_query_result(row, "").map_err(|error| self.unreadable(error));
            }
        } else {
            self.change_row(update).await?;
        }
        let rows = find.into_model::<R>();
        let rows = change(pool, self.mode, rows.all(&self.connection));
        let removed = || DbErr::Custom("the updated row cannot be read back".to_owned()).into();
        rows.await?.pop().ok_or_else(|| match self.mode {
            Mode::Locked => Error::Unexpected(removed()),
            Mode::Optimistic => Error::OutcomeUnknown(removed()),
        })
    }

    /// Whether a statement has changed one row.
    fn expect_one_row(&mut self, changed: u64) -> Result<(), Error> {
        self.has_changed = true;
        match changed {
            1 => Ok(()),
            // Elsewhere the lock excludes other transactions, and a trigger has suppressed the change.
            0 if self.mode == Mode::Optimistic
                || self.connection.pool.backend() == DbBackend::MySql =>
            {
                Err(changed_by_another())
            }
            rows => {
                let message = format!("a statement that must change one row has changed {rows}");
                Err(Error::Unexpected(DbErr::Custom(message).into()))
            }
        }
    }

    /// The error of a row that a change returned.
    fn unreadable(&self, error: DbErr) -> Error {
        match self.mode {
            Mode::Locked => Error::classify(error),
            Mode::Optimistic => Error::from_commit(error),
        }
    }

    /// Commits and releases the connection. The outcome of a change is unknown if the result of the commit is lost.
    async fn end(self) -> Result<(), Error> {
        let pool = self.connection.pool;
        // After an error the connection is not released: the transaction may still be open.
        match (self.mode, self.has_changed) {
            (Mode::Optimistic, _) => {}
            (Mode::Locked, true) => commit(pool, self.connection.commit()).await?,
            (Mode::Locked, false) => pool.with_timeout(self.connection.commit()).await?,
        }
        let released = self.connection.release(Ok(()));
        released.map_err(|error| {
            if self.has_changed {
                Error::OutcomeUnknown(error.into())
            } else {
                Error::classify(error)
            }
        })
    }

    /// Releases the connection after this error of a change, if it is not in a transaction.
    fn fail(self, error: Error) -> Error {
        match &error {
            Error::Unavailable(source)
                if self.mode == Mode::Optimistic && matches!(**source, DbErr::RecordNotUpdated) =>
            {
                self.connection
                    .release(Ok(()))
                    .map_or_else(Error::classify, |()| error)
            }
            _ => error,
        }
    }
}

fn changed_by_another() -> Error {
    Error::Unavailable(DbErr::RecordNotUpdated.into())
}

/// The result of a statement that changes rows, or reads what was changed.
async fn change<T>(
    pool: &ConnectionPool,
    mode: Mode,
    statement: impl Future<Output = Result<T, DbErr>>,
) -> Result<T, Error> {
    match mode {
        Mode::Locked => pool.with_timeout(statement).await,
        Mode::Optimistic => commit(pool, statement).await,
    }
}

/// The result of a commit, or of a statement that commits by itself.
async fn commit<T>(
    pool: &ConnectionPool,
    statement: impl Future<Output = Result<T, DbErr>>,
) -> Result<T, Error> {
    // The database aborts it after the query timeout, unless it does not respond at all.
    let commit_timeout = pool.query_timeout * 2;
    match timeout(commit_timeout, statement).await {
        Ok(result) => {
            let result = pool.health.record_error(result);
            result.map_err(Error::from_commit)
        }
        Err(_) => Err(Error::OutcomeUnknown(timeout_error(commit_timeout).into())),
    }
}
