//! Migrates the database, and decides whether this version works with it.

use migration::{MigrationStatus, State, names};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend};

use super::cause::{Cause, Kind};
use super::connect::{Database, open};
use super::error::StartError;
use super::schema_check;
use super::settings::Target;

impl Database {
    /// Rejects a SQLite file that can only be opened read-only, unless the URL requests that. Changes nothing. A server is
    /// not checked, because it may become writable while it runs.
    pub async fn ensure_writable(&self) -> Result<(), StartError> {
        let url = &self.settings().url;
        if !matches!(url.target, Target::SqliteFile(_)) || url.is_read_only() {
            return Ok(());
        }
        // A transaction without a write can begin on a read-only file.
        let probe = async {
            let transaction = self.begin().await?;
            let write = "PRAGMA user_version = 0";
            transaction.execute_unprepared(write).await?;
            transaction.rollback().await
        };
        match probe.await.map_err(Cause::from) {
            Err(source) if source.kind == Kind::ReadOnly => {
                Err(StartError::ReadOnly { database: url.to_string(), source })
            }
            // Any other error, such as a lock of another process, does not mean that the file is read-only.
            _ => Ok(()),
        }
    }

    /// Applies the pending migrations and returns their names, oldest first. Waits while another instance migrates. Only
    /// reads if nothing is pending. Accepts migrations of a newer version that keep the columns of this one.
    pub async fn migrate_up(&self) -> Result<Vec<String>, StartError> {
        if !self.has_pending_migrations().await? {
            return Ok(Vec::new());
        }
        let pool = self.dedicated().await?;
        let applied = migration::up(&pool, self.settings().migration_lock_timeout).await;
        self.close_dedicated(pool).await;
        Ok(applied?)
    }

    /// Whether migrations are pending. Refuses a database of a newer version whose tables this one cannot use. Only reads.
    pub async fn has_pending_migrations(&self) -> Result<bool, StartError> {
        let status = self.migration_status().await?;
        if !names(&status, State::Pending).is_empty() {
            return Ok(true);
        }
        let migrations = names(&status, State::Unknown).join(", ");
        if migrations.is_empty() {
            return Ok(false);
        }
        let differences = schema_check::columns(&self.read).await;
        let differences = differences.map_err(|error| StartError::Migration(error.into()))?;
        if differences.is_empty() {
            tracing::warn!(
                "the database has migrations of a newer version: {migrations}; they keep the columns of this version"
            );
            return Ok(false);
        }
        let obstacles = differences.iter().map(|it| format!("{} {}", it.subject, it.problem));
        let obstacles = obstacles.collect::<Vec<_>>().join(", ");
        Err(migration::Error::Newer { migrations, obstacles }.into())
    }

    /// Reverts the newest migrations, with their data, and returns their names, newest first.
    pub async fn migrate_down(&self, steps: u32) -> Result<Vec<String>, StartError> {
        let pool = self.dedicated().await?;
        let reverted = migration::down(&pool, steps, self.settings().migration_lock_timeout).await;
        self.close_dedicated(pool).await;
        Ok(reverted?)
    }

    /// Every migration that this program knows or the database has, oldest first. Only reads.
    pub async fn migration_status(&self) -> Result<Vec<MigrationStatus>, StartError> {
        Ok(migration::status(&self.read.pool()).await?)
    }

    /// A pool of one connection without a time-out of statements; on SQLite the one that writes.
    async fn dedicated(&self) -> Result<DatabaseConnection, StartError> {
        match self.settings().url.target {
            Target::SqliteFile(_) | Target::SqliteMemory(_) => Ok(self.write.pool()),
            Target::Postgres(_) | Target::MySql(_) => open(self.settings(), 1, None).await,
        }
    }

    async fn close_dedicated(&self, pool: DatabaseConnection) {
        if pool.get_database_backend() != DbBackend::Sqlite {
            // Ends the session and releases MySQL's lock. Closing a pool never fails.
            let _ = pool.close().await;
        }
    }
}
