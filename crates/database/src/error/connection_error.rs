//! The errors of opening a connection.

use std::error::Error;
use std::path::PathBuf;

use sea_orm::{DbErr, RuntimeErr, sqlx};

use super::code::sqlx_error;

/// The server requests the password, and the connection has no TLS.
#[derive(Debug, thiserror::Error)]
#[error("the server requests the clear-text password, which is sent only over TLS")]
pub(crate) struct PasswordNeedsTls;

impl PasswordNeedsTls {
    /// Whether the driver reports this reason.
    pub(crate) fn is(reason: &(dyn Error + Send + Sync + 'static)) -> bool {
        reason.is::<Self>() || reason.to_string().starts_with("RSA auth backend disabled")
    }
}

/// A file of an open SQLite database is no longer at its path.
#[derive(Debug, thiserror::Error)]
#[error("{} was removed or replaced while it was open", .0.display())]
pub(crate) struct FileReplaced(pub(crate) PathBuf);

impl FileReplaced {
    /// Whether this is the cause of an error.
    pub(crate) fn is(error: &DbErr) -> bool {
        let cause = match sqlx_error(error) {
            Some(sqlx::Error::Io(error)) => error.get_ref(),
            _ => None,
        };
        matches!(cause, Some(cause) if cause.is::<Self>())
    }
}

/// Converts the error of a driver that opens or acquires a connection.
pub(crate) fn connection_error(error: sqlx::Error) -> DbErr {
    let error = match error {
        // The message of the driver is about its build, which an operator cannot change.
        sqlx::Error::Configuration(reason) if PasswordNeedsTls::is(&*reason) => {
            sqlx::Error::Configuration(Box::new(PasswordNeedsTls))
        }
        other => other,
    };
    DbErr::Conn(RuntimeErr::SqlxError(error.into()))
}
