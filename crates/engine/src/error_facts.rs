//! Typed facts about an error: its code, the exceeded limit and the cause. They are rendered into
//! `extensions` once, and travel as the `source` of the error, which is not sent to clients.

use std::{sync::Arc, time::Duration};

use async_graphql::{Error, ErrorExtensionValues, ServerError, to_value};
use serde::Serialize;

use crate::error_code::ErrorCode;

/// Facts about an error, for its `extensions`, the log and the metrics.
#[derive(Debug)]
pub struct ErrorFacts {
    /// The code in `extensions.code`.
    pub code: ErrorCode,
    /// The exceeded limit, in `extensions.limit`.
    pub limit: Option<ExceededLimit>,
    /// The cause of a masked error, whose reference is in `extensions.reference`.
    pub cause: Option<Cause>,
}

/// A limit that a request exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ExceededLimit {
    /// The name of the setting.
    pub name: &'static str,
    /// The maximum value.
    pub value: u64,
    /// The value of the request, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<u64>,
}

/// The cause of a masked error. It is logged with the reference that the client receives.
#[derive(Debug)]
pub struct Cause {
    /// The reference in `extensions.reference`.
    pub reference: String,
    /// The error and its sources, in one line.
    pub chain: String,
    /// The minimum delay before a retry, if known.
    pub wait: Option<Duration>,
}

impl ErrorFacts {
    /// An error of which only the code is known.
    pub fn of_code(code: ErrorCode) -> Self {
        let (limit, cause) = (None, None);
        Self { code, limit, cause }
    }

    /// The facts of an error that this crate or its caller has created.
    pub fn of(error: &ServerError) -> Option<Arc<Self>> {
        error.source.clone()?.downcast().ok()
    }

    /// An error with these facts, without a location.
    pub fn into_server_error(self, message: impl Into<String>) -> ServerError {
        let mut error = ServerError::new(message, None);
        self.attach(&mut error);
        error
    }

    /// An error of a resolver with these facts.
    pub fn into_error(self, message: impl Into<String>) -> Error {
        let mut extensions = ErrorExtensionValues::default();
        self.render(&mut extensions);
        Error {
            message: message.into(),
            source: Some(Arc::new(self)),
            extensions: Some(extensions),
        }
    }

    /// Adds the facts to an error unless it has facts.
    pub(crate) fn attach(self, error: &mut ServerError) {
        if Self::of(error).is_none() {
            self.render(error.extensions.get_or_insert_default());
            error.source = Some(Arc::new(self));
        }
    }

    fn render(&self, extensions: &mut ErrorExtensionValues) {
        extensions.set("code", self.code.as_str());
        if let Some(limit) = &self.limit {
            extensions.set("limit", to_value(limit).expect("it has text and numbers"));
        }
        if let Some(cause) = &self.cause {
            extensions.set("reference", cause.reference.as_str());
        }
    }
}
