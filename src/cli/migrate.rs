//! `vehicle-catalogue migrate`: applies or reverts migrations, or prints their status.

use std::io::{self, Write};

use clap::Subcommand;
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
    print(&migrations).map_err(Failure::Print)
}

async fn migrate(store: &Store, migration: Migrate) -> Result<Vec<MigrationStatus>, StoreError> {
    match migration {
        Migrate::Up => drop(store.migrate_up().await?),
        Migrate::Down { steps } => drop(store.migrate_down(steps).await?),
        Migrate::Status => {}
    }
    store.migration_status().await
}

fn print(migrations: &[MigrationStatus]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    for migration in migrations {
        writeln!(stdout, "{} {}", migration.state, migration.name)?;
    }
    stdout.flush()
}
