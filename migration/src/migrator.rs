//! Applies and reverts migrations by sea-orm-migration, one instance at a time.

use std::{
    pin::pin,
    time::{Duration, Instant},
};

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, IsolationLevel, RuntimeErr,
    SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
    sqlx::{error::DatabaseError, mysql::MySqlDatabaseError},
};
use sea_orm_migration::{IntoSchemaManagerConnection, MigrationName, MigratorTrait, SchemaManager};
use tokio::time::timeout;

use crate::vehicle::{CreateVehicle, Migrator, TABLE};

/// The table of the applied migrations.
const APPLIED: &str = "seaql_migrations";

/// How long an instance waits for the lock before it logs that.
const UNLOGGED_WAIT: Duration = Duration::from_millis(500);

/// The advisory lock of PostgreSQL: the bytes of `vehicle1`.
const POSTGRES_LOCK: &str = "SELECT pg_advisory_xact_lock(8531339870972175665)";

/// The lock of MySQL, which the session holds, because a change of a table commits the transaction. Its scope is the
/// server, and its name has at most 64 characters.
const MYSQL_LOCK: &str = "SELECT GET_LOCK(CONCAT('vehicle-catalogue ', LEFT(SHA2(DATABASE(), 256), 40)), ?)";

/// A migration and its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrationStatus {
    /// Its name, which begins with the day it was written.
    pub name: String,
    /// Whether it is applied.
    pub state: State,
}

/// The state of a migration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// This program knows it and the database has it.
    Applied,
    /// This program knows it and the database does not have it.
    Pending,
    /// The database has it and this program does not know it: it is from a newer version.
    Unknown,
}

impl State {
    /// `applied`, `pending` or `unknown`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Pending => "pending",
            Self::Unknown => "unknown",
        }
    }
}

/// Why the migrations were not applied or reverted.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Another instance held the lock until the time-out.
    #[error(
        "another instance has been migrating the database for {} seconds: wait for it to \
         end, or end it if it hangs, and start again", .0.as_secs()
    )]
    Locked(Duration),
    /// The database has migrations that this program does not know, with which it does not work.
    #[error(
        "the database belongs to a newer version of this program, with whose migrations {migrations} this one does not \
         work: {obstacles}; start the newer version, or revert its migrations with it (migrate down) before starting this \
         one, which deletes the data that they added"
    )]
    Newer {
        /// The names of the unknown migrations.
        migrations: String,
        /// Why this program does not work with them.
        obstacles: String,
    },
    /// A table was made by another program.
    #[error("the table {table} was not made by this program: {reason}; use an empty database")]
    Foreign {
        /// Its name.
        table: &'static str,
        /// How it differs.
        reason: String,
    },
    /// A statement failed.
    #[error(transparent)]
    Database(#[from] DbErr),
}

/// Every migration that this program knows or the database has, oldest first. Only reads.
pub async fn status<'c>(db: impl IntoSchemaManagerConnection<'c>) -> Result<Vec<MigrationStatus>, Error> {
    let applied = applied(&SchemaManager::new(db)).await?;
    let known: Vec<_> = Migrator::migrations().iter().map(|it| it.name().to_owned()).collect();
    let mut found = Vec::new();
    for name in &known {
        let state = if applied.contains(name) { State::Applied } else { State::Pending };
        found.push(MigrationStatus { name: name.clone(), state });
    }
    let unknown = applied.into_iter().filter(|name| !known.contains(name));
    found.extend(unknown.map(|name| MigrationStatus { name, state: State::Unknown }));
    Ok(found)
}

/// Applies the pending migrations and returns their names, oldest first. Waits while another instance migrates.
///
/// The pool must have one connection, which is closed afterwards: that releases the lock of MySQL.
pub async fn up(db: &DatabaseConnection, lock_timeout: Duration) -> Result<Vec<String>, Error> {
    let transaction = begin_locked(db, lock_timeout).await?;
    let migrations = status(&transaction).await?;
    let pending = names(&migrations, State::Pending);
    if !pending.is_empty() {
        refuse_unknown(&migrations)?;
        refuse_foreign_table(&transaction, &pending).await?;
        tracing::info!(migrations = pending.join(", "), "migrating the database");
        Migrator::up(&transaction, None).await?;
    }
    transaction.commit().await?;
    Ok(pending)
}

/// Reverts the newest `steps` migrations, with their data, and returns their names, newest first. Those of a newer version
/// have to be reverted before, with that version.
pub async fn down(db: &DatabaseConnection, steps: u32, lock_timeout: Duration) -> Result<Vec<String>, Error> {
    let transaction = begin_locked(db, lock_timeout).await?;
    let migrations = status(&transaction).await?;
    refuse_unknown(&migrations)?;
    let mut reverted = names(&migrations, State::Applied);
    reverted.reverse();
    reverted.truncate(steps as usize);
    if !reverted.is_empty() {
        Migrator::down(&transaction, Some(steps)).await?;
    }
    transaction.commit().await?;
    Ok(reverted)
}

/// The names of the migrations in a state.
pub fn names(migrations: &[MigrationStatus], state: State) -> Vec<String> {
    let wanted = migrations.iter().filter(|it| it.state == state);
    wanted.map(|migration| migration.name.clone()).collect()
}

/// The names of the applied migrations, none if their table is missing.
async fn applied(manager: &SchemaManager<'_>) -> Result<Vec<String>, Error> {
    if !manager.has_table(APPLIED).await? {
        return Ok(Vec::new());
    }
    if !manager.has_column(APPLIED, "version").await? {
        return Err(foreign(APPLIED, "it has no text column version"));
    }
    let select = format!("SELECT version FROM {APPLIED} ORDER BY version");
    let select = Statement::from_string(manager.get_database_backend(), select);
    let rows = manager.get_connection().query_all_raw(select).await?;
    let names = rows.iter().map(|row| row.try_get_by_index(0));
    Ok(names.collect::<Result<_, _>>()?)
}

/// Fails if there are migrations of a newer version, whose order with those of this one is unknown, or of another program:
/// every version has the first migration.
fn refuse_unknown(migrations: &[MigrationStatus]) -> Result<(), Error> {
    let unknown = names(migrations, State::Unknown);
    let Some(first) = unknown.first() else {
        return Ok(());
    };
    if names(migrations, State::Applied).is_empty() {
        let reason = format!("it has the migration {first}, and none of this program");
        return Err(foreign(APPLIED, reason));
    }
    let obstacles = "this version can neither apply migrations before them nor revert others";
    Err(Error::Newer { migrations: unknown.join(", "), obstacles: obstacles.to_owned() })
}

/// Fails if the table to be created exists with other columns. One with these columns is that of an interrupted run.
async fn refuse_foreign_table(db: &DatabaseTransaction, pending: &[String]) -> Result<(), Error> {
    let manager = SchemaManager::new(db);
    let creates = pending.iter().any(|name| name == CreateVehicle.name());
    if !creates || !manager.has_table(TABLE).await? {
        return Ok(());
    }
    let mut missing = Vec::new();
    for column in CreateVehicle::COLUMNS {
        if !manager.has_column(TABLE, column).await? {
            missing.push(column);
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let reason = format!("it has no column {}", missing.join(", "));
    Err(foreign(TABLE, reason))
}

fn foreign(table: &'static str, reason: impl Into<String>) -> Error {
    let reason = reason.into();
    Error::Foreign { table, reason }
}

/// Begins a transaction whose connection holds the lock, and logs if it has to wait.
async fn begin_locked(db: &DatabaseConnection, lock_timeout: Duration) -> Result<DatabaseTransaction, Error> {
    let mut locked = pin!(lock(db, lock_timeout));
    if let Ok(locked) = timeout(UNLOGGED_WAIT, &mut locked).await {
        return locked;
    }
    tracing::warn!("waiting for another instance that is migrating the database");
    locked.await
}

async fn lock(db: &DatabaseConnection, wait: Duration) -> Result<DatabaseTransaction, Error> {
    let backend = db.get_database_backend();
    let is_sqlite = backend == DbBackend::Sqlite;
    let options = TransactionOptions {
        sqlite_transaction_mode: is_sqlite.then_some(SqliteTransactionMode::Immediate),
        // What the lock holder before has committed must be visible.
        isolation_level: (!is_sqlite).then_some(IsolationLevel::ReadCommitted),
        ..TransactionOptions::default()
    };
    let started = Instant::now();
    let failed = |error: DbErr| match refused(&error).and_then(DatabaseError::code).as_deref() {
        // Lock not available on PostgreSQL; busy or locked on SQLite, which waits by its busy timeout.
        Some("55P03" | "5" | "6") => Error::Locked(started.elapsed()),
        _ => Error::Database(error),
    };
    let transaction = db.begin_with_options(options).await.map_err(failed)?;
    match backend {
        DbBackend::Postgres => {
            let ms = wait.as_millis().clamp(1, i32::MAX as u128);
            let set = format!("SET LOCAL lock_timeout = {ms}; SET LOCAL statement_timeout = 0");
            transaction.execute_unprepared(&set).await?;
            let lock = transaction.execute_unprepared(POSTGRES_LOCK).await;
            lock.map_err(failed)?;
        }
        DbBackend::MySql => {
            let seconds = i64::try_from(wait.as_secs().max(1)).unwrap_or(i64::MAX);
            let lock = Statement::from_sql_and_values(backend, MYSQL_LOCK, [seconds.into()]);
            match transaction.query_one_raw(lock).await {
                Ok(Some(row)) if row.try_get_by_index::<Option<i64>>(0)? == Some(1) => {}
                Ok(_) => return Err(Error::Locked(wait)),
                Err(error) if has_no_lock(&error) => {
                    tracing::warn!("the server has no lock: migrate by one instance at a time");
                }
                Err(error) => return Err(error.into()),
            }
        }
        _ => {}
    }
    Ok(transaction)
}

/// Whether MySQL has no such function, or a node of Galera does not support it.
fn has_no_lock(error: &DbErr) -> bool {
    let refused = refused(error).and_then(|it| it.try_downcast_ref::<MySqlDatabaseError>());
    refused.is_some_and(|refused| matches!(refused.number(), 1235 | 1305))
}

fn refused(error: &DbErr) -> Option<&dyn DatabaseError> {
    match error {
        DbErr::Conn(RuntimeErr::SqlxError(source))
        | DbErr::Exec(RuntimeErr::SqlxError(source))
        | DbErr::Query(RuntimeErr::SqlxError(source)) => source.as_database_error(),
        _ => None,
    }
}
