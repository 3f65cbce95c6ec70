//! An open database: its connection pools, settings and error counters.

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use sea_orm::{DatabaseConnection, DbBackend, DbErr, EntityTrait};

use crate::application::Application;
use crate::batcher::{BatchError, BatchedQuery, Batcher, BatcherLimits};
use crate::connection_pool::ConnectionPool;
use crate::database_url::DatabaseUrl;
use crate::error::{DriverError, Error};
use crate::inserter::Inserter;
use crate::pools::Pools;
use crate::reader::Reader;
use crate::settings::DatabaseSettings;
use crate::stats::{DatabaseStats, ErrorCounters};
use crate::writer::{Change, Writer};

/// An open database. Clones share its connection pools.
#[derive(Clone)]
pub struct Database {
    pub(crate) application: Application,
    pub(crate) settings: DatabaseSettings,
    pub(crate) pools: Pools,
    errors: ErrorCounters,
}

impl Database {
    /// Opens the database and retries until `connect_timeout` while the server is starting up. Creates
    /// a missing SQLite file. Changes no table.
    pub fn connect(
        application: Application,
        settings: &DatabaseSettings,
    ) -> BoxFuture<'_, Result<Self, Error>> {
        Box::pin(async move {
            let pools = Pools::open(application, settings)
                .await
                .map_err(|source| Error::from_connect(settings.url.to_string(), source))?;
            let mut settings = settings.clone();
            if pools.is_mariadb {
                settings.url = settings.url.of_mariadb();
            }
            Ok(Self {
                application,
                settings,
                pools,
                errors: ErrorCounters::default(),
            })
        })
    }

    /// Opens a new in-memory database that is dropped with its last clone.
    pub async fn in_memory(application: Application) -> Self {
        let url = DatabaseUrl::parse("sqlite::memory:").expect("the URL has a supported form");
        let settings = DatabaseSettings {
            pool_size: 1,
            statements: 1,
            ..DatabaseSettings::new(url)
        };
        let database = Self::connect(application, &settings).await;
        database.expect("an in-memory database needs no file and no server")
    }

    /// The settings it was opened with.
    pub fn settings(&self) -> &DatabaseSettings {
        &self.settings
    }

    /// The SeaORM pool for statements that write.
    pub fn write_connection(&self) -> &DatabaseConnection {
        &self.pools.writer.db
    }

    /// Runs read-only statements.
    pub fn reader(&self) -> Reader {
        Reader {
            pool: Arc::clone(&self.pools.reader),
        }
    }

    /// Runs the inserts of batched queries.
    pub fn inserter<E: EntityTrait<ActiveModel: Sync>>(&self) -> Inserter<E> {
        Inserter::new(Arc::clone(&self.pools.writer), self.pools.ids)
    }

    /// A batcher of at most `batch_size` requests for a query with a [`Reader`].
    pub fn read_batcher<Q: BatchedQuery>(
        &self,
        query: impl FnOnce(Reader) -> Q,
        batch_size: usize,
    ) -> Arc<Batcher<Q>> {
        let in_flight = self.settings.statements as usize;
        self.batcher(
            &self.pools.reader,
            query(self.reader()),
            in_flight,
            batch_size,
        )
    }

    /// A batcher of at most `batch_size` requests for a query with an [`Inserter`]. It runs half as many statements as
    /// one that reads, because the next batch grows during the commit.
    pub fn insert_batcher<Q: BatchedQuery>(&self, query: Q, batch_size: usize) -> Arc<Batcher<Q>> {
        let in_flight = (self.settings.statements as usize).div_ceil(2);
        self.batcher(&self.pools.writer, query, in_flight, batch_size)
    }

    /// A batcher for changes. All of them together use half of the connections, so that transactions that wait for a
    /// lock leave the others to statements. Several changes share a transaction only on SQLite, which has no locks of
    /// rows: elsewhere all would wait for a row that another session has locked.
    pub fn change_batcher<C: Change>(&self) -> Arc<Batcher<Writer<C>>> {
        let pool = &self.pools.writer;
        let in_flight = pool.max_changes;
        let batch_size = match pool.backend() {
            DbBackend::Sqlite => Writer::<C>::MAX_BATCH,
            _ => 1,
        };
        let writer = Writer::new(Arc::clone(pool));
        self.batcher(pool, writer, in_flight, batch_size)
    }

    fn batcher<Q: BatchedQuery>(
        &self,
        pool: &ConnectionPool,
        query: Q,
        in_flight: usize,
        batch_size: usize,
    ) -> Arc<Batcher<Q>> {
        let limits = BatcherLimits {
            in_flight,
            batch_size,
            queue_size: self.settings.queue_limit as usize,
        };
        let batcher = Batcher::new(query, limits);
        pool.queues.add(&batcher);
        batcher
    }

    /// The result of a batched read.
    pub async fn read<Q, T>(
        &self,
        batcher: &Arc<Batcher<Q>>,
        request: Q::Request,
    ) -> Result<T, Error>
    where
        Q: BatchedQuery<Output = Result<T, Error>>,
    {
        self.submit(batcher, request, Error::Unexpected).await
    }

    /// The result of a batched write, whose outcome is unknown if its batch panics.
    pub async fn write<Q, T>(
        &self,
        batcher: &Arc<Batcher<Q>>,
        request: Q::Request,
    ) -> Result<T, Error>
    where
        Q: BatchedQuery<Output = Result<T, Error>>,
    {
        self.submit(batcher, request, Error::OutcomeUnknown).await
    }

    async fn submit<Q, T>(
        &self,
        batcher: &Arc<Batcher<Q>>,
        request: Q::Request,
        panicked: fn(DriverError) -> Error,
    ) -> Result<T, Error>
    where
        Q: BatchedQuery<Output = Result<T, Error>>,
    {
        let result = batcher.submit(request).await;
        let result = result.unwrap_or_else(|batch_error| match batch_error {
            BatchError::QueueFull => Err(Error::Busy {
                waiting: self.settings.queue_limit,
            }),
            BatchError::Panicked => {
                let message = "the batch of the request panicked".to_owned();
                Err(panicked(DbErr::Custom(message).into()))
            }
        });
        result.inspect_err(|error| self.errors.record(error))
    }

    /// Checks that the database responds.
    pub fn ping(&self) -> BoxFuture<'_, Result<(), Error>> {
        let pool = &self.pools.reader;
        Box::pin(pool.with_timeout(pool.ping()))
    }

    /// Connection pool statistics and error counters.
    pub fn stats(&self) -> DatabaseStats {
        self.errors.stats(&self.pools)
    }

    /// Waits for the statements in flight and closes every connection.
    pub fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.pools.close())
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Database({})", self.settings.url)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sea_orm::{ConnectionTrait, Statement};
    use tokio::time::timeout;

    use super::*;

    /// Slow enough to exceed the timeout of the test, fast enough to wait for.
    const SLOW: &str = "WITH RECURSIVE number(n) AS \
         (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 2000000) SELECT count(*) FROM number";

    #[tokio::test]
    async fn a_database_in_memory_survives_a_timeout() {
        let url = DatabaseUrl::parse("sqlite::memory:").expect("the URL has a supported form");
        let settings = DatabaseSettings {
            pool_size: 1,
            timeout: Duration::from_mins(1),
            ..DatabaseSettings::new(url)
        };
        let database = Database::connect(Application::BOOKSHOP, &settings).await;
        let database = database.expect("it needs no file");
        let pool = &database.pools.reader;
        let fetch = async |sql: &str| {
            let connection = pool.acquire().await?;
            let query = Statement::from_string(DbBackend::Sqlite, sql);
            let row = connection.query_one_raw(query).await;
            let row = connection.release(row)?;
            row.expect("a count has a row").try_get_by_index::<i64>(0)
        };
        let created = database
            .write_connection()
            .execute_unprepared("CREATE TABLE book (id INTEGER)");
        created.await.expect("the database is empty");
        let result = timeout(Duration::from_millis(1), fetch(SLOW)).await;
        assert!(result.is_err(), "no timeout: {result:?}");
        let count = fetch("SELECT count(*) FROM book").await;
        assert_eq!(count.expect("the table is kept"), 0);
    }
}
