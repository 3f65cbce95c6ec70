//! Decodes columns of every database, with errors that name the row and the column, and no value.

use chrono::{Datelike, NaiveDate, TimeDelta};
use sea_orm::sqlx::postgres::{PgRow, Postgres};
use sea_orm::sqlx::{self, Row as _, Type, ValueRef as _};
use sea_orm::{DbErr, FromQueryResult, QueryResult, RuntimeErr, TryGetError, TryGetable};

use crate::error::{DriverError, Error};

/// A row that cannot be decoded, because another program has stored a value that its type does not have.
#[derive(Clone, Debug)]
pub struct UnreadableRow {
    /// Its id.
    pub id: i64,
    /// The error, which names the id and the column.
    pub error: Error,
}

/// A row with an id that may not be decodable, so that the others of a result can be read.
#[derive(Clone, Debug)]
pub struct Readable<T>(pub Result<T, UnreadableRow>);

impl<T: FromQueryResult> FromQueryResult for Readable<T> {
    fn from_query_result(row: &QueryResult, prefix: &str) -> Result<Self, DbErr> {
        match T::from_query_result(row, prefix) {
            Ok(decoded) => Ok(Self(Ok(decoded))),
            Err(error) => match id(row) {
                Some(id) => {
                    let error = Error::from(error);
                    Ok(Self(Err(UnreadableRow { id, error })))
                }
                None => Err(error),
            },
        }
    }
}

/// The value of a column. SeaORM reports a null that must not be one with another error.
pub fn column<T: TryGetable>(row: &QueryResult, name: &str) -> Result<T, DbErr> {
    row.try_get_nullable("", name).map_err(|error| match error {
        TryGetError::DbErr(error) => error,
        TryGetError::Null(_) => undecodable(name, "it is null"),
    })
}

/// The date in a column. Fails for dates that have no form `YYYY-MM-DD`, of which PostgreSQL has many.
pub fn date_column(row: &QueryResult, name: &str) -> Result<Option<NaiveDate>, DbErr> {
    let date = match row.try_as_pg_row() {
        Some(row) => postgres_date(row, name)?,
        None => column(row, name)?,
    };
    match date {
        Some(date) if !(1..=9999).contains(&date.year()) => Err(undecodable(name, OUT_OF_RANGE)),
        date => Ok(date),
    }
}

/// The driver panics on a date outside of the range of chrono, such as `infinity`.
fn postgres_date(row: &PgRow, name: &str) -> Result<Option<NaiveDate>, DbErr> {
    let value = row.try_get_raw(name).map_err(query_error)?;
    if !<NaiveDate as Type<Postgres>>::compatible(&value.type_info()) {
        return Err(undecodable(name, "the column does not hold dates"));
    }
    let days = row.try_get_unchecked::<Option<i32>, _>(name);
    let Some(days) = days.map_err(query_error)? else {
        return Ok(None);
    };
    let date = POSTGRES_EPOCH.checked_add_signed(TimeDelta::days(days.into()));
    date.map_or_else(
        || Err(undecodable(name, OUT_OF_RANGE)),
        |date| Ok(Some(date)),
    )
}

/// The first day of the dates of PostgreSQL, which are numbers of days.
const POSTGRES_EPOCH: NaiveDate =
    NaiveDate::from_ymd_opt(2000, 1, 1).expect("it is in the calendar");

const OUT_OF_RANGE: &str = "the date is out of range";

fn undecodable(column: &str, reason: &'static str) -> DbErr {
    query_error(sqlx::Error::ColumnDecode {
        index: column.to_owned(),
        source: reason.into(),
    })
}

/// The error of a row that cannot be decoded, with its id. It repeats no value of another column.
pub fn unreadable(row: &QueryResult, error: DbErr) -> DbErr {
    match id(row) {
        Some(id) => {
            let error = DriverError::from(error);
            DbErr::Custom(format!("the row with the id {id} cannot be read: {error}"))
        }
        None => error,
    }
}

fn id(row: &QueryResult) -> Option<i64> {
    row.try_get("", "id").ok()
}

/// The error of a statement.
pub(crate) fn query_error(error: sqlx::Error) -> DbErr {
    DbErr::Query(RuntimeErr::SqlxError(error.into()))
}
