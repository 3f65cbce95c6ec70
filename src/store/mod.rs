//! Placeholder.

use std::time::Duration;

/// Where the database is.
#[derive(Debug, Clone)]
pub struct DatabaseSettings {
    /// URL.
    pub url: String,
    /// Connections.
    pub pool_size: u32,
    /// Wait.
    pub timeout: Duration,
}

/// Vehicles on a database.
#[derive(Debug, Clone)]
pub struct Store {}

/// One migration.
#[derive(Debug)]
pub struct MigrationStatus {
    /// Its name.
    pub name: String,
    /// Whether it has been applied.
    pub applied: bool,
}

/// Why the store failed.
#[derive(Debug, thiserror::Error)]
#[error("the database did not answer")]
pub struct StoreError;

#[expect(clippy::unused_async, reason = "placeholder")]
impl Store {
    /// Connects.
    pub async fn connect(settings: &DatabaseSettings) -> Result<Self, StoreError> {
        if settings.url.contains("nowhere") {
            return Err(StoreError);
        }
        Ok(Self {})
    }
    /// Applies all.
    pub async fn migrate_up(&self) -> Result<(), StoreError> {
        Ok(())
    }
    /// Undoes some.
    pub async fn migrate_down(&self, _steps: u32) -> Result<(), StoreError> {
        Ok(())
    }
    /// Lists them.
    pub async fn migration_status(&self) -> Result<Vec<MigrationStatus>, StoreError> {
        Ok(vec![MigrationStatus {
            name: "m1".into(),
            applied: true,
        }])
    }
    /// Closes.
    pub async fn close(self) {}
}
