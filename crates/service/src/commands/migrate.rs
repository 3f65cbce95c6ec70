//! `migrate`: applies or reverts migrations, or prints their status.

use std::io::{self, BufRead, IsTerminal, Write};

use clap::Subcommand;
use database::{Database, Error, MigrationState, MigrationStatus};
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
        let status = database.migration_status().await;
        confirm(&newest(&status.map_err(Failure::Migration)?, steps))?;
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

/// The names of the newest applied migrations of this program, newest first.
fn newest(migrations: &[MigrationStatus], steps: u32) -> Vec<&str> {
    let applied = migrations.iter().rev();
    let applied = applied.filter(|migration| migration.state == MigrationState::Applied);
    let names = applied.map(|migration| migration.name.as_str());
    names.take(steps as usize).collect()
}

/// Asks on a terminal whether to revert these migrations; fails if there is none, or if the answer is not yes.
fn confirm(migrations: &[&str]) -> Result<(), Failure> {
    if migrations.is_empty() {
        return Ok(());
    }
    let migrations = migrations.join(", ");
    let (stdin, mut stderr) = (io::stdin(), io::stderr());
    if stdin.is_terminal() && stderr.is_terminal() {
        let mut answer = String::new();
        let question =
            format!("This reverts {migrations} and deletes their data. Enter yes to do that: ");
        let asked = write!(stderr, "{question}")
            .and_then(|()| stderr.flush())
            .and_then(|()| stdin.lock().read_line(&mut answer));
        if asked.is_ok() && answer.trim() == "yes" {
            return Ok(());
        }
    }
    Err(Failure::NotConfirmed(migrations))
}
