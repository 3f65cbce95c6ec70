//! The public errors of a resolver whose database operation fails.

use std::time::Duration;

use async_graphql::Error;
use database::Error as DatabaseError;
use engine::{ErrorCode, masked};

const UNAVAILABLE: &str = "the service is temporarily unavailable; retry later";

const OUTCOME_UNKNOWN: &str =
    "the outcome is unknown: the write may have been stored; check before retrying";

/// The minimum delay before a retry when a queue is full.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// A database operation of a resolver failed. It does not implement `Display`, because async-graphql would publish the
/// text: clients receive a message of this crate and a reference, and the log has the error.
#[derive(Debug)]
pub struct DatabaseFailure(pub DatabaseError);

impl From<DatabaseError> for DatabaseFailure {
    fn from(error: DatabaseError) -> Self {
        Self(error)
    }
}

impl From<DatabaseFailure> for Error {
    fn from(DatabaseFailure(error): DatabaseFailure) -> Self {
        use ErrorCode::{InternalServerError, ServiceUnavailable};
        let (code, message, wait) = match error {
            DatabaseError::Unavailable(_) => (ServiceUnavailable, UNAVAILABLE, None),
            DatabaseError::Busy { .. } => (ServiceUnavailable, UNAVAILABLE, Some(RETRY_DELAY)),
            DatabaseError::OutcomeUnknown(_) => (ServiceUnavailable, OUTCOME_UNKNOWN, None),
            DatabaseError::Unexpected(_)
            | DatabaseError::NoIdLeft { .. }
            | DatabaseError::UnsupportedUrl
            | DatabaseError::InvalidUrl(_)
            | DatabaseError::CannotConnect { .. }
            | DatabaseError::ReadOnly { .. }
            | DatabaseError::Untrusted { .. }
            | DatabaseError::MigrationLocked { .. }
            | DatabaseError::NewerSchema { .. }
            | DatabaseError::ForeignTable { .. }
            | DatabaseError::Migration(_) => (InternalServerError, "internal error", None),
        };
        masked(code, message, &error, wait)
    }
}
