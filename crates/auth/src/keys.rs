//! The keys that verify tokens: a JSON Web Key Set (RFC 7517) or public keys in PEM.

use std::{
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use jsonwebtoken::{
    Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, KeyAlgorithm, PublicKeyUse},
};

/// Maximum size of a key file.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END PUBLIC KEY-----";

/// Why a key file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// The file cannot be read.
    #[error("cannot read {}", .0.display())]
    Read(PathBuf, #[source] io::Error),
    /// The file has no usable keys.
    #[error("{} {}", .0.display(), .1)]
    Invalid(PathBuf, String),
}

/// A key with its only algorithm; the `alg` of a token does not choose another one.
#[derive(Debug)]
pub(super) struct Key {
    /// The key id (`kid`). A key without one matches every token.
    pub(super) id: Option<String>,
    pub(super) algorithm: Algorithm,
    pub(super) decoding: DecodingKey,
}

impl Key {
    fn new(
        id: Option<String>,
        algorithm: Algorithm,
        decoding: DecodingKey,
    ) -> Result<Self, String> {
        check_size(&decoding)?;
        Ok(Self {
            id,
            algorithm,
            decoding,
        })
    }
}

/// Reads the key file.
pub(super) fn read(path: &Path) -> Result<String, KeysError> {
    let mut text = String::new();
    let read =
        File::open(path).and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_string(&mut text));
    let bytes = read.map_err(|error| KeysError::Read(path.to_owned(), error))?;
    if bytes as u64 > MAX_FILE_BYTES {
        let reason = format!("has more than {MAX_FILE_BYTES} bytes");
        return Err(KeysError::Invalid(path.to_owned(), reason));
    }
    Ok(text)
}

/// Parses at least one key.
pub(super) fn parse(path: &Path, text: &str) -> Result<Vec<Key>, KeysError> {
    let keys = if text.trim_start().starts_with('{') {
        from_jwks(text)
    } else {
        from_pem(text)
    };
    keys.map_err(|reason| KeysError::Invalid(path.to_owned(), reason))
}

fn from_jwks(text: &str) -> Result<Vec<Key>, String> {
    let set: JwkSet = serde_json::from_str(text)
        .map_err(|error| format!("is not a JSON Web Key Set with a list of keys: {error}"))?;
    let mut keys = Vec::new();
    for (jwk, number) in set.keys.iter().zip(1..) {
        let name = match &jwk.common.key_id {
            Some(id) => format!("{id:?}"),
            None => format!("number {number}"),
        };
        let Some(algorithm) = algorithm(jwk) else {
            tracing::warn!(
                key = name,
                "ignored a key that is not for RS256, ES256, EdDSA or HS256 signatures"
            );
            continue;
        };
        let key = DecodingKey::from_jwk(jwk)
            .map_err(|error| format!("can't be read: {error}"))
            .and_then(|decoding| Key::new(jwk.common.key_id.clone(), algorithm, decoding));
        keys.push(key.map_err(|reason| format!("has a key, {name}, that {reason}"))?);
    }
    if keys.is_empty() {
        return Err("has no key for RS256, ES256, EdDSA or HS256 signatures".to_owned());
    }
    Ok(keys)
}

/// The algorithm of a JWK; `None` if the key is not for signatures with a supported one.
fn algorithm(jwk: &Jwk) -> Option<Algorithm> {
    let (algorithm, name) = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => (Algorithm::RS256, KeyAlgorithm::RS256),
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => {
            (Algorithm::ES256, KeyAlgorithm::ES256)
        }
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => {
            (Algorithm::EdDSA, KeyAlgorithm::EdDSA)
        }
        AlgorithmParameters::OctetKey(_) => (Algorithm::HS256, KeyAlgorithm::HS256),
        _ => return None,
    };
    let algorithm_matches = jwk
        .common
        .key_algorithm
        .is_none_or(|declared| declared == name);
    let is_for_signatures = matches!(
        jwk.common.public_key_use,
        None | Some(PublicKeyUse::Signature)
    );
    (algorithm_matches && is_for_signatures).then_some(algorithm)
}

fn from_pem(text: &str) -> Result<Vec<Key>, String> {
    let mut keys = Vec::new();
    for block in text.split_inclusive(END) {
        let Some(begin) = block.find(BEGIN) else {
            continue;
        };
        let block = &block[begin..];
        if !block.starts_with("-----BEGIN PUBLIC KEY-----") {
            return Err("has a block of PEM that is not a PUBLIC KEY".to_owned());
        }
        let number = keys.len() + 1;
        let key = from_pem_block(block.as_bytes())
            .ok_or("is not a key of RSA, P-256 or Ed25519".to_owned())
            .and_then(|(algorithm, decoding)| Key::new(None, algorithm, decoding));
        keys.push(key.map_err(|reason| format!("has a key, number {number}, that {reason}"))?);
    }
    if keys.is_empty() {
        return Err("contains neither a JSON Web Key Set nor a PEM PUBLIC KEY".to_owned());
    }
    Ok(keys)
}

fn from_pem_block(pem: &[u8]) -> Option<(Algorithm, DecodingKey)> {
    let rsa = || DecodingKey::from_rsa_pem(pem).map(|key| (Algorithm::RS256, key));
    let ec = || DecodingKey::from_ec_pem(pem).map(|key| (Algorithm::ES256, key));
    let ed = || DecodingKey::from_ed_pem(pem).map(|key| (Algorithm::EdDSA, key));
    rsa().or_else(|_| ec()).or_else(|_| ed()).ok()
}

/// Checks the key size, which ring reports only when it verifies a signature.
fn check_size(key: &DecodingKey) -> Result<(), String> {
    let (found, fits, expected) = match (key.family(), key.kind()) {
        (AlgorithmFamily::Rsa, DecodingKeyKind::RsaModulusExponent { n, .. }) => {
            let bytes = n.iter().skip_while(|byte| **byte == 0).count();
            (
                bytes,
                (256..=1024).contains(&bytes),
                "256 to 1024 of a modulus",
            )
        }
        // The modulus and the bytes of its DER encoding.
        (AlgorithmFamily::Rsa, DecodingKeyKind::SecretOrDer(der)) => (
            der.len(),
            (268..=1044).contains(&der.len()),
            "268 to 1044: a modulus of 2048 to 8192 bits",
        ),
        (AlgorithmFamily::Ec, DecodingKeyKind::SecretOrDer(point)) => {
            (point.len(), point.len() == 65, "65: a point of P-256")
        }
        (AlgorithmFamily::Ed, DecodingKeyKind::SecretOrDer(point)) => {
            (point.len(), point.len() == 32, "32: a point of Ed25519")
        }
        // RFC 7518, section 3.2.
        (AlgorithmFamily::Hmac, DecodingKeyKind::SecretOrDer(secret)) => {
            (secret.len(), secret.len() >= 32, "at least 32 of a secret")
        }
        (_, DecodingKeyKind::RsaModulusExponent { .. }) => (0, false, "those of its kind"),
    };
    if fits {
        Ok(())
    } else {
        Err(format!("has {found} bytes instead of {expected}"))
    }
}
