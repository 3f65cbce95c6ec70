//! The classification of database errors.

use std::sync::Arc;

use sea_orm::{ConnAcquireErr, RuntimeErr};

use super::*;

fn from_sqlx(error: sqlx::Error) -> DbErr {
    DbErr::Query(RuntimeErr::SqlxError(Arc::new(error)))
}

#[test]
fn an_unreachable_database_is_unavailable() {
    let broken_pipe = std::io::Error::from(std::io::ErrorKind::BrokenPipe);
    for error in [
        DbErr::ConnectionAcquire(ConnAcquireErr::Timeout),
        DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed),
        from_sqlx(sqlx::Error::Io(broken_pipe)),
        from_sqlx(sqlx::Error::WorkerCrashed),
    ] {
        assert!(matches!(Error::classify(error), Error::Unavailable(_)));
    }
}

#[test]
fn an_undecodable_row_is_unexpected() {
    let error = from_sqlx(sqlx::Error::ColumnNotFound("id".to_owned()));
    assert!(matches!(Error::classify(error), Error::Unexpected(_)));
}

#[test]
fn classifies_error_codes_of_each_database() {
    assert!(Code::Postgres("57P01").is_unavailable());
    assert!(Code::Postgres("53300").is_unavailable());
    assert!(!Code::Postgres("22001").is_unavailable());
    assert!(!Code::Postgres("42P01").is_unavailable());
    assert!(Code::MySql(1205).is_unavailable());
    assert!(Code::MySql(1047).is_unavailable());
    assert!(Code::MySql(1461).is_unavailable());
    assert!(Code::MySql(3101).is_unavailable());
    assert!(!Code::MySql(1406).is_unavailable());
    assert!(Code::Sqlite(5, 5).is_unavailable());
    assert!(!Code::Sqlite(19, 2067).is_unavailable());
}

#[test]
fn a_message_does_not_repeat_its_source() {
    let error = Error::classify(DbErr::Custom("SELECT secret".to_owned()));
    assert!(!error.to_string().contains("SELECT"));
    assert!(std::error::Error::source(&error).is_some_and(|s| s.to_string().contains("SELECT")));
}

#[test]
fn a_lost_conflict_is_displayed() {
    let error = DriverError::from(DbErr::RecordNotUpdated);
    assert_eq!(error.to_string(), "None of the records are updated");
}
