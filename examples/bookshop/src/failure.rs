//! The public errors of the resolvers.

use async_graphql::Error;
use database::Error as DatabaseError;
use engine::{ErrorCode, ErrorFacts};
use service::DatabaseFailure;

/// Why an operation failed.
pub(crate) enum Failure {
    /// The message states what is wrong in the arguments.
    Invalid(String),
    /// A subscriber reads more slowly than books are added. It has missed this number of them.
    Missed(u64),
    Database(DatabaseError),
}

impl From<DatabaseError> for Failure {
    fn from(error: DatabaseError) -> Self {
        Self::Database(error)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Invalid(message) => {
                ErrorFacts::of_code(ErrorCode::BadUserInput).into_error(message)
            }
            Failure::Missed(books) => {
                let message = format!(
                    "events were not read in time, so added books are missing here ({books}); query them"
                );
                ErrorFacts::of_code(ErrorCode::LimitExceeded).into_error(message)
            }
            Failure::Database(error) => DatabaseFailure(error).into(),
        }
    }
}
