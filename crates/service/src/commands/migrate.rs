//! `migrate`: applies or reverts migrations, or prints their status.

use clap::Subcommand;
use database::{Database, Error, MigrationStatus};
use review::cli::print;
use settings::number;

use super::{database::must_exist, failure::Failure};
use crate::{Definition, Settings};

/// The commands for migrations.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Migrate {
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

pub(super) async fn run(
    migration: Migrate,
    service: &Definition,
    settings: &Settings,
) -> Result<(), Failure> {
    if migration != Migrate::Up {
        must_exist(settings)?;
    }
    let database = Database::connect(service.application, &settings.database.settings()).await;
    let database = database.map_err(Failure::Database)?;
    let migrations = migrate(&database, migration)
        .await
        .map_err(Failure::Migration)?;
    database.close().await;
    let lines = migrations.iter();
    let lines = lines.map(|migration| format!("{} {}\n", migration.state, migration.name));
    print(&lines.collect::<Vec<_>>().concat()).map_err(Failure::Print)
}

async fn migrate(database: &Database, migration: Migrate) -> Result<Vec<MigrationStatus>, Error> {
    match migration {
        Migrate::Up => drop(database.migrate_up().await?),
        Migrate::Down { steps } => {
            if database.migrate_down(steps).await?.is_empty() {
                tracing::warn!("nothing was reverted: no migration is applied");
            }
        }
        Migrate::Status => {}
    }
    database.migration_status().await
}
