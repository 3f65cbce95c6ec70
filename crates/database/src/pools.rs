//! The connection pools of a database.

use std::slice;
use std::sync::Arc;
use std::time::Duration;

use sea_orm::sqlx::mysql::MySqlConnectOptions;
use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::sqlite::SqliteConnectOptions;
use sea_orm::{DatabaseConnection, DbErr};
use tokio::time::timeout;

use crate::connect::{self, durable};
use crate::connect_with_retry::connect_with_retry;
use crate::connection_health::ConnectionHealth;
use crate::connection_pool::ReleasePolicy::{KeepIdle, ReturnToPool};
use crate::connection_pool::{ConnectionPool, PooledConnection};
use crate::database::Application;
use crate::failover::{Task, spawn_failover};
use crate::hosts::Host;
use crate::identity::Primary;
use crate::inserter::IdStrategy;
use crate::password;
use crate::settings::DatabaseSettings;
use crate::target::Target;

/// Connections in addition to those of batched queries: for migrations and other statements.
const EXTRA_CONNECTIONS: u32 = 2;

/// The timeout of the first connection, after which a connection outside of the pool reports the cause.
const FIRST_CONNECTION_TIMEOUT: Duration = Duration::from_millis(500);

/// The connection pools of a database.
#[derive(Clone)]
pub(crate) struct Pools {
    /// For read-only statements.
    pub(crate) reader: DatabaseConnection,
    /// For statements that write; the same pool as `reader`, except for a SQLite file.
    pub(crate) writer: DatabaseConnection,
    /// The connections of `reader` for batched queries.
    pub(crate) read_pool: Arc<ConnectionPool>,
    /// The connections of `writer` for batched queries.
    pub(crate) write_pool: Arc<ConnectionPool>,
    /// How generated ids are read.
    pub(crate) ids: IdStrategy,
    /// Receives every connection error.
    pub(crate) health: ConnectionHealth,
    /// The identity of the primary, on PostgreSQL.
    pub(crate) primary: Primary,
    /// Follows the primary, if there are several servers.
    _failover: Option<Task>,
}

impl Pools {
    /// Connects with retries and opens the pools.
    pub(crate) async fn open(
        application: Application,
        settings: &DatabaseSettings,
    ) -> Result<Self, DbErr> {
        let primary = Primary::new(application.table);
        match &settings.url.0 {
            Target::SqliteFile(options) => Self::sqlite_file(options, settings, primary).await,
            Target::SqliteMemory(options) => {
                let pool = connect::sqlite(options.clone(), settings, 1).await?;
                let pool = ConnectionPool::new(
                    pool,
                    1,
                    settings.timeout,
                    ReturnToPool,
                    ConnectionHealth::default(),
                );
                Ok(Self::shared(pool, IdStrategy::Returning, primary))
            }
            Target::Postgres(hosts) => {
                let hosts = connect::named(hosts, application);
                Self::postgres(&hosts, settings, primary).await
            }
            Target::MySql(hosts) => Self::mysql(hosts, settings, primary).await,
        }
    }

    async fn sqlite_file(
        options: &SqliteConnectOptions,
        settings: &DatabaseSettings,
        primary: Primary,
    ) -> Result<Self, DbErr> {
        let write_options = durable(options, settings);
        let read_options = options.clone().busy_timeout(settings.timeout);
        let read_options = read_options.pragma("query_only", "ON");
        let size = settings.pool_size.max(1);
        let writer =
            connect::sqlite(write_options.clone(), settings, 1 + EXTRA_CONNECTIONS).await?;
        let reader = connect::sqlite(read_options, settings, size + EXTRA_CONNECTIONS).await?;
        let connected = timeout(FIRST_CONNECTION_TIMEOUT, writer.ping()).await;
        if !matches!(connected, Ok(Ok(()))) {
            connect_with_retry(settings, slice::from_ref(&write_options), &primary).await?;
        }
        let health = ConnectionHealth::default();
        // One connection writes: SQLite locks the file, so a second writer would only wait.
        let write_pool = ConnectionPool::new(
            writer.clone(),
            1,
            settings.timeout,
            KeepIdle,
            health.clone(),
        );
        let read_pool = ConnectionPool::new(
            reader.clone(),
            size,
            settings.timeout,
            KeepIdle,
            health.clone(),
        );
        Ok(Self {
            reader,
            writer,
            read_pool: Arc::new(read_pool),
            write_pool: Arc::new(write_pool),
            ids: IdStrategy::Returning,
            health,
            primary,
            _failover: None,
        })
    }

    async fn postgres(
        hosts: &[PgConnectOptions],
        settings: &DatabaseSettings,
        primary: Primary,
    ) -> Result<Self, DbErr> {
        let index = first_host(hosts, settings, &primary).await?;
        let health = ConnectionHealth::default();
        let size = settings.pool_size.max(1);
        let total = size + EXTRA_CONNECTIONS;
        let pool = connect::postgres_primary(hosts, index, settings, total, &primary, &health);
        let pool = ConnectionPool::new(
            pool.await?,
            size,
            settings.timeout,
            KeepIdle,
            health.clone(),
        );
        let failover = spawn_failover(hosts, index, &pool.db, &health, &primary);
        let connection = first_connection(&pool, hosts, settings, &primary).await?;
        connection.release(Ok(()))?;
        Ok(Self {
            _failover: Some(failover),
            ..Self::shared(pool, IdStrategy::Returning, primary)
        })
    }

    async fn mysql(
        hosts: &[MySqlConnectOptions],
        settings: &DatabaseSettings,
        primary: Primary,
    ) -> Result<Self, DbErr> {
        let index = first_host(hosts, settings, &primary).await?;
        let health = ConnectionHealth::default();
        let size = settings.pool_size.max(1);
        let total = size + EXTRA_CONNECTIONS;
        let pool = connect::mysql_primary(&hosts[index], settings, total, &health);
        let pool = ConnectionPool::new(
            pool.await?,
            size,
            settings.timeout,
            KeepIdle,
            health.clone(),
        );
        let failover = spawn_failover(hosts, index, &pool.db, &health, &primary);
        let mut connection = first_connection(&pool, hosts, settings, &primary).await?;
        let session = connection.mysql()?;
        password::check(session, &hosts[index]).await?;
        let ids = IdStrategy::detect_mysql(session).await?;
        connection.release(Ok(()))?;
        Ok(Self {
            _failover: Some(failover),
            ..Self::shared(pool, ids, primary)
        })
    }

    pub(crate) async fn close(&self) {
        self.read_pool.close().await;
        self.write_pool.close().await;
        // The writer is closed last: the last connection of a SQLite file merges the WAL into it, which
        // a reader cannot. Closing a pool never fails; only SeaORM's interface has an error.
        let _ = self.reader.close_by_ref().await;
        let _ = self.writer.close_by_ref().await;
    }

    fn shared(pool: ConnectionPool, ids: IdStrategy, primary: Primary) -> Self {
        let pool = Arc::new(pool);
        Self {
            reader: pool.db.clone(),
            writer: pool.db.clone(),
            health: pool.health.clone(),
            read_pool: Arc::clone(&pool),
            write_pool: pool,
            ids,
            primary,
            _failover: None,
        }
    }
}

/// The index of the host that accepts writes; a single host is not probed.
async fn first_host<H: Host>(
    hosts: &[H],
    settings: &DatabaseSettings,
    primary: &Primary,
) -> Result<usize, DbErr> {
    match hosts {
        [_] => Ok(0),
        _ => connect_with_retry(settings, hosts, primary).await,
    }
}

/// Acquires a connection. If that fails, connects outside of the pool, because a pool of sqlx retries a refused
/// connection without reporting the cause.
async fn first_connection<'p, H: Host>(
    pool: &'p ConnectionPool,
    hosts: &[H],
    settings: &DatabaseSettings,
    primary: &Primary,
) -> Result<PooledConnection<'p>, DbErr> {
    if let Ok(Ok(connection)) = timeout(FIRST_CONNECTION_TIMEOUT, pool.acquire()).await {
        return Ok(connection);
    }
    connect_with_retry(settings, hosts, primary).await?;
    pool.acquire().await
}

#[cfg(test)]
mod tests {
    use sea_orm::{ConnectionTrait, Statement};

    use super::*;
    use crate::DatabaseUrl;

    fn settings(url: &str) -> DatabaseSettings {
        DatabaseSettings {
            timeout: Duration::from_secs(7),
            ..DatabaseSettings::new(DatabaseUrl::parse(url).expect("the URL is right"))
        }
    }

    async fn pools(url: &str) -> Pools {
        Pools::open(Application::BOOKSHOP, &settings(url))
            .await
            .expect("a file can be opened")
    }

    async fn value(db: &DatabaseConnection, query: &str) -> String {
        let statement = Statement::from_string(db.get_database_backend(), query);
        let row = db
            .query_one_raw(statement)
            .await
            .expect("the query is valid")
            .expect("it has a row");
        row.try_get_by_index(0).expect("it is a text")
    }

    #[tokio::test]
    async fn opens_a_sqlite_file_with_durable_writes() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let url = format!("sqlite:{}", folder.path().join("new.db").display());
        let pools = pools(&url).await;
        let pragma = async |db, name: &str| {
            value(
                db,
                &format!("SELECT CAST({name} AS TEXT) FROM pragma_{name}"),
            )
            .await
        };
        for db in [&pools.writer, &pools.reader] {
            assert_eq!(pragma(db, "journal_mode").await, "wal");
            let timeout = "SELECT CAST(timeout AS TEXT) FROM pragma_busy_timeout";
            assert_eq!(value(db, timeout).await, "7000");
        }
        assert_eq!(pragma(&pools.writer, "synchronous").await, "2", "2 is FULL");
        let written = pools.reader.execute_unprepared("CREATE TABLE t (x)").await;
        assert!(written.is_err(), "a reader cannot write");
        pools.close().await;
        assert!(
            !folder.path().join("new.db-wal").exists(),
            "the WAL is merged into the file"
        );
    }

    #[tokio::test]
    async fn opens_an_in_memory_database_with_a_single_connection() {
        let pools = pools("sqlite::memory:").await;
        pools
            .writer
            .execute_unprepared("CREATE TABLE t (x)")
            .await
            .expect("it is new");
        assert_eq!(
            value(&pools.reader, "SELECT CAST(count(*) AS TEXT) FROM t").await,
            "0"
        );
        assert_eq!(
            pools
                .reader
                .get_sqlite_connection_pool()
                .options()
                .get_max_connections(),
            1
        );
    }
}
