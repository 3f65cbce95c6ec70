//! Decodes rows of every database by one mapping per type.

use sea_orm::sqlx::mysql::MySqlRow;
use sea_orm::sqlx::postgres::PgRow;
use sea_orm::sqlx::sqlite::SqliteRow;
use sea_orm::sqlx::{self, Decode, MySql, Postgres, Row as _, Sqlite, Type};
use sea_orm::{DbErr, QueryResult, RuntimeErr};

/// A type that is decoded from a row.
pub trait FromRow: Send + Sized {
    /// Decodes a row of a statement: the columns that it selects, in their order. A statement for an entity selects
    /// those of its `Column::iter()`.
    fn from_row(row: &Row<'_>) -> Result<Self, DbErr>;
}

/// A type of the values of a column, on every database.
pub trait ColumnValue:
    Type<Sqlite>
    + for<'r> Decode<'r, Sqlite>
    + Type<Postgres>
    + for<'r> Decode<'r, Postgres>
    + Type<MySql>
    + for<'r> Decode<'r, MySql>
{
}

impl<T> ColumnValue for T where
    T: Type<Sqlite>
        + for<'r> Decode<'r, Sqlite>
        + Type<Postgres>
        + for<'r> Decode<'r, Postgres>
        + Type<MySql>
        + for<'r> Decode<'r, MySql>
{
}

/// A row of a result.
pub struct Row<'r> {
    driver: DriverRow<'r>,
    /// Whether the types of the columns are checked.
    checked: bool,
}

/// A row of a driver.
#[derive(Clone, Copy)]
enum DriverRow<'r> {
    Sqlite(&'r SqliteRow),
    Postgres(&'r PgRow),
    MySql(&'r MySqlRow),
}

impl Row<'_> {
    /// The value of the column at this index; that of a column of an entity is `Column::Name as usize`.
    pub fn get<T: ColumnValue>(&self, index: usize) -> Result<T, DbErr> {
        let value = match (self.driver, self.checked) {
            // Every value of SQLite has its own type.
            (DriverRow::Sqlite(row), _) => row.try_get(index),
            (DriverRow::Postgres(row), true) => row.try_get(index),
            (DriverRow::Postgres(row), false) => row.try_get_unchecked(index),
            (DriverRow::MySql(row), true) => row.try_get(index),
            (DriverRow::MySql(row), false) => row.try_get_unchecked(index),
        };
        value.map_err(query_error)
    }
}

impl<'r> Row<'r> {
    fn new(row: &'r QueryResult, checked: bool) -> Self {
        let sqlite = row.try_as_sqlite_row().map(DriverRow::Sqlite);
        let driver = sqlite
            .or_else(|| row.try_as_pg_row().map(DriverRow::Postgres))
            .or_else(|| row.try_as_mysql_row().map(DriverRow::MySql))
            .expect("no other driver is compiled");
        Self { driver, checked }
    }
}

/// The decoded rows of a result, or the error of the first row that cannot be decoded.
pub(crate) struct DecodedRows<T>(pub(crate) Result<Vec<T>, DbErr>);

impl<T: FromRow> DecodedRows<T> {
    pub(crate) fn new() -> Self {
        Self(Ok(Vec::new()))
    }

    /// Decodes the next row. Column types are checked in the first row only.
    pub(crate) fn push(&mut self, row: &QueryResult) {
        let Ok(rows) = &mut self.0 else { return };
        match T::from_row(&Row::new(row, rows.is_empty())) {
            Ok(row) => rows.push(row),
            Err(error) => self.0 = Err(error),
        }
    }
}

/// The 64-bit integer in this column of a row.
pub(crate) fn integer(row: &QueryResult, column: usize) -> Result<Option<i64>, DbErr> {
    Row::new(row, true).get(column)
}

/// The error of a statement.
pub(crate) fn query_error(error: sqlx::Error) -> DbErr {
    DbErr::Query(RuntimeErr::SqlxError(error.into()))
}
