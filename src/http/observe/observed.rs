//! What is to be told of a request once it is answered. It travels with the response, from whoever
//! knows it to whoever logs and counts it.

use std::{sync::Arc, time::Duration};

use async_graphql::{ServerError, Value};
use poem::Response;

use crate::graphql::{Answer, Cause, ErrorCode, Profile};

/// The most characters of the name of an operation that are logged.
const NAME_CHARACTERS: usize = 100;

/// What is told of the operations of a request: nearly always of one.
#[derive(Clone, Debug)]
pub(super) struct Observed(pub(super) Vec<Operation>);

/// What is told of an operation, or of a request that was refused.
#[derive(Clone, Debug, Default)]
pub(in crate::http) struct Operation {
    pub(super) profile: Option<Arc<Profile>>,
    /// The name that was asked for where there is no such operation.
    pub(super) asked: Option<String>,
    pub(super) code: Option<ErrorCode>,
    /// The limit that refused it.
    pub(super) limit: Option<String>,
    pub(super) hidden: Vec<Hidden>,
    /// How long it took; for refused requests as long as the request did.
    pub(super) elapsed: Option<Duration>,
}

/// What the client was not told, under the reference that it was told.
#[derive(Clone, Debug)]
pub(super) struct Hidden {
    pub(super) cause: Arc<Cause>,
    pub(super) code: Option<ErrorCode>,
}

impl Operation {
    /// What is told of an answer of the engine.
    pub(in crate::http) fn of(answer: &Answer) -> Self {
        Self {
            profile: answer.operation.clone(),
            asked: answer.asked.clone().filter(|name| is_name(name)),
            ..Self::failed(&answer.response.errors)
        }
    }

    /// What is told of something that ended with these errors. The gravest one counts.
    pub(in crate::http) fn failed(errors: &[ServerError]) -> Self {
        Self {
            code: errors.iter().filter_map(ErrorCode::of).max(),
            limit: errors.iter().find_map(limit),
            hidden: errors.iter().filter_map(hidden).collect(),
            ..Self::default()
        }
    }

    pub(in crate::http) fn took(self, elapsed: Duration) -> Self {
        let elapsed = Some(elapsed);
        Self { elapsed, ..self }
    }

    /// The name for the log.
    pub(super) fn name(&self) -> Option<&str> {
        let known = self
            .profile
            .as_ref()
            .and_then(|profile| profile.name.as_ref());
        let name = known.or(self.asked.as_ref())?;
        // Names are ASCII.
        Some(&name[..name.len().min(NAME_CHARACTERS)])
    }

    /// The kind for the log.
    pub(super) fn kind(&self) -> Option<&'static str> {
        self.profile.as_ref().map(|profile| profile.kind.as_str())
    }

    /// The outcome for the log.
    pub(super) fn outcome(&self) -> &'static str {
        self.code.map_or("OK", ErrorCode::as_str)
    }
}

/// Has this told of the request to which `response` is the answer.
pub(in crate::http) fn note(response: &mut Response, operations: Vec<Operation>) {
    response.extensions_mut().insert(Observed(operations));
}

fn is_name(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    text.bytes().next().is_some_and(is_letter)
        && text
            .bytes()
            .all(|byte| is_letter(byte) || byte.is_ascii_digit())
}

fn limit(error: &ServerError) -> Option<String> {
    match error.extensions.as_ref()?.get("limit")? {
        Value::Object(limit) => match limit.get("name")? {
            Value::String(name) => Some(name.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn hidden(error: &ServerError) -> Option<Hidden> {
    let cause = error.source.clone()?.downcast::<Cause>().ok()?;
    let code = ErrorCode::of(error);
    Some(Hidden { cause, code })
}
