//! Decodes rows of every database by one mapping per type.

use std::cell::Cell;

use chrono::{Datelike, NaiveDate, TimeDelta};
use sea_orm::sqlx::mysql::MySqlRow;
use sea_orm::sqlx::postgres::PgRow;
use sea_orm::sqlx::sqlite::SqliteRow;
use sea_orm::sqlx::{self, Decode, MySql, Postgres, Row as _, Sqlite, Type, ValueRef as _};
use sea_orm::{DbErr, QueryResult, RuntimeErr};

use crate::error::{DriverError, Error};

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

/// A row that cannot be decoded, because another program has stored a value that its type does not have.
#[derive(Clone, Debug)]
pub struct UnreadableRow {
    /// Its id, the first column.
    pub id: i64,
    /// The error, which names the id and the column.
    pub error: Error,
}

/// Keeps a row that cannot be decoded, so that the others can be read. The first column is the id.
impl<T: FromRow> FromRow for Result<T, UnreadableRow> {
    fn from_row(row: &Row<'_>) -> Result<Self, DbErr> {
        match T::from_row(row) {
            Ok(decoded) => Ok(Ok(decoded)),
            Err(error) => match row.get(0) {
                Ok(id) => {
                    let error = Error::classify(unreadable(id, error));
                    Ok(Err(UnreadableRow { id, error }))
                }
                Err(_) => Err(error),
            },
        }
    }
}

/// A row of a result.
pub struct Row<'r> {
    driver: DriverRow<'r>,
    /// Whether the types of the columns are checked.
    checked: bool,
    /// Whether a column could not be decoded.
    failed: Cell<bool>,
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
        value.map_err(|error| self.fail(error))
    }

    /// The date in the column at this index. Fails for dates that have no form `YYYY-MM-DD`, of which PostgreSQL has many.
    pub fn date(&self, index: usize) -> Result<Option<NaiveDate>, DbErr> {
        let date = match self.driver {
            DriverRow::Postgres(row) => self.postgres_date(row, index)?,
            DriverRow::Sqlite(_) | DriverRow::MySql(_) => self.get(index)?,
        };
        match date {
            Some(date) if !(1..=9999).contains(&date.year()) => {
                Err(self.fail(undecodable(index, OUT_OF_RANGE)))
            }
            date => Ok(date),
        }
    }

    /// The driver panics on a date outside of the range of chrono, such as `infinity`.
    fn postgres_date(&self, row: &PgRow, index: usize) -> Result<Option<NaiveDate>, DbErr> {
        if self.checked {
            let value = row.try_get_raw(index).map_err(|error| self.fail(error))?;
            if !<NaiveDate as Type<Postgres>>::compatible(&value.type_info()) {
                return Err(self.fail(undecodable(index, "the column does not hold dates")));
            }
        }
        let days = row.try_get_unchecked::<Option<i32>, _>(index);
        let Some(days) = days.map_err(|error| self.fail(error))? else {
            return Ok(None);
        };
        let date = POSTGRES_EPOCH.checked_add_signed(TimeDelta::days(days.into()));
        match date {
            Some(date) => Ok(Some(date)),
            None => Err(self.fail(undecodable(index, OUT_OF_RANGE))),
        }
    }

    fn fail(&self, error: sqlx::Error) -> DbErr {
        self.failed.set(true);
        query_error(error)
    }
}

/// The first day of the dates of PostgreSQL, which are numbers of days.
const POSTGRES_EPOCH: NaiveDate =
    NaiveDate::from_ymd_opt(2000, 1, 1).expect("it is in the calendar");

const OUT_OF_RANGE: &str = "the date is out of range";

fn undecodable(index: usize, reason: &'static str) -> sqlx::Error {
    sqlx::Error::ColumnDecode {
        index: index.to_string(),
        source: reason.into(),
    }
}

impl<'r> Row<'r> {
    fn new(row: &'r QueryResult, checked: bool) -> Self {
        let sqlite = row.try_as_sqlite_row().map(DriverRow::Sqlite);
        let driver = sqlite
            .or_else(|| row.try_as_pg_row().map(DriverRow::Postgres))
            .or_else(|| row.try_as_mysql_row().map(DriverRow::MySql))
            .expect("no other driver is compiled");
        let failed = Cell::new(false);
        Self {
            driver,
            checked,
            failed,
        }
    }
}

/// The decoded rows of a result, or the error of the first row that cannot be decoded.
pub(crate) struct DecodedRows<T> {
    rows: Result<Vec<T>, DbErr>,
    /// Whether a row was decoded whose column types were checked.
    is_checked: bool,
}

impl<T: FromRow> DecodedRows<T> {
    pub(crate) fn new() -> Self {
        Self {
            rows: Ok(Vec::new()),
            is_checked: false,
        }
    }

    /// Decodes the next row. Column types are checked in the first row that can be decoded.
    pub(crate) fn push(&mut self, row: &QueryResult) {
        let Ok(rows) = &mut self.rows else { return };
        let row = Row::new(row, !self.is_checked);
        let decoded = T::from_row(&row);
        self.is_checked |= !row.failed.get();
        match decoded {
            Ok(decoded) => rows.push(decoded),
            Err(error) => {
                self.rows = Err(match row.get(0) {
                    Ok(id) => unreadable(id, error),
                    Err(_) => error,
                });
            }
        }
    }

    pub(crate) fn into_rows(self) -> Result<Vec<T>, DbErr> {
        self.rows
    }
}

/// The error of a row that cannot be decoded, with its id. It repeats no value of another column.
fn unreadable(id: i64, error: DbErr) -> DbErr {
    let error = DriverError::from(error);
    DbErr::Custom(format!("the row with the id {id} cannot be read: {error}"))
}

/// The 64-bit integer in this column of a row.
pub(crate) fn integer(row: &QueryResult, column: usize) -> Result<Option<i64>, DbErr> {
    Row::new(row, true).get(column)
}

/// The error of a statement.
pub(crate) fn query_error(error: sqlx::Error) -> DbErr {
    DbErr::Query(RuntimeErr::SqlxError(error.into()))
}
