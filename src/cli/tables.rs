//! Opens the database of a command that requires up-to-date tables.

use tokio::time::timeout;

use super::Failure;
use crate::{
    app,
    settings::{MigrateWhen, Settings},
    store::Store,
};

/// Fails if the database file does not exist, for commands that must not create it.
pub(super) fn must_exist(settings: &Settings) -> Result<(), Failure> {
    let url = &settings.database.database_url;
    match url.missing_file() {
        Some(_) => Err(Failure::NoDatabase(url.clone().into())),
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
    let pending = store
        .pending_migrations()
        .await
        .map_err(Failure::Database)?;
    if pending.is_empty() {
        Ok(store)
    } else {
        Err(Failure::TablesOutdated(pending))
    }
}

/// Closes the connections, with a timeout.
pub(super) async fn close(store: &Store, settings: &Settings) {
    let closed = timeout(settings.database.database_timeout_seconds, store.close()).await;
    if closed.is_err() {
        tracing::warn!("the connections to the database did not close in time");
    }
}
