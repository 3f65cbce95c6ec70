//! Migrates the tables by sea-orm-migration, by one instance at a time.
//!
//! A run is one transaction on one connection, and that connection holds the lock: if the connection is
//! lost, the run is aborted. PostgreSQL and SQLite roll back a failed run. MySQL commits each change of
//! a table implicitly, so its migrations can be repeated. So can a migration that PostgreSQL cannot run in
//! a transaction: it runs on another connection while the transaction holds the lock.

mod advisory_lock;
mod foreign;
mod newer;
mod status;
pub(crate) mod step;

use std::pin::pin;
use std::time::Duration;

use futures_util::future::BoxFuture;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, IsolationLevel,
    SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
};
use sea_orm_migration::{MigrationTrait, MigratorTraitSelf};
use tokio::time::{Instant, timeout};

use crate::columns::{Column, ColumnType, columns};
use crate::connect;
use crate::database::Database;
use crate::error::{Error, is_busy};
use crate::retry::retry_blocked;
use advisory_lock::lock_timed_out;
use foreign::refuse_foreign_tables;
pub use status::{MigrationState, MigrationStatus};
use status::{TABLE, names};
pub use step::{Index, Migration, Step, text_column};

const SELECT_APPLIED: &str = "SELECT version FROM seaql_migrations ORDER BY version";

/// How long an instance waits for a lock before it logs that.
const UNLOGGED_WAIT: Duration = Duration::from_millis(500);

/// Runs these migrations.
struct Migrator(&'static [Migration]);

impl MigratorTraitSelf for Migrator {
    fn migrations(&self) -> Vec<Box<dyn MigrationTrait>> {
        let migrations = self.0.iter();
        migrations
            .map(|migration| Box::new(*migration) as _)
            .collect()
    }
}

impl Database {
    /// Applies the pending migrations and returns their names, oldest first. Waits while another
    /// instance migrates the same database, or changes a table of a Galera cluster. Only reads if nothing is pending. Accepts
    /// migrations of a newer version that keep the columns of this one.
    pub fn migrate_up(&self) -> BoxFuture<'_, Result<Vec<String>, Error>> {
        Box::pin(async move {
            if self.pending_migrations().await?.is_empty() {
                return Ok(Vec::new());
            }
            let migrate = || self.migrate(Direction::Up);
            let lock_timeout = self.settings.migration_lock_timeout;
            let applied = retry_blocked(lock_timeout, migrate).await?;
            // A newer version may have migrated while this one waited.
            self.pending_migrations().await?;
            Ok(applied)
        })
    }

    /// The names of the pending migrations, oldest first. Waits like [`migrate_up`](Self::migrate_up). Only reads.
    pub async fn pending_migrations(&self) -> Result<Vec<String>, Error> {
        let status = || async {
            let migrations = self.migration_status().await?;
            let pending = names(&migrations, MigrationState::Pending);
            if pending.is_empty() {
                let unknown = names(&migrations, MigrationState::Unknown);
                self.check_newer(&unknown).await?;
            } else {
                newer::refuse(&migrations)?;
            }
            Ok(pending)
        };
        let lock_timeout = self.settings.migration_lock_timeout;
        retry_blocked(lock_timeout, status).await
    }

    /// Reverts the newest `steps` migrations, with their data, and returns their names, newest first. Those of a newer
    /// version have to be reverted before, with that version.
    pub fn migrate_down(&self, steps: u32) -> BoxFuture<'_, Result<Vec<String>, Error>> {
        Box::pin(self.migrate(Direction::Down(steps)))
    }

    /// Every migration that this program knows or the database has, oldest first. Only reads.
    pub fn migration_status(&self) -> BoxFuture<'_, Result<Vec<MigrationStatus>, Error>> {
        Box::pin(async move { Ok(self.application.status(&self.applied().await?)) })
    }

    /// The names of the applied migrations. One statement on a connection that stays open, unless the table is missing.
    async fn applied(&self) -> Result<Vec<String>, Error> {
        let applied = applied(&self.reader()).await;
        match applied.map_err(Error::classify) {
            Err(Error::Unexpected(_)) => applied_if_any(&self.pools.reader.db).await,
            applied => applied,
        }
    }

    async fn migrate(&self, direction: Direction) -> Result<Vec<String>, Error> {
        let db = connect::dedicated(&self.settings, &self.pools.writer);
        let result = self.run(&db, direction).await;
        if matches!(
            db.get_database_backend(),
            DbBackend::Postgres | DbBackend::MySql
        ) {
            // Ends the session and releases MySQL's lock. Closing a pool never fails.
            let _ = db.close().await;
        }
        result
    }

    /// Migrates in transactions, and outside of them what PostgreSQL cannot run there.
    async fn run(
        &self,
        db: &DatabaseConnection,
        direction: Direction,
    ) -> Result<Vec<String>, Error> {
        let mut all_done = Vec::new();
        loop {
            let (transaction, applied) = log_wait(self.begin_locked(db)).await?;
            let migrations = self.application.status(&applied);
            let known = self.application.migrations.iter();
            let is_applied =
                |migration: &&Migration| applied.iter().any(|name| name == migration.name);
            let (done, left) = match direction {
                Direction::Up => {
                    let mut pending: Vec<_> = known.filter(|it| !is_applied(it)).collect();
                    // sea-orm-migration refuses unknown migrations also if nothing is pending.
                    let count = if pending.is_empty() {
                        0
                    } else {
                        newer::refuse(&migrations)?;
                        refuse_foreign_tables(&transaction, &pending).await?;
                        let names: Vec<_> = pending.iter().map(|it| it.name).collect();
                        tracing::info!(migrations = names.join(", "), "migrating the database");
                        Box::pin(self.apply_next(&transaction, &pending)).await?
                    };
                    let left = pending.split_off(count);
                    (pending, left.len())
                }
                Direction::Down(steps) => {
                    newer::refuse(&migrations)?;
                    let applied = known.rev().filter(is_applied);
                    let newest: Vec<_> = applied.take(steps as usize).collect();
                    let migrator = Migrator(self.application.migrations);
                    let reverted = migrator.down(&transaction, Some(steps)).await;
                    reverted.map_err(migration_failed)?;
                    (newest, 0)
                }
            };
            transaction.commit().await.map_err(migration_failed)?;
            for migration in &done {
                tracing::info!(migration = migration.name, "{}", direction.done());
            }
            all_done.extend(done.iter().map(|migration| migration.name.to_owned()));
            if left == 0 {
                return Ok(all_done);
            }
        }
    }

    /// Begins a transaction that holds the lock, and reads the names of the applied migrations.
    async fn begin_locked(
        &self,
        db: &DatabaseConnection,
    ) -> Result<(DatabaseTransaction, Vec<String>), Error> {
        let lock_timeout = self.settings.migration_lock_timeout;
        let transaction = begin(db, lock_timeout).await?;
        advisory_lock::acquire(&transaction, self.application, lock_timeout).await?;
        // Another instance may have migrated while this one waited.
        let applied = applied_if_any(&transaction).await?;
        Ok((transaction, applied))
    }

    /// Applies the pending migrations that can share this transaction, or else the first one outside of it.
    /// Returns their number.
    async fn apply_next(
        &self,
        transaction: &DatabaseTransaction,
        pending: &[&Migration],
    ) -> Result<usize, Error> {
        let migrator = Migrator(self.application.migrations);
        let position = match transaction.get_database_backend() {
            DbBackend::Postgres => {
                let mut pending = pending.iter();
                pending.position(|it| it.use_transaction() == Some(false))
            }
            _ => None,
        };
        if position == Some(0) {
            let other = connect::dedicated(&self.settings, &self.pools.writer);
            let applied = migrator.up(&other, Some(1)).await;
            // Closing a pool never fails.
            let _ = other.close().await;
            applied.map_err(migration_failed)?;
            return Ok(1);
        }
        let count = position.unwrap_or(pending.len());
        // There are fewer than 2^32.
        let steps = u32::try_from(count).unwrap_or(u32::MAX);
        let applied = migrator.up(transaction, Some(steps)).await;
        applied.map_err(migration_failed)?;
        Ok(count)
    }
}

#[derive(Clone, Copy)]
enum Direction {
    Up,
    Down(u32),
}

impl Direction {
    /// What is logged for each migration.
    fn done(self) -> &'static str {
        match self {
            Self::Up => "applied a migration",
            Self::Down(_) => "reverted a migration",
        }
    }
}

/// Logs that acquiring the lock takes long.
async fn log_wait<T>(lock: impl Future<Output = T>) -> T {
    let mut lock = pin!(lock);
    if let Ok(lock) = timeout(UNLOGGED_WAIT, &mut lock).await {
        return lock;
    }
    tracing::info!("waiting for the migration lock, which another instance holds");
    lock.await
}

/// Begins a transaction; on SQLite with the exclusive write lock of the file.
async fn begin(
    db: &DatabaseConnection,
    lock_timeout: Duration,
) -> Result<DatabaseTransaction, Error> {
    let options = match db.get_database_backend() {
        DbBackend::Sqlite => TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        },
        // The changes of the previous lock holder must be visible.
        _ => TransactionOptions {
            isolation_level: Some(IsolationLevel::ReadCommitted),
            ..TransactionOptions::default()
        },
    };
    let started = Instant::now();
    loop {
        // SQLite waits only for the query timeout.
        match db.begin_with_options(options).await {
            Ok(transaction) => return Ok(transaction),
            Err(error) if is_busy(&error) && started.elapsed() < lock_timeout => {}
            Err(error) if is_busy(&error) => return Err(lock_timed_out(lock_timeout, Some(error))),
            Err(error) => return Err(Error::classify(error)),
        }
    }
}

fn migration_failed(error: DbErr) -> Error {
    Error::Migration(error.into())
}

/// The names of the applied migrations, oldest first.
async fn applied(db: &impl ConnectionTrait) -> Result<Vec<String>, DbErr> {
    let select = Statement::from_string(db.get_database_backend(), SELECT_APPLIED);
    let rows = db.query_all_raw(select).await?;
    rows.iter().map(|row| row.try_get_by_index(0)).collect()
}

/// The names of the applied migrations, oldest first, none if their table is missing.
async fn applied_if_any(db: &impl ConnectionTrait) -> Result<Vec<String>, Error> {
    let columns = columns(db, TABLE).await?;
    if columns.is_empty() {
        return Ok(Vec::new());
    }
    let is_version =
        |column: &Column| column.name == "version" && matches!(column.ty, ColumnType::Text { .. });
    if !columns.iter().any(is_version) {
        return Err(Error::ForeignTable {
            table: TABLE.to_owned(),
            reason: "it has no text column version".to_owned(),
        });
    }
    Ok(applied(db).await?)
}
