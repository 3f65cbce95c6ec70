//! Migrations of a newer version of the program, which this one does not know.

use crate::database::Database;
use crate::error::Error;

use super::status::{MigrationState, MigrationStatus, TABLE, names};

impl Database {
    /// Accepts migrations of a newer version, none of which is older than one of this version that is pending, if the
    /// statements of this version still work: every column is as it expects, and its inserts omit no column that must have
    /// a value.
    pub(super) async fn check_newer(&self, unknown: &[String]) -> Result<(), Error> {
        if unknown.is_empty() {
            return Ok(());
        }
        let (expected, found) = (self.expected_columns(), self.columns().await?);
        let changed = expected.iter().flat_map(|column| {
            let differences = column.differences(&found).into_iter();
            differences.map(move |difference| (column, difference))
        });
        let required = found.iter().filter(|found| found.is_required_by(&expected));
        let required = required.map(|column| (column, "is NOT NULL without default".to_owned()));
        let obstacles = changed.chain(required);
        let obstacles = obstacles
            .map(|(column, difference)| format!("{}.{} {difference}", column.table, column.name));
        let obstacles: Vec<_> = obstacles.collect();
        let migrations = unknown.join(", ");
        if obstacles.is_empty() {
            tracing::warn!(
                "the database has migrations of a newer version: {migrations}; they keep the columns of this version"
            );
            return Ok(());
        }
        let obstacles = obstacles.join(", ");
        Err(Error::NewerSchema {
            migrations,
            obstacles,
        })
    }
}

/// Fails if there are migrations of a newer version, whose order with those of this one is unknown, or of another program:
/// every version has the first migration.
pub(super) fn refuse(migrations: &[MigrationStatus]) -> Result<(), Error> {
    let unknown = names(migrations, MigrationState::Unknown);
    let Some(first) = unknown.first() else {
        return Ok(());
    };
    if names(migrations, MigrationState::Applied).is_empty() {
        return Err(Error::ForeignTable {
            table: TABLE.to_owned(),
            reason: format!("it has the migration {first}, and none of this program"),
        });
    }
    Err(Error::NewerSchema {
        migrations: unknown.join(", "),
        obstacles: "this version can neither apply migrations before them nor revert others"
            .to_owned(),
    })
}
