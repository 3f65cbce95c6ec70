//! The errors of an operation and of building a client.

use std::fmt;

use crate::error_response::{ErrorCode, ErrorResponse};

/// A failed operation.
#[derive(Debug)]
#[non_exhaustive]
pub struct Error {
    /// Why the last attempt failed.
    pub kind: ErrorKind,
    /// For a mutation: whether anything may have been stored.
    pub effect: Effect,
    /// Number of attempts.
    pub attempts: u32,
}

/// Why an attempt failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The connection failed, the response is incomplete, or the timeout expired.
    #[error("no response from the vehicle catalogue")]
    Http(#[source] reqwest::Error),
    /// Either the URL is not that of the endpoint, or a proxy responded.
    #[error("the response with HTTP status {status} is not a GraphQL response: {body_prefix:?}")]
    NotGraphql {
        /// The HTTP status of the response.
        status: u16,
        /// The first characters of the body.
        body_prefix: String,
    },
    /// The service responded with GraphQL errors.
    #[error(transparent)]
    Graphql(ErrorResponse),
    /// The response is not JSON, or does not have the selected shape.
    /// [`verify_contract`](crate::CatalogueClient::verify_contract) reports whether the contract has changed.
    #[error("the response of the vehicle catalogue does not match the operation")]
    Decode(#[source] serde_json::Error),
    /// A field is null without a GraphQL error.
    #[error("{0} is null without an error")]
    Null(&'static str),
    /// The variables cannot be serialized, so nothing was sent.
    #[error("the variables of the operation cannot be serialized as JSON")]
    Encode(#[source] serde_json::Error),
}

impl Error {
    /// The failure of one attempt.
    pub(crate) fn new(kind: ErrorKind, effect: Effect) -> Self {
        Self { kind, effect, attempts: 1 }
    }

    /// Whether a retry of the same request may succeed.
    pub(crate) fn is_transient(&self) -> bool {
        match &self.kind {
            ErrorKind::Http(error) => !error.is_builder(),
            ErrorKind::NotGraphql { status, .. } => matches!(status, 502..=504),
            ErrorKind::Graphql(response) => {
                response.errors.iter().any(|error| error.code == ErrorCode::ServiceUnavailable)
            }
            ErrorKind::Decode(_) | ErrorKind::Null(_) | ErrorKind::Encode(_) => false,
        }
    }

    /// The response with its GraphQL errors, if there was one.
    pub fn error_response(&self) -> Option<&ErrorResponse> {
        match &self.kind {
            ErrorKind::Graphql(response) => Some(response),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        if self.attempts > 1 {
            write!(f, " after {} attempts", self.attempts)?;
        }
        match self.effect {
            Effect::Nothing => Ok(()),
            Effect::Unknown => f.write_str("; it is unknown whether anything was stored"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.kind.source()
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

/// Why a client cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The URL is not that of an HTTP endpoint.
    #[error("{url:?} is not the URL of an endpoint; use a form such as http://127.0.0.1:8000/graphql")]
    Url {
        /// The given URL, without its query.
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
    /// A text is not PEM, or has no certificate.
    #[error("the PEM text has no valid root certificate")]
    Certificate(#[source] rustls::pki_types::pem::Error),
    /// TLS cannot be configured.
    #[error("TLS cannot be configured")]
    Tls(#[source] rustls::Error),
    /// The HTTP client cannot be built.
    #[error("the HTTP client cannot be built")]
    Http(#[source] reqwest::Error),
    /// Root certificates were given together with `http_client`.
    #[error("`root_certificates_pem` has no effect on a given `http_client`: add the certificates to that")]
    ConflictingCertificates,
}
