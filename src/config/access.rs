//! The settings about who may ask, and how often.

use std::time::Duration;

use clap::Args;

use super::checked::{Checked, OptionalPath, number, optional_path, value};
use crate::access::{Rate, TokenSettings, TrustedProxies};

/// Who may ask, and how often.
#[derive(Debug, Clone, Args)]
pub struct AccessArguments {
    /// Keys of the tokens that clients must send, or none: a JSON Web Key Set, or public keys in PEM;
    /// with it queries need the scope catalogue:read, mutations catalogue:write
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_AUTH_KEYS_FILE",
        value_name = "FILE"
    )]
    #[arg(default_value = "none", value_parser = optional_path(), help_heading = "Access")]
    auth_keys_file: OptionalPath,

    /// Who makes the tokens, their claim iss to the letter, or none
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_AUTH_ISSUER",
        value_name = "ISSUER"
    )]
    #[arg(default_value = "none", value_parser = optional_name(), help_heading = "Access")]
    auth_issuer: OptionalName,

    /// For whom the tokens are, one of the texts in their claim aud, or none
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_AUTH_AUDIENCE",
        value_name = "AUDIENCE"
    )]
    #[arg(default_value = "none", value_parser = optional_name(), help_heading = "Access")]
    auth_audience: OptionalName,

    /// How far the clock of whoever makes the tokens may differ, from 0 to 3600 seconds
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_AUTH_LEEWAY_SECONDS",
        value_name = "SECONDS"
    )]
    #[arg(default_value = "60", value_parser = number(0..=3600), help_heading = "Access")]
    auth_leeway_seconds: u32,

    /// How often renewed keys of tokens are looked for, from 1 to 86400 seconds
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_AUTH_RELOAD_SECONDS",
        value_name = "SECONDS"
    )]
    #[arg(default_value = "60", value_parser = number(1..=86_400), help_heading = "Access")]
    auth_reload_seconds: u32,

    /// Most GraphQL requests of a caller per second, from 0 (any number) to 1000000; others are refused
    /// with the status 429
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_RATE_LIMIT",
        value_name = "REQUESTS"
    )]
    #[arg(default_value = "0", value_parser = number(0..=1_000_000), help_heading = "Access")]
    rate_limit: u32,

    /// Most GraphQL requests of a caller at once, after a while without any, from 1 to 1000000
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_RATE_LIMIT_BURST",
        value_name = "REQUESTS"
    )]
    #[arg(default_value = "100", value_parser = number(1..=1_000_000), help_heading = "Access")]
    rate_limit_burst: u32,

    /// Proxies whose X-Forwarded-For says which caller has sent no token: none, or addresses and
    /// networks separated by commas
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_TRUSTED_PROXIES",
        value_name = "ADDRESSES"
    )]
    #[arg(default_value = "none", value_parser = trusted_proxies(), help_heading = "Access")]
    pub trusted_proxies: TrustedProxies,
}

/// A name, if there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
struct OptionalName(Option<String>);

impl AccessArguments {
    /// What tokens are held to, if they are asked for.
    pub fn tokens(&self) -> Option<TokenSettings> {
        Some(TokenSettings {
            keys_file: self.auth_keys_file.as_path()?.to_owned(),
            issuer: self.auth_issuer.0.clone()?,
            audience: self.auth_audience.0.clone()?,
            leeway: Duration::from_secs(self.auth_leeway_seconds.into()),
            reload_interval: Duration::from_secs(self.auth_reload_seconds.into()),
        })
    }

    /// How often a caller may ask, if that is limited.
    pub fn rate(&self) -> Option<Rate> {
        (self.rate_limit > 0).then_some(Rate {
            per_second: self.rate_limit,
            burst: self.rate_limit_burst,
        })
    }

    /// Whether there are keys, an issuer and an audience.
    pub(super) fn tokens_named(&self) -> [bool; 3] {
        [
            self.auth_keys_file.as_path().is_some(),
            self.auth_issuer.0.is_some(),
            self.auth_audience.0.is_some(),
        ]
    }
}

fn optional_name() -> Checked<OptionalName> {
    value("a text or none", |text| match text {
        "" => None,
        "none" => Some(OptionalName(None)),
        name => Some(OptionalName(Some(name.to_owned()))),
    })
}

fn trusted_proxies() -> Checked<TrustedProxies> {
    let must_be = "none, or IP addresses and networks such as 10.0.0.0/8, separated by commas";
    value(must_be, TrustedProxies::parse)
}
