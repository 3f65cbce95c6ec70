//! Decodes columns of every database, with errors that name the row and the column, and no value.

use chrono::{Datelike, NaiveDate};
use sea_orm::sqlx;
use sea_orm::{DbErr, QueryResult, RuntimeErr, TryGetError, TryGetable};

use crate::error::DriverError;

/// The value of a column. SeaORM reports a null that must not be one with another error.
pub fn column<T: TryGetable>(row: &QueryResult, name: &str) -> Result<T, DbErr> {
    row.try_get_nullable("", name).map_err(|error| match error {
        TryGetError::DbErr(error) => error,
        TryGetError::Null(_) => undecodable(name, "it is null"),
    })
}

/// The date in a column. Fails for dates that have no form `YYYY-MM-DD`.
pub fn date_column(row: &QueryResult, name: &str) -> Result<Option<NaiveDate>, DbErr> {
    match column::<Option<NaiveDate>>(row, name)? {
        Some(date) if !(1..=9999).contains(&date.year()) => {
            Err(undecodable(name, "the date is out of range"))
        }
        date => Ok(date),
    }
}

fn undecodable(column: &str, reason: &'static str) -> DbErr {
    query_error(sqlx::Error::ColumnDecode {
        index: column.to_owned(),
        source: reason.into(),
    })
}

/// The error of a row that cannot be decoded, with its id. It repeats no value of another column.
pub fn unreadable(row: &QueryResult, error: DbErr) -> DbErr {
    match row.try_get::<i64>("", "id") {
        Ok(id) => {
            let error = DriverError::from(error);
            DbErr::Custom(format!("the row with the id {id} cannot be read: {error}"))
        }
        Err(_) => error,
    }
}

/// The error of a statement.
pub(crate) fn query_error(error: sqlx::Error) -> DbErr {
    DbErr::Query(RuntimeErr::SqlxError(error.into()))
}
