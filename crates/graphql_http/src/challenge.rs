//! Why a request is not authenticated, and the challenges of `WWW-Authenticate` (RFC 6750, section 3).

use std::time::Duration;

use poem::http::HeaderValue;

use auth::TokenError;

use engine::ScopeNames;

/// Why a request has no valid token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum AuthError {
    /// There is no bearer token.
    #[error("missing bearer token; send the header Authorization: Bearer TOKEN")]
    MissingToken,
    /// There is more than one `Authorization` header.
    #[error("duplicate Authorization header")]
    MultipleHeaders,
    /// The token is not valid.
    #[error("{0}")]
    InvalidToken(TokenError),
    /// The token has none of the scopes of this service.
    #[error("the token has neither the scope {} nor {}", .0.read, .0.write)]
    MissingScope(ScopeNames),
}

impl AuthError {
    /// The value of `WWW-Authenticate`.
    pub(super) fn challenge(self, realm: &str) -> HeaderValue {
        let error = match self {
            // RFC 6750, section 3.1: no error code if the request has no token.
            Self::MissingToken => return header_value(format!("Bearer realm=\"{realm}\"")),
            Self::MissingScope(scopes) => return scope_missing(realm, scopes.read),
            Self::MultipleHeaders => "invalid_request",
            Self::InvalidToken(_) => "invalid_token",
        };
        header_value(format!(
            "Bearer realm=\"{realm}\", error=\"{error}\", error_description=\"{self}\""
        ))
    }
}

/// The challenge for a token without this scope.
pub(super) fn scope_missing(realm: &str, scope: &str) -> HeaderValue {
    header_value(format!(
        "Bearer realm=\"{realm}\", error=\"insufficient_scope\", scope=\"{scope}\""
    ))
}

/// The value of `Retry-After`, rounded up to whole seconds.
pub(super) fn retry_after(wait: Duration) -> HeaderValue {
    let partial = u64::from(wait.subsec_nanos() > 0);
    HeaderValue::from(wait.as_secs() + partial)
}

fn header_value(challenge: String) -> HeaderValue {
    HeaderValue::try_from(challenge).expect("the challenge is ASCII without quotes")
}
