//! Opens the database of a command that requires up-to-date tables.

use tokio::time::timeout;

use super::Failure;
use crate::{
    app,
    settings::{MigrateWhen, Settings},
    store::{MigrationState, Store, StoreError},
};

/// Fails if the database file does not exist, for commands that must not create it.
pub(super) fn must_exist(settings: &Settings) -> Result<(), Failure> {
    match settings.database.database_url.missing_file() {
        Some(_) => Err(Failure::NoDatabase(
            settings.database.database_url.clone().into(),
        )),
        None => Ok(()),
    }
}

/// Connects, and applies pending migrations if `migrate` is [`MigrateWhen::AtStart`].
pub(super) async fn open(settings: &Settings, migrate: MigrateWhen) -> Result<Store, Failure> {
    if migrate == MigrateWhen::Never {
        must_exist(settings)?;
    }
    let store = app::connect(settings).await.map_err(Failure::Database)?;
    if migrate == MigrateWhen::AtStart {
        store.migrate_up().await.map_err(Failure::Migration)?;
    }
    let migrations = store.migration_status().await.map_err(Failure::Database)?;
    let names = |state| {
        let wanted = migrations
            .iter()
            .filter(|migration| migration.state == state);
        wanted
            .map(|migration| migration.name.clone())
            .collect::<Vec<_>>()
    };
    let unknown = names(MigrationState::Unknown);
    if !unknown.is_empty() {
        let migrations = unknown;
        return Err(Failure::Database(StoreError::NewerSchema { migrations }));
    }
    let pending = names(MigrationState::Pending);
    if !pending.is_empty() {
        return Err(Failure::TablesOutdated(pending));
    }
    Ok(store)
}

/// Closes the connections, with a timeout.
pub(super) async fn close(store: &Store, settings: &Settings) {
    let closed = timeout(settings.database.database_timeout_seconds, store.close()).await;
    if closed.is_err() {
        tracing::warn!("the connections to the database did not close in time");
    }
}
