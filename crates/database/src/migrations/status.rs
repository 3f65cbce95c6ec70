//! The migrations and their states.

use std::fmt;

use crate::application::Application;

/// The table of the applied migrations.
pub(super) const TABLE: &str = "seaql_migrations";

/// A migration and its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrationStatus {
    /// Its name, which begins with the day it was written.
    pub name: String,
    /// Whether it is applied.
    pub state: MigrationState,
}

/// The state of a migration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MigrationState {
    /// This program knows it and the database has it.
    Applied,
    /// This program knows it and the database does not have it.
    Pending,
    /// The database has it and this program does not know it: it is from a newer version.
    Unknown,
}

/// `applied`, `pending` or `unknown`.
impl fmt::Display for MigrationState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Applied => "applied",
            Self::Pending => "pending",
            Self::Unknown => "unknown",
        })
    }
}

impl Application {
    /// The state of each migration, if these are applied.
    pub(super) fn status(&self, applied: &[String]) -> Vec<MigrationStatus> {
        let known = self.migrations.iter().map(|migration| MigrationStatus {
            name: migration.name.to_owned(),
            state: if applied.iter().any(|name| name == migration.name) {
                MigrationState::Applied
            } else {
                MigrationState::Pending
            },
        });
        let is_known = |name: &String| self.migrations.iter().any(|known| known.name == name);
        let unknown = applied.iter().filter(|name| !is_known(name));
        let unknown = unknown.map(|name| MigrationStatus {
            name: name.clone(),
            state: MigrationState::Unknown,
        });
        known.chain(unknown).collect()
    }
}

/// The names of the migrations in a state.
pub(super) fn names(migrations: &[MigrationStatus], state: MigrationState) -> Vec<String> {
    let wanted = migrations
        .iter()
        .filter(|migration| migration.state == state);
    wanted.map(|migration| migration.name.clone()).collect()
}
