//! Passwords, tokens and keys are never printed, logged or served.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use testkit::{Program, http::get};

use super::service::{Service, post};
use crate::support::{program, serve_in};

testkit::tests![
    no_command_prints_a_secret_of_a_setting,
    a_secret_in_the_wrong_place_is_not_printed,
    no_response_contains_a_part_of_the_url,
    no_credential_of_a_request_is_logged_or_served,
];

/// The part of a secret that no output may contain.
const CANARY: &str = "canary-9d2e";

/// No process listens on this port.
const URL: &str = "postgres://user:canary-9d2e@127.0.0.1:9/vehicles";

const FLAGS: [&str; 4] = [
    "--database-connect-timeout-seconds=1",
    "--database-timeout-seconds=1",
    "--listen=127.0.0.1:0",
    "--log-level=trace",
];

/// The output of a command, with the URL of the database in the environment or in a flag.
fn output(program: &Program, arguments: &[&str], in_flag: bool) -> String {
    let arguments = [&FLAGS, arguments].concat();
    let output = if in_flag {
        program.run(&[&["--database-url", URL], &arguments[..]].concat())
    } else {
        program.run_with(&[("DATABASE_URL", URL)], &arguments)
    };
    output.stdout + &output.stderr
}

fn no_command_prints_a_secret_of_a_setting() {
    let program = program().with_file("vehicles.csv", "type,modelCode\nSUV,XC60\n");
    let health = "--url=http://canary-9d2e:canary-9d2e@127.0.0.1:9/?a=canary-9d2e&canary-9d2e#canary-9d2e";
    let commands = [
        ["--help"].as_slice(),
        &["-h"],
        &["import", "--help"],
        &["help", "migrate"],
        &["config"],
        &["--pool-size=none", "config"],
        &["--no-such-flag"],
        &["serve"],
        &["migrate", "status"],
        &["migrate", "up"],
        &["schema", "check"],
        &["export", "out.csv"],
        &["import", "vehicles.csv"],
        &["health"],
        &["health", health],
    ];
    for (number, arguments) in commands.into_iter().enumerate() {
        let output = output(&program, arguments, number % 2 == 0);
        assert!(!output.contains(CANARY), "{arguments:?}: {output}");
        assert!(!output.is_empty(), "{arguments:?}");
    }
}

fn a_secret_in_the_wrong_place_is_not_printed() {
    let program = program();
    let urls = [
        "postgres://user:canary-9d2e@host:99999/vehicles",
        "postgres://user:canary-9d2e@ho st/vehicles",
        "postgres://user:canary-9d2e@host/vehicles?sslmode=never",
        "postgres://user:/canary-9d2e@host/vehicles",
        "mysql://user:canary-9d2e@host",
        "user:canary-9d2e@host/vehicles",
        "ftp://user:canary-9d2e@host/vehicles",
        "http://127.0.0.1:9/?api-key=canary-9d2e",
        "http://user:canary-9d2e@127.0.0.1:9",
    ];
    let flags = [
        "--database-url",
        "--trace-endpoint",
        "--listen",
        "--log-level",
        "--cors-origins",
        "--pool-size",
        "--no-such-flag",
        "--production",
        "--auth-keys-file",
        "--url",
    ];
    for (number, url) in urls.into_iter().enumerate() {
        // Only these two read a part of a URL.
        let flags = if number == 0 { &flags } else { &flags[..2] };
        for flag in flags.iter().copied() {
            // Without a scheme it is a path.
            if flag.ends_with("-file") && !url.contains("://") {
                continue;
            }
            let command: &[&str] = match flag {
                "--url" => &["health"],
                _ => &["config"],
            };
            let flag = format!("{flag}={url}");
            let output = program.run(&[command, &[&flag]].concat());
            assert!(output.stderr.starts_with("error: "), "{output:?}");
            assert!(!format!("{output:?}").contains(CANARY), "{output:?}");
        }
        for arguments in [[url].as_slice(), &["migrate", url], &["config", url], &["--production", url]] {
            let output = program.run(arguments);
            assert!(output.stderr.starts_with("error: "), "{output:?}");
            assert!(!format!("{output:?}").contains(CANARY), "{output:?}");
        }
    }
}

/// The name of the database and its error messages are not served either.
fn no_response_contains_a_part_of_the_url() {
    let service = Service::start(&["--database-url=sqlite:canary-9d2e.db", "--migrate=never"]);
    for path in ["/metrics", "/health/ready", "/health/live", "/graphiql", "/none"] {
        let (_, response) = get(service.addr, path);
        assert!(response.starts_with("HTTP/1.1 "), "{path}: {response}");
        assert!(!response.contains(CANARY), "{path}: {response}");
    }
    for query in ["{ vehicle(id: 1) { id } }", "{ vehicles { id } }"] {
        let body = format!(r#"{{"query":"{query}"}}"#);
        let response = service.exchange(&post(&body, "Connection: close\r\n"));
        assert!(response.contains("INTERNAL_SERVER_ERROR"), "{response}");
        for secret in [CANARY, "table", "sqlite", "SELECT"] {
            assert!(!response.contains(secret), "{secret}: {response}");
        }
    }
}

/// At the most detailed log level, over HTTP/1.1 and HTTP/2.
fn no_credential_of_a_request_is_logged_or_served() {
    // In base64, as a token and as the secret of the key.
    let secret = "canary-9d2e".repeat(4);
    let jwks = format!(r#"{{"keys":[{{"kty":"oct","kid":"one","k":"{secret}"}}]}}"#);
    let program = program().with_file("keys.json", jwks);
    let service = serve_in(
        program,
        &[
            "--log-level=trace",
            "--auth-keys-file=keys.json",
            "--auth-issuer=issuer",
            "--auth-audience=audience",
            "--rate-limit=1000",
            "--trace-endpoint=http://127.0.0.1:9/",
        ],
    );
    let query = r#"{"query":"{ vehicles { id } }"}"#;
    let header = r#"{"alg":"HS256","kid":"one"}"#;
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let http2 = reqwest::Client::builder().http2_prior_knowledge();
    for client in [reqwest::Client::new(), http2.build().unwrap()] {
        for authorization in [
            "Bearer canary-9d2e".to_owned(),
            format!("Bearer {}.e30.{secret}", URL_SAFE_NO_PAD.encode(header)),
            "Basic canary-9d2e".to_owned(),
            "canary-9d2e".to_owned(),
        ] {
            let url = format!("http://{}/graphql?access_token=canary-9d2e", service.addr);
            let request = client
                .post(url)
                .header("authorization", &authorization)
                .header("x-token", "canary-9d2e")
                .header("cookie", "session=canary-9d2e")
                .header("content-type", "application/json")
                .body(query);
            let response = runtime.block_on(async {
                let response = request.send().await.unwrap();
                let head = format!("{} {:?}", response.status(), response.headers());
                head + &response.text().await.unwrap()
            });
            assert!(response.starts_with("401"), "{authorization}: {response}");
            assert!(!response.contains(CANARY), "{authorization}: {response}");
        }
    }
    for path in ["/metrics", "/health/ready"] {
        let (_, response) = get(service.addr, path);
        assert!(!response.contains(CANARY), "{path}: {response}");
    }
    let shown = service.log() + &service.printed();
    assert!(shown.contains("UNAUTHENTICATED"), "{shown}");
    assert!(!shown.contains(CANARY), "{shown}");
}
