//! Opens the database of a command that requires up-to-date tables.

use std::time::Duration;

use database::{Application, Database};
use tokio::time::timeout;

use super::failure::Failure;
use crate::{MigrateWhen, Settings};

/// Fails if the database file does not exist, for commands that must not create it.
pub(super) fn must_exist(settings: &Settings) -> Result<(), Failure> {
    let url = &settings.database.database_url;
    match url.missing_file() {
        Some(_) => Err(Failure::NoDatabase(url.clone().into())),
        None => Ok(()),
    }
}

/// Connects, and applies pending migrations if `migrate` is [`MigrateWhen::AtStart`].
pub async fn open_database(
    application: Application,
    settings: &Settings,
    migrate: MigrateWhen,
) -> Result<Database, Failure> {
    if migrate == MigrateWhen::Never {
        must_exist(settings)?;
    }
    let database = Database::connect(application, &settings.database.settings()).await;
    let database = database.map_err(Failure::Database)?;
    if migrate == MigrateWhen::AtStart {
        database.migrate_up().await.map_err(Failure::Migration)?;
    }
    let pending = database.pending_migrations().await;
    let pending = pending.map_err(Failure::Database)?;
    if pending.is_empty() {
        Ok(database)
    } else {
        Err(Failure::TablesOutdated(pending))
    }
}

/// Closes the connections, with a timeout.
pub async fn close_database(database: &Database, limit: Duration) {
    if timeout(limit, database.close()).await.is_err() {
        tracing::warn!("the connections to the database did not close in time");
    }
}
