//! Transactions of many statements: imports and consistent snapshots.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use sea_orm::{
    AccessMode, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait, FromQueryResult,
    IdenStatic, IsolationLevel, Select, SqliteTransactionMode, Statement, TransactionOptions,
    TransactionTrait,
};
use tokio::time::timeout;

use crate::connection_pool::ConnectionPool;
use crate::database::Database;
use crate::error::{Error, timeout_error};
use crate::ids::id_column;
use crate::ids_left;
use crate::retry::retry_rolled_back;

/// A transaction on the primary. Dropping it rolls it back.
pub struct Transaction {
    pool: Arc<ConnectionPool>,
    inner: DatabaseTransaction,
}

impl Database {
    /// Begins a transaction that writes; on SQLite with the write lock from the start, so that its reads
    /// are still valid when it writes.
    pub fn begin_write(&self) -> BoxFuture<'_, Result<Transaction, Error>> {
        Box::pin(async move {
            let mut options = TransactionOptions::default();
            if self.pools.writer.backend() == DbBackend::Sqlite {
                options.sqlite_transaction_mode = Some(SqliteTransactionMode::Immediate);
            }
            Transaction::begin_on(&self.pools.writer, options).await
        })
    }

    /// Begins a read-only transaction whose statements see the state at the first one.
    pub fn begin_snapshot(&self) -> BoxFuture<'_, Result<Transaction, Error>> {
        Box::pin(async move {
            let options = match self.pools.reader.backend() {
                // A reader of SQLite has a snapshot from its first statement on, and cannot write.
                DbBackend::Sqlite => TransactionOptions::default(),
                _ => TransactionOptions {
                    isolation_level: Some(IsolationLevel::RepeatableRead),
                    access_mode: Some(AccessMode::ReadOnly),
                    ..TransactionOptions::default()
                },
            };
            Transaction::begin_on(&self.pools.reader, options).await
        })
    }

    /// Retries a transaction that was rolled back because of a conflict or a lost connection, until the query timeout. Each
    /// attempt has to begin a transaction and end it.
    pub async fn retry_rolled_back<T, A>(&self, attempt: impl FnMut() -> A) -> Result<T, Error>
    where
        A: Future<Output = Result<T, Error>>,
    {
        retry_rolled_back(self.settings.timeout, attempt).await
    }
}

impl Transaction {
    async fn begin_on(
        pool: &Arc<ConnectionPool>,
        options: TransactionOptions,
    ) -> Result<Self, Error> {
        // The pool and the lock of SQLite have timeouts of their own.
        let inner = pool.db.begin_with_options(options).await;
        Ok(Self {
            pool: Arc::clone(pool),
            inner: pool.health.record_error(inner).map_err(Error::classify)?,
        })
    }

    /// Begins a nested transaction.
    pub fn begin(&self) -> BoxFuture<'_, Result<Self, Error>> {
        Box::pin(async move {
            Ok(Self {
                inner: self.pool.with_timeout(self.inner.begin()).await?,
                pool: Arc::clone(&self.pool),
            })
        })
    }

    /// The rows of a query.
    pub async fn rows<E: EntityTrait, R: FromQueryResult + Send + Sync>(
        &self,
        query: Select<E>,
    ) -> Result<Vec<R>, Error> {
        let rows = query.into_model();
        self.pool.with_timeout(rows.all(&self.inner)).await
    }

    /// Inserts rows with one statement.
    pub async fn insert<E: EntityTrait>(&self, rows: Vec<E::ActiveModel>) -> Result<(), Error> {
        let count = rows.len();
        let insert = E::insert_many(rows).exec_without_returning(&self.inner);
        match self.pool.with_timeout(insert).await {
            Ok(_) => Ok(()),
            // Read in the transaction, which sees the ids of its own rows.
            Err(error) => Err(ids_left::classify::<E>(error, count, &self.inner).await),
        }
    }

    /// Advances the id sequence to at least `highest`, for rows that are inserted with ids. PostgreSQL
    /// does not advance it for explicit ids; the other databases do. Has to precede the insert, so that a
    /// crash cannot separate them.
    pub async fn advance_ids<E: EntityTrait>(&self, highest: i64) -> Result<(), Error> {
        if self.inner.get_database_backend() != DbBackend::Postgres {
            return Ok(());
        }
        let (table, id) = (E::default(), id_column::<E>());
        let (table, id) = (table.table_name(), id.as_str());
        let sequence = format!("pg_get_serial_sequence('\"{table}\"', '{id}')::regclass");
        let is_behind = format!("COALESCE(pg_sequence_last_value({sequence}), 0) < $1");
        let statement = |sql: String| {
            Statement::from_sql_and_values(DbBackend::Postgres, sql, [highest.into()])
        };
        let behind = statement(format!("SELECT 1 WHERE {is_behind}"));
        let pool = &self.pool;
        if pool
            .with_timeout(self.inner.query_one_raw(behind))
            .await?
            .is_some()
        {
            // The lock prevents other inserts between the comparison and `setval`.
            let lock = format!("LOCK TABLE \"{table}\" IN SHARE ROW EXCLUSIVE MODE");
            pool.with_timeout(self.inner.execute_unprepared(&lock))
                .await?;
            let advance = statement(format!("SELECT setval({sequence}, $1) WHERE {is_behind}"));
            pool.with_timeout(self.inner.query_one_raw(advance)).await?;
        }
        Ok(())
    }

    /// Commits. The outcome is unknown if the result is lost.
    pub fn commit(self) -> BoxFuture<'static, Result<(), Error>> {
        Box::pin(async move {
            let Self { pool, inner } = self;
            // The database aborts a statement after the query timeout with a known outcome, unless it does not
            // respond at all.
            let commit_timeout = pool.query_timeout * 3;
            match timeout(commit_timeout, inner.commit()).await {
                Ok(result) => pool.health.record_error(result).map_err(Error::from_commit),
                Err(_) => Err(Error::OutcomeUnknown(timeout_error(commit_timeout).into())),
            }
        })
    }

    /// Rolls back and releases the connection.
    pub fn roll_back(self) -> BoxFuture<'static, Result<(), Error>> {
        Box::pin(async move { self.inner.rollback().await.map_err(Error::classify) })
    }
}
