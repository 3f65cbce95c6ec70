//! The errors of resolvers, and their mapping to GraphQL errors.

use async_graphql::{Error, ErrorExtensions, Value, value};
use engine::{ErrorCode, ErrorFacts, masked};
use service::DatabaseFailure;

use crate::{
    catalogue::{Violation, Violations},
    store::{Refusal, StoreError},
};

const INTERNAL: &str = "internal error";

const KEY_REUSED: &str = "the Idempotency-Key was used for a create with other arguments, or for one of which a \
     vehicle was deleted; use a new key";

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
            Failure::KeyReused => {
                ErrorFacts::of_code(ErrorCode::IdempotencyKeyReused).into_error(KEY_REUSED)
            }
            Failure::Store(error) => DatabaseFailure(error).into(),
        }
    }
}

fn invalid(violations: &Violations) -> Error {
    let list = violations.as_slice().iter().map(|violation| {
        value!({
            "argument": violation.argument.as_ref(),
            "rule": violation.rule.as_str(),
            "message": violation.message.clone(),
        })
    });
    let list = Value::List(list.collect());
    let error = ErrorFacts::of_code(ErrorCode::BadUserInput).into_error(violations.to_string());
    error.extend_with(|_, extensions| extensions.set("violations", list))
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
            let conflict = value!({ "expectedVersion": expected, "currentVersion": current });
            let error = ErrorFacts::of_code(ErrorCode::Conflict).into_error(message);
            error.extend_with(|_, extensions| extensions.set("conflict", conflict))
        }
        Refusal::NoVersionLeft => masked(ErrorCode::InternalServerError, INTERNAL, &refusal, None),
    }
}
