//! The description of the service that uses the database.

use crate::columns::Column;
use crate::migrations::step::Migration;

/// The name and the main table of the service that uses the database.
#[derive(Clone, Copy, Debug)]
pub struct Application {
    /// Its name in the statistics of PostgreSQL and in the migration lock of MySQL: at most 23 characters.
    pub name: &'static str,
    /// A table that the service queries. The key of PostgreSQL's migration lock begins with its name.
    pub table: &'static str,
    /// The migrations of its tables, oldest first.
    pub migrations: &'static [Migration],
    /// The columns that it reads and writes, see [`entity_columns`](crate::entity_columns).
    pub columns: fn() -> Vec<Column>,
}

#[cfg(test)]
impl Application {
    /// An application without migrations, for tests.
    pub(crate) const BOOKSHOP: Self = Self {
        name: "bookshop",
        table: "book",
        migrations: &[],
        columns: Vec::new,
    };
}
