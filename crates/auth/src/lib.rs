//! Bearer tokens, scopes, trusted proxies and rate limits.
//!
#![doc = include_str!("../README.md")]

mod keys;
mod rate_limiter;
mod scopes;
mod signature;
mod tokens;
mod trusted_proxies;

pub use self::{
    keys::KeysError,
    rate_limiter::{Caller, Rate, RateLimiter, Refused},
    scopes::Scopes,
    tokens::{Grant, TokenError, TokenSettings, Tokens},
    trusted_proxies::TrustedProxies,
};

/// Everything that authorizes a request.
#[derive(Debug, Default)]
pub struct Auth {
    /// Verifies tokens; without it, every request has every scope.
    pub tokens: Option<Tokens>,
    /// The rate limit; without it, callers are not limited.
    pub rate: Option<RateLimiter>,
    /// The proxies whose forwarded addresses are trusted.
    pub proxies: TrustedProxies,
}

impl Auth {
    /// Reloads the keys periodically. Never returns if tokens are verified.
    pub async fn reload_keys(&self) {
        if let Some(tokens) = &self.tokens {
            tokens.reload_keys().await;
        }
    }
}
