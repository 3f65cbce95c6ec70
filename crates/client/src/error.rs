//! The errors of an operation and of building a client.

use std::fmt;

use crate::error_response::ErrorResponse;

/// Why an operation failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There was no response, or a response of something other than the service.
    #[error(transparent)]
    Transport(TransportError),
    /// The service responded with GraphQL errors.
    #[error(transparent)]
    Graphql(Box<ErrorResponse>),
    /// The response does not have the selected shape. [`CatalogueClient::verify_contract`] reports
    /// whether the contract has changed.
    ///
    /// [`CatalogueClient::verify_contract`]: crate::CatalogueClient::verify_contract
    #[error(transparent)]
    Decode(DecodeError),
    /// The variables cannot be serialized, so nothing was sent.
    #[error("the variables of the operation cannot be serialized as JSON")]
    Encode(#[source] serde_json::Error),
}

impl Error {
    /// For a mutation: whether anything may have been stored.
    pub fn effect(&self) -> Effect {
        match self {
            Self::Transport(error) => error.effect,
            Self::Graphql(response) => response.effect,
            Self::Decode(error) => error.effect,
            Self::Encode(_) => Effect::Nothing,
        }
    }

    /// An earlier attempt may have stored something.
    pub(crate) fn set_unknown_effect(&mut self) {
        let effect = match self {
            Self::Transport(error) => &mut error.effect,
            Self::Graphql(response) => &mut response.effect,
            Self::Decode(error) => &mut error.effect,
            Self::Encode(_) => return,
        };
        *effect = Effect::Unknown;
    }

    /// Whether a retry of the same request may succeed.
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Self::Transport(error) => error.kind.is_transient(),
            Self::Graphql(response) => response.is_transient(),
            Self::Decode(_) | Self::Encode(_) => false,
        }
    }

    /// The response with its GraphQL errors, if there was one.
    pub fn error_response(&self) -> Option<&ErrorResponse> {
        match self {
            Self::Graphql(response) => Some(response),
            Self::Transport(_) | Self::Decode(_) | Self::Encode(_) => None,
        }
    }
}

/// What a failed operation may have stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing. Queries never store anything.
    Nothing,
    /// It is unknown whether the mutation was executed, completely or in part: check before sending it
    /// again.
    Unknown,
}

/// A suffix for the message of an error.
impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => Ok(()),
            Self::Unknown => f.write_str("; it is unknown whether anything was stored"),
        }
    }
}

/// There was no response of the service.
#[derive(Debug, thiserror::Error)]
#[error("no response from the vehicle catalogue{}{effect}", after(*.attempts))]
#[non_exhaustive]
pub struct TransportError {
    /// Number of attempts, at least one.
    pub attempts: u32,
    /// For a mutation: whether anything may have been stored.
    pub effect: Effect,
    /// The error of the last attempt.
    #[source]
    pub kind: TransportErrorKind,
}

fn after(attempts: u32) -> String {
    match attempts {
        0 | 1 => String::new(),
        attempts => format!(" after {attempts} attempts"),
    }
}

/// The error of one attempt.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransportErrorKind {
    /// The connection failed, the response is incomplete, or the timeout expired.
    #[error("the HTTP request failed")]
    Http(#[source] reqwest::Error),
    /// Either the URL is not that of the endpoint, or a proxy responded.
    #[error("the response with HTTP status {status} is not a GraphQL response: {body_prefix:?}")]
    NotGraphql {
        /// The HTTP status of the response.
        status: u16,
        /// The first characters of the body.
        body_prefix: String,
    },
}

impl TransportErrorKind {
    fn is_transient(&self) -> bool {
        match self {
            Self::Http(error) => !error.is_builder(),
            Self::NotGraphql { status, .. } => matches!(status, 502..=504),
        }
    }

    /// Whether the request certainly was not executed.
    pub(crate) fn failed_before_send(&self) -> bool {
        match self {
            Self::Http(error) => error.is_connect() || error.is_builder(),
            Self::NotGraphql { .. } => false,
        }
    }
}

/// The response does not have the selected shape.
#[derive(Debug, thiserror::Error)]
#[error("the response of the vehicle catalogue does not match the operation{effect}")]
#[non_exhaustive]
pub struct DecodeError {
    /// For a mutation: whether anything may have been stored.
    pub effect: Effect,
    /// The mismatch.
    #[source]
    pub kind: DecodeErrorKind,
}

/// A mismatch between a response and its operation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The body is not JSON, or has members of other types.
    #[error("the body cannot be deserialized")]
    Json(#[source] serde_json::Error),
    /// A field is null without a GraphQL error.
    #[error("{0} is null without an error")]
    Null(&'static str),
}

/// Why a client cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The URL is not that of an HTTP endpoint.
    #[error(
        "{url:?} is not the URL of an endpoint; use a form such as http://127.0.0.1:8000/graphql"
    )]
    Url {
        /// The given URL.
        url: String,
    },
    /// Credentials in a URL would be shown wherever the URL is.
    #[error("the URL has a user name or a password: send them with `header` or `bearer_token`")]
    Credentials,
    /// A header name or value is invalid.
    #[error("invalid header {name}: names are tokens, values are visible ASCII characters")]
    Header {
        /// The name of the header. Its value may be secret.
        name: String,
    },
    /// A root certificate is not valid PEM.
    #[error("the root certificate is not valid PEM")]
    Certificate(#[source] rustls::pki_types::pem::Error),
    /// A PEM text has no certificate.
    #[error("the PEM text of the root certificate has no certificate")]
    NoCertificate,
    /// TLS cannot be configured.
    #[error("TLS cannot be configured")]
    Tls(#[source] rustls::Error),
    /// The HTTP client cannot be built.
    #[error("the HTTP client cannot be built")]
    Http(#[source] reqwest::Error),
    /// A setting of the HTTP client was given together with `http_client`.
    #[error("{0} cannot be combined with `http_client`: configure the given HTTP client instead")]
    ConflictsWithHttpClient(&'static str),
}
