//! The file of the keys: its forms, what is wrong with it at the start, and how it is renewed.

use std::process::Command;

use serde_json::json;

use crate::{
    running::until,
    service::{Service, claims, keys_file, token_of},
    signing::{encode, jwks, key},
};

const READ: &str = "catalogue:read";

#[tokio::test]
async fn keys_may_be_in_pem_and_have_no_names_then() {
    let pem = format!(
        "Made today.\n{}\n{}\n{}",
        key("rsa").pem(),
        key("ec").pem(),
        key("ed").pem()
    );
    let service = Service::with_keys(&pem, &[]).await;
    for id in ["rsa", "ec", "ed"] {
        let answer = service.ask(&token_of(id, &claims(READ))).await;
        assert_eq!(answer.status, 200, "{id}: {answer:?}");
    }
    for id in ["hmac", "stranger"] {
        let answer = service.ask(&token_of(id, &claims(READ))).await;
        assert_eq!(answer.status, 401, "{id}: {answer:?}");
    }
    assert!((service.metric("catalogue_auth_keys").await - 3.0).abs() < 0.5);
}

#[tokio::test]
async fn keys_for_other_purposes_are_passed_over() {
    let mut encryption = key("rsa").jwk();
    encryption["use"] = "enc".into();
    let mut other = key("rsa").jwk();
    other["alg"] = "PS256".into();
    let unknown = json!({ "kty": "AKP", "kid": "future", "pub": "x" });
    let set = json!({ "keys": [encryption, other, unknown, key("ec").jwk()] });
    let service = Service::with_keys(&set.to_string(), &[]).await;
    assert_eq!(
        service.ask(&token_of("ec", &claims(READ))).await.status,
        200
    );
    assert_eq!(
        service.ask(&token_of("rsa", &claims(READ))).await.status,
        401
    );
    service.running.logged("a key is passed over").await;
}

/// Without restart: the old key goes, the new one comes, and a broken file changes nothing.
#[tokio::test]
async fn keys_are_renewed_while_the_service_runs() {
    let service = Service::with_keys(&jwks(&["ec"]), &[]).await;
    let (old, new) = (token_of("ec", &claims(READ)), token_of("ed", &claims(READ)));
    let status = async |token: &str| service.ask(token).await.status;
    assert_eq!((status(&old).await, status(&new).await), (200, 401));
    service.write_keys("{ \"keys\": [");
    service
        .running
        .logged("the keys of tokens stay as they were")
        .await;
    assert_eq!((status(&old).await, status(&new).await), (200, 401));
    let failures = "catalogue_auth_key_reload_failures_total";
    assert!(service.metric(failures).await >= 1.0);
    service.write_keys(&jwks(&["ec", "ed"]));
    until("both keys count", async || status(&new).await == 200).await;
    assert_eq!(status(&old).await, 200);
    service.write_keys(&jwks(&["ed"]));
    until("the old key is gone", async || status(&old).await == 401).await;
    assert_eq!(status(&new).await, 200);
    service
        .running
        .logged("the keys of tokens are renewed")
        .await;
}

#[test]
fn a_service_does_not_start_with_keys_that_cannot_be_used() {
    let short_secret =
        json!({ "keys": [{ "kty": "oct", "kid": "short", "k": encode(b"secret") }] });
    let short_rsa = json!({ "keys": [{ "kty": "RSA", "n": encode(&[255; 128]), "e": "AQAB" }] });
    let bent = json!({ "keys": [{ "kty": "EC", "crv": "P-256", "x": "AA", "y": "AA" }] });
    let no_base64 = json!({ "keys": [{ "kty": "OKP", "crv": "Ed25519", "x": "?" }] });
    for (keys, expected) in [
        ("", "has neither a JSON Web Key Set nor a PUBLIC KEY in PEM"),
        (
            "{}",
            "is not a JSON Web Key Set with a list of keys: missing field `keys`",
        ),
        (
            "{\"keys\": []}",
            "has no key for signatures with RS256, ES256, EdDSA or HS256",
        ),
        (
            &short_secret.to_string(),
            "has a key, \"short\", that has 6 bytes instead of at least 32",
        ),
        (
            &short_rsa.to_string(),
            "has a key, number 1, that has 128 bytes instead of 256 to 1024",
        ),
        (
            &bent.to_string(),
            "that has 3 bytes instead of 65: a point of P-256",
        ),
        (
            &no_base64.to_string(),
            "has a key, number 1, that can't be read",
        ),
        (
            include_str!("rsa_key.pem"),
            "has a block of PEM that is not a PUBLIC KEY",
        ),
        (
            include_str!("rsa_1024_public_key.pem"),
            "a modulus of 2048 to 8192 bits",
        ),
        (
            "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
            "that is not a key of RSA, P-256 or Ed25519",
        ),
    ] {
        let (_folder, file, flags) = keys_file(keys);
        let (code, stderr) = ended(&flags);
        assert_eq!(code, Some(1), "{keys}: {stderr}");
        assert!(stderr.contains("cannot use the keys of tokens"), "{stderr}");
        assert!(stderr.contains(&file.display().to_string()), "{stderr}");
        assert!(stderr.contains(expected), "{keys}: {stderr}");
        assert!(!stderr.contains("PRIVATE KEY-----\n"), "{stderr}");
    }
    let missing = [
        "--auth-keys-file=missing",
        "--auth-issuer=i",
        "--auth-audience=a",
    ];
    let (code, stderr) = ended(&missing.map(str::to_owned));
    assert_eq!(code, Some(1), "{stderr}");
    assert!(
        stderr.contains("cannot read missing: No such file"),
        "{stderr}"
    );
}

#[test]
fn settings_that_would_let_everybody_in_are_refused() {
    for (flags, expected) in [
        (
            &["--auth-keys-file=keys"][..],
            "--auth-keys-file needs --auth-issuer and --auth-audience",
        ),
        (
            &["--auth-keys-file=keys", "--auth-issuer=i"],
            "--auth-keys-file needs --auth-issuer and --auth-audience",
        ),
        (
            &["--auth-issuer=i", "--auth-audience=a"],
            "--auth-issuer and --auth-audience need --auth-keys-file",
        ),
    ] {
        let flags: Vec<String> = flags.iter().map(ToString::to_string).collect();
        let (code, stderr) = ended(&flags);
        assert_eq!(code, Some(2), "{flags:?}: {stderr}");
        assert!(stderr.contains(expected), "{flags:?}: {stderr}");
    }
}

/// Starts the program, which does not get far, and answers its exit code and last words.
fn ended(flags: &[String]) -> (Option<i32>, String) {
    let folder = tempfile::TempDir::new().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_vehicle-catalogue"))
        .env_clear()
        .current_dir(folder.path())
        .args(["--listen=127.0.0.1:0", "--log-format=human"])
        .args(flags)
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), stderr)
}
