//! The settings of authentication, rate limits and trusted proxies.

use std::{num::NonZeroU32, path::PathBuf, time::Duration};

use ::settings::{Optional, number, optional, optional_path, seconds, value};
use auth::{Rate, TokenSettings, TrustedProxies};
use clap::{Args, builder::TypedValueParser};

/// Authentication and rate limit.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Auth")]
pub struct AuthArguments {
    /// File of the token verification keys, or none: a JSON Web Key Set, or PEM public keys;
    /// enables authentication
    #[arg(long, default_value = "none", value_parser = optional_path())]
    pub(super) auth_keys_file: Optional<PathBuf>,

    /// Required issuer of tokens, the exact claim iss, or none
    #[arg(long, default_value = "none", value_parser = optional_text())]
    pub(super) auth_issuer: Optional<String>,

    /// Required audience of tokens, one of the values of the claim aud, or none
    #[arg(long, default_value = "none", value_parser = optional_text())]
    pub(super) auth_audience: Optional<String>,

    /// Allowed clock skew of the token issuer, from 0 to 3600 seconds
    #[arg(long, default_value = "60", value_parser = seconds(0..=3600))]
    auth_leeway_seconds: Duration,

    /// Interval of checking for renewed token verification keys, from 1 to 86400 seconds
    #[arg(long, default_value = "60", value_parser = seconds(1..=86_400))]
    auth_reload_seconds: Duration,

    /// Maximum number of GraphQL requests per second and caller, from 0 (unlimited) to 1000000;
    /// others get status 429. A mutation counts once for each item
    #[arg(long, value_name = "REQUESTS", default_value = "0", value_parser = number(0..=1_000_000))]
    rate_limit: u32,

    /// Burst of GraphQL requests per caller above the rate, from 1 to 1000000
    #[arg(long, value_name = "REQUESTS", default_value = "100", value_parser = number(1..=1_000_000))]
    rate_limit_burst: u32,

    /// Proxies whose X-Forwarded-For and traceparent headers are trusted: none, or addresses and
    /// networks separated by commas
    #[arg(long, value_name = "ADDRESSES", default_value = "none", value_parser = trusted_proxies())]
    pub trusted_proxies: TrustedProxies,
}

impl AuthArguments {
    /// How tokens are verified, if they are required.
    pub fn tokens(&self) -> Option<TokenSettings> {
        Some(TokenSettings {
            keys_file: self.auth_keys_file.clone()?,
            issuer: self.auth_issuer.clone()?,
            audience: self.auth_audience.clone()?,
            leeway: self.auth_leeway_seconds,
            reload_interval: self.auth_reload_seconds,
        })
    }

    /// The rate limit of a caller, if there is one.
    pub fn rate(&self) -> Option<Rate> {
        Some(Rate {
            per_second: NonZeroU32::new(self.rate_limit)?,
            // The parser of the setting refuses 0.
            burst: NonZeroU32::new(self.rate_limit_burst).unwrap_or(NonZeroU32::MIN),
        })
    }
}

fn optional_text() -> impl TypedValueParser<Value = Optional<String>> {
    optional("a text or none", |text| {
        (!text.is_empty()).then(|| text.to_owned())
    })
}

fn trusted_proxies() -> impl TypedValueParser<Value = TrustedProxies> {
    let must_be = "none, or IP addresses and networks such as 10.0.0.0/8, separated by commas";
    value(must_be, TrustedProxies::parse)
}
