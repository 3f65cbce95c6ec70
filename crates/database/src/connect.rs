//! Opens the connection pools of sqlx and configures the session of each connection.

use std::time::Duration;

use sea_orm::DatabaseConnection;
use sea_orm::sqlx::mysql::MySqlConnectOptions;
use sea_orm::sqlx::pool::PoolOptions;
use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sea_orm::sqlx::{self, AssertSqlSafe, Executor, MySql, Postgres, Sqlite};

use crate::application::Application;
use crate::connection_health::{ConnectionHealth, ping};
use crate::connection_pool::ConnectionPool;
use crate::database_url::Target;
use crate::galera;
use crate::session;
use crate::settings::DatabaseSettings;

/// The options with the name of the application, unless the URL has one.
pub(crate) fn named(server: &PgConnectOptions, application: Application) -> PgConnectOptions {
    match server.get_application_name() {
        Some(_) => server.clone(),
        None => server.clone().application_name(application.name),
    }
}

/// A pool of one connection for migrations; on SQLite the writer.
pub(crate) fn dedicated(
    settings: &DatabaseSettings,
    writer: &ConnectionPool,
) -> DatabaseConnection {
    let ConnectionPool { db, health, .. } = writer;
    match &settings.url.0 {
        Target::SqliteFile(_) | Target::SqliteMemory(_) => db.clone(),
        // A migration may take long, and the role or the database may have a statement timeout.
        Target::Postgres(_) => {
            let options = db.get_postgres_connection_pool().connect_options();
            postgres((*options).clone(), settings, 1, None, health)
        }
        Target::MySql(..) => {
            let options = db.get_mysql_connection_pool().connect_options();
            mysql((*options).clone(), settings, 1, None, health)
        }
    }
}

/// Options that survive a crash of the system without losing a commit.
pub(crate) fn durable(
    options: &SqliteConnectOptions,
    settings: &DatabaseSettings,
) -> SqliteConnectOptions {
    options
        .clone()
        .busy_timeout(settings.timeout)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
}

pub(crate) fn sqlite(
    options: SqliteConnectOptions,
    settings: &DatabaseSettings,
    size: u32,
) -> DatabaseConnection {
    // Connections to a file do not age, and closing the one of an in-memory database would drop it.
    let pool = pool::<Sqlite>(settings, size)
        .idle_timeout(None)
        .max_lifetime(None);
    pool.connect_lazy_with(options).into()
}

/// Opens the pool of a PostgreSQL server, which aborts statements after the query timeout, or never.
pub(crate) fn postgres(
    options: PgConnectOptions,
    settings: &DatabaseSettings,
    size: u32,
    query_timeout: Option<Duration>,
    health: &ConnectionHealth,
) -> DatabaseConnection {
    let session = session::postgres(query_timeout);
    let (pool, health) = (checked::<Postgres>(settings, size, health), health.clone());
    let pool = pool.after_connect(move |connection, _| {
        let (session, health) = (session.clone(), health.clone());
        Box::pin(async move {
            let set_up = connection.execute(AssertSqlSafe(session)).await;
            health.record_set_up(set_up.map(drop))
        })
    });
    pool.connect_lazy_with(options).into()
}

/// Opens the pool of a MySQL or MariaDB server, which aborts statements after the query timeout, or never.
pub(crate) fn mysql(
    options: MySqlConnectOptions,
    settings: &DatabaseSettings,
    size: u32,
    query_timeout: Option<Duration>,
    health: &ConnectionHealth,
) -> DatabaseConnection {
    let session = session::mysql(query_timeout);
    let (pool, health) = (checked::<MySql>(settings, size, health), health.clone());
    let pool = pool.after_connect(move |connection, _| {
        let (session, health) = (session.clone(), health.clone());
        Box::pin(async move {
            let set_up = async {
                connection.execute(AssertSqlSafe(session)).await?;
                galera::enable_causal_reads(connection).await
            };
            health.record_set_up(set_up.await)
        })
    });
    pool.connect_lazy_with(options).into()
}

/// The options of every pool, which opens connections lazily. SeaORM would record the URL, which has the password, in traces.
fn pool<D: sqlx::Database>(settings: &DatabaseSettings, size: u32) -> PoolOptions<D> {
    PoolOptions::new()
        .max_connections(size)
        .acquire_timeout(settings.timeout)
        .test_before_acquire(false)
}

/// The options of a pool of a server, which rejects stale connections and pings connections with a timeout: the ping of
/// sqlx has none and would hold the permit forever.
fn checked<D: sqlx::Database>(
    settings: &DatabaseSettings,
    size: u32,
    health: &ConnectionHealth,
) -> PoolOptions<D> {
    let health = health.clone();
    let pool = pool(settings, size).before_acquire(move |connection, metadata| {
        let health = health.clone();
        Box::pin(async move { health.before_acquire(connection, metadata).await })
    });
    pool.after_release(|connection, _| Box::pin(async { ping(connection).await.map(|()| true) }))
}
