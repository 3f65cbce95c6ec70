//! Opens the connection pools of SeaORM and configures the session of each connection.

use std::time::Duration;

use sea_orm::sqlx::mysql::MySqlConnectOptions;
use sea_orm::sqlx::pool::PoolOptions;
use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sea_orm::sqlx::{self, AssertSqlSafe, Executor};
use sea_orm::{ConnectOptions, Database, DatabaseConnection, DbErr};

use crate::connection_health::{ConnectionHealth, ping};
use crate::connection_pool::ConnectionPool;
use crate::connection_pool::ReleasePolicy::KeepIdle;
use crate::database::Application;
use crate::galera;
use crate::identity::{Primary, Role};
use crate::pools::Pools;
use crate::settings::DatabaseSettings;
use crate::target::Target;

/// An acknowledged insert must survive a crash of the server, which only `off` does not guarantee.
const POSTGRES_DURABLE: &str = "SELECT set_config('synchronous_commit', 'on', false) \
     WHERE current_setting('synchronous_commit') = 'off'";

/// Fails on a standby: with several servers, the one in use can have become a standby.
const POSTGRES_WRITABLE: &str = "SET transaction_read_only = off";

/// Without a strict mode MySQL truncates long text; without autocommit it would not store an insert.
const MYSQL_DURABLE: &str = "SET SESSION autocommit = 1, \
     sql_mode = CONCAT_WS(',', NULLIF(@@SESSION.sql_mode, ''), 'STRICT_ALL_TABLES')";

/// A prepared statement keeps its plan. By default, PostgreSQL plans a page of a large table for each execution, which
/// takes longer than to read it. `CockroachDB` has other plans.
const POSTGRES_GENERIC_PLANS: &str = "SELECT set_config('plan_cache_mode', 'force_generic_plan', false) \
     WHERE current_setting('plan_cache_mode', true) = 'auto' AND current_setting('crdb_version', true) IS NULL";

/// Keeps plans, and makes the server abort a statement after the query timeout.
fn postgres_statements(query_timeout: Duration) -> String {
    let timeout_ms = query_timeout.as_millis();
    format!(
        "{POSTGRES_GENERIC_PLANS}; SELECT set_config('statement_timeout', '{timeout_ms}', false)"
    )
}

/// The server aborts a statement after the query timeout. The first comment is executed by MariaDB only, the second by MySQL only.
fn mysql_timeout(query_timeout: Duration) -> String {
    let seconds = query_timeout.as_secs().max(1);
    format!(
        "SET SESSION lock_wait_timeout = {seconds}, innodb_lock_wait_timeout = {seconds} \
         /*M! , max_statement_time = {seconds} */ \
         /*!50708 , max_execution_time = {} */",
        query_timeout.as_millis()
    )
}

/// The hosts with the name of the application, unless the URL has one.
pub(crate) fn named(hosts: &[PgConnectOptions], application: Application) -> Vec<PgConnectOptions> {
    let named = hosts.iter().map(|host| match host.get_application_name() {
        Some(_) => host.clone(),
        None => host.clone().application_name(application.name),
    });
    named.collect()
}

/// Opens the pool of a PostgreSQL primary.
pub(crate) async fn postgres_primary(
    hosts: &[PgConnectOptions],
    index: usize,
    settings: &DatabaseSettings,
    size: u32,
    primary: &Primary,
    health: &ConnectionHealth,
) -> Result<DatabaseConnection, DbErr> {
    let statements = postgres_statements(settings.timeout);
    // One round trip for all.
    let mut session = vec![format!("{POSTGRES_DURABLE}; {statements}")];
    if hosts.len() > 1 {
        session.push(POSTGRES_WRITABLE.to_owned());
        primary.check();
    }
    let role = Role::Primary(primary.clone());
    postgres(&hosts[index], settings, size, session, role, health).await
}

/// Opens the pool of a MySQL or MariaDB server.
pub(crate) async fn mysql_primary(
    host: &MySqlConnectOptions,
    settings: &DatabaseSettings,
    size: u32,
    health: &ConnectionHealth,
) -> Result<DatabaseConnection, DbErr> {
    let session = vec![MYSQL_DURABLE.to_owned(), mysql_timeout(settings.timeout)];
    mysql(host, settings, size, session, health).await
}

/// A pool of one connection for migrations; on SQLite the writer.
pub(crate) async fn dedicated(
    settings: &DatabaseSettings,
    pools: &Pools,
) -> Result<DatabaseConnection, DbErr> {
    match &settings.url.0 {
        Target::SqliteFile(_) | Target::SqliteMemory(_) => Ok(pools.writer.clone()),
        // A migration may take long, and the role or the database may have a statement timeout.
        Target::Postgres(_) => {
            let options = pools.writer.get_postgres_connection_pool();
            let options = options.connect_options();
            let session = vec![format!("{POSTGRES_DURABLE}; SET statement_timeout = 0")];
            let role = Role::Primary(pools.primary.clone());
            postgres(&options, settings, 1, session, role, &pools.health).await
        }
        Target::MySql(_) => {
            let options = pools.writer.get_mysql_connection_pool().connect_options();
            let session = vec![MYSQL_DURABLE.to_owned()];
            mysql(&options, settings, 1, session, &pools.health).await
        }
    }
}

/// Opens the pool of a replica of this primary, which need not be reachable yet.
pub(crate) async fn replica(
    host: &PgConnectOptions,
    settings: &DatabaseSettings,
    primary: &Primary,
) -> Result<ConnectionPool, DbErr> {
    let health = ConnectionHealth::default();
    let size = settings.pool_size.max(1);
    let session = vec![postgres_statements(settings.timeout)];
    let role = Role::Replica(primary.clone());
    let pool = postgres(host, settings, size, session, role, &health).await?;
    Ok(ConnectionPool::new(
        pool,
        size,
        settings.timeout,
        KeepIdle,
        health,
    ))
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

/// Opens connections lazily.
pub(crate) async fn sqlite(
    options: SqliteConnectOptions,
    settings: &DatabaseSettings,
    size: u32,
) -> Result<DatabaseConnection, DbErr> {
    let mut pool = pool("sqlite::memory:", settings, size);
    // Connections to a file do not age, and closing the one of an in-memory database would drop it.
    pool.idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false);
    pool.map_sqlx_sqlite_opts(move |_| options.clone());
    Database::connect(pool).await
}

async fn postgres(
    options: &PgConnectOptions,
    settings: &DatabaseSettings,
    size: u32,
    session: Vec<String>,
    role: Role,
    health: &ConnectionHealth,
) -> Result<DatabaseConnection, DbErr> {
    let (options, health) = (options.clone(), health.clone());
    let mut pool = pool("postgres://", settings, size);
    pool.test_before_acquire(false);
    pool.map_sqlx_postgres_opts(move |_| options.clone());
    pool.map_sqlx_postgres_pool_opts(move |pool| {
        let (session, role) = (session.clone(), role.clone());
        checked(pool, &health).after_connect(move |connection, _| {
            let (session, role) = (session.clone(), role.clone());
            Box::pin(async move {
                for statement in session {
                    connection.execute(AssertSqlSafe(statement)).await?;
                }
                role.check(connection).await
            })
        })
    });
    Database::connect(pool).await
}

async fn mysql(
    options: &MySqlConnectOptions,
    settings: &DatabaseSettings,
    size: u32,
    session: Vec<String>,
    health: &ConnectionHealth,
) -> Result<DatabaseConnection, DbErr> {
    let (options, health) = (options.clone(), health.clone());
    let mut pool = pool("mysql://", settings, size);
    pool.test_before_acquire(false);
    pool.map_sqlx_mysql_opts(move |_| options.clone());
    pool.map_sqlx_mysql_pool_opts(move |pool| {
        let session = session.clone();
        checked(pool, &health).after_connect(move |connection, _| {
            let session = session.clone();
            Box::pin(async move {
                for statement in session {
                    connection.execute(AssertSqlSafe(statement)).await?;
                }
                galera::enable_causal_reads(connection).await
            })
        })
    });
    Database::connect(pool).await
}

/// The options of every pool. The URL only selects the driver: SeaORM records it in traces, so the real
/// one, which contains the password, is set separately.
fn pool(driver: &str, settings: &DatabaseSettings, size: u32) -> ConnectOptions {
    let mut pool = ConnectOptions::new(driver);
    pool.max_connections(size.max(1))
        .acquire_timeout(settings.timeout)
        .connect_lazy(true)
        .sqlx_logging(false)
        .record_stmt_in_spans(false);
    pool
}

/// Makes a pool of sqlx reject stale connections and ping connections with a timeout: its own ping has none
/// and would hold the permit forever.
fn checked<D: sqlx::Database>(pool: PoolOptions<D>, health: &ConnectionHealth) -> PoolOptions<D> {
    let health = health.clone();
    let pool = pool.before_acquire(move |connection, metadata| {
        let health = health.clone();
        Box::pin(async move { health.before_acquire(connection, metadata).await })
    });
    pool.after_release(|connection, _| Box::pin(async { ping(connection).await.map(|()| true) }))
}
