//! Issues tokens: keys of every supported kind, and tokens signed with them.

use std::sync::LazyLock;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use rcgen::{KeyPair, PKCS_ECDSA_P256_SHA256, PKCS_ED25519};
use ring::{
    hmac,
    rand::SystemRandom,
    rsa::PublicKeyComponents,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, RSA_PKCS1_SHA256, RsaKeyPair},
};
use serde_json::{Value, json};

const RSA: &str = include_str!("rsa_key.pem");

pub(crate) const SECRET: &[u8] = b"a secret of thirty-two bytes, or more";

/// A signing key.
pub(crate) struct Key {
    /// The key id, `kid`.
    pub(crate) id: &'static str,
    pub(crate) algorithm: &'static str,
    pair: Option<KeyPair>,
}

/// A key of each kind. The key `unknown` is in no key file.
pub(crate) static KEYS: LazyLock<[Key; 5]> = LazyLock::new(|| {
    let pair = |id, algorithm, pair: KeyPair| Key { id, algorithm, pair: Some(pair) };
    let ec = || KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).unwrap();
    [
        pair("rsa", "RS256", KeyPair::from_pem(RSA).unwrap()),
        pair("ec", "ES256", ec()),
        pair("ed", "EdDSA", KeyPair::generate_for(&PKCS_ED25519).unwrap()),
        Key { id: "hmac", algorithm: "HS256", pair: None },
        pair("unknown", "ES256", ec()),
    ]
});

pub(crate) fn key(id: &str) -> &'static Key {
    KEYS.iter().find(|key| key.id == id).unwrap()
}

impl Key {
    /// The public key in PEM.
    pub(crate) fn pem(&self) -> String {
        self.pair.as_ref().unwrap().public_key_pem()
    }

    /// The key as a JWK.
    pub(crate) fn jwk(&self) -> Value {
        let raw = || self.pair.as_ref().unwrap().public_key_raw();
        let mut jwk = match self.algorithm {
            "RS256" => {
                let public = PublicKeyComponents::<Vec<u8>>::from(self.rsa().public());
                json!({ "kty": "RSA", "n": encode(&public.n), "e": encode(&public.e) })
            }
            "ES256" => {
                let (x, y) = raw()[1..].split_at(32);
                json!({ "kty": "EC", "crv": "P-256", "x": encode(x), "y": encode(y) })
            }
            "EdDSA" => json!({ "kty": "OKP", "crv": "Ed25519", "x": encode(raw()) }),
            _ => json!({ "kty": "oct", "k": encode(SECRET) }),
        };
        jwk["kid"] = self.id.into();
        jwk["alg"] = self.algorithm.into();
        jwk
    }

    /// A signed token with this header and these claims.
    pub(crate) fn token(&self, header: &Value, claims: &Value) -> String {
        self.signed(header, claims.to_string().as_bytes())
    }

    /// A signed token with this header and these bytes as its claims.
    pub(crate) fn signed(&self, header: &Value, claims: &[u8]) -> String {
        let text = format!("{}.{}", encode(header.to_string().as_bytes()), encode(claims));
        let signature = self.signature(text.as_bytes());
        format!("{text}.{}", encode(&signature))
    }

    fn signature(&self, text: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        let der = || self.pair.as_ref().unwrap().serialize_der();
        match self.algorithm {
            "RS256" => {
                let key = self.rsa();
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(&RSA_PKCS1_SHA256, &random, text, &mut signature).unwrap();
                signature
            }
            "ES256" => {
                let signing = &ECDSA_P256_SHA256_FIXED_SIGNING;
                let key = EcdsaKeyPair::from_pkcs8(signing, &der(), &random).unwrap();
                key.sign(&random, text).unwrap().as_ref().to_vec()
            }
            "EdDSA" => {
                let key = Ed25519KeyPair::from_pkcs8_maybe_unchecked(&der()).unwrap();
                key.sign(text).as_ref().to_vec()
            }
            _ => hmac_signature(SECRET, text),
        }
    }

    fn rsa(&self) -> RsaKeyPair {
        RsaKeyPair::from_pkcs8(&self.pair.as_ref().unwrap().serialize_der()).unwrap()
    }
}

/// A JWK set of these keys.
pub(crate) fn jwks(ids: &[&str]) -> String {
    let keys: Vec<Value> = ids.iter().map(|id| key(id).jwk()).collect();
    json!({ "keys": keys }).to_string()
}

/// A token without its signature.
pub(crate) fn unsigned(header: &Value, claims: &Value) -> String {
    let part = |value: &Value| encode(value.to_string().as_bytes());
    format!("{}.{}", part(header), part(claims))
}

pub(crate) fn hmac_signature(secret: &[u8], text: &[u8]) -> Vec<u8> {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
    hmac::sign(&key, text).as_ref().to_vec()
}

pub(crate) fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
