//! Bringing the tables up to date, by one instance at a time.
//!
//! A run happens inside one transaction of one connection, and that connection holds the lock: if
//! it is lost, so is the run, and nobody goes on without the lock. PostgreSQL and SQLite undo a
//! failed run as a whole. MySQL commits each change of a table at once, so its migrations can be repeated.

mod table_lock;

use std::fmt;
use std::time::Duration;

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, IsolationLevel,
    SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
};
use tokio::time::Instant;

use super::error::{StoreError, is_busy, is_lock_timeout};
use super::{Store, connect};
use table_lock::TableLock;

/// Names the lock in PostgreSQL, whose advisory locks belong to one database: "vehicle1" in ASCII.
const POSTGRES_LOCK: i64 = 0x7665_6869_636c_6531;

/// MySQL's locks belong to the server and their names have at most 64 characters.
const MYSQL_LOCK: &str = "SELECT GET_LOCK(CONCAT('vehicle-catalogue ', SHA1(DATABASE())), ?)";

/// A migration and whether the database has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrationStatus {
    /// Its name, which begins with the day it was written.
    pub name: String,
    /// Whether the database has it.
    pub state: MigrationState,
}

/// Where a migration stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MigrationState {
    /// This program knows it and the database has it.
    Applied,
    /// This program knows it and the database does not have it.
    Pending,
    /// The database has it and this program does not know it: it is from a newer version.
    Unknown,
}

/// `applied`, `pending` or `unknown`.
impl fmt::Display for MigrationState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Applied => "applied",
            Self::Pending => "pending",
            Self::Unknown => "unknown",
        })
    }
}

impl Store {
    /// Applies the pending migrations and answers their names, oldest first. Waits while another
    /// instance migrates the same database. Only reads if nothing is pending.
    pub async fn migrate_up(&self) -> Result<Vec<String>, StoreError> {
        if self.pending_migrations().await?.is_empty() {
            return Ok(Vec::new());
        }
        self.migrate(Direction::Up).await
    }

    /// The names of the migrations that the database does not have, oldest first. Only reads.
    pub async fn pending_migrations(&self) -> Result<Vec<String>, StoreError> {
        let migrations = self.migration_status().await?;
        refuse_newer(&migrations)?;
        Ok(names(&migrations, MigrationState::Pending))
    }

    /// Takes back the newest `steps` migrations, with the data they hold, and answers their names,
    /// newest first.
    pub async fn migrate_down(&self, steps: u32) -> Result<Vec<String>, StoreError> {
        self.migrate(Direction::Down(steps)).await
    }

    /// Every migration that this program knows or the database has, oldest first. Only reads.
    pub async fn migration_status(&self) -> Result<Vec<MigrationStatus>, StoreError> {
        let applied = migration::applied(&self.pools.reader).await;
        Ok(status(&applied.map_err(StoreError::classify)?))
    }

    async fn migrate(&self, direction: Direction) -> Result<Vec<String>, StoreError> {
        let db = connect::dedicated(&self.settings, &self.pools)
            .await
            .map_err(StoreError::classify)?;
        let result = self.locked(&db, direction).await;
        if matches!(
            db.get_database_backend(),
            DbBackend::Postgres | DbBackend::MySql
        ) {
            // Ends the session, and with it MySQL's lock. A pool's closing has no error to report.
            let _ = db.close().await;
        }
        result
    }

    /// Under the database's own lock, or under that of a table where there is none.
    async fn locked(
        &self,
        db: &DatabaseConnection,
        direction: Direction,
    ) -> Result<Vec<String>, StoreError> {
        let patience = self.settings.migration_lock_timeout;
        let needed = table_lock::is_needed(db).await;
        if !needed.map_err(StoreError::classify)? {
            match run(db, direction, patience, Lock::OfDatabase).await {
                Err(error) if table_lock::replaces(&error) => {}
                outcome => return outcome,
            }
        }
        let lock = TableLock::take(&self.pools.writer, patience).await?;
        lock.hold(run(db, direction, patience, Lock::OfTable)).await
    }
}

/// What keeps other instances from migrating.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lock {
    /// A lock that the database has for whatever its users like.
    OfDatabase,
    /// The row of a table, held already.
    OfTable,
}

#[derive(Clone, Copy)]
enum Direction {
    Up,
    Down(u32),
}

async fn run(
    db: &DatabaseConnection,
    direction: Direction,
    patience: Duration,
    held: Lock,
) -> Result<Vec<String>, StoreError> {
    let transaction = begin(db, patience).await?;
    if held == Lock::OfDatabase {
        lock(&transaction, patience).await?;
    }
    // Another instance may have done the work while this one waited.
    let migrations = status(
        &migration::applied(&transaction)
            .await
            .map_err(StoreError::Migration)?,
    );
    refuse_newer(&migrations)?;
    let done = match direction {
        Direction::Up => {
            migration::up(&transaction)
                .await
                .map_err(StoreError::Migration)?;
            names(&migrations, MigrationState::Pending)
        }
        Direction::Down(steps) => {
            migration::down(&transaction, steps)
                .await
                .map_err(StoreError::Migration)?;
            let applied = names(&migrations, MigrationState::Applied)
                .into_iter()
                .rev();
            applied
                .take(usize::try_from(steps).unwrap_or(usize::MAX))
                .collect()
        }
    };
    transaction.commit().await.map_err(StoreError::Migration)?;
    Ok(done)
}

/// A transaction that on SQLite holds the write lock of the file, which only one can.
async fn begin(
    db: &DatabaseConnection,
    patience: Duration,
) -> Result<DatabaseTransaction, StoreError> {
    let options = match db.get_database_backend() {
        DbBackend::Sqlite => TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        },
        // What the previous holder of the lock has done must be seen.
        _ => TransactionOptions {
            isolation_level: Some(IsolationLevel::ReadCommitted),
            ..TransactionOptions::default()
        },
    };
    let started = Instant::now();
    loop {
        // SQLite itself waits, but only as long as a statement may.
        match db.begin_with_options(options).await {
            Ok(transaction) => return Ok(transaction),
            Err(error) if is_busy(&error) && started.elapsed() < patience => {}
            Err(error) if is_busy(&error) => return Err(locked(patience, Some(error))),
            Err(error) => return Err(StoreError::classify(error)),
        }
    }
}

async fn lock(transaction: &DatabaseTransaction, patience: Duration) -> Result<(), StoreError> {
    match transaction.get_database_backend() {
        DbBackend::Postgres => lock_postgres(transaction, patience).await,
        DbBackend::MySql => lock_mysql(transaction, patience).await,
        _ => Ok(()),
    }
}

/// Ends with the transaction.
async fn lock_postgres(
    transaction: &DatabaseTransaction,
    patience: Duration,
) -> Result<(), StoreError> {
    let patience_ms = patience.as_millis().clamp(1, i32::MAX as u128);
    let settings =
        format!("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = {patience_ms}");
    transaction
        .execute_unprepared(&settings)
        .await
        .map_err(StoreError::classify)?;
    let lock = Statement::from_sql_and_values(
        DbBackend::Postgres,
        "SELECT pg_advisory_xact_lock($1)",
        [POSTGRES_LOCK.into()],
    );
    match transaction.query_one_raw(lock).await {
        Ok(_) => Ok(()),
        Err(error) if is_lock_timeout(&error) => Err(locked(patience, Some(error))),
        Err(error) => Err(StoreError::classify(error)),
    }
}

/// Ends with the session: a change of a table ends the transaction before the run is over.
async fn lock_mysql(
    transaction: &DatabaseTransaction,
    patience: Duration,
) -> Result<(), StoreError> {
    let patience_s = i64::try_from(patience.as_secs().max(1)).unwrap_or(i64::MAX);
    let lock = Statement::from_sql_and_values(DbBackend::MySql, MYSQL_LOCK, [patience_s.into()]);
    let row = transaction
        .query_one_raw(lock)
        .await
        .map_err(StoreError::classify)?;
    let answer = row
        .map(|row| row.try_get_by_index::<Option<i64>>(0))
        .transpose();
    match answer.map_err(StoreError::Unexpected)?.flatten() {
        Some(1) => Ok(()),
        Some(_) => Err(locked(patience, None)),
        None => Err(StoreError::Migration(DbErr::Custom(
            "GET_LOCK answered NULL".to_owned(),
        ))),
    }
}

fn locked(patience: Duration, source: Option<DbErr>) -> StoreError {
    StoreError::MigrationLocked {
        waited_s: patience.as_secs(),
        source,
    }
}

fn status(applied: &[String]) -> Vec<MigrationStatus> {
    let known = migration::known();
    let state = |name: &String| {
        if applied.contains(name) {
            MigrationState::Applied
        } else {
            MigrationState::Pending
        }
    };
    let unknown = applied.iter().filter(|name| !known.contains(name)).cloned();
    let unknown: Vec<_> = unknown
        .map(|name| MigrationStatus {
            name,
            state: MigrationState::Unknown,
        })
        .collect();
    let known = known.into_iter().map(|name| MigrationStatus {
        state: state(&name),
        name,
    });
    known.chain(unknown).collect()
}

fn refuse_newer(migrations: &[MigrationStatus]) -> Result<(), StoreError> {
    let unknown = names(migrations, MigrationState::Unknown);
    if unknown.is_empty() {
        Ok(())
    } else {
        Err(StoreError::NewerSchema {
            migrations: unknown,
        })
    }
}

fn names(migrations: &[MigrationStatus], state: MigrationState) -> Vec<String> {
    let wanted = migrations
        .iter()
        .filter(|migration| migration.state == state);
    wanted.map(|migration| migration.name.clone()).collect()
}
