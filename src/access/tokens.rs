//! Bearer tokens: JSON Web Tokens (RFC 7519), verified offline.
//!
//! A key is used with one algorithm, its own: what a token says about that (`alg`) only has to agree.

use std::{
    collections::HashSet,
    path::PathBuf,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use jsonwebtoken::{Algorithm, Validation, decode, decode_header, errors::ErrorKind};
use serde::Deserialize;
use tokio::time::sleep;

use super::{
    keys::{self, Key, KeysError},
    signature,
};
use crate::graphql::{Scope, Scopes};

/// The longest token that is looked at, in bytes.
const TOKEN_BYTES: usize = 8192;

/// What tokens are held to.
#[derive(Clone, Debug)]
pub struct TokenSettings {
    /// The file of the keys: a JSON Web Key Set, or public keys in PEM.
    pub keys_file: PathBuf,
    /// Who must have made the token (`iss`).
    pub issuer: String,
    /// For whom it must be (`aud`).
    pub audience: String,
    /// How far the clocks may differ.
    pub leeway: Duration,
    /// How often the file is read again.
    pub reload_interval: Duration,
}

/// What a token grants, and to whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Who asks (`sub`), if the token says so.
    pub subject: Option<String>,
    /// What they may do.
    pub scopes: Scopes,
}

/// Why a token grants nothing; for the client to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Untrusted {
    /// It is longer than any that this service expects.
    #[error("the token is longer than {TOKEN_BYTES} bytes")]
    TooLong,
    /// It cannot be read, or says that it is not signed.
    #[error("the token is not a JWT that is signed with RS256, ES256, EdDSA or HS256")]
    Malformed,
    /// It demands something that is not known here (`crit`).
    #[error("the token has critical extensions, which this service does not know")]
    Critical,
    /// No key has its name, or none of this name its algorithm.
    #[error("no key of this service fits the kid and alg of the token")]
    UnknownKey,
    /// The signature is not that of the key.
    #[error("the signature of the token is wrong")]
    Signature,
    /// Its time is over.
    #[error("the token has expired")]
    Expired,
    /// Its time has not come.
    #[error("the token is not valid yet")]
    NotYetValid,
    /// Somebody else made it.
    #[error("the token is of another issuer")]
    Issuer,
    /// It is for somebody else.
    #[error("the token is for another audience")]
    Audience,
    /// A claim is missing or has another form.
    #[error(
        "the token needs iss, aud and exp, and sub, scope and nbf in their right form if it has them"
    )]
    Claims,
}

/// How the keys are.
#[derive(Clone, Copy, Debug)]
pub struct TokenFigures {
    /// Keys in use.
    pub keys: usize,
    /// How often the file could not be used since the start.
    pub failed_reloads: u64,
}

/// What tokens are held to.
#[derive(Debug)]
pub struct Tokens {
    settings: TokenSettings,
    expected: Validation,
    keys: RwLock<Arc<[Key]>>,
    /// What the keys were read from.
    text: RwLock<String>,
    failed_reloads: AtomicU64,
}

impl Tokens {
    /// Reads the keys.
    pub fn load(settings: TokenSettings) -> Result<Self, KeysError> {
        signature::install();
        let text = keys::read(&settings.keys_file)?;
        let keys = keys::parse(&settings.keys_file, &text)?;
        let mut expected = Validation::new(Algorithm::default());
        expected.leeway = settings.leeway.as_secs();
        expected.validate_nbf = true;
        expected.set_issuer(&[&settings.issuer]);
        expected.set_audience(&[&settings.audience]);
        expected.set_required_spec_claims(&["exp", "iss", "aud"]);
        Ok(Self {
            expected,
            keys: RwLock::new(keys.into()),
            text: RwLock::new(text),
            settings,
            failed_reloads: AtomicU64::new(0),
        })
    }

    /// What a token grants.
    pub fn verify(&self, token: &str) -> Result<Grant, Untrusted> {
        if token.len() > TOKEN_BYTES {
            return Err(Untrusted::TooLong);
        }
        let header = decode_header(token).map_err(|_| Untrusted::Malformed)?;
        if header.crit.is_some() {
            return Err(Untrusted::Critical);
        }
        let keys = Arc::clone(&self.keys.read().unwrap_or_else(PoisonError::into_inner));
        let named = |key: &&Key| key.id.is_none() || header.kid.is_none() || key.id == header.kid;
        let fitting = keys.iter().filter(named);
        let mut refused = Untrusted::UnknownKey;
        for key in fitting.filter(|key| key.algorithm == header.alg) {
            let mut expected = self.expected.clone();
            expected.algorithms = vec![key.algorithm];
            match decode::<Claims>(token, &key.decoding, &expected) {
                Ok(token) => return Ok(token.claims.grant()),
                Err(error) => refused = why(error.kind()),
            }
            // Only another key can make a difference to the signature.
            if refused != Untrusted::Signature {
                break;
            }
        }
        Err(refused)
    }

    /// How the keys are.
    pub fn figures(&self) -> TokenFigures {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        TokenFigures {
            keys: keys.len(),
            failed_reloads: self.failed_reloads.load(Relaxed),
        }
    }

    /// Takes new keys when the file has changed; if they cannot be used that is logged, and the old
    /// ones stay. Never ends.
    pub(super) async fn keep_up_to_date(&self) {
        loop {
            sleep(self.settings.reload_interval).await;
            if let Err(error) = self.reload() {
                self.failed_reloads.fetch_add(1, Relaxed);
                let reason = std::error::Error::source(&error).map(ToString::to_string);
                tracing::error!(%error, reason, "the keys of tokens stay as they were");
            }
        }
    }

    fn reload(&self) -> Result<(), KeysError> {
        let file = &self.settings.keys_file;
        let text = keys::read(file)?;
        if *self.text.read().unwrap_or_else(PoisonError::into_inner) == text {
            return Ok(());
        }
        let keys: Arc<[Key]> = keys::parse(file, &text)?.into();
        tracing::info!(keys = keys.len(), "the keys of tokens are renewed");
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = keys;
        *self.text.write().unwrap_or_else(PoisonError::into_inner) = text;
        Ok(())
    }
}

/// What is asked of a token beside what everyone asks.
#[derive(Deserialize)]
struct Claims {
    sub: Option<String>,
    scope: Option<Granted>,
    /// What Microsoft and Okta call the same.
    scp: Option<Granted>,
}

/// Scopes: a text with spaces between them (RFC 8693, section 4.2), or a list.
#[derive(Deserialize)]
#[serde(untagged)]
enum Granted {
    Text(String),
    List(Vec<String>),
}

impl Granted {
    fn names(&self) -> HashSet<&str> {
        match self {
            Self::Text(text) => text.split(' ').collect(),
            Self::List(list) => list.iter().map(String::as_str).collect(),
        }
    }
}

impl Claims {
    fn grant(self) -> Grant {
        let granted = [&self.scope, &self.scp].into_iter().flatten();
        let names: HashSet<&str> = granted.flat_map(Granted::names).collect();
        let scopes = Scopes {
            read: names.contains(Scope::Read.as_str()),
            write: names.contains(Scope::Write.as_str()),
        };
        let subject = self.sub;
        Grant { subject, scopes }
    }
}

fn why(kind: &ErrorKind) -> Untrusted {
    match kind {
        ErrorKind::InvalidSignature => Untrusted::Signature,
        ErrorKind::ExpiredSignature => Untrusted::Expired,
        ErrorKind::ImmatureSignature => Untrusted::NotYetValid,
        ErrorKind::InvalidIssuer => Untrusted::Issuer,
        ErrorKind::InvalidAudience => Untrusted::Audience,
        ErrorKind::MissingRequiredClaim(_)
        | ErrorKind::InvalidClaimFormat(_)
        | ErrorKind::Json(_) => Untrusted::Claims,
        _ => Untrusted::Malformed,
    }
}
