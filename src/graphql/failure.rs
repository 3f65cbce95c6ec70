//! What a resolver fails with, and the one table that says what clients are told of it.

use std::{error::Error as StdError, sync::Arc, time::Duration};

use async_graphql::{Error, ErrorExtensionValues, Value, value};
use tokio::time::error::Elapsed;
use uuid::Uuid;

use super::error_code::ErrorCode;
use crate::{
    catalogue::{Violation, Violations},
    store::StoreError,
};

const LATER: &str = "the catalogue can't be reached at the moment; try again later";

/// How long a queue that is full needs at least until another client may find room.
const RELIEF: Duration = Duration::from_secs(1);

/// Why a resolver has no answer. Without `Display` on purpose: async-graphql would publish it.
#[derive(Debug)]
pub(super) enum Failure {
    /// The arguments break rules of the contract.
    Invalid(Violations),
    /// The store did not do what it was asked for.
    Store(StoreError),
    /// The operation was given up.
    TookTooLong(Elapsed),
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

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Invalid(violations) => invalid(&violations),
            Failure::TookTooLong(elapsed) => hidden(
                ErrorCode::ServiceUnavailable,
                "the operation took too long: if it was a mutation, it is not known whether it was \
                 executed; look before trying again",
                &elapsed,
                None,
            ),
            Failure::Store(error) => match error {
                StoreError::Unavailable(_) => {
                    hidden(ErrorCode::ServiceUnavailable, LATER, &error, None)
                }
                StoreError::Busy { .. } => {
                    hidden(ErrorCode::ServiceUnavailable, LATER, &error, Some(RELIEF))
                }
                StoreError::OutcomeUnknown(_) => hidden(
                    ErrorCode::ServiceUnavailable,
                    "it is not known whether the vehicle was stored: look for it before storing it again",
                    &error,
                    None,
                ),
                StoreError::Unexpected(_)
                | StoreError::UnsupportedUrl
                | StoreError::InvalidUrl(_)
                | StoreError::CannotConnect { .. }
                | StoreError::ReadOnly { .. }
                | StoreError::Untrusted { .. }
                | StoreError::MigrationLocked { .. }
                | StoreError::NewerSchema { .. }
                | StoreError::Migration(_) => hidden(
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
            "argument": violation.argument,
            "rule": violation.rule.as_str(),
            "message": violation.message.clone(),
        })
    });
    let mut extensions = ErrorExtensionValues::default();
    extensions.set("code", ErrorCode::BadUserInput.as_str());
    extensions.set("violations", Value::List(list.collect()));
    Error {
        message: violations.to_string(),
        source: None,
        extensions: Some(extensions),
    }
}

/// What a client is not told: the log has it, under the reference that the client has.
#[derive(Debug)]
pub struct Cause {
    /// What the client has in `extensions.reference`.
    pub reference: String,
    /// The error and what caused it, in one line.
    pub chain: String,
    /// How long the client should wait at least before it asks again, where that is known.
    pub wait: Option<Duration>,
}

/// Tells the client a sentence and a reference, and whoever logs the answer the cause as well.
fn hidden(code: ErrorCode, sentence: &str, cause: &dyn StdError, wait: Option<Duration>) -> Error {
    let reference = Uuid::new_v4().to_string();
    let mut extensions = ErrorExtensionValues::default();
    extensions.set("code", code.as_str());
    extensions.set("reference", reference.as_str());
    let chain = chain(cause);
    Error {
        message: sentence.to_owned(),
        source: Some(Arc::new(Cause {
            reference,
            chain,
            wait,
        })),
        extensions: Some(extensions),
    }
}

/// An error and what caused it, in one line.
fn chain(error: &dyn StdError) -> String {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    causes
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}
