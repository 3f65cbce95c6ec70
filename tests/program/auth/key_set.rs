//! Which keys of a set verify tokens; the others are skipped.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use testkit::until;

use super::{
    service::{Service, claims},
    signing::{SECRET, encode, key},
};

testkit::tests![
    a_key_verifies_tokens_only_if_its_use_its_operations_and_its_algorithm_allow_it,
    a_loaded_key_verifies_and_an_unusable_one_is_skipped,
    unusable_keys_do_not_prevent_a_rotation,
];

const READ: &str = "catalogue:read";

/// A JWK of the key `id` under another name, with these members in addition.
fn changed(id: &str, name: &str, members: &Value) -> Value {
    let mut jwk = key(id).jwk();
    jwk["kid"] = name.into();
    for (name, value) in members.as_object().unwrap() {
        jwk[name] = value.clone();
    }
    jwk
}

/// The status of a query with a token of the key `id` that states another name of it.
async fn status_of(service: &Service, id: &str, name: &str) -> u16 {
    let header = json!({ "alg": key(id).algorithm, "kid": name });
    let token = key(id).token(&header, &claims(READ));
    service.query(&token).await.status
}

async fn a_key_verifies_tokens_only_if_its_use_its_operations_and_its_algorithm_allow_it() {
    let cases = [
        ("no use", json!({}), 200),
        ("signatures", json!({ "use": "sig" }), 200),
        ("encryption", json!({ "use": "enc" }), 401),
        ("another use", json!({ "use": "SIG" }), 401),
        ("a use of another type", json!({ "use": ["sig"] }), 401),
        ("verify", json!({ "key_ops": ["verify"] }), 200),
        ("both", json!({ "key_ops": ["sign", "verify"], "use": "sig" }), 200),
        ("encrypt", json!({ "key_ops": ["encrypt"] }), 401),
        ("sign", json!({ "key_ops": ["sign"] }), 401),
        ("nothing", json!({ "key_ops": [] }), 401),
        ("operations of another type", json!({ "key_ops": "verify" }), 401),
        ("a contradiction", json!({ "key_ops": ["verify"], "use": "enc" }), 401),
        ("another algorithm", json!({ "alg": "RS256" }), 401),
        ("an unknown algorithm", json!({ "alg": "es256" }), 401),
        ("no algorithm", json!({ "alg": null }), 200),
    ];
    for id in ["ec", "hmac"] {
        let keys: Vec<_> = cases.iter().map(|(name, members, _)| changed(id, name, members)).collect();
        let service = Service::with_keys(&json!({ "keys": keys }).to_string(), &[]).await;
        for (name, _, expected) in &cases {
            assert_eq!(status_of(&service, id, name).await, *expected, "{id}: {name}");
        }
        assert!((service.metric("catalogue_auth_keys") - 5.0).abs() < 0.5);
    }
}

/// Each case: the key, its other name, the changed members, and the status of a request with its token.
fn members() -> Vec<(&'static str, &'static str, Value, u16)> {
    let decode = |id: &str, member: &str| {
        let jwk = key(id).jwk();
        URL_SAFE_NO_PAD.decode(jwk[member].as_str().unwrap()).unwrap()
    };
    let with_zero = |bytes: &[u8]| encode(&[&[0], bytes].concat());
    let point = [decode("ec", "x"), decode("ec", "y")].concat();
    vec![
        ("rsa", "modulus", json!({}), 200),
        ("rsa", "modulus with zero", json!({ "n": with_zero(&decode("rsa", "n")) }), 401),
        ("rsa", "short modulus", json!({ "n": encode(&decode("rsa", "n")[..255]) }), 401),
        ("rsa", "padded short modulus", json!({ "n": with_zero(&[255; 255]) }), 401),
        ("rsa", "long modulus", json!({ "n": encode(&[255; 1025]) }), 401),
        ("rsa", "no exponent", json!({ "e": null }), 401),
        ("ec", "coordinates", json!({}), 200),
        ("ec", "short x", json!({ "x": encode(&point[..31]) }), 401),
        ("ec", "padded x", json!({ "x": with_zero(&point[..32]) }), 401),
        ("ec", "another curve", json!({ "crv": "P-384" }), 401),
        ("ed", "point", json!({}), 200),
        ("ed", "short point", json!({ "x": encode(&decode("ed", "x")[..31]) }), 401),
        ("hmac", "secret", json!({}), 200),
        ("hmac", "short secret", json!({ "k": encode(&[7; 31]) }), 401),
        ("hmac", "padding", json!({ "k": format!("{}==", encode(&[7; 32])) }), 401),
    ]
}

async fn a_loaded_key_verifies_and_an_unusable_one_is_skipped() {
    let cases = members();
    let mut keys: Vec<_> = cases.iter().map(|(id, name, members, _)| changed(id, name, members)).collect();
    keys.extend([json!(7), json!(null), json!({}), json!({ "kty": "RSA", "kid": 7 })]);
    let service = Service::with_keys(&json!({ "keys": keys }).to_string(), &[]).await;
    for (id, name, _, expected) in &cases {
        assert_eq!(status_of(&service, id, name).await, *expected, "{id}: {name}");
    }
    assert!((service.metric("catalogue_auth_keys") - 4.0).abs() < 0.5);
    let log = service.running.log();
    for (_, name, _, expected) in &cases {
        let warnings = log.lines().filter(|line| {
            line.contains("ignored a key") && line.contains(&format!("\"{name}\"").escape_debug().to_string())
        });
        assert_eq!(warnings.count(), usize::from(*expected == 401), "{name}: {log}");
    }
    for bytes in [SECRET, &[7; 31], &[7; 32]] {
        assert!(!log.contains(&encode(bytes)), "{log}");
    }
}

async fn unusable_keys_do_not_prevent_a_rotation() {
    let private = include_str!("rsa_key.pem");
    let service = Service::with_keys(&format!("{private}{}", key("ec").pem()), &[]).await;
    assert_eq!(status_of(&service, "ec", "ec").await, 200);
    let unusable = changed("rsa", "short", &json!({ "n": encode(&[255; 128]) }));
    service.write_keys(&json!({ "keys": [unusable] }).to_string());
    let failure = "cannot reload the token verification keys; the previous keys stay in use";
    service.running.logged(failure).await;
    assert!(service.metric("catalogue_auth_key_reload_failures_total") >= 1.0);
    assert_eq!(status_of(&service, "ec", "ec").await, 200);
    service.write_keys(&json!({ "keys": [unusable, key("ed").jwk()] }).to_string());
    let rotated = async || status_of(&service, "ed", "ed").await == 200;
    until("the new key is accepted", rotated).await;
    assert_eq!(status_of(&service, "ec", "ec").await, 401);
}
