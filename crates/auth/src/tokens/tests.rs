//! Tests of token verification and of the reload of keys.

use std::fs;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::hmac;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;

const SECRET: &[u8] = b"a secret of thirty-two bytes, or more";
const OTHER_SECRET: &[u8] = b"another secret of thirty-two bytes, or more";

/// 2100-01-01, far in the future.
const LATER: u64 = 4_102_444_800;

fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn jwks(secret: &[u8]) -> String {
    json!({ "keys": [{ "kty": "oct", "alg": "HS256", "kid": "one", "k": encode(secret) }] })
        .to_string()
}

fn token(header: &Value, claims: &Value, secret: &[u8]) -> String {
    let text = format!(
        "{}.{}",
        encode(header.to_string()),
        encode(claims.to_string())
    );
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
    let signature = encode(hmac::sign(&key, text.as_bytes()));
    format!("{text}.{signature}")
}

/// Claims with a changed or additional one; null removes it.
fn claims(name: &str, value: Value) -> Value {
    let mut claims =
        json!({ "iss": "issuer", "aud": "shop", "sub": "anna", "exp": LATER, "scope": "read" });
    claims[name] = value;
    claims
        .as_object_mut()
        .unwrap()
        .retain(|_, value| !value.is_null());
    claims
}

fn tokens() -> (TempDir, Tokens) {
    let folder = TempDir::new().unwrap();
    let keys_file = folder.path().join("keys.json");
    fs::write(&keys_file, jwks(SECRET)).unwrap();
    let settings = TokenSettings {
        keys_file,
        issuer: "issuer".to_owned(),
        audience: "shop".to_owned(),
        leeway: Duration::ZERO,
        reload_interval: Duration::from_secs(1),
    };
    (folder, Tokens::load(settings).unwrap())
}

#[test]
fn each_defect_of_a_token_has_its_error() {
    let (_folder, tokens) = tokens();
    let error = |header: &Value, claims: &Value, secret| {
        let verified = tokens.verify(&token(header, claims, secret));
        verified.err()
    };
    let hs256 = json!({ "kid": "one", "alg": "HS256" });
    for (name, value, expected) in [
        ("nbf", 0.into(), None),
        ("aud", json!(["shop", "other"]), None),
        ("sub", "x".repeat(9000).into(), Some(TokenError::TooLong)),
        ("exp", 1.into(), Some(TokenError::Expired)),
        ("nbf", LATER.into(), Some(TokenError::NotYetValid)),
        ("iss", "other".into(), Some(TokenError::Issuer)),
        ("aud", "other".into(), Some(TokenError::Audience)),
        ("exp", Value::Null, Some(TokenError::Claims)),
        ("scope", 7.into(), Some(TokenError::Claims)),
    ] {
        let claims = claims(name, value);
        assert_eq!(error(&hs256, &claims, SECRET), expected, "{claims}");
    }
    let valid = claims("nbf", 0.into());
    for (kid, alg, expected) in [
        ("one", "none", TokenError::Malformed),
        ("two", "HS256", TokenError::UnknownKey),
        ("one", "RS256", TokenError::UnknownKey),
    ] {
        let header = json!({ "kid": kid, "alg": alg });
        assert_eq!(error(&header, &valid, SECRET), Some(expected), "{header}");
    }
    let critical = json!({ "kid": "one", "alg": "HS256", "crit": ["b64"] });
    let critical = error(&critical, &valid, SECRET);
    assert_eq!(critical, Some(TokenError::Critical));
    let signature = error(&hs256, &valid, OTHER_SECRET);
    assert_eq!(signature, Some(TokenError::Signature));
}

#[test]
fn both_scope_claims_are_granted() {
    let (_folder, tokens) = tokens();
    let header = json!({ "alg": "HS256" });
    let token = token(&header, &claims("scp", json!(["write"])), SECRET);
    let grant = tokens.verify(&token).unwrap();
    assert_eq!(grant.subject.as_deref(), Some("anna"));
    assert!(grant.scopes.contains("read") && grant.scopes.contains("write"));
}

#[test]
fn a_reload_replaces_the_keys_unless_the_file_is_invalid() {
    let (_folder, tokens) = tokens();
    let header = json!({ "alg": "HS256" });
    let old = token(&header, &claims("nbf", 0.into()), SECRET);
    let new = token(&header, &claims("nbf", 0.into()), OTHER_SECRET);
    fs::write(&tokens.settings.keys_file, "{").unwrap();
    assert!(tokens.reload().is_err());
    assert!(tokens.verify(&old).is_ok());
    fs::write(&tokens.settings.keys_file, jwks(OTHER_SECRET)).unwrap();
    assert!(tokens.reload().is_ok());
    assert_eq!(tokens.verify(&old), Err(TokenError::Signature));
    assert!(tokens.verify(&new).is_ok());
}
