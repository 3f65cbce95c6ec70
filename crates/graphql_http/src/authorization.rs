//! A middleware that authorizes requests: bearer tokens (RFC 6750) and rate limits.

use std::{net::IpAddr, sync::Arc};

use auth::{Auth, Caller, Grant, Rate, RateLimiter, Refused};
use engine::{PreparedRequest, ScopeNames, Scopes};
use poem::{
    Request,
    http::{HeaderMap, HeaderName, HeaderValue, Method, header},
};

use super::{
    challenge::AuthError,
    client,
    middleware::{EarlyResponse, Hooks, hooks},
    refusal::Refusal,
};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Authenticates requests and applies rate limits. [`GraphQL`](crate::GraphQL) executes what the caller may do.
#[derive(Clone)]
pub struct Authorize {
    auth: Arc<Auth>,
    realm: &'static str,
    scopes: ScopeNames,
}

impl Authorize {
    /// Authorizes by the scopes of tokens. The realm is that of `WWW-Authenticate`.
    pub fn new(auth: Arc<Auth>, realm: &'static str, scopes: ScopeNames) -> Self {
        Self {
            auth,
            realm,
            scopes,
        }
    }

    /// Authenticates a request and charges its caller: the subject of its token, else its address. A request
    /// without a valid token is charged to another bucket of the address, so that it takes nothing from valid ones.
    fn authorize(&self, headers: &HeaderMap, peer: IpAddr) -> Result<Authorized, Refusal> {
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
                    consume(rate, &failures, 0, 1)?;
                }
                return Err(unauthenticated(reason));
            }
        };
        let charged = self.auth.rate.is_some().then(|| {
            let caller = match &subject {
                Some(subject) => Caller::Subject(subject.clone()),
                None => Caller::from_address(address()),
            };
            (Arc::clone(&self.auth), caller)
        });
        let authorized = Authorized {
            charged,
            subject,
            scopes,
        };
        authorized.charge(0, 1)?;
        match authorized.scopes {
            Some(Scopes {
                read: false,
                write: false,
            }) => Err(unauthenticated(AuthError::MissingScope(self.scopes))),
            _ => Ok(authorized),
        }
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

hooks!(Authorize);

impl Hooks for Authorize {
    type Context = ();

    fn before(&self, request: &mut Request) -> Result<(), EarlyResponse<'_>> {
        // Other methods execute nothing.
        if [Method::GET, Method::POST].contains(request.method()) {
            let authorized = self.authorize(request.headers(), client::peer(request))?;
            request.extensions_mut().insert(authorized);
        }
        Ok(())
    }
}

/// What a request is authorized for, in its extensions. By default it is everything.
#[derive(Clone, Default)]
pub struct Authorized {
    /// The rate limit and the caller that it charges.
    charged: Option<(Arc<Auth>, Caller)>,
    /// The subject of the token.
    pub(super) subject: Option<String>,
    /// `None` permits everything: tokens are not required.
    pub(super) scopes: Option<Scopes>,
}

impl Authorized {
    /// What [`Authorize`] has found out about a request.
    pub fn of(request: &Request) -> Self {
        request.extensions().get().cloned().unwrap_or_default()
    }

    /// The scopes of the token; `None` if tokens are not required.
    pub fn scopes(&self) -> Option<Scopes> {
        self.scopes
    }

    /// Counts the items of a mutation beyond the first towards the rate limit of the caller; the operation is counted.
    pub(super) fn charge_items(&self, prepared: &PreparedRequest) -> Result<(), Refusal> {
        match prepared.items().saturating_sub(1) {
            0 => Ok(()),
            items => self.charge(1, usize::try_from(items).unwrap_or(usize::MAX)),
        }
    }

    /// Counts more operations or items of a request towards the rate limit of the caller, of which some are counted.
    fn charge(&self, counted: usize, more: usize) -> Result<(), Refusal> {
        let Some((auth, caller)) = &self.charged else {
            return Ok(());
        };
        let Some(rate) = &auth.rate else {
            return Ok(());
        };
        consume(rate, caller, counted, more)
    }
}

fn consume(
    rate: &RateLimiter,
    caller: &Caller,
    counted: usize,
    more: usize,
) -> Result<(), Refusal> {
    let Rate { per_second, burst } = rate.rate();
    let consumed = rate.consume(caller, counted, more);
    consumed.map_err(|refused| match refused {
        Refused::AboveBurst => Refusal::AboveBurst {
            limit: burst.get(),
            actual: counted.saturating_add(more),
        },
        Refused::RetryAfter(wait) => Refusal::RateLimited {
            limit: per_second.get(),
            wait,
        },
    })
}

/// The token in `Bearer TOKEN`; the scheme is case-insensitive.
fn bearer(value: &HeaderValue) -> Option<&str> {
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}
