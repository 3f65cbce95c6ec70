//! Bearer tokens: JSON Web Tokens (RFC 7519), verified offline with the keys of a file; and the proxies that are trusted.
//!
//! The key decides the algorithm: each has exactly one, and the `alg` of a token must match it.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, Read as _},
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use ipnet::IpNet;
use jsonwebtoken::{
    Algorithm, DecodingKey, DecodingKeyKind, Validation, decode, decode_header,
    errors::ErrorKind,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyOperations, PublicKeyUse},
};
use parking_lot::RwLock;
use prometheus_client::metrics::counter::Counter;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use tokio::{
    task::spawn_blocking,
    time::{sleep, timeout},
};

use crate::telemetry::error_chain;

/// Maximum size of a key file.
const MAX_FILE_BYTES: u64 = 1024 * 1024;
const MAX_TOKEN_BYTES: usize = 8192;
const TOO_LONG: &str = "the token is longer than 8192 bytes";
const MALFORMED: &str = "the token is not a JWT that is signed with RS256, ES256, EdDSA or HS256";
/// Accepted clock skew for `exp` and `nbf`.
const LEEWAY: Duration = Duration::from_mins(1);
const RELOAD_INTERVAL: Duration = Duration::from_secs(10);
/// A file system that does not respond must not stop the reloads.
const READ_TIMEOUT: Duration = Duration::from_secs(10);
const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END PUBLIC KEY-----";

/// Why a key file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    #[error("cannot read {}", .0.display())]
    Read(PathBuf, #[source] io::Error),
    #[error("{} {}", .0.display(), .1)]
    Invalid(PathBuf, String),
}

/// Verifies tokens with the keys of a file, which is read again when it changes.
#[derive(Debug)]
pub(crate) struct Tokens {
    file: PathBuf,
    validation: Validation,
    keys: RwLock<Keys>,
    pub failed_reloads: Counter,
}

/// The content of the key file, to detect changes, and its keys.
#[derive(Debug)]
struct Keys {
    text: String,
    list: Vec<Key>,
}

#[derive(Debug)]
struct Key {
    /// The key id (`kid`). A key without one matches every token.
    id: Option<String>,
    algorithm: Algorithm,
    decoding: DecodingKey,
}

impl Key {
    /// Signatures are not verified with a key of another size.
    fn new(id: Option<String>, algorithm: Algorithm, decoding: DecodingKey) -> Result<Self, String> {
        use DecodingKeyKind::{RsaModulusExponent, SecretOrDer};
        let modulus = "a modulus of 2048 to 8192 bits without leading zeros";
        let (is_permitted, size) = match (algorithm, decoding.kind()) {
            // RFC 7518, section 3.2.
            (Algorithm::HS256, SecretOrDer(secret)) => (secret.len() >= 32, "a secret of at least 32 bytes"),
            (Algorithm::ES256, SecretOrDer(point)) => (point.len() == 65, "a point of P-256"),
            (Algorithm::EdDSA, SecretOrDer(point)) => (point.len() == 32, "a point of Ed25519"),
            // DER adds 12 to 16 bytes to a modulus, by the length of the exponent.
            (_, SecretOrDer(der)) => ((268..=1040).contains(&der.len()), modulus),
            (_, RsaModulusExponent { n, .. }) => ((256..=1024).contains(&n.len()) && n[0] != 0, modulus),
        };
        if !is_permitted {
            return Err(format!("does not have {size}"));
        }
        Ok(Self { id, algorithm, decoding })
    }
}

impl Tokens {
    /// Loads the keys. Tokens must have this issuer (`iss`) and audience (`aud`).
    pub(crate) fn load(file: PathBuf, issuer: &str, audience: &str) -> Result<Self, KeysError> {
        let text = read(&file)?;
        let list = parse(&file, &text)?;
        let mut validation = Validation::new(Algorithm::default());
        validation.leeway = LEEWAY.as_secs();
        validation.validate_nbf = true;
        validation.set_issuer(&[issuer]);
        validation.set_audience(&[audience]);
        validation.set_required_spec_claims(&["exp", "iss", "aud"]);
        let keys = RwLock::new(Keys { text, list });
        Ok(Self { file, validation, keys, failed_reloads: Counter::default() })
    }

    /// Verifies a token and returns its claims, or why it is rejected, for the client.
    pub(crate) fn verify(&self, token: &str) -> Result<Claims, &'static str> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(TOO_LONG);
        }
        let header = decode_header(token).map_err(|_| MALFORMED)?;
        if header.crit.is_some() {
            return Err("the token has unsupported critical extensions");
        }
        let mut failure = "no key matches the kid and alg of the token";
        for key in &self.keys.read().list {
            let has_id = key.id.is_none() || header.kid.is_none() || key.id == header.kid;
            if !has_id || key.algorithm != header.alg {
                continue;
            }
            let validation = Validation { algorithms: vec![key.algorithm], ..self.validation.clone() };
            match decode::<Claims>(token, &key.decoding, &validation) {
                Ok(token) => return Ok(token.claims),
                // Another key can only make a wrong signature valid.
                Err(error) if matches!(error.kind(), ErrorKind::InvalidSignature) => failure = rejection(error.kind()),
                Err(error) => return Err(rejection(error.kind())),
            }
        }
        Err(failure)
    }

    pub(crate) fn key_count(&self) -> usize {
        self.keys.read().list.len()
    }

    /// Reloads the keys when the file has changed; a failure is logged and keeps the previous keys. Never returns.
    pub(crate) async fn reload(self: Arc<Self>) {
        loop {
            sleep(RELOAD_INTERVAL).await;
            let tokens = Arc::clone(&self);
            let read = spawn_blocking(move || tokens.reload_once());
            let reason = match timeout(READ_TIMEOUT, read).await {
                Ok(Ok(Ok(()))) => continue,
                Ok(Ok(Err(error))) => error_chain(&error),
                Ok(Err(panic)) => panic.to_string(),
                Err(_) => format!("{} was not read within {READ_TIMEOUT:?}", self.file.display()),
            };
            self.failed_reloads.inc();
            tracing::error!(reason, "cannot reload the token verification keys; the previous keys stay in use");
        }
    }

    fn reload_once(&self) -> Result<(), KeysError> {
        let text = read(&self.file)?;
        if self.keys.read().text == text {
            return Ok(());
        }
        let list = parse(&self.file, &text)?;
        tracing::info!(keys = list.len(), "reloaded the token verification keys");
        *self.keys.write() = Keys { text, list };
        Ok(())
    }
}

/// The claims of a valid token with their types, of which jsonwebtoken accepts others; it compares their values. Null is no
/// value of these types.
#[derive(Deserialize)]
#[expect(dead_code, reason = "claims whose types alone are checked")]
pub(crate) struct Claims {
    iss: String,
    aud: TextOrList,
    exp: f64,
    #[serde(default, deserialize_with = "present")]
    nbf: Option<f64>,
    #[serde(default, deserialize_with = "present")]
    iat: Option<f64>,
    #[serde(default, deserialize_with = "present")]
    pub sub: Option<String>,
    /// Separated by spaces (RFC 8693, section 4.2).
    #[serde(default, deserialize_with = "present")]
    scope: Option<String>,
    /// The name that Microsoft and Okta use for `scope`.
    #[serde(default, deserialize_with = "present")]
    scp: Option<TextOrList>,
    /// Of an ignored value serde checks less: not that it is UTF-8.
    #[serde(flatten)]
    others: HashMap<String, Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum TextOrList {
    Text(String),
    List(Vec<String>),
}

impl Claims {
    /// Whether a scope is among those of the claims `scope` and `scp`.
    pub(crate) fn has_scope(&self, scope: &str) -> bool {
        let in_text = |text: &str| text.split(' ').any(|granted| granted == scope);
        let in_scp = match &self.scp {
            None => false,
            Some(TextOrList::Text(text)) => in_text(text),
            Some(TextOrList::List(list)) => list.iter().any(|granted| granted == scope),
        };
        in_scp || self.scope.as_deref().is_some_and(in_text)
    }
}

/// The value of a claim that may be absent.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

fn rejection(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::InvalidSignature => "the token has an invalid signature",
        ErrorKind::ExpiredSignature => "the token has expired",
        ErrorKind::ImmatureSignature => "the token is not valid yet",
        ErrorKind::InvalidIssuer => "the token has another issuer",
        ErrorKind::InvalidAudience => "the token has another audience",
        ErrorKind::MissingRequiredClaim(_) | ErrorKind::InvalidClaimFormat(_) | ErrorKind::Json(_) => {
            "the claims iss, aud and exp are required, and they, nbf, iat, sub, scope and scp must have their standard \
             types, all in UTF-8"
        }
        _ => MALFORMED,
    }
}

fn read(path: &Path) -> Result<String, KeysError> {
    let mut text = String::new();
    let file = File::open(path).and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_string(&mut text));
    let bytes = file.map_err(|error| KeysError::Read(path.to_owned(), error))?;
    if bytes as u64 > MAX_FILE_BYTES {
        let reason = format!("has more than {MAX_FILE_BYTES} bytes");
        return Err(KeysError::Invalid(path.to_owned(), reason));
    }
    Ok(text)
}

/// At least one usable key of a JSON Web Key Set (RFC 7517) or of public keys in PEM. Others are skipped with a warning
/// (RFC 7517, section 5).
fn parse(path: &Path, text: &str) -> Result<Vec<Key>, KeysError> {
    let invalid = |reason: String| KeysError::Invalid(path.to_owned(), reason);
    // Some editors write a byte order mark.
    let text = text.trim_start_matches('\u{feff}');
    let parsed = if text.trim_start().starts_with('{') {
        from_jwks(text).map_err(invalid)?
    } else {
        let blocks = text.split(BEGIN).skip(1);
        blocks.map(|block| (None, from_pem_block(block))).collect()
    };
    let (mut keys, mut unusable) = (Vec::new(), None);
    for (number, (id, parsed)) in (1..).zip(parsed) {
        match parsed {
            Ok(key) => keys.push(key),
            Err(reason) => {
                let name = id.map_or_else(|| format!("number {number}"), |id| format!("{id:?}"));
                tracing::warn!(key = name, reason, "ignored a key");
                unusable.get_or_insert(format!("has no usable key: {name} {reason}"));
            }
        }
    }
    if keys.is_empty() {
        let neither = "contains neither a JSON Web Key Set with a key nor a PEM PUBLIC KEY";
        return Err(invalid(unusable.unwrap_or_else(|| neither.to_owned())));
    }
    Ok(keys)
}

/// A key with its id, or why it cannot be used.
type Parsed = (Option<String>, Result<Key, String>);

fn from_jwks(text: &str) -> Result<Vec<Parsed>, String> {
    let set: Value = serde_json::from_str(text).map_err(|error| format!("is not valid JSON: {error}"))?;
    let keys = set["keys"].as_array().ok_or("is not a JSON Web Key Set with a list of keys")?;
    Ok(keys.iter().map(|json| (json["kid"].as_str().map(str::to_owned), from_jwk(json))).collect())
}

fn from_jwk(json: &Value) -> Result<Key, String> {
    // The error of the library can contain a value, which can be a secret.
    let jwk = Jwk::deserialize(json).map_err(|_| "is not a JSON Web Key")?;
    let algorithm = algorithm(&jwk).ok_or("is not for RS256, ES256, EdDSA or HS256 signatures")?;
    let decoding = DecodingKey::from_jwk(&jwk).map_err(|error| format!("can't be read: {error}"))?;
    Key::new(jwk.common.key_id, algorithm, decoding)
}

/// The algorithm of a JWK; `None` if the key does not verify signatures with a supported one.
fn algorithm(jwk: &Jwk) -> Option<Algorithm> {
    let algorithm = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => Algorithm::RS256,
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => Algorithm::ES256,
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => Algorithm::EdDSA,
        AlgorithmParameters::OctetKey(_) => Algorithm::HS256,
        _ => return None,
    };
    let common = &jwk.common;
    let verifies = common.key_algorithm.is_none_or(|declared| declared == algorithm.into())
        && matches!(common.public_key_use, None | Some(PublicKeyUse::Signature))
        && common.key_operations.as_ref().is_none_or(|allowed| allowed.contains(&KeyOperations::Verify));
    verifies.then_some(algorithm)
}

/// The key in a block of PEM after [`BEGIN`].
fn from_pem_block(block: &str) -> Result<Key, String> {
    let end = block.find(END).filter(|_| block.starts_with("PUBLIC KEY-----"));
    let pem = format!("{BEGIN}{}{END}", &block[..end.ok_or("is not a PUBLIC KEY")?]);
    let rsa = || DecodingKey::from_rsa_pem(pem.as_bytes()).map(|key| (Algorithm::RS256, key));
    let ec = || DecodingKey::from_ec_pem(pem.as_bytes()).map(|key| (Algorithm::ES256, key));
    let ed = || DecodingKey::from_ed_pem(pem.as_bytes()).map(|key| (Algorithm::EdDSA, key));
    let (algorithm, decoding) =
        rsa().or_else(|_| ec()).or_else(|_| ed()).map_err(|_| "is not a key of RSA, P-256 or Ed25519")?;
    Key::new(None, algorithm, decoding)
}

/// The proxies whose `X-Forwarded-For` header is trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// Reads `none`, or addresses and networks such as `10.0.0.0/8` separated by commas.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "none" {
            return Some(Self::default());
        }
        let networks = text.split(',').map(|part| {
            let part = part.trim();
            part.parse::<IpNet>().or_else(|_| part.parse::<IpAddr>().map(IpNet::from)).ok()
        });
        networks.collect::<Option<_>>().map(Self)
    }

    /// The client address of a connection from `peer`: the last forwarded address that is not a trusted proxy.
    /// `forwarded` are the values of `X-Forwarded-For` in the order of the request. Each proxy appends the address of its
    /// peer, so everything before the entry of an untrusted peer can be forged.
    pub fn client_address<'a>(&self, peer: IpAddr, forwarded: impl Iterator<Item = &'a str>) -> IpAddr {
        let mut client = peer.to_canonical();
        let hops: Vec<_> = forwarded.flat_map(|value| value.split(',')).collect();
        for hop in hops.into_iter().rev() {
            match parse_address(hop.trim()) {
                Some(address) if self.trusts(client) => client = address,
                _ => break,
            }
        }
        client
    }

    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }
}

/// An address with or without a port.
fn parse_address(text: &str) -> Option<IpAddr> {
    let address = text.trim_start_matches('[').trim_end_matches(']');
    let address = address.parse().or_else(|_| text.parse().map(|socket: SocketAddr| socket.ip()));
    address.ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_is_the_last_address_that_is_no_trusted_proxy() {
        let (network, proxy, client) = ("10.0.0.0/8", "10.0.0.1", "203.0.113.9");
        for (trusted, peer, forwarded, expected) in [
            ("none", "192.0.2.1", &[client][..], "192.0.2.1"),
            (network, "192.0.2.1", &[client], "192.0.2.1"),
            (network, proxy, &[], proxy),
            (network, proxy, &[client], client),
            // A forged address precedes the one that the proxy appends.
            (network, proxy, &["1.1.1.1, 203.0.113.9"], client),
            (network, proxy, &["1.1.1.1", "203.0.113.9, 10.0.0.2"], client),
            (network, proxy, &["203.0.113.9, 10.0.0.2, x"], proxy),
            (network, proxy, &["203.0.113.9:4711"], client),
            (network, "::ffff:10.0.0.1", &[client], client),
            ("::1, 10.0.0.1", "::1", &["[2001:db8::7]:80"], "2001:db8::7"),
            ("::1, 10.0.0.1", "::1", &["[2001:db8::7]"], "2001:db8::7"),
        ] {
            let proxies = TrustedProxies::parse(trusted).unwrap();
            let client = proxies.client_address(peer.parse().unwrap(), forwarded.iter().copied());
            assert_eq!(client.to_string(), expected, "{trusted} {peer} {forwarded:?}");
        }
        for wrong in ["", "10.0.0.0/33", "proxy.example", "10.0.0.1,", "*"] {
            assert_eq!(TrustedProxies::parse(wrong), None, "{wrong}");
        }
    }
}
