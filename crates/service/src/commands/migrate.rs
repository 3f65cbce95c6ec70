//! `migrate`: applies or reverts migrations, or prints their status.

use std::io::{self, BufRead, IsTerminal, Write};

use clap::Subcommand;
use database::{Database, Error, Loss, MigrationStatus};
use settings::{number, print};

use super::{database::must_exist, failure::Failure};
use crate::{Definition, Settings};

/// The commands for migrations.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Migrate {
    /// Apply all pending migrations
    Up,
    /// Revert the last applied migrations, including their data, after a question on a terminal
    Down {
        /// Number of migrations to revert, from 1 to 1000
        #[arg(long, value_name = "MIGRATIONS", default_value = "1", value_parser = number(1..=1000))]
        steps: u32,
        /// Delete the data of the migrations without a question
        #[arg(long)]
        yes: bool,
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
    if let Migrate::Down { steps, yes: false } = migration {
        let losses = database.losses(steps).await.map_err(Failure::Migration)?;
        confirm(&losses)?;
    }
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
        Migrate::Down { steps, .. } => {
            if database.migrate_down(steps).await?.is_empty() {
                tracing::warn!("nothing was reverted: no migration is applied");
            }
        }
        Migrate::Status => {}
    }
    database.migration_status().await
}

/// Asks on a terminal whether to delete data; fails if there is none, or if the answer is not yes.
fn confirm(losses: &[Loss]) -> Result<(), Failure> {
    if losses.is_empty() {
        return Ok(());
    }
    let losses: Vec<_> = losses.iter().map(Loss::to_string).collect();
    let losses = losses.join(", ");
    let (stdin, mut stderr) = (io::stdin(), io::stderr());
    if stdin.is_terminal() && stderr.is_terminal() {
        let mut answer = String::new();
        let asked = write!(stderr, "This deletes {losses}. Enter yes to delete that: ")
            .and_then(|()| stderr.flush())
            .and_then(|()| stdin.lock().read_line(&mut answer));
        if asked.is_ok() && answer.trim() == "yes" {
            return Ok(());
        }
    }
    Err(Failure::NotConfirmed(losses))
}
