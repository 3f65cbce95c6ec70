//! Decodes rows of every database by one mapping per type.

use sea_orm::sqlx::mysql::MySqlRow;
use sea_orm::sqlx::postgres::PgRow;
use sea_orm::sqlx::sqlite::SqliteRow;
use sea_orm::sqlx::{self, Decode, MySql, Postgres, Row as _, Sqlite, Type};
use sea_orm::{DbErr, QueryResult, RuntimeErr};

/// A type that is decoded from a row.
pub trait FromRow: Sized {
    /// Decodes a row that has the columns of the entity in the order of its `Column::iter()`.
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
pub(crate) enum DriverRow<'r> {
    Sqlite(&'r SqliteRow),
    Postgres(&'r PgRow),
    MySql(&'r MySqlRow),
}

impl Row<'_> {
    /// The value of a column; its index is `Column::Name as usize`.
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

impl<'r> From<&'r SqliteRow> for DriverRow<'r> {
    fn from(row: &'r SqliteRow) -> Self {
        Self::Sqlite(row)
    }
}

impl<'r> From<&'r PgRow> for DriverRow<'r> {
    fn from(row: &'r PgRow) -> Self {
        Self::Postgres(row)
    }
}

impl<'r> From<&'r MySqlRow> for DriverRow<'r> {
    fn from(row: &'r MySqlRow) -> Self {
        Self::MySql(row)
    }
}

impl<'r> From<&'r QueryResult> for DriverRow<'r> {
    fn from(row: &'r QueryResult) -> Self {
        let sqlite = row.try_as_sqlite_row().map(Self::from);
        let row = sqlite
            .or_else(|| row.try_as_pg_row().map(Self::from))
            .or_else(|| row.try_as_mysql_row().map(Self::from));
        row.expect("no other driver is compiled")
    }
}

/// The rows of a result.
pub(crate) enum DriverRows {
    Sqlite(Vec<SqliteRow>),
    Postgres(Vec<PgRow>),
    MySql(Vec<MySqlRow>),
}

impl DriverRows {
    /// Decodes the rows. Column types are checked in the first row only.
    pub(crate) fn decode<T: FromRow>(&self) -> Result<Vec<T>, DbErr> {
        match self {
            Self::Sqlite(rows) => decode_rows(rows),
            Self::Postgres(rows) => decode_rows(rows),
            Self::MySql(rows) => decode_rows(rows),
        }
    }

    /// The 64-bit integer in this column of the first row, if there is one.
    pub(crate) fn first_integer(&self, column: usize) -> Result<Option<i64>, DbErr> {
        let first: Option<DriverRow<'_>> = match self {
            Self::Sqlite(rows) => rows.first().map(Into::into),
            Self::Postgres(rows) => rows.first().map(Into::into),
            Self::MySql(rows) => rows.first().map(Into::into),
        };
        let Some(driver) = first else {
            return Ok(None);
        };
        let checked = true;
        Row { driver, checked }.get(column)
    }
}

impl From<Vec<SqliteRow>> for DriverRows {
    fn from(rows: Vec<SqliteRow>) -> Self {
        Self::Sqlite(rows)
    }
}

impl From<Vec<PgRow>> for DriverRows {
    fn from(rows: Vec<PgRow>) -> Self {
        Self::Postgres(rows)
    }
}

impl From<Vec<MySqlRow>> for DriverRows {
    fn from(rows: Vec<MySqlRow>) -> Self {
        Self::MySql(rows)
    }
}

/// Decodes the rows of a result. Column types are checked in the first row only.
pub(crate) fn decode_rows<'r, T: FromRow, R>(rows: &'r [R]) -> Result<Vec<T>, DbErr>
where
    DriverRow<'r>: From<&'r R>,
{
    let rows = rows.iter().enumerate().map(|(index, row)| Row {
        driver: row.into(),
        checked: index == 0,
    });
    rows.map(|row| T::from_row(&row)).collect()
}

/// The error of a statement.
pub(crate) fn query_error(error: sqlx::Error) -> DbErr {
    DbErr::Query(RuntimeErr::SqlxError(error.into()))
}
