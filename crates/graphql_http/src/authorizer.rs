//! Authorizes requests: bearer tokens (RFC 6750) and rate limits.

use std::{net::IpAddr, sync::Arc};

use auth::{Auth, Caller, Grant, RateLimiter, RetryAfter};
use engine::{EngineResponse, PreparedRequest, ScopeNames, Scopes};
use poem::http::{HeaderMap, HeaderName, HeaderValue, header};

use super::{challenge::AuthError, refusal::Refusal};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// An operation that the engine has prepared or refused.
pub(super) type Prepared = Result<PreparedRequest, EngineResponse>;

/// The caller of an authorized request, and its scopes.
pub(super) struct AuthContext {
    caller: Option<Caller>,
    /// The subject of the token.
    pub(super) subject: Option<String>,
    /// `None` permits everything: tokens are not required.
    pub(super) scopes: Option<Scopes>,
}

/// Authenticates requests and applies rate limits.
pub(super) struct Authorizer {
    pub(super) auth: Arc<Auth>,
    /// The realm of `WWW-Authenticate`.
    pub(super) realm: &'static str,
    /// The scopes of tokens.
    pub(super) scopes: ScopeNames,
}

impl Authorizer {
    /// Authenticates a request and charges its caller: the subject of its token, else its address. A request
    /// without a valid token is charged to another bucket of the address, so that it takes nothing from valid ones.
    pub(super) fn authorize(
        &self,
        headers: &HeaderMap,
        peer: IpAddr,
    ) -> Result<AuthContext, Refusal> {
        let address = || self.address(headers, peer);
        let unauthenticated = |reason| {
            let realm = self.realm;
            Refusal::Unauthenticated { reason, realm }
        };
        let (subject, scopes) = match self.authenticate(headers) {
            Ok(None) => (None, None),
            Ok(Some((subject, scopes))) => (subject, Some(scopes)),
            Err(reason) => {
                if let Some(rate) = &self.auth.rate {
                    let failures = Caller::unauthenticated(address());
                    let taken = rate.consume(&failures, 1);
                    taken.map_err(|wait| rate_limited(rate, wait))?;
                }
                return Err(unauthenticated(reason));
            }
        };
        let caller = || match &subject {
            Some(subject) => Caller::Subject(subject.clone()),
            None => Caller::from_address(address()),
        };
        let auth = AuthContext {
            caller: self.auth.rate.is_some().then(caller),
            subject,
            scopes,
        };
        self.charge(&auth, 0, 1)?;
        match auth.scopes {
            Some(Scopes {
                read: false,
                write: false,
            }) => Err(unauthenticated(AuthError::MissingScope(self.scopes))),
            _ => Ok(auth),
        }
    }

    /// Counts the items of mutations beyond the first of each towards the rate limit of the caller; the operations are
    /// counted.
    pub(super) fn charge_items(
        &self,
        auth: &AuthContext,
        prepared: &[Prepared],
    ) -> Result<(), Refusal> {
        let items = prepared.iter().flatten().map(PreparedRequest::items);
        let items: u64 = items.map(|items| items.saturating_sub(1)).sum();
        if items == 0 {
            return Ok(());
        }
        self.charge(
            auth,
            prepared.len(),
            usize::try_from(items).unwrap_or(usize::MAX),
        )
    }

    /// Counts more operations or items of a request towards the rate limit of the caller, of which some are counted.
    pub(super) fn charge(
        &self,
        auth: &AuthContext,
        counted: usize,
        more: usize,
    ) -> Result<(), Refusal> {
        let (Some(rate), Some(caller)) = (&self.auth.rate, &auth.caller) else {
            return Ok(());
        };
        let (limit, actual) = (rate.rate().burst, counted.saturating_add(more));
        if actual > limit as usize {
            return Err(Refusal::AboveBurst { limit, actual });
        }
        let taken = rate.consume_more(caller, counted, more);
        taken.map_err(|wait| rate_limited(rate, wait))
    }

    /// The subject and the scopes of the token, or `None` if no token is required.
    fn authenticate(
        &self,
        headers: &HeaderMap,
    ) -> Result<Option<(Option<String>, Scopes)>, AuthError> {
        let Some(tokens) = &self.auth.tokens else {
            return Ok(None);
        };
        let mut values = headers.get_all(header::AUTHORIZATION).iter();
        let value = values.next().ok_or(AuthError::MissingToken)?;
        if values.next().is_some() {
            return Err(AuthError::MultipleHeaders);
        }
        let token = bearer(value).ok_or(AuthError::MissingToken)?;
        let Grant { subject, scopes } = tokens.verify(token).map_err(AuthError::InvalidToken)?;
        let scopes = Scopes {
            read: scopes.contains(self.scopes.read),
            write: scopes.contains(self.scopes.write),
        };
        Ok(Some((subject, scopes)))
    }

    fn address(&self, headers: &HeaderMap, peer: IpAddr) -> IpAddr {
        let forwarded = headers.get_all(FORWARDED_FOR).iter();
        // A value that is not text is an invalid address; the addresses before it are not trusted.
        let forwarded = forwarded.map(|value| value.to_str().unwrap_or("?"));
        self.auth.proxies.client_address(peer, forwarded)
    }
}

fn rate_limited(rate: &RateLimiter, RetryAfter(wait): RetryAfter) -> Refusal {
    let limit = rate.rate().per_second;
    Refusal::RateLimited { limit, wait }
}

/// The token in `Bearer TOKEN`; the scheme is case-insensitive.
fn bearer(value: &HeaderValue) -> Option<&str> {
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}
