//! Typed details of an error: its code, the exceeded limit and the cause. They are rendered into `extensions` once, and
//! travel as the `source` of the error, which is not sent to clients.

use std::{error::Error as StdError, sync::Arc, time::Duration};

use async_graphql::{Error, ErrorExtensionValues, ServerError, to_value};
use graphql_sdl::printable;
use serde::Serialize;
use uuid::Uuid;

use super::ErrorCode;

/// The maximum length of a message that can quote a request.
const MAX_CHARACTERS: usize = 500;

/// Details of an error, for its `extensions`, the log and the metrics.
#[derive(Debug)]
pub struct ErrorDetails {
    /// The code in `extensions.code`.
    pub code: ErrorCode,
    /// The exceeded limit, in `extensions.limit`.
    pub limit: Option<ExceededLimit>,
    /// The cause of an internal error, whose reference is in `extensions.reference`.
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

/// The cause of an internal error. It is for the log, with the reference that the client receives.
#[derive(Debug)]
pub struct Cause {
    /// The reference in `extensions.reference`.
    pub reference: String,
    /// The error and its sources, in one line.
    pub chain: String,
    /// The minimum delay before a retry, if known.
    pub retry_after: Option<Duration>,
}

impl ErrorDetails {
    /// An error of which only the code is known.
    pub fn new(code: ErrorCode) -> Self {
        let (limit, cause) = (None, None);
        Self { code, limit, cause }
    }

    /// The details of an error. Every error of a response has some.
    pub fn of(error: &ServerError) -> Option<Arc<Self>> {
        error.source.clone()?.downcast().ok()
    }

    /// An error with these details, without a location.
    pub fn into_server_error(self, message: impl Into<String>) -> ServerError {
        let mut error = ServerError::new(message, None);
        self.attach(&mut error);
        error
    }

    /// An error of a resolver with these details.
    pub fn into_error(self, message: impl Into<String>) -> Error {
        let mut extensions = ErrorExtensionValues::default();
        self.render(&mut extensions);
        Error { message: message.into(), source: Some(Arc::new(self)), extensions: Some(extensions) }
    }

    pub(super) fn attach(self, error: &mut ServerError) {
        self.render(error.extensions.get_or_insert_default());
        error.source = Some(Arc::new(self));
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

/// An error whose cause is only logged: the client receives the message and a reference.
pub fn internal_error(code: ErrorCode, message: &str, cause: &dyn StdError, retry_after: Option<Duration>) -> Error {
    let causes = std::iter::successors(Some(cause), |&error| error.source());
    let causes: Vec<_> = causes.map(ToString::to_string).collect();
    internal_details(code, causes.join(": "), retry_after).into_error(message)
}

fn internal_details(code: ErrorCode, chain: String, retry_after: Option<Duration>) -> ErrorDetails {
    let cause = Cause { reference: Uuid::new_v4().to_string(), chain, retry_after };
    ErrorDetails { cause: Some(cause), ..ErrorDetails::new(code) }
}

/// Gives an error of async-graphql details. One without a code is that of an argument, which async-graphql quotes, or its
/// text is from inside the service and only for the log.
pub(crate) fn finish(error: &mut ServerError, is_argument: bool) {
    if ErrorDetails::of(error).is_some() {
        return;
    }
    let extensions = error.extensions.as_ref();
    let code = extensions.and_then(|extensions| extensions.get("code"));
    if code.is_none() && !is_argument {
        let chain = std::mem::replace(&mut error.message, "internal error".to_owned());
        error.extensions = None;
        return internal_details(ErrorCode::InternalServerError, chain, None).attach(error);
    }
    let message = printable(&error.message);
    error.message = message.chars().take(MAX_CHARACTERS).collect();
    let known = ErrorCode::ALL.iter().find(|known| code == Some(&known.as_str().into()));
    let details = ErrorDetails::new(known.copied().unwrap_or(ErrorCode::BadUserInput));
    // A code of the schema's own stays.
    if code.is_none() {
        details.render(error.extensions.get_or_insert_default());
    }
    error.source = Some(Arc::new(details));
}
