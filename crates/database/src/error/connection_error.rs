//! The errors of opening a connection.

use std::error::Error;

use sea_orm::{DbErr, RuntimeErr, sqlx};

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
