//! Migrates the database, and decides whether this version works with it.

use migration::{MigrationStatus, State};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend};

use super::connect::{Database, begin, open};
use super::error::{Cause, StartError};
use super::schema_check;
use super::url::Target;

impl Database {
    /// Rejects a SQLite file that can only be opened read-only, unless the URL requests that. Changes nothing. A server is
    /// not checked, because it may become writable while it runs.
    pub async fn ensure_writable(&self) -> Result<(), StartError> {
        let url = &self.settings().url;
        if !matches!(url.0, Target::SqliteFile(_)) || url.is_read_only() {
            return Ok(());
        }
        // A transaction without a write can begin on a read-only file.
        let probe = async {
            let transaction = begin(&self.write.pool).await?;
            transaction
                .execute_unprepared("PRAGMA user_version = 0")
                .await?;
            transaction.rollback().await
        };
        match probe.await.map_err(Cause::from) {
            Err(source) if source.is_read_only() => Err(StartError::ReadOnly {
                database: url.to_string(),
                source,
            }),
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
        let lock_timeout = self.settings().migration_lock_timeout;
        let pool = self.dedicated().await?;
        let applied = migration::up(&pool, lock_timeout).await;
        self.close_dedicated(pool).await;
        Ok(applied?)
    }

    /// Whether migrations are pending. Refuses a database of a newer version whose tables this one cannot use. Only reads.
    pub async fn has_pending_migrations(&self) -> Result<bool, StartError> {
        let migrations = self.migration_status().await?;
        let names = |state| {
            let wanted = migrations.iter().filter(|it| it.state == state);
            wanted
                .map(|it| it.name.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        };
        if !names(State::Pending).is_empty() {
            return Ok(true);
        }
        let unknown = names(State::Unknown);
        if !unknown.is_empty() {
            let obstacles = schema_check::column_differences(&self.read).await;
            let obstacles = obstacles.map_err(|error| StartError::Migration(error.into()))?;
            if !obstacles.is_empty() {
                let obstacles = obstacles
                    .iter()
                    .map(|it| format!("{} {}", it.subject, it.problem));
                return Err(StartError::NewerSchema {
                    migrations: unknown,
                    obstacles: obstacles.collect::<Vec<_>>().join(", "),
                });
            }
            tracing::warn!(
                "the database has migrations of a newer version: {unknown}; they keep the columns of this version"
            );
        }
        Ok(false)
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
        Ok(migration::status(&self.read.pool).await?)
    }

    /// A pool of one connection without a time-out of statements; on SQLite the one that writes.
    async fn dedicated(&self) -> Result<DatabaseConnection, StartError> {
        match self.settings().url.0 {
            Target::SqliteFile(_) | Target::SqliteMemory(_) => Ok(self.write.pool.clone()),
            Target::Postgres(_) | Target::MySql(..) => {
                let opened = open(self.settings(), 1, None).await;
                opened.map_err(|error| StartError::connecting(&self.settings().url, error))
            }
        }
    }

    async fn close_dedicated(&self, pool: DatabaseConnection) {
        if pool.get_database_backend() != DbBackend::Sqlite {
            // Ends the session and releases MySQL's lock. Closing a pool never fails.
            let _ = pool.close().await;
        }
    }
}
