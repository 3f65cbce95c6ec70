//! The connection pools of a database.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::sqlx::ConnectOptions;
use sea_orm::sqlx::sqlite::SqliteConnectOptions;
use sea_orm::{DatabaseConnection, DbErr};
use tokio::time::timeout;

use crate::application::Application;
use crate::connect::{self, durable};
use crate::connect_with_retry::connect_with_retry;
use crate::connection_health::ConnectionHealth;
use crate::connection_pool::ConnectionPool;
use crate::connection_pool::ReleasePolicy::{KeepIdle, ReturnToPool};
use crate::database_url::Target;
use crate::error::connection_error;
use crate::ids::IdStrategy;
use crate::server_version::ServerVersion;
use crate::settings::DatabaseSettings;

/// Connections in addition to those of batched queries: for migrations and other statements.
const EXTRA_CONNECTIONS: u32 = 2;

/// The timeout of the first connection, after which a connection outside of the pool reports the cause.
const FIRST_CONNECTION_TIMEOUT: Duration = Duration::from_millis(500);

/// The connection pools of a database.
#[derive(Clone)]
pub(crate) struct Pools {
    /// For read-only statements.
    pub(crate) reader: Arc<ConnectionPool>,
    /// For statements that write; the same pool as `reader`, except for a SQLite file.
    pub(crate) writer: Arc<ConnectionPool>,
    /// How generated ids are read.
    pub(crate) ids: IdStrategy,
    /// Whether the server is MariaDB.
    pub(crate) is_mariadb: bool,
}

impl Pools {
    /// Connects with retries and opens the pools.
    pub(crate) async fn open(
        application: Application,
        settings: &DatabaseSettings,
    ) -> Result<Self, DbErr> {
        match &settings.url.0 {
            Target::SqliteFile(options) => Self::sqlite_file(options, settings).await,
            Target::SqliteMemory(options) => {
                let db = connect::sqlite(options.clone(), settings, 1);
                let health = ConnectionHealth::default();
                let pool = ConnectionPool::new(db, 1, settings.timeout, ReturnToPool, health);
                Ok(Self::shared(pool))
            }
            Target::Postgres(server) => {
                let server = connect::named(server, application);
                let timeout = Some(settings.timeout);
                let open = |size, health: &_| {
                    connect::postgres(server.clone(), settings, size, timeout, health)
                };
                Self::server(&server, settings, open).await
            }
            Target::MySql(server, _) => {
                let timeout = Some(settings.timeout);
                let open = |size, health: &_| {
                    connect::mysql(server.clone(), settings, size, timeout, health)
                };
                let mut pools = Self::server(server, settings, open).await?;
                let session = pools.writer.db.get_mysql_connection_pool().acquire();
                let mut session = session.await.map_err(connection_error)?;
                let version = ServerVersion::read(&mut session).await?;
                pools.ids = IdStrategy::of_mysql(&version, &mut session).await?;
                pools.is_mariadb = version.is_mariadb;
                Ok(pools)
            }
        }
    }

    async fn sqlite_file(
        options: &SqliteConnectOptions,
        settings: &DatabaseSettings,
    ) -> Result<Self, DbErr> {
        let write_options = durable(options, settings);
        // Only the first connection creates a missing file.
        let read_options = options.clone().create_if_missing(false);
        let read_options = read_options.busy_timeout(settings.timeout);
        let read_options = read_options.pragma("query_only", "ON");
        let size = settings.pool_size.max(1);
        let health = ConnectionHealth::default();
        let pool = |options, size| {
            let db = connect::sqlite(options, settings, size + EXTRA_CONNECTIONS);
            ConnectionPool::new(db, size, settings.timeout, KeepIdle, health.clone())
        };
        // One connection writes: SQLite locks the file, so a second writer would only wait.
        let writer = pool(write_options.clone(), 1);
        first_connection(&writer, &write_options, settings).await?;
        let existing = write_options.create_if_missing(false);
        let sqlite = writer.db.get_sqlite_connection_pool();
        sqlite.set_connect_options(existing);
        Ok(Self {
            reader: Arc::new(pool(read_options, size)),
            ..Self::shared(writer)
        })
    }

    /// Opens the pool of a server.
    async fn server<O: ConnectOptions<Connection: Sized>>(
        server: &O,
        settings: &DatabaseSettings,
        open: impl FnOnce(u32, &ConnectionHealth) -> DatabaseConnection,
    ) -> Result<Self, DbErr> {
        let health = ConnectionHealth::default();
        let size = settings.pool_size.max(1);
        let db = open(size + EXTRA_CONNECTIONS, &health);
        let pool = ConnectionPool::new(db, size, settings.timeout, KeepIdle, health);
        first_connection(&pool, server, settings).await?;
        Ok(Self::shared(pool))
    }

    pub(crate) async fn close(&self) {
        self.reader.close().await;
        self.writer.close().await;
        // The writer is closed last: the last connection of a SQLite file merges the WAL into it, which
        // a reader cannot. Closing a pool never fails; only SeaORM's interface has an error.
        let _ = self.reader.db.close_by_ref().await;
        let _ = self.writer.db.close_by_ref().await;
    }

    fn shared(pool: ConnectionPool) -> Self {
        let pool = Arc::new(pool);
        Self {
            reader: Arc::clone(&pool),
            writer: pool,
            ids: IdStrategy::Returning,
            is_mariadb: false,
        }
    }
}

/// Opens a connection. If that fails, connects outside of the pool, because a pool of sqlx retries a refused connection
/// without reporting the cause, and then opens one again.
async fn first_connection<O: ConnectOptions<Connection: Sized>>(
    pool: &ConnectionPool,
    server: &O,
    settings: &DatabaseSettings,
) -> Result<(), DbErr> {
    if let Ok(Ok(())) = timeout(FIRST_CONNECTION_TIMEOUT, pool.open_connection()).await {
        return Ok(());
    }
    connect_with_retry(settings, server).await?;
    let opened = pool.open_connection().await;
    opened.map_err(|timed_out| pool.health.set_up_error().unwrap_or(timed_out))
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
        assert_eq!(pools.writer.idle(), 1, "the first statement needs no other");
        let pragma = async |db, name: &str| {
            value(
                db,
                &format!("SELECT CAST({name} AS TEXT) FROM pragma_{name}"),
            )
            .await
        };
        for db in [&pools.writer.db, &pools.reader.db] {
            assert_eq!(pragma(db, "journal_mode").await, "wal");
            let timeout = "SELECT CAST(timeout AS TEXT) FROM pragma_busy_timeout";
            assert_eq!(value(db, timeout).await, "7000");
        }
        assert_eq!(
            pragma(&pools.writer.db, "synchronous").await,
            "2",
            "2 is FULL"
        );
        let written = pools
            .reader
            .db
            .execute_unprepared("CREATE TABLE t (x)")
            .await;
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
            .db
            .execute_unprepared("CREATE TABLE t (x)")
            .await
            .expect("it is new");
        assert_eq!(
            value(&pools.reader.db, "SELECT CAST(count(*) AS TEXT) FROM t").await,
            "0"
        );
        assert_eq!(
            pools
                .reader
                .db
                .get_sqlite_connection_pool()
                .options()
                .get_max_connections(),
            1
        );
    }
}
