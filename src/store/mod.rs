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
pub struct Store(std::sync::Arc<std::sync::Mutex<Vec<crate::catalogue::Vehicle>>>);

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
pub enum StoreError {
    /// a
    Unavailable(String),
    /// b
    Unexpected(String),
}

#[expect(clippy::unused_async, reason = "placeholder")]
impl Store {
    /// Connects.
    pub async fn connect(settings: &DatabaseSettings) -> Result<Self, StoreError> {
        if settings.url.contains("nowhere") {
            return Err(StoreError::Unavailable(String::new()));
        }
        Ok(Self(Default::default()))
    }
    /// l
    pub async fn list(&self, n: u32) -> Result<Vec<crate::catalogue::Vehicle>, StoreError> {
        Ok(self
            .0
            .lock()
            .unwrap()
            .iter()
            .take(n as usize)
            .cloned()
            .collect())
    }
    /// f
    pub async fn find(
        &self,
        id: crate::catalogue::VehicleId,
    ) -> Result<Option<crate::catalogue::Vehicle>, StoreError> {
        Ok(self.0.lock().unwrap().iter().find(|v| v.id == id).cloned())
    }
    /// i
    pub async fn insert(
        &self,
        n: crate::catalogue::NewVehicle,
    ) -> Result<crate::catalogue::Vehicle, StoreError> {
        let mut all = self.0.lock().unwrap();
        let v = crate::catalogue::Vehicle::stored(
            crate::catalogue::VehicleId::from_key(all.len() as i64 + 1),
            n,
        );
        all.push(v.clone());
        Ok(v)
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
