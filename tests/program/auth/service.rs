//! A running service with authentication settings, and requests to it.

use std::{
    path::PathBuf,
    time::{SystemTime, UNIX_EPOCH},
};

use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::Running;

use super::signing::{jwks, key};
use crate::support::serve;

pub(crate) const ISSUER: &str = "https://issuer.example";
pub(crate) const AUDIENCE: &str = "vehicle-catalogue";

/// A running service with its key file.
pub(crate) struct Service {
    pub(crate) running: Running,
    folder: TempDir,
}

/// A response, as far as the tests check it.
#[derive(Debug)]
pub(crate) struct TestResponse {
    pub(crate) status: u16,
    pub(crate) challenge: Option<String>,
    pub(crate) retry_after: Option<u64>,
    pub(crate) body: Value,
}

/// Sends a request and reads the response.
pub(crate) async fn send(request: RequestBuilder) -> TestResponse {
    let response = request.send().await.unwrap();
    let header = |response: &Response, name: &str| {
        let value = response.headers().get(name)?;
        Some(value.to_str().unwrap().to_owned())
    };
    let retry_after = header(&response, "retry-after");
    TestResponse {
        status: response.status().as_u16(),
        challenge: header(&response, "www-authenticate"),
        retry_after: retry_after.map(|seconds| seconds.parse().unwrap()),
        body: response.json().await.unwrap_or_default(),
    }
}

impl TestResponse {
    /// The code of the first error.
    pub(crate) fn code(&self) -> Option<&str> {
        self.body["errors"][0]["extensions"]["code"].as_str()
    }
}

/// Writes a key file and returns the flags that use it.
pub(crate) fn keys_file(keys: &str) -> (TempDir, PathBuf, Vec<String>) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("keys");
    std::fs::write(&file, keys).unwrap();
    let flags = vec![
        format!("--auth-keys-file={}", file.display()),
        format!("--auth-issuer={ISSUER}"),
        format!("--auth-audience={AUDIENCE}"),
    ];
    (folder, file, flags)
}

impl Service {
    /// Starts a service that requires tokens signed with one of these keys.
    pub(crate) async fn with_keys(keys: &str, more: &[&str]) -> Self {
        let (folder, _, flags) = keys_file(keys);
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        Self::start(folder, &[&flags, more].concat()).await
    }

    /// Starts a service with a key of each kind.
    pub(crate) async fn new(more: &[&str]) -> Self {
        Self::with_keys(&jwks(&["rsa", "ec", "ed", "hmac"]), more).await
    }

    /// Starts a service that requires no tokens.
    pub(crate) async fn without_keys(flags: &[&str]) -> Self {
        Self::start(TempDir::new().unwrap(), flags).await
    }

    async fn start(folder: TempDir, flags: &[&str]) -> Self {
        let running = serve("sqlite:test.db", flags).await;
        Self { running, folder }
    }

    /// Other keys in the file.
    pub(crate) fn write_keys(&self, keys: &str) {
        std::fs::write(self.folder.path().join("keys"), keys).unwrap();
    }

    pub(crate) fn url(&self, path: &str) -> String {
        self.running.url(path)
    }

    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        self.running.client.get(self.url(path))
    }

    pub(crate) fn post(&self, body: &Value) -> RequestBuilder {
        self.running.client.post(self.url("/graphql")).json(body)
    }

    /// Sends a query that needs the read scope, with this token.
    pub(crate) async fn query(&self, token: &str) -> TestResponse {
        let query = json!({ "query": "{ vehicles { id } }" });
        send(self.post(&query).bearer_auth(token)).await
    }

    /// The value of a metric, named with its labels.
    pub(crate) fn metric(&self, name: &str) -> f64 {
        self.running.metric(name)
    }
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    now.as_secs().try_into().unwrap()
}

/// The claims of a valid token.
pub(crate) fn claims(scope: &str) -> Value {
    json!({
        "iss": ISSUER, "aud": AUDIENCE, "sub": "somebody", "exp": now() + 600, "nbf": now() - 1,
        "scope": scope,
    })
}

/// A valid token with these scopes.
pub(crate) fn token(scope: &str) -> String {
    token_of("ec", &claims(scope))
}

/// A token with these claims, signed with this key.
pub(crate) fn token_of(id: &str, claims: &Value) -> String {
    let key = key(id);
    let header = json!({ "typ": "JWT", "alg": key.algorithm, "kid": key.id });
    key.token(&header, claims)
}
