//! Who may send a request, and how many: bearer tokens (RFC 6750) and the rate limit.

use std::{net::IpAddr, sync::Arc};

use async_graphql_strict::{ErrorCode, Prepared, Scopes};
use poem::{
    Addr, Request,
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
};
use poem_graphql::{Caller, Refusal, retry_after};

use crate::{
    auth::{Tokens, TrustedProxies},
    graphql::SCOPES,
    rate_limit::{Caller as Charged, RateLimited, RateLimiter, host},
};

/// The realm of `WWW-Authenticate`.
pub(crate) const REALM: &str = env!("CARGO_PKG_NAME");

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Authenticates requests, and counts them towards the rate limit of their caller: the subject of the token, else the
/// address. A request without a valid token is charged to another bucket of the address, so that it takes nothing from
/// valid ones.
pub(crate) struct Authorization {
    /// Without it, every request may do everything.
    pub tokens: Option<Arc<Tokens>>,
    pub rate: Option<Arc<RateLimiter>>,
    pub proxies: TrustedProxies,
}

/// Why a request has no valid token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum AuthError {
    #[error("missing bearer token; send the header Authorization: Bearer TOKEN")]
    MissingToken,
    #[error("duplicate Authorization header")]
    MultipleHeaders,
    #[error("{0}")]
    InvalidToken(&'static str),
    #[error("the token has neither the scope {} nor {}", SCOPES.read, SCOPES.write)]
    MissingScope,
}

impl Authorization {
    /// Checks a request before its body is read. What it may do is left in its extensions.
    pub(crate) fn check(&self, request: &mut Request) -> poem::Result<()> {
        // Other methods execute nothing.
        if !matches!(*request.method(), Method::GET | Method::HEAD | Method::POST) {
            return Ok(());
        }
        let caller = self.authenticate(request).map_err(|error| {
            let failures = Charged::Unauthenticated(self.host(request));
            self.consume(&failures, 0, 1).err().unwrap_or_else(|| Refusal::from(error).into())
        })?;
        if self.rate.is_some() {
            let charged = match &caller.subject {
                Some(subject) => Charged::Subject(subject.clone()),
                None => Charged::Address(self.host(request)),
            };
            self.consume(&charged, 0, 1)?;
            request.set_data(charged);
        }
        if caller.scopes.is_some_and(|scopes| !scopes.read && !scopes.write) {
            return Err(Refusal::from(AuthError::MissingScope).into());
        }
        request.extensions_mut().insert(caller);
        Ok(())
    }

    /// Counts the items of a mutation beyond the first, before it is executed.
    pub(crate) fn admit(&self, prepared: &Prepared, request: &Request) -> poem::Result<()> {
        let more = u32::try_from(prepared.items().saturating_sub(1)).unwrap_or(u32::MAX);
        match request.data::<Charged>() {
            Some(charged) if more > 0 => self.consume(charged, 1, more),
            _ => Ok(()),
        }
    }

    /// Whether a request comes from a proxy whose headers are trusted.
    pub(crate) fn is_from_proxy(&self, request: &Request) -> bool {
        self.proxies.trusts(peer(request))
    }

    fn authenticate(&self, request: &Request) -> Result<Caller, AuthError> {
        let Some(tokens) = &self.tokens else {
            return Ok(Caller::default());
        };
        let mut values = request.headers().get_all(header::AUTHORIZATION).iter();
        let value = values.next().ok_or(AuthError::MissingToken)?;
        if values.next().is_some() {
            return Err(AuthError::MultipleHeaders);
        }
        let token = bearer(value).ok_or(AuthError::MissingToken)?;
        let claims = tokens.verify(token).map_err(AuthError::InvalidToken)?;
        let scopes = Scopes { read: claims.has_scope(SCOPES.read), write: claims.has_scope(SCOPES.write) };
        Ok(Caller { subject: claims.sub, scopes: Some(scopes) })
    }

    fn consume(&self, caller: &Charged, consumed: u32, more: u32) -> poem::Result<()> {
        let Some(rate) = &self.rate else {
            return Ok(());
        };
        let Err(limited) = rate.consume(caller, consumed, more) else {
            return Ok(());
        };
        let refusal = match limited {
            RateLimited::AboveBurst { burst } => {
                let actual = u64::from(consumed) + u64::from(more);
                let message = format!(
                    "the request counts as {actual} requests, more than rate-limit-burst ({burst}) ever permits at once; \
                     send fewer operations or items"
                );
                too_many(message).with_limit("rate-limit-burst", burst.into(), Some(actual))
            }
            RateLimited::RetryAfter { per_second, wait } => {
                let message = format!(
                    "too many requests from this caller (rate-limit {per_second} per second); retry after the time in \
                     Retry-After"
                );
                let refusal = too_many(message).with_limit("rate-limit", per_second.into(), None);
                refusal.with_header(header::RETRY_AFTER, retry_after(wait))
            }
        };
        Err(refusal.into())
    }

    /// The host of the client, also behind trusted proxies.
    fn host(&self, request: &Request) -> IpAddr {
        let forwarded = request.headers().get_all(FORWARDED_FOR).iter();
        // A value that is not text is an invalid address; the addresses before it are not trusted.
        let forwarded = forwarded.map(|value| value.to_str().unwrap_or("?"));
        host(self.proxies.client_address(peer(request), forwarded))
    }
}

impl From<AuthError> for Refusal {
    fn from(error: AuthError) -> Self {
        let described = |code| format!(", error=\"{code}\", error_description=\"{error}\"");
        let (status, code, challenge) = match error {
            // RFC 6750, section 3.1: no error code if the request has no token.
            AuthError::MissingToken => (StatusCode::UNAUTHORIZED, ErrorCode::Unauthenticated, String::new()),
            AuthError::InvalidToken(_) => {
                (StatusCode::UNAUTHORIZED, ErrorCode::Unauthenticated, described("invalid_token"))
            }
            AuthError::MultipleHeaders => {
                (StatusCode::BAD_REQUEST, ErrorCode::BadRequest, described("invalid_request"))
            }
            AuthError::MissingScope => (
                StatusCode::FORBIDDEN,
                ErrorCode::Forbidden,
                format!(", error=\"insufficient_scope\", scope=\"{}\"", SCOPES.read),
            ),
        };
        let challenge = HeaderValue::try_from(format!("Bearer realm=\"{REALM}\"{challenge}"))
            .expect("the challenge is ASCII without control characters");
        Self::new(status, code, error.to_string()).with_header(header::WWW_AUTHENTICATE, challenge)
    }
}

fn too_many(message: String) -> Refusal {
    Refusal::new(StatusCode::TOO_MANY_REQUESTS, ErrorCode::LimitExceeded, message)
}

/// The token in `Bearer TOKEN`; the scheme is case-insensitive.
fn bearer(value: &HeaderValue) -> Option<&str> {
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

/// The address of the connection, which may be that of a proxy.
fn peer(request: &Request) -> IpAddr {
    match request.remote_addr().0 {
        Addr::SocketAddr(peer) => peer.ip(),
        _ => IpAddr::from([0, 0, 0, 0]),
    }
}
