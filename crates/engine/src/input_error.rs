//! Why a value cannot be coerced.

use std::fmt::Display;

use async_graphql::Value;

use crate::quote::quoted;

/// Why a value cannot be coerced: the path of its invalid part, and the reason.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{}", format!("{path} {reason}").trim_start())]
pub(crate) struct InputError {
    path: String,
    reason: String,
}

impl InputError {
    /// An error with this reason, which follows the path of the value in the message: `must be a calendar date`.
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        let (path, reason) = (String::new(), reason.into());
        Self { path, reason }
    }

    /// The value is not of the type with this name.
    pub(crate) fn expected(ty: &str, value: &Value) -> Self {
        match value {
            Value::Null => Self::new("must not be null"),
            value => {
                let value = quoted(value);
                Self::new(format!("must be of the type {ty}, it is {value}"))
            }
        }
    }

    /// The error with a suggestion after its reason.
    pub(crate) fn followed_by(self, suggestion: &str) -> Self {
        let reason = self.reason + suggestion;
        Self { reason, ..self }
    }

    /// The error of the value that has the invalid one at this position, such as `[3]` or `.title`.
    pub(crate) fn inside(self, position: impl Display) -> Self {
        let path = format!("{position}{}", self.path);
        Self { path, ..self }
    }
}
