//! Bearer tokens: JSON Web Tokens (RFC 7519), verified offline.
//!
//! Each key has exactly one algorithm; the `alg` of a token must match it but does not choose it.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use jsonwebtoken::{Algorithm, Validation, decode, decode_header, errors::ErrorKind};
use parking_lot::RwLock;
use serde::{Deserialize, Deserializer};
use tokio::time::sleep;

use super::{
    keys::{self, Key, KeysError},
    scopes::{Claim, Scopes},
    signature,
};

/// Maximum length of a token.
const MAX_TOKEN_BYTES: usize = 8192;

/// How tokens are verified.
#[derive(Clone, Debug)]
pub struct TokenSettings {
    /// The key file: a JSON Web Key Set, or public keys in PEM.
    pub keys_file: PathBuf,
    /// The required issuer (`iss`).
    pub issuer: String,
    /// The required audience (`aud`).
    pub audience: String,
    /// Accepted clock skew for `exp` and `nbf`.
    pub leeway: Duration,
    /// Interval between reloads of the key file.
    pub reload_interval: Duration,
}

/// The subject and scopes of a valid token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The subject (`sub`), if the token has one.
    pub subject: Option<String>,
    /// The granted scopes.
    pub scopes: Scopes,
}

/// Why a token is rejected; the message is for the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// The token is longer than the maximum.
    #[error("the token is longer than {MAX_TOKEN_BYTES} bytes")]
    TooLong,
    /// The token cannot be decoded or is not signed.
    #[error("the token is not a JWT that is signed with RS256, ES256, EdDSA or HS256")]
    Malformed,
    /// The token has critical extensions (`crit`); none is supported.
    #[error("the token has unsupported critical extensions")]
    Critical,
    /// No key matches both the `kid` and the `alg` of the token.
    #[error("no key matches the kid and alg of the token")]
    UnknownKey,
    /// The signature does not match the key.
    #[error("the token has an invalid signature")]
    Signature,
    /// The token has expired (`exp`).
    #[error("the token has expired")]
    Expired,
    /// The token is not valid yet (`nbf`).
    #[error("the token is not valid yet")]
    NotYetValid,
    /// Another issuer (`iss`).
    #[error("the token has another issuer")]
    Issuer,
    /// Another audience (`aud`).
    #[error("the token has another audience")]
    Audience,
    /// A claim is missing or malformed.
    #[error(
        "the claims iss, aud and exp are required, and they, nbf, iat, sub, scope and scp must have their standard types"
    )]
    Claims,
}

/// The content of the key file, to detect changes, and its keys.
#[derive(Debug)]
struct Keys {
    text: String,
    list: Vec<Key>,
}

/// Verifies tokens.
#[derive(Debug)]
pub struct Tokens {
    settings: TokenSettings,
    validation: Validation,
    keys: RwLock<Arc<Keys>>,
    failed_reloads: AtomicU64,
}

impl Tokens {
    /// Loads the keys.
    pub fn load(settings: TokenSettings) -> Result<Self, KeysError> {
        signature::install();
        let text = keys::read(&settings.keys_file)?;
        let list = keys::parse(&settings.keys_file, &text)?;
        let mut validation = Validation::new(Algorithm::default());
        validation.leeway = settings.leeway.as_secs();
        validation.validate_nbf = true;
        validation.set_issuer(&[&settings.issuer]);
        validation.set_audience(&[&settings.audience]);
        validation.set_required_spec_claims(&["exp", "iss", "aud"]);
        Ok(Self {
            validation,
            keys: RwLock::new(Arc::new(Keys { text, list })),
            settings,
            failed_reloads: AtomicU64::new(0),
        })
    }

    /// Verifies a token and returns what it grants.
    pub fn verify(&self, token: &str) -> Result<Grant, TokenError> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(TokenError::TooLong);
        }
        let header = decode_header(token).map_err(|_| TokenError::Malformed)?;
        if header.crit.is_some() {
            return Err(TokenError::Critical);
        }
        let keys = self.keys();
        let matches_id =
            |key: &&Key| key.id.is_none() || header.kid.is_none() || key.id == header.kid;
        let candidates = keys.list.iter().filter(matches_id);
        let mut failure = TokenError::UnknownKey;
        for key in candidates.filter(|key| key.algorithm == header.alg) {
            let mut validation = self.validation.clone();
            validation.algorithms = vec![key.algorithm];
            match decode::<Claims>(token, &key.decoding, &validation) {
                Ok(token) => return Ok(token.claims.grant()),
                Err(error) => failure = token_error(error.kind()),
            }
            // Another key can only make a wrong signature valid.
            if failure != TokenError::Signature {
                break;
            }
        }
        Err(failure)
    }

    /// Number of keys in use.
    pub fn key_count(&self) -> usize {
        self.keys().list.len()
    }

    /// Number of failed reloads of the key file since the start.
    pub fn failed_reloads(&self) -> u64 {
        self.failed_reloads.load(Relaxed)
    }

    /// Reloads the keys when the file has changed. A failure is logged and keeps the previous keys.
    /// Never returns.
    pub(super) async fn reload_keys(&self) {
        loop {
            sleep(self.settings.reload_interval).await;
            if let Err(error) = self.reload() {
                self.failed_reloads.fetch_add(1, Relaxed);
                let reason = std::error::Error::source(&error).map(ToString::to_string);
                tracing::error!(%error, reason, "cannot reload the token verification keys; the previous keys stay in use");
            }
        }
    }

    fn reload(&self) -> Result<(), KeysError> {
        let file = &self.settings.keys_file;
        let text = keys::read(file)?;
        if self.keys().text == text {
            return Ok(());
        }
        let list = keys::parse(file, &text)?;
        tracing::info!(keys = list.len(), "reloaded the token verification keys");
        *self.keys.write() = Arc::new(Keys { text, list });
        Ok(())
    }

    fn keys(&self) -> Arc<Keys> {
        Arc::clone(&self.keys.read())
    }
}

/// The claims with their types, of which `jsonwebtoken` accepts others. It compares their values. Null is
/// no value of these types.
#[derive(Deserialize)]
#[expect(dead_code, reason = "claims whose types alone are checked")]
struct Claims {
    iss: String,
    aud: Claim,
    exp: f64,
    #[serde(default, deserialize_with = "present")]
    nbf: Option<f64>,
    #[serde(default, deserialize_with = "present")]
    iat: Option<f64>,
    #[serde(default, deserialize_with = "present")]
    sub: Option<String>,
    #[serde(default, deserialize_with = "present")]
    scope: Option<String>,
    /// The name that Microsoft and Okta use for `scope`.
    #[serde(default, deserialize_with = "present")]
    scp: Option<Claim>,
}

impl Claims {
    fn grant(self) -> Grant {
        let scopes = self.scope.map(Claim::Text).into_iter().chain(self.scp);
        Grant {
            subject: self.sub,
            scopes: Scopes(scopes.collect()),
        }
    }
}

/// The value of a claim that may be absent.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

fn token_error(kind: &ErrorKind) -> TokenError {
    match kind {
        ErrorKind::InvalidSignature => TokenError::Signature,
        ErrorKind::ExpiredSignature => TokenError::Expired,
        ErrorKind::ImmatureSignature => TokenError::NotYetValid,
        ErrorKind::InvalidIssuer => TokenError::Issuer,
        ErrorKind::InvalidAudience => TokenError::Audience,
        ErrorKind::MissingRequiredClaim(_)
        | ErrorKind::InvalidClaimFormat(_)
        | ErrorKind::Json(_) => TokenError::Claims,
        _ => TokenError::Malformed,
    }
}
