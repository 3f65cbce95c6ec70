//! Token verification: a table of valid tokens and of every kind of invalid token.

use serde_json::{Value, json};

use super::{
    service::{AUDIENCE, ISSUER, Service, claims, now, token, token_of},
    signing::{encode, hmac_signature, key, unsigned},
};

testkit::tests![only_a_completely_valid_token_is_accepted,];

const READ: &str = "catalogue:read";

/// Each case: its description, the token, and the expected error if it is invalid.
#[expect(clippy::too_many_lines, reason = "a table")]
fn cases() -> Vec<(&'static str, String, Option<&'static str>)> {
    let with = |change: Value| {
        let mut claims = claims(READ);
        let members = claims.as_object_mut().unwrap();
        for (name, value) in change.as_object().unwrap() {
            match value {
                Value::Null => drop(members.remove(name)),
                value => drop(members.insert(name.clone(), value.clone())),
            }
        }
        claims
    };
    let jwt = |change: Value| token_of("ec", &with(change));
    let null = |name: &str| {
        let mut claims = claims(READ);
        claims[name] = Value::Null;
        token_of("ec", &claims)
    };
    let latin_1 = || {
        let mut payload = with(json!({ "name": "?" })).to_string().into_bytes();
        let letter = payload.iter().position(|byte| *byte == b'?').unwrap();
        payload[letter] = 0xe9;
        key("ec").signed(&json!({ "alg": "ES256" }), &payload)
    };
    let head = |header: Value| key("ec").token(&header, &claims(READ));
    let forged = |header: Value, secret: &[u8]| {
        let text = unsigned(&header, &claims(READ));
        let signature = hmac_signature(secret, text.as_bytes());
        format!("{text}.{}", encode(&signature))
    };
    let valid = token(READ);
    let (body, signature) = valid.rsplit_once('.').unwrap();
    let header = body.split_once('.').unwrap().0;
    let altered = encode(with(json!({ "sub": "admin" })).to_string().as_bytes());
    let unknown_key = Some("no key matches the kid and alg of the token");
    let malformed = Some("the token is not a JWT");
    let wrong_signature = Some("the token has an invalid signature");
    let wrong_claims = Some("the claims iss, aud and exp are required");
    let expired = Some("the token has expired");
    let early = Some("the token is not valid yet");
    let audience = Some("the token has another audience");
    let issuer = Some("the token has another issuer");
    vec![
        ("RS256", token_of("rsa", &claims(READ)), None),
        ("ES256", token_of("ec", &claims(READ)), None),
        ("EdDSA", token_of("ed", &claims(READ)), None),
        ("HS256", token_of("hmac", &claims(READ)), None),
        ("no kid", head(json!({ "alg": "ES256" })), None),
        ("several audiences", jwt(json!({ "aud": ["x", AUDIENCE] })), None),
        ("scopes in scp", jwt(json!({ "scope": null, "scp": ["x", READ] })), None),
        ("one scope among others", jwt(json!({ "scope": "openid catalogue:read x" })), None),
        ("expired within the leeway", jwt(json!({ "exp": now() - 30 })), None),
        ("expired", jwt(json!({ "exp": now() - 3600 })), expired),
        ("expired as a fraction", jwt(json!({ "exp": 1.5 })), expired),
        ("expiry as a text", jwt(json!({ "exp": "9999999999" })), wrong_claims),
        ("without expiry", jwt(json!({ "exp": null })), wrong_claims),
        ("soon, within the leeway", jwt(json!({ "nbf": now() + 30 })), None),
        ("not yet valid", jwt(json!({ "nbf": now() + 3600 })), early),
        ("validity as a text", jwt(json!({ "nbf": "1" })), wrong_claims),
        ("another audience", jwt(json!({ "aud": "other" })), audience),
        ("the audience and more", jwt(json!({ "aud": format!("{AUDIENCE}2") })), audience),
        ("without audience", jwt(json!({ "aud": null })), wrong_claims),
        ("another issuer", jwt(json!({ "iss": "https://other.example" })), issuer),
        ("the issuer with a slash", jwt(json!({ "iss": format!("{ISSUER}/") })), issuer),
        ("without issuer", jwt(json!({ "iss": null })), wrong_claims),
        ("a list of issuers", jwt(json!({ "iss": [ISSUER] })), wrong_claims),
        ("null as issuer", null("iss"), wrong_claims),
        ("an audience that is not a text", jwt(json!({ "aud": [AUDIENCE, 7] })), wrong_claims),
        ("an object as audience", jwt(json!({ "aud": { AUDIENCE: 1 } })), wrong_claims),
        ("no audience of a list", jwt(json!({ "aud": [] })), audience),
        ("a list of expiries", jwt(json!({ "exp": [now() + 600] })), wrong_claims),
        ("null as validity", null("nbf"), wrong_claims),
        ("issued at a fraction", jwt(json!({ "iat": 1.5 })), None),
        ("issued at a text", jwt(json!({ "iat": "today" })), wrong_claims),
        ("a number as subject", jwt(json!({ "sub": 7 })), wrong_claims),
        ("a list of subjects", jwt(json!({ "sub": ["somebody"] })), wrong_claims),
        ("null as subject", null("sub"), wrong_claims),
        ("an object as scope", jwt(json!({ "scope": {} })), wrong_claims),
        ("scopes as a list in scope", jwt(json!({ "scope": [READ] })), wrong_claims),
        ("a scope of a list that is not a text", jwt(json!({ "scp": [READ, 7] })), wrong_claims),
        ("a claim that is not read, in Latin-1", latin_1(), wrong_claims),
        (
            "a list as claims",
            token_of("ec", &json!([ISSUER, AUDIENCE, now() + 600, 1, 1, "somebody", READ])),
            wrong_claims,
        ),
        ("a number as kid", head(json!({ "alg": "ES256", "kid": 7 })), malformed),
        ("unknown kid", head(json!({ "alg": "ES256", "kid": "old" })), unknown_key),
        ("kid of another kind", head(json!({ "alg": "ES256", "kid": "rsa" })), unknown_key),
        ("an unknown key", token_of("unknown", &claims(READ)), unknown_key),
        (
            "an unknown key with a known kid",
            key("unknown").token(&json!({ "alg": "ES256", "kid": "ec" }), &claims(READ)),
            wrong_signature,
        ),
        (
            "an unknown key contained in the token",
            key("unknown").token(&json!({ "alg": "ES256", "jwk": key("unknown").jwk() }), &claims(READ)),
            wrong_signature,
        ),
        ("alg none", format!("{}.", unsigned(&json!({ "alg": "none" }), &claims(READ))), malformed),
        (
            "alg none with a signature",
            format!("{}.{signature}", unsigned(&json!({ "alg": "None" }), &claims(READ))),
            malformed,
        ),
        ("no signature", format!("{body}."), wrong_signature),
        (
            "the public key of RSA as the secret of HS256",
            forged(json!({ "alg": "HS256", "kid": "rsa" }), key("rsa").pem().as_bytes()),
            unknown_key,
        ),
        ("the same without kid", forged(json!({ "alg": "HS256" }), key("rsa").pem().as_bytes()), wrong_signature),
        ("an empty secret", forged(json!({ "alg": "HS256" }), b""), wrong_signature),
        ("an algorithm that is not used here", head(json!({ "alg": "RS512" })), unknown_key),
        (
            "a critical extension",
            head(json!({ "alg": "ES256", "crit": ["b64"], "b64": false })),
            Some("the token has unsupported critical extensions"),
        ),
        ("other claims under the same signature", format!("{header}.{altered}.{signature}"), wrong_signature),
        ("two parts", body.to_owned(), malformed),
        ("four parts", format!("{valid}.x"), malformed),
        ("not a token", "secret".to_owned(), malformed),
        ("not even base64", "a.ü.c".replace('ü', "!"), malformed),
        ("oversized", jwt(json!({ "sub": "x".repeat(7000) })), Some("the token is longer than 8192 bytes")),
    ]
}

async fn only_a_completely_valid_token_is_accepted() {
    let service = Service::new(&[]).await;
    let cases = cases();
    let mut granted = 0;
    for (case, token, refused) in &cases {
        let response = service.query(token).await;
        let Some(reason) = refused else {
            assert_eq!(response.status, 200, "{case}: {response:?}");
            assert_eq!(response.body, json!({ "data": { "vehicles": [] } }), "{case}");
            granted += 1;
            continue;
        };
        assert_eq!(response.status, 401, "{case}: {response:?}");
        assert_eq!(response.code(), Some("UNAUTHENTICATED"), "{case}: {response:?}");
        assert!(response.body.get("data").is_none(), "{case}: {response:?}");
        let message = response.body["errors"][0]["message"].as_str().unwrap();
        assert!(message.starts_with(reason), "{case}: {message}");
        let challenge =
            format!("Bearer realm=\"vehicle-catalogue\", error=\"invalid_token\", error_description=\"{message}\"");
        assert_eq!(response.challenge, Some(challenge), "{case}");
    }
    assert_eq!(granted, 11);
    let requests =
        "catalogue_requests_total{operation_type=\"(none)\",operation_name=\"(none)\",code=\"UNAUTHENTICATED\"}";
    let refused = u32::try_from(cases.len() - granted).unwrap();
    assert!((service.metric(requests) - f64::from(refused)).abs() < 0.5);
    let log = service.running.log();
    for (case, token, _) in &cases {
        assert!(!log.contains(token.as_str()), "{case} is in the log");
    }
}
