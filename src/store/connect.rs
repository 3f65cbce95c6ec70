//! The connections to a database, and what each of them is set to before its first use.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::sqlx::mysql::MySqlConnectOptions;
use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sea_orm::sqlx::{self, AssertSqlSafe, Connection, Executor};
use sea_orm::{ConnectOptions, Database, DatabaseConnection, DbErr};

use super::line::{Keeping, Lines};
use super::losses::{Losses, answers};
use super::reach::reach;
use super::settings::DatabaseSettings;
use super::target::Target;
use super::work::Ids;

/// An answered insert must survive a crash of the server, whatever its default is. Only `off`
/// breaks that promise; stronger settings are left alone.
const POSTGRES_DURABLE: &str = "SELECT set_config('synchronous_commit', 'on', false) \
     WHERE current_setting('synchronous_commit') = 'off'";

/// Without a strict mode MySQL cuts a text that is too long; without autocommit it would not store at all.
const MYSQL_DURABLE: &str = "SET SESSION autocommit = 1, \
     sql_mode = CONCAT_WS(',', NULLIF(@@SESSION.sql_mode, ''), 'STRICT_ALL_TABLES')";

/// The server gives a statement up when nobody waits for its answer any longer.
fn postgres_limit(patience: Duration) -> String {
    let patience_ms = patience.as_millis();
    format!("SELECT set_config('statement_timeout', '{patience_ms}', false)")
}

/// As `postgres_limit`. The first comment is code to MariaDB alone, the second to MySQL alone.
fn mysql_limit(patience: Duration) -> String {
    let seconds = patience.as_secs().max(1);
    format!(
        "SET SESSION lock_wait_timeout = {seconds}, innodb_lock_wait_timeout = {seconds} \
         /*M! , max_statement_time = {seconds} */ \
         /*!50708 , max_execution_time = {} */",
        patience.as_millis()
    )
}

/// Connections beside those of requests: for migrations and whatever else is asked of the tables.
const BESIDE_REQUESTS: u32 = 2;

/// The connections of one store.
#[derive(Clone)]
pub(super) struct Pools {
    /// For statements that only read.
    pub(super) reader: DatabaseConnection,
    /// For statements that write; the reader's connections too, unless the database is a SQLite file.
    pub(super) writer: DatabaseConnection,
    /// Those of the reader that requests use.
    pub(super) reading: Arc<Lines>,
    /// Those of the writer that requests use.
    pub(super) writing: Arc<Lines>,
    /// How the database tells the ids that it makes.
    pub(super) ids: Ids,
    /// To be told of every lost connection.
    pub(super) losses: Losses,
}

impl Pools {
    /// Waits until the database is reached, and opens the pools.
    pub(super) async fn open(settings: &DatabaseSettings) -> Result<Self, DbErr> {
        let target = &settings.url.0;
        let patience = settings.timeout;
        let losses = Losses::default();
        let size = settings.pool_size.max(1);
        match target {
            Target::SqliteFile(options) => {
                let writing = durable(options, settings);
                reach(target, &writing, settings.connect_timeout).await?;
                let reading = options.clone().busy_timeout(settings.timeout);
                let reading = reading.pragma("query_only", "ON");
                let writer = sqlite(writing, settings, 1 + BESIDE_REQUESTS).await?;
                let reader = sqlite(reading, settings, size + BESIDE_REQUESTS).await?;
                // A SQLite write lock is per file, so a second writer would only wait: one connection writes.
                let writing = Lines::new(writer.clone(), 1, Keeping::Kept, losses.clone());
                let reading = Lines::new(reader.clone(), size, Keeping::Kept, losses.clone());
                Ok(Self {
                    reader,
                    writer,
                    reading: Arc::new(reading),
                    writing: Arc::new(writing),
                    ids: Ids::Returned,
                    losses,
                })
            }
            Target::SqliteMemory(options) => {
                let pool = sqlite(options.clone(), settings, 1).await?;
                let lines = Lines::new(pool, 1, Keeping::GivenBack, losses);
                Ok(Self::shared(lines, Ids::Returned))
            }
            Target::Postgres(options) => {
                reach(target, options, settings.connect_timeout).await?;
                let session = vec![POSTGRES_DURABLE.to_owned(), postgres_limit(patience)];
                let most = size + BESIDE_REQUESTS;
                let pool = postgres(options, settings, most, session, &losses).await?;
                let lines = Lines::new(pool, size, Keeping::Kept, losses);
                Ok(Self::shared(lines, Ids::Returned))
            }
            Target::MySql(options) => {
                reach(target, options, settings.connect_timeout).await?;
                let session = vec![MYSQL_DURABLE.to_owned(), mysql_limit(patience)];
                let most = size + BESIDE_REQUESTS;
                let pool = mysql(options, settings, most, session, &losses).await?;
                let ids = Ids::of_mysql(&pool).await?;
                let lines = Lines::new(pool, size, Keeping::Kept, losses);
                Ok(Self::shared(lines, ids))
            }
        }
    }

    pub(super) async fn close(&self) {
        self.reading.close().await;
        self.writing.close().await;
        // The last connection of a SQLite file folds its log into it, which a reader could not.
        // A pool's closing has no error to report, only SeaORM's interface has.
        let _ = self.reader.close_by_ref().await;
        let _ = self.writer.close_by_ref().await;
    }

    fn shared(lines: Lines, ids: Ids) -> Self {
        let lines = Arc::new(lines);
        Self {
            reader: lines.pool.clone(),
            writer: lines.pool.clone(),
            losses: lines.losses.clone(),
            reading: Arc::clone(&lines),
            writing: lines,
            ids,
        }
    }
}

/// A pool of one connection for migrations. On SQLite that is the writer's.
pub(super) async fn dedicated(
    settings: &DatabaseSettings,
    pools: &Pools,
) -> Result<DatabaseConnection, DbErr> {
    match &settings.url.0 {
        Target::SqliteFile(_) | Target::SqliteMemory(_) => Ok(pools.writer.clone()),
        // A migration takes as long as it takes.
        Target::Postgres(options) => {
            let session = vec![POSTGRES_DURABLE.to_owned()];
            postgres(options, settings, 1, session, &pools.losses).await
        }
        Target::MySql(options) => {
            let session = vec![MYSQL_DURABLE.to_owned()];
            mysql(options, settings, 1, session, &pools.losses).await
        }
    }
}

fn durable(options: &SqliteConnectOptions, settings: &DatabaseSettings) -> SqliteConnectOptions {
    options
        .clone()
        .busy_timeout(settings.timeout)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
}

async fn sqlite(
    options: SqliteConnectOptions,
    settings: &DatabaseSettings,
    size: u32,
) -> Result<DatabaseConnection, DbErr> {
    let mut pool = pool("sqlite::memory:", settings, size);
    // Nothing between here and a file wears connections out, and one in memory is the database.
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
    losses: &Losses,
) -> Result<DatabaseConnection, DbErr> {
    let (options, losses) = (options.clone(), losses.clone());
    let mut pool = pool("postgres://", settings, size);
    pool.test_before_acquire(false);
    pool.map_sqlx_postgres_opts(move |_| options.clone());
    pool.map_sqlx_postgres_pool_opts(move |pool| {
        let (session, losses) = (session.clone(), losses.clone());
        let pool = pool.before_acquire(move |connection, rest| {
            let losses = losses.clone();
            Box::pin(async move { losses.test(connection, rest).await })
        });
        let pool = pool.after_release(|connection, _| Box::pin(goes_back(connection)));
        pool.after_connect(move |connection, _| {
            let session = session.clone();
            Box::pin(async move {
                for statement in session {
                    connection.execute(AssertSqlSafe(statement)).await?;
                }
                Ok(())
            })
        })
    });
    connected(pool).await
}

async fn mysql(
    options: &MySqlConnectOptions,
    settings: &DatabaseSettings,
    size: u32,
    session: Vec<String>,
    losses: &Losses,
) -> Result<DatabaseConnection, DbErr> {
    let (options, losses) = (options.clone(), losses.clone());
    let mut pool = pool("mysql://", settings, size);
    pool.test_before_acquire(false);
    pool.map_sqlx_mysql_opts(move |_| options.clone());
    pool.map_sqlx_mysql_pool_opts(move |pool| {
        let (session, losses) = (session.clone(), losses.clone());
        let pool = pool.before_acquire(move |connection, rest| {
            let losses = losses.clone();
            Box::pin(async move { losses.test(connection, rest).await })
        });
        let pool = pool.after_release(|connection, _| Box::pin(goes_back(connection)));
        pool.after_connect(move |connection, _| {
            let session = session.clone();
            Box::pin(async move {
                for statement in session {
                    connection.execute(AssertSqlSafe(statement)).await?;
                }
                Ok(())
            })
        })
    });
    connected(pool).await
}

/// What every pool has in common. The URL only chooses the driver: SeaORM shows it in traces, so the
/// real one, with its password, goes the other way.
fn pool(driver: &str, settings: &DatabaseSettings, size: u32) -> ConnectOptions {
    let mut pool = ConnectOptions::new(driver);
    pool.max_connections(size.max(1))
        .acquire_timeout(settings.timeout)
        .connect_lazy(true)
        .sqlx_logging(false)
        .record_stmt_in_spans(false);
    pool
}

/// Whether a connection may go back to its pool, which would wait for its answer without end, and
/// whoever needs its place with it.
async fn goes_back<C: Connection>(connection: &mut C) -> Result<bool, sqlx::Error> {
    answers(connection).await.map(|()| true)
}

async fn connected(pool: ConnectOptions) -> Result<DatabaseConnection, DbErr> {
    let pool = Database::connect(pool).await?;
    pool.ping().await?;
    Ok(pool)
}

#[cfg(test)]
mod tests {
    use sea_orm::{ConnectionTrait, Statement};

    use super::*;
    use crate::store::DatabaseUrl;

    fn settings(url: &str) -> DatabaseSettings {
        DatabaseSettings {
            url: DatabaseUrl::parse(url).expect("the URL is right"),
            pool_size: 3,
            statements: 2,
            queue_limit: 1000,
            connect_timeout: Duration::from_secs(7),
            timeout: Duration::from_secs(7),
            migration_lock_timeout: Duration::from_secs(5),
        }
    }

    async fn pools(url: &str) -> Pools {
        Pools::open(&settings(url))
            .await
            .expect("a file can be opened")
    }

    async fn value(db: &DatabaseConnection, query: &str) -> String {
        let statement = Statement::from_string(db.get_database_backend(), query);
        let row = db
            .query_one_raw(statement)
            .await
            .expect("it is a query")
            .expect("it has a row");
        row.try_get_by_index(0).expect("it is a text")
    }

    #[tokio::test]
    async fn a_sqlite_file_is_written_durably() {
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
            "the log is folded into the file"
        );
    }

    #[tokio::test]
    async fn a_database_in_memory_is_one_connection_for_everything() {
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
