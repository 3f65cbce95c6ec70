//! The public errors of the resolvers.

use async_graphql::Error;
use async_graphql_strict::{ErrorCode, ErrorDetails, internal_error};
use sea_orm::DbErr;

use crate::contract::support::Violations;

/// Why an operation failed.
pub(crate) enum Failure {
    /// The message states what is wrong in the arguments.
    Invalid(String),
    /// A subscriber reads more slowly than books are added. It has missed this number of them.
    Missed(u64),
    Database(DbErr),
}

impl From<DbErr> for Failure {
    fn from(error: DbErr) -> Self {
        Self::Database(error)
    }
}

impl From<Violations> for Failure {
    fn from(violations: Violations) -> Self {
        Self::Invalid(violations.to_string())
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Invalid(message) => ErrorDetails::new(ErrorCode::BadUserInput).into_error(message),
            Failure::Missed(books) => {
                let message =
                    format!("events were not read in time, so added books are missing here ({books}); query them");
                ErrorDetails::new(ErrorCode::LimitExceeded).into_error(message)
            }
            Failure::Database(error) => internal_error(ErrorCode::InternalServerError, "internal error", &error, None),
        }
    }
}
