//! The errors of resolvers, and their mapping to GraphQL errors.

use std::time::Duration;

use async_graphql::{Error, Value, value};
use engine::{ErrorCode, ErrorFacts, masked};

use crate::{
    catalogue::{Violation, Violations},
    store::{Refusal, StoreError},
};

const UNREACHABLE: &str = "the catalogue is temporarily unavailable; retry later";

const KEY_REUSED: &str = "the Idempotency-Key was used for a create with other arguments, or for one of which a \
     vehicle was deleted; use a new key";

/// The minimum delay before a retry when a queue is full.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// The error of a resolver. It does not implement `Display`, because async-graphql would publish the text.
#[derive(Debug)]
pub enum Failure {
    /// The arguments break rules of the contract.
    Invalid(Violations),
    /// The vehicle cannot be changed.
    Refused(Refusal),
    /// The idempotency key belongs to another create.
    KeyReused,
    /// The store failed.
    Store(StoreError),
}

impl From<Violations> for Failure {
    fn from(violations: Violations) -> Self {
        Self::Invalid(violations)
    }
}

impl From<Violation> for Failure {
    fn from(violation: Violation) -> Self {
        Self::Invalid(violation.into())
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Invalid(violations) => invalid(&violations),
            Failure::Refused(refusal) => refused(refusal),
            Failure::KeyReused => ErrorFacts::of_code(ErrorCode::IdempotencyKeyReused)
                .into_error(KEY_REUSED.to_owned()),
            Failure::Store(error) => match error {
                StoreError::Unavailable(_) => {
                    masked(ErrorCode::ServiceUnavailable, UNREACHABLE, &error, None)
                }
                StoreError::Busy { .. } => masked(
                    ErrorCode::ServiceUnavailable,
                    UNREACHABLE,
                    &error,
                    Some(RETRY_DELAY),
                ),
                StoreError::OutcomeUnknown(_) => masked(
                    ErrorCode::ServiceUnavailable,
                    "the outcome is unknown: the write may have been stored; check before retrying",
                    &error,
                    None,
                ),
                StoreError::Unexpected(_)
                | StoreError::NoIdLeft { .. }
                | StoreError::UnsupportedUrl
                | StoreError::InvalidUrl(_)
                | StoreError::CannotConnect { .. }
                | StoreError::ReadOnly { .. }
                | StoreError::Untrusted { .. }
                | StoreError::MigrationLocked { .. }
                | StoreError::NewerSchema { .. }
                | StoreError::Migration(_) => masked(
                    ErrorCode::InternalServerError,
                    "internal error",
                    &error,
                    None,
                ),
            },
        }
    }
}

fn invalid(violations: &Violations) -> Error {
    let list = violations.into_iter().map(|violation| {
        value!({
            "argument": violation.argument.as_ref(),
            "rule": violation.rule.as_str(),
            "message": violation.message.clone(),
        })
    });
    let list = Value::List(list.collect());
    let mut error = ErrorFacts::of_code(ErrorCode::BadUserInput).into_error(violations.to_string());
    let extensions = error.extensions.get_or_insert_default();
    extensions.set("violations", list);
    error
}

fn refused(refusal: Refusal) -> Error {
    match refusal {
        Refusal::NotFound => {
            ErrorFacts::of_code(ErrorCode::NotFound).into_error("there is no vehicle with this id")
        }
        Refusal::Conflict { expected, current } => {
            let message = format!(
                "the vehicle has version {current}, not {expected}; read it again and decide whether to retry"
            );
            let mut error = ErrorFacts::of_code(ErrorCode::Conflict).into_error(message);
            let extensions = error.extensions.get_or_insert_default();
            let conflict = value!({ "expectedVersion": expected, "currentVersion": current });
            extensions.set("conflict", conflict);
            error
        }
        Refusal::NoVersionLeft => masked(
            ErrorCode::InternalServerError,
            "internal error",
            &refusal,
            None,
        ),
    }
}
