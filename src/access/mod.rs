//! Who may ask, and how often: bearer tokens and what they grant, and a token bucket for each caller.
//!
//! Knows keys, claims and addresses; knows no HTTP and no database.

mod callers;
mod keys;
mod rate;
mod signature;
mod tokens;

use std::net::IpAddr;

pub use self::{
    callers::{Caller, TrustedProxies},
    keys::KeysError,
    rate::{Rate, RateLimiter, Wait},
    tokens::{Grant, TokenFigures, TokenSettings, Tokens, Untrusted},
};

/// What is asked of whoever wants something.
#[derive(Debug, Default)]
pub struct Access {
    /// What tokens are held to; without, everybody may do everything.
    pub tokens: Option<Tokens>,
    /// How often a caller may ask; without, as often as they like.
    pub rate: Option<RateLimiter>,
    /// Who is believed about the addresses of others.
    pub proxies: TrustedProxies,
}

impl Access {
    /// The address behind a connection from `peer`; `forwarded` are the values of
    /// `X-Forwarded-For` in the order of the request.
    pub fn address<'a>(&self, peer: IpAddr, forwarded: impl Iterator<Item = &'a str>) -> IpAddr {
        self.proxies.client(peer, forwarded)
    }

    /// Takes renewed keys from their file. Never ends if there are any.
    pub async fn keep_up_to_date(&self) {
        if let Some(tokens) = &self.tokens {
            tokens.keep_up_to_date().await;
        }
    }
}
