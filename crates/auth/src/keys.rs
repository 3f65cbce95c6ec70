//! The keys that verify tokens: a JSON Web Key Set (RFC 7517) or public keys in PEM.

use std::{
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use jsonwebtoken::{
    Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind,
    jwk::{AlgorithmParameters, CommonParameters, EllipticCurve, Jwk, KeyOperations, PublicKeyUse},
};
use ring::{
    agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral},
    rand::SystemRandom,
};
use serde::Deserialize;
use serde_json::Value;
use simple_asn1::ASN1Block;

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

/// Parses at least one usable key. Others are skipped with a warning (RFC 7517, section 5).
pub(super) fn parse(path: &Path, text: &str) -> Result<Vec<Key>, KeysError> {
    // Some editors write a byte order mark.
    let text = text.trim_start_matches('\u{feff}');
    let is_jwks = text.trim_start().starts_with('{');
    let parsed = if is_jwks {
        from_jwks(text)
    } else {
        Ok(from_pem(text))
    };
    let invalid = |reason| KeysError::Invalid(path.to_owned(), reason);
    let (mut keys, mut first) = (Vec::new(), None);
    for (name, parsed) in parsed.map_err(invalid)? {
        match parsed {
            Ok(key) => keys.push(key),
            Err(reason) => {
                tracing::warn!(key = name, reason, "ignored a key");
                first.get_or_insert(format!("{name} {reason}"));
            }
        }
    }
    match first {
        _ if !keys.is_empty() => Ok(keys),
        Some(first) => Err(invalid(format!("has no usable key: {first}"))),
        None if is_jwks => Err(invalid("has no key".to_owned())),
        None => Err(invalid(
            "contains neither a JSON Web Key Set nor a PEM PUBLIC KEY".to_owned(),
        )),
    }
}

/// A key with its name in messages, or why it cannot be used.
type NamedKey = (String, Result<Key, String>);

fn from_jwks(text: &str) -> Result<Vec<NamedKey>, String> {
    let set: Value =
        serde_json::from_str(text).map_err(|error| format!("is not valid JSON: {error}"))?;
    let keys = set["keys"].as_array();
    let keys = keys.ok_or("is not a JSON Web Key Set with a list of keys".to_owned())?;
    let keys = keys.iter().zip(1..).map(|(json, number)| {
        let name = match json["kid"].as_str() {
            Some(id) => format!("{id:?}"),
            None => format!("number {number}"),
        };
        (name, from_jwk(json))
    });
    Ok(keys.collect())
}

fn from_jwk(json: &Value) -> Result<Key, String> {
    // The error of the library can contain a value, which can be a secret.
    let jwk = Jwk::deserialize(json).map_err(|_| "is not a JSON Web Key".to_owned())?;
    let algorithm =
        algorithm(&jwk).ok_or("is not for RS256, ES256, EdDSA or HS256 signatures".to_owned())?;
    // RFC 7518, section 6.2.1.2: 32 bytes, which have 43 digits in base64; the point has both coordinates.
    if let AlgorithmParameters::EllipticCurve(point) = &jwk.algorithm
        && point.x.len() != 43
    {
        return Err("is not a point of P-256 with coordinates of 32 bytes".to_owned());
    }
    let decoding =
        DecodingKey::from_jwk(&jwk).map_err(|error| format!("can't be read: {error}"))?;
    Ok(Key {
        id: jwk.common.key_id,
        algorithm,
        decoding: usable(decoding)?,
    })
}

/// The algorithm of a JWK; `None` if the key does not verify signatures with a supported one.
fn algorithm(jwk: &Jwk) -> Option<Algorithm> {
    let algorithm = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => Algorithm::RS256,
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => {
            Algorithm::ES256
        }
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => {
            Algorithm::EdDSA
        }
        AlgorithmParameters::OctetKey(_) => Algorithm::HS256,
        _ => return None,
    };
    let CommonParameters {
        key_algorithm,
        public_key_use,
        key_operations,
        ..
    } = &jwk.common;
    let verifies = key_algorithm.is_none_or(|declared| declared == algorithm.into())
        && matches!(public_key_use, None | Some(PublicKeyUse::Signature))
        && (key_operations.as_ref()).is_none_or(|allowed| allowed.contains(&KeyOperations::Verify));
    verifies.then_some(algorithm)
}

fn from_pem(text: &str) -> Vec<NamedKey> {
    let blocks = text.split(BEGIN).skip(1).zip(1..);
    let keys = blocks.map(|(block, number)| (format!("number {number}"), from_pem_block(block)));
    keys.collect()
}

/// A block of PEM after [`BEGIN`].
fn from_pem_block(block: &str) -> Result<Key, String> {
    let end = block.find(END).map(|start| start + END.len());
    let (true, Some(end)) = (block.starts_with("PUBLIC KEY-----"), end) else {
        return Err("is not a PUBLIC KEY".to_owned());
    };
    let pem = format!("{BEGIN}{}", &block[..end]);
    let rsa = || DecodingKey::from_rsa_pem(pem.as_bytes()).map(|key| (Algorithm::RS256, key));
    let ec = || DecodingKey::from_ec_pem(pem.as_bytes()).map(|key| (Algorithm::ES256, key));
    let ed = || DecodingKey::from_ed_pem(pem.as_bytes()).map(|key| (Algorithm::EdDSA, key));
    let key = rsa().or_else(|_| ec()).or_else(|_| ed());
    let (algorithm, decoding) =
        key.map_err(|_| "is not a key of RSA, P-256 or Ed25519".to_owned())?;
    Ok(Key {
        id: None,
        algorithm,
        decoding: usable(decoding)?,
    })
}

/// The key in the form that ring expects, or why ring would refuse each signature.
fn usable(key: DecodingKey) -> Result<DecodingKey, String> {
    let length =
        |found: usize, expected: &str| Err(format!("has {found} bytes instead of {expected}"));
    match (key.family(), key.kind()) {
        (AlgorithmFamily::Rsa, DecodingKeyKind::RsaModulusExponent { n, e }) => rsa_key(n, e),
        (AlgorithmFamily::Rsa, DecodingKeyKind::SecretOrDer(der)) => {
            let (n, e) = rsa_components(der).ok_or("is not a key of RSA".to_owned())?;
            rsa_key(&n, &e)
        }
        (AlgorithmFamily::Ec, DecodingKeyKind::SecretOrDer(point)) if !is_p256_point(point) => {
            Err("is not a point of P-256".to_owned())
        }
        (AlgorithmFamily::Ed, DecodingKeyKind::SecretOrDer(point)) if point.len() != 32 => {
            length(point.len(), "32: a point of Ed25519")
        }
        // RFC 7518, section 3.2.
        (AlgorithmFamily::Hmac, DecodingKeyKind::SecretOrDer(secret)) if secret.len() < 32 => {
            length(secret.len(), "at least 32 of a secret")
        }
        _ => Ok(key),
    }
}

/// The key with this modulus and exponent, without leading zeros, which RFC 7518, section 2, forbids.
fn rsa_key(n: &[u8], e: &[u8]) -> Result<DecodingKey, String> {
    let [n, e] = [n, e].map(|bytes| {
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        &bytes[zeros..]
    });
    if !(256..=1024).contains(&n.len()) {
        let found = n.len();
        return Err(format!(
            "has {found} bytes instead of 256 to 1024 of a modulus"
        ));
    }
    let is_odd = |bytes: &[u8]| bytes.last().is_some_and(|byte| byte % 2 == 1);
    if !is_odd(n) {
        return Err("has an even modulus".to_owned());
    }
    // The range of ring.
    if !is_odd(e) || *e == [1] || e.len() > 4 {
        return Err("has an exponent that is not an odd number from 3 to 4294967295".to_owned());
    }
    Ok(DecodingKey::from_rsa_raw_components(n, e))
}

/// The modulus and the exponent of an `RSAPublicKey` in DER (RFC 8017, appendix A.1.1).
fn rsa_components(der: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let blocks = simple_asn1::from_der(der).ok()?;
    let [ASN1Block::Sequence(_, members)] = &blocks[..] else {
        return None;
    };
    let [ASN1Block::Integer(_, n), ASN1Block::Integer(_, e)] = &members[..] else {
        return None;
    };
    Some((n.to_signed_bytes_be(), e.to_signed_bytes_be()))
}

/// Whether ring agrees on a key with the owner of this point, for which it must be one of the curve.
fn is_p256_point(point: &[u8]) -> bool {
    let peer = UnparsedPublicKey::new(&ECDH_P256, point);
    EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new())
        .and_then(|own| agree_ephemeral(own, &peer, |_| ()))
        .is_ok()
}
