//! Who is let in: the token of a request (RFC 6750), and how often its caller asks.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
    time::Duration,
};

use poem::{
    Addr, Request,
    http::{HeaderName, HeaderValue, header},
};

use super::refusal::Refusal;
use crate::{
    access::{Access, Caller, Grant, Untrusted, Wait},
    graphql::{Scope, Scopes},
};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Why a request has no token that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unauthenticated {
    /// There is none.
    NoToken,
    /// There is more than one `Authorization`.
    Several,
    /// It grants nothing.
    Untrusted(Untrusted),
    /// It grants nothing here.
    NoScope,
}

/// Whoever was let in.
pub(super) struct Admitted {
    caller: Option<Caller>,
    /// What they may do; without tokens, everything.
    pub(super) scopes: Option<Scopes>,
}

/// Lets requests in.
pub(super) struct Guard(Arc<Access>);

impl Guard {
    pub(super) fn new(access: Arc<Access>) -> Self {
        Self(access)
    }

    /// Who asks and what they may do. Those who are turned away are counted, too, so that guessing
    /// tokens is no faster than asking.
    pub(super) fn admit(&self, request: &Request) -> Result<Admitted, Refusal> {
        let granted = self.granted(request);
        let subject = granted.as_ref().ok().and_then(Option::as_ref);
        let subject = subject.and_then(|grant| grant.subject.clone());
        let caller = self.0.rate.is_some().then(|| match subject {
            Some(subject) => Caller::Subject(subject),
            None => Caller::at(self.address(request)),
        });
        let scopes = granted.as_ref().ok().and_then(Option::as_ref);
        let scopes = scopes.map(|grant| grant.scopes);
        let admitted = Admitted { caller, scopes };
        self.charge(&admitted, 1)?;
        match granted {
            Ok(_) => Ok(admitted),
            Err(why) => Err(Refusal::Unauthenticated(why)),
        }
    }

    /// Counts so many operations of whoever was let in.
    pub(super) fn charge(&self, admitted: &Admitted, operations: usize) -> Result<(), Refusal> {
        let (Some(rate), Some(caller)) = (&self.0.rate, &admitted.caller) else {
            return Ok(());
        };
        let limit = rate.rate().per_second;
        let too_often = |Wait(wait)| Refusal::TooOften { limit, wait };
        rate.take(caller, operations).map_err(too_often)
    }

    fn granted(&self, request: &Request) -> Result<Option<Grant>, Unauthenticated> {
        let Some(tokens) = &self.0.tokens else {
            return Ok(None);
        };
        let mut values = request.headers().get_all(header::AUTHORIZATION).iter();
        let value = values.next().ok_or(Unauthenticated::NoToken)?;
        if values.next().is_some() {
            return Err(Unauthenticated::Several);
        }
        let token = bearer(value).ok_or(Unauthenticated::NoToken)?;
        let grant = tokens.verify(token).map_err(Unauthenticated::Untrusted)?;
        if !grant.scopes.read && !grant.scopes.write {
            return Err(Unauthenticated::NoScope);
        }
        Ok(Some(grant))
    }

    fn address(&self, request: &Request) -> IpAddr {
        let peer = match request.remote_addr().0 {
            Addr::SocketAddr(peer) => peer.ip(),
            // There are no other listeners.
            _ => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        };
        let forwarded = request.headers().get_all(FORWARDED_FOR).iter();
        // What is no text is no address, and nothing before it is believed.
        let forwarded = forwarded.map(|value| value.to_str().unwrap_or("?"));
        self.0.address(peer, forwarded)
    }
}

/// The token in `Bearer TOKEN`; schemes are the same in every case.
fn bearer(value: &HeaderValue) -> Option<&str> {
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

impl Unauthenticated {
    /// For the client.
    pub(super) fn sentence(self) -> String {
        match self {
            Self::NoToken => {
                "this server wants a token: send it as Authorization: Bearer TOKEN".to_owned()
            }
            Self::Several => "a request has one Authorization header".to_owned(),
            Self::Untrusted(why) => why.to_string(),
            Self::NoScope => format!(
                "the token has neither the scope {} nor {}",
                Scope::Read.as_str(),
                Scope::Write.as_str()
            ),
        }
    }

    /// What a client can do about it, in the words of RFC 6750, section 3.
    pub(super) fn challenge(self) -> HeaderValue {
        match self {
            // Who did not know that a token is needed has made no error.
            Self::NoToken => HeaderValue::from_static("Bearer realm=\"vehicle-catalogue\""),
            Self::Several => challenge("invalid_request", &self.sentence()),
            Self::Untrusted(_) => challenge("invalid_token", &self.sentence()),
            Self::NoScope => scope_missing(Scope::Read),
        }
    }
}

/// The challenge to whoever has a token without this scope.
pub(super) fn scope_missing(scope: Scope) -> HeaderValue {
    let scope = scope.as_str();
    let text = format!(
        "Bearer realm=\"vehicle-catalogue\", error=\"insufficient_scope\", scope=\"{scope}\""
    );
    HeaderValue::try_from(text).expect("it is ASCII")
}

/// `Retry-After`, which knows only whole seconds.
pub(super) fn retry_after(wait: Duration) -> HeaderValue {
    let begun = u64::from(wait.subsec_nanos() > 0);
    HeaderValue::from(wait.as_secs() + begun)
}

fn challenge(error: &str, description: &str) -> HeaderValue {
    let text = format!(
        "Bearer realm=\"vehicle-catalogue\", error=\"{error}\", error_description=\"{description}\""
    );
    HeaderValue::try_from(text).expect("it is ASCII without quotes")
}
