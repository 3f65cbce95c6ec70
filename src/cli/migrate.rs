//! `vehicle-catalogue migrate`: applies or reverts migrations, or prints their status.

use clap::Subcommand;
use review::cli::print;
use settings::number;

use super::{Failure, tables};
use crate::{
    app,
    settings::Settings,
    store::{MigrationStatus, Store, StoreError},
};

/// The commands for migrations.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(crate) enum Migrate {
    /// Apply all pending migrations
    Up,
    /// Revert the last applied migrations, including their data
    Down {
        /// Number of migrations to revert, from 1 to 1000
        #[arg(long, value_name = "MIGRATIONS", default_value = "1", value_parser = number(1..=1000))]
        steps: u32,
    },
    /// List the migrations and whether they have been applied
    Status,
}

pub(super) async fn run(migration: Migrate, settings: &Settings) -> Result<(), Failure> {
    if migration != Migrate::Up {
        tables::must_exist(settings)?;
    }
    let store = app::connect(settings).await.map_err(Failure::Database)?;
    let migrations = migrate(&store, migration)
        .await
        .map_err(Failure::Migration)?;
    store.close().await;
    let lines = migrations.iter();
    let lines = lines.map(|migration| format!("{} {}\n", migration.state, migration.name));
    print(&lines.collect::<Vec<_>>().concat()).map_err(Failure::Print)
}

async fn migrate(store: &Store, migration: Migrate) -> Result<Vec<MigrationStatus>, StoreError> {
    match migration {
        Migrate::Up => drop(store.migrate_up().await?),
        Migrate::Down { steps } => drop(store.migrate_down(steps).await?),
        Migrate::Status => {}
    }
    store.migration_status().await
}
