//! The key file: formats, and errors at startup.

use serde_json::json;

use super::{
    service::{Service, claims, keys_file, token_of},
    signing::{encode, key},
};
use crate::support::program;

testkit::tests![pem_keys_have_no_key_id, startup_fails_with_unusable_keys, incomplete_auth_settings_are_rejected,];

const READ: &str = "catalogue:read";

async fn pem_keys_have_no_key_id() {
    let pem = format!("Made today.\n{}\n{}\n{}", key("rsa").pem(), key("ec").pem(), key("ed").pem());
    let service = Service::with_keys(&pem, &[]).await;
    for id in ["rsa", "ec", "ed"] {
        let response = service.query(&token_of(id, &claims(READ))).await;
        assert_eq!(response.status, 200, "{id}: {response:?}");
    }
    for id in ["hmac", "unknown"] {
        let response = service.query(&token_of(id, &claims(READ))).await;
        assert_eq!(response.status, 401, "{id}: {response:?}");
    }
    assert!((service.metric("catalogue_auth_keys") - 3.0).abs() < 0.5);
}

fn startup_fails_with_unusable_keys() {
    let short_secret = json!({ "keys": [{ "kty": "oct", "kid": "short", "k": encode(b"secret") }] });
    let invalid_base64 = json!({ "keys": [{ "kty": "OKP", "crv": "Ed25519", "x": "?" }] });
    for (keys, expected) in [
        ("", "contains neither a JSON Web Key Set with a key nor a PEM PUBLIC KEY"),
        ("{}", "is not a JSON Web Key Set with a list of keys"),
        ("{\"keys\": \"canary\"}", "is not a JSON Web Key Set with a list of keys"),
        ("{\"keys\":", "is not valid JSON: EOF while parsing a value at line 1 column 8"),
        (&short_secret.to_string(), "has no usable key: \"short\" does not have a secret of at least 32 bytes"),
        (&invalid_base64.to_string(), "has no usable key: number 1 can't be read: "),
        (include_str!("rsa_key.pem"), "has no usable key: number 1 is not a PUBLIC KEY"),
        (
            include_str!("rsa_1024_public_key.pem"),
            "has no usable key: number 1 does not have a modulus of 2048 to 8192 bits",
        ),
        (
            "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
            "has no usable key: number 1 is not a key of RSA, P-256 or Ed25519",
        ),
    ] {
        let (_folder, file, flags) = keys_file(keys);
        let (code, stderr) = run_to_exit(&flags);
        assert_eq!(code, Some(1), "{keys}: {stderr}");
        assert!(stderr.contains("cannot load the token verification keys"), "{stderr}");
        assert!(stderr.contains(&file.display().to_string()), "{stderr}");
        assert!(stderr.contains(expected), "{keys}: {stderr}");
        assert!(!stderr.contains("PRIVATE KEY-----\n"), "{stderr}");
        assert!(!stderr.contains("canary"), "{stderr}");
    }
    for (file, expected) in [
        ("missing", "cannot read missing: No such file"),
        // It is not read to its end, which it does not have.
        ("/dev/zero", "/dev/zero has more than 1048576 bytes"),
    ] {
        let file = format!("--auth-keys-file={file}");
        let flags = [&file, "--auth-issuer=i", "--auth-audience=a"];
        let (code, stderr) = run_to_exit(&flags.map(str::to_owned));
        assert_eq!(code, Some(1), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    }
}

fn incomplete_auth_settings_are_rejected() {
    let expected =
        "--auth-keys-file, --auth-issuer and --auth-audience enable authentication together: set all or none";
    for flags in [
        &["--auth-keys-file=keys"][..],
        &["--auth-keys-file=keys", "--auth-issuer=i"],
        &["--auth-issuer=i", "--auth-audience=a"],
    ] {
        program().run(flags).assert_rejected(&[expected]);
    }
}

/// Runs the program, which fails at startup, and returns its exit code and stderr.
fn run_to_exit(flags: &[String]) -> (Option<i32>, String) {
    let program = program().with_arguments(&["--listen=127.0.0.1:0"]);
    let flags: Vec<_> = flags.iter().map(String::as_str).collect();
    let output = program.run(&flags);
    (output.code, output.stderr)
}
