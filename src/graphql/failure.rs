//! The errors of resolvers, and their mapping to GraphQL errors.

use std::time::Duration;

use async_graphql::{Error, ErrorExtensions, to_value, value};
use async_graphql_strict::{ErrorCode, ErrorDetails, internal_error};

use crate::{
    catalogue::Violations,
    store::{self, Refusal},
};

const INTERNAL: &str = "internal error";

const UNAVAILABLE: &str = "the service is temporarily unavailable; retry later";

const OUTCOME_UNKNOWN: &str = "the outcome is unknown: the write may have been stored; check before retrying";

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
    Store(store::Error),
}

impl From<Violations> for Failure {
    fn from(violations: Violations) -> Self {
        Self::Invalid(violations)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        Self::Store(error)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        use ErrorCode::{InternalServerError, ServiceUnavailable};
        use store::Error::{Busy, Conflict, OutcomeUnknown, Unavailable, Unexpected};
        match failure {
            Failure::Invalid(violations) => invalid(&violations),
            Failure::Refused(Refusal::NotFound) => {
                ErrorDetails::new(ErrorCode::NotFound).into_error("there is no vehicle with this id")
            }
            Failure::Refused(Refusal::Conflict { expected, current }) => conflict(expected, current),
            Failure::Refused(refusal @ Refusal::NoVersionLeft) => {
                internal_error(InternalServerError, INTERNAL, &refusal, None)
            }
            Failure::KeyReused => ErrorDetails::new(ErrorCode::IdempotencyKeyReused).into_error(KEY_REUSED),
            Failure::Store(error @ Unavailable(_)) => internal_error(ServiceUnavailable, UNAVAILABLE, &error, None),
            Failure::Store(error @ Busy { .. }) => {
                internal_error(ServiceUnavailable, UNAVAILABLE, &error, Some(RETRY_DELAY))
            }
            Failure::Store(error @ OutcomeUnknown(_)) => {
                internal_error(ServiceUnavailable, OUTCOME_UNKNOWN, &error, None)
            }
            Failure::Store(error @ (Conflict(_) | Unexpected(_))) => {
                internal_error(InternalServerError, INTERNAL, &error, None)
            }
        }
    }
}

fn invalid(violations: &Violations) -> Error {
    let list = to_value(violations.as_slice()).expect("they have texts only");
    let error = ErrorDetails::new(ErrorCode::BadUserInput).into_error(violations.to_string());
    error.extend_with(|_, extensions| extensions.set("violations", list))
}

fn conflict(expected: i32, current: i32) -> Error {
    let message =
        format!("the vehicle has version {current}, not {expected}; read it again and decide whether to retry");
    let conflict = value!({ "expectedVersion": expected, "currentVersion": current });
    let error = ErrorDetails::new(ErrorCode::Conflict).into_error(message);
    error.extend_with(|_, extensions| extensions.set("conflict", conflict))
}
