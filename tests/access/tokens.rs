//! Which tokens count: a table of those that are right, and of everything that can be wrong with others.

use serde_json::{Value, json};

use crate::{
    service::{AUDIENCE, ISSUER, Service, claims, now, token, token_of},
    signing::{encode, hmac_signature, key, unsigned},
};

const READ: &str = "catalogue:read";

/// Each case: what it is, the token, and why it is refused, if it is.
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
    let says = |change: Value| token_of("ec", &with(change));
    let head = |header: Value| key("ec").token(&header, &claims(READ));
    let forged = |header: Value, secret: &[u8]| {
        let text = unsigned(&header, &claims(READ));
        let signature = hmac_signature(secret, text.as_bytes());
        format!("{text}.{}", encode(&signature))
    };
    let good = token(READ);
    let (body, signature) = good.rsplit_once('.').unwrap();
    let header = body.split_once('.').unwrap().0;
    let altered = encode(with(json!({ "sub": "admin" })).to_string().as_bytes());
    let unknown_key = Some("no key of this service fits the kid and alg of the token");
    let malformed = Some("the token is not a JWT");
    let wrong_signature = Some("the signature of the token is wrong");
    let wrong_claims = Some("the token needs iss, aud and exp");
    let expired = Some("the token has expired");
    let early = Some("the token is not valid yet");
    let audience = Some("the token is for another audience");
    let issuer = Some("the token is of another issuer");
    vec![
        ("RS256", token_of("rsa", &claims(READ)), None),
        ("ES256", token_of("ec", &claims(READ)), None),
        ("EdDSA", token_of("ed", &claims(READ)), None),
        ("HS256", token_of("hmac", &claims(READ)), None),
        ("no kid", head(json!({ "alg": "ES256" })), None),
        (
            "several audiences",
            says(json!({ "aud": ["x", AUDIENCE] })),
            None,
        ),
        (
            "scopes in scp",
            says(json!({ "scope": null, "scp": ["x", READ] })),
            None,
        ),
        (
            "one scope among others",
            says(json!({ "scope": "openid catalogue:read x" })),
            None,
        ),
        (
            "expired within the leeway",
            says(json!({ "exp": now() - 30 })),
            None,
        ),
        ("expired", says(json!({ "exp": now() - 3600 })), expired),
        (
            "expired as a fraction",
            says(json!({ "exp": 1.5 })),
            expired,
        ),
        (
            "expiry as a text",
            says(json!({ "exp": "9999999999" })),
            wrong_claims,
        ),
        ("without expiry", says(json!({ "exp": null })), wrong_claims),
        (
            "soon, within the leeway",
            says(json!({ "nbf": now() + 30 })),
            None,
        ),
        ("not yet valid", says(json!({ "nbf": now() + 3600 })), early),
        (
            "validity as a text",
            says(json!({ "nbf": "1" })),
            wrong_claims,
        ),
        (
            "another audience",
            says(json!({ "aud": "other" })),
            audience,
        ),
        (
            "the audience and more",
            says(json!({ "aud": format!("{AUDIENCE}2") })),
            audience,
        ),
        (
            "without audience",
            says(json!({ "aud": null })),
            wrong_claims,
        ),
        (
            "another issuer",
            says(json!({ "iss": "https://other.example" })),
            issuer,
        ),
        (
            "the issuer with a slash",
            says(json!({ "iss": format!("{ISSUER}/") })),
            issuer,
        ),
        ("without issuer", says(json!({ "iss": null })), wrong_claims),
        (
            "a number as subject",
            says(json!({ "sub": 7 })),
            wrong_claims,
        ),
        (
            "an object as scope",
            says(json!({ "scope": {} })),
            wrong_claims,
        ),
        (
            "unknown kid",
            head(json!({ "alg": "ES256", "kid": "old" })),
            unknown_key,
        ),
        (
            "kid of another kind",
            head(json!({ "alg": "ES256", "kid": "rsa" })),
            unknown_key,
        ),
        (
            "a stranger's key",
            token_of("stranger", &claims(READ)),
            unknown_key,
        ),
        (
            "a stranger's key under a known name",
            key("stranger").token(&json!({ "alg": "ES256", "kid": "ec" }), &claims(READ)),
            wrong_signature,
        ),
        (
            "a stranger's key that the token brings along",
            key("stranger").token(
                &json!({ "alg": "ES256", "jwk": key("stranger").jwk() }),
                &claims(READ),
            ),
            wrong_signature,
        ),
        (
            "alg none",
            format!("{}.", unsigned(&json!({ "alg": "none" }), &claims(READ))),
            malformed,
        ),
        (
            "alg none with a signature",
            format!(
                "{}.{signature}",
                unsigned(&json!({ "alg": "None" }), &claims(READ))
            ),
            malformed,
        ),
        ("no signature", format!("{body}."), wrong_signature),
        (
            "the public key of RSA as the secret of HS256",
            forged(
                json!({ "alg": "HS256", "kid": "rsa" }),
                key("rsa").pem().as_bytes(),
            ),
            unknown_key,
        ),
        (
            "the same without kid",
            forged(json!({ "alg": "HS256" }), key("rsa").pem().as_bytes()),
            wrong_signature,
        ),
        (
            "an empty secret",
            forged(json!({ "alg": "HS256" }), b""),
            wrong_signature,
        ),
        (
            "an algorithm that is not used here",
            head(json!({ "alg": "RS512" })),
            unknown_key,
        ),
        (
            "a critical extension",
            head(json!({ "alg": "ES256", "crit": ["b64"], "b64": false })),
            Some("the token has critical extensions"),
        ),
        (
            "other claims under the same signature",
            format!("{header}.{altered}.{signature}"),
            wrong_signature,
        ),
        ("two parts", body.to_owned(), malformed),
        ("four parts", format!("{good}.x"), malformed),
        ("not a token", "secret".to_owned(), malformed),
        ("not even base64", "a.ü.c".replace('ü', "!"), malformed),
        (
            "oversized",
            says(json!({ "sub": "x".repeat(7000) })),
            Some("the token is longer than 8192 bytes"),
        ),
    ]
}

#[tokio::test]
async fn only_a_token_that_is_right_in_everything_counts() {
    let service = Service::new(&[]).await;
    let cases = cases();
    let mut granted = 0;
    for (case, token, refused) in &cases {
        let answer = service.ask(token).await;
        let Some(reason) = refused else {
            assert_eq!(answer.status, 200, "{case}: {answer:?}");
            assert_eq!(answer.body, json!({ "data": { "vehicles": [] } }), "{case}");
            granted += 1;
            continue;
        };
        assert_eq!(answer.status, 401, "{case}: {answer:?}");
        assert_eq!(answer.code(), Some("UNAUTHENTICATED"), "{case}: {answer:?}");
        assert!(answer.body.get("data").is_none(), "{case}: {answer:?}");
        let message = answer.body["errors"][0]["message"].as_str().unwrap();
        assert!(message.starts_with(reason), "{case}: {message}");
        let challenge = format!(
            "Bearer realm=\"vehicle-catalogue\", error=\"invalid_token\", error_description=\"{message}\""
        );
        assert_eq!(answer.challenge, Some(challenge), "{case}");
    }
    assert_eq!(granted, 10);
    let requests = "catalogue_requests_total{operation_type=\"(none)\",operation_name=\"(none)\",code=\"UNAUTHENTICATED\"}";
    let refused = u32::try_from(cases.len() - granted).unwrap();
    assert!((service.metric(requests).await - f64::from(refused)).abs() < 0.5);
    let log = service.running.log();
    for (case, token, _) in &cases {
        assert!(!log.contains(token.as_str()), "{case} is in the log");
    }
}
