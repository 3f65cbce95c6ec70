//! The service with settings about access, and what is asked of it.

use std::{
    path::PathBuf,
    time::{SystemTime, UNIX_EPOCH},
};

use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    running::Running,
    signing::{jwks, key},
};

pub(crate) const ISSUER: &str = "https://issuer.example";
pub(crate) const AUDIENCE: &str = "vehicle-catalogue";

/// The service and the file of its keys.
pub(crate) struct Service {
    pub(crate) running: Running,
    folder: TempDir,
}

/// What was answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) challenge: Option<String>,
    pub(crate) retry_after: Option<u64>,
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) async fn of(request: RequestBuilder) -> Self {
        let response = request.send().await.unwrap();
        let header = |response: &Response, name: &str| {
            let value = response.headers().get(name)?;
            Some(value.to_str().unwrap().to_owned())
        };
        let retry_after = header(&response, "retry-after");
        Self {
            status: response.status().as_u16(),
            challenge: header(&response, "www-authenticate"),
            retry_after: retry_after.map(|seconds| seconds.parse().unwrap()),
            body: response.json().await.unwrap_or_default(),
        }
    }

    /// The code of its first error.
    pub(crate) fn code(&self) -> Option<&str> {
        self.body["errors"][0]["extensions"]["code"].as_str()
    }
}

/// A file of keys and the flags that name it.
pub(crate) fn keys_file(keys: &str) -> (TempDir, PathBuf, Vec<String>) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("keys");
    std::fs::write(&file, keys).unwrap();
    let flags = vec![
        format!("--auth-keys-file={}", file.display()),
        format!("--auth-issuer={ISSUER}"),
        format!("--auth-audience={AUDIENCE}"),
        "--auth-reload-seconds=1".to_owned(),
    ];
    (folder, file, flags)
}

impl Service {
    /// Asks for tokens that are signed with one of these keys.
    pub(crate) async fn with_keys(keys: &str, more: &[&str]) -> Self {
        let (folder, _, flags) = keys_file(keys);
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        Self::start(folder, &[&flags, more].concat()).await
    }

    /// With a key of each kind.
    pub(crate) async fn new(more: &[&str]) -> Self {
        Self::with_keys(&jwks(&["rsa", "ec", "ed", "hmac"]), more).await
    }

    /// Asks for no tokens.
    pub(crate) async fn without_keys(flags: &[&str]) -> Self {
        Self::start(TempDir::new().unwrap(), flags).await
    }

    async fn start(folder: TempDir, flags: &[&str]) -> Self {
        // Another test may have been the first.
        let _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
        let running = Running::start("sqlite:vehicles.db", flags).await;
        Self { running, folder }
    }

    /// Other keys in the file.
    pub(crate) fn write_keys(&self, keys: &str) {
        std::fs::write(self.folder.path().join("keys"), keys).unwrap();
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.running.addr)
    }

    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        self.running.client.get(self.url(path))
    }

    pub(crate) fn post(&self, body: &Value) -> RequestBuilder {
        self.running.client.post(self.url("/graphql")).json(body)
    }

    /// Asks for what everybody with the right to read may have.
    pub(crate) async fn ask(&self, token: &str) -> Answer {
        let query = json!({ "query": "{ vehicles { id } }" });
        Answer::of(self.post(&query).bearer_auth(token)).await
    }

    /// The value of a metric without labels.
    pub(crate) async fn metric(&self, name: &str) -> f64 {
        let text = self.get("/metrics").send().await.unwrap();
        let text = text.text().await.unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        let value = line.unwrap_or_else(|| panic!("no {name} in\n{text}"));
        value.trim().parse().unwrap()
    }
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    now.as_secs().try_into().unwrap()
}

/// What a good token says.
pub(crate) fn claims(scope: &str) -> Value {
    json!({
        "iss": ISSUER, "aud": AUDIENCE, "sub": "somebody", "exp": now() + 600, "nbf": now() - 1,
        "scope": scope,
    })
}

/// A good token with these scopes.
pub(crate) fn token(scope: &str) -> String {
    token_of("ec", &claims(scope))
}

/// A token with these claims, signed with this key.
pub(crate) fn token_of(id: &str, claims: &Value) -> String {
    let key = key(id);
    let header = json!({ "typ": "JWT", "alg": key.algorithm, "kid": key.id });
    key.token(&header, claims)
}
