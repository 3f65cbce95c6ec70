//! Masked errors: a client receives a message and a reference; the cause is only logged.

use std::{error::Error as StdError, time::Duration};

use async_graphql::Error;
use uuid::Uuid;

use crate::{
    error_code::ErrorCode,
    error_facts::{Cause, ErrorFacts},
};

/// A masked error: the client receives the message and a reference; the cause is only logged.
pub fn masked(
    code: ErrorCode,
    message: &str,
    cause: &dyn StdError,
    wait: Option<Duration>,
) -> Error {
    let facts = ErrorFacts {
        cause: Some(Cause {
            reference: Uuid::new_v4().to_string(),
            chain: chain(cause),
            wait,
        }),
        ..ErrorFacts::of_code(code)
    };
    facts.into_error(message)
}

/// An error and its sources, in one line.
fn chain(error: &dyn StdError) -> String {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    causes
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}
