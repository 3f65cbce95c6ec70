//! The contract of a running service: its `schema.graphql`, or else what it answers about itself.

use std::time::Duration;

use contract::{INTROSPECTION, Problems, Schema};
use reqwest::{Client, Response, Url};
use serde_json::{Value, json};
use tokio_rustls::rustls::crypto::ring;

/// The longest answer that is read.
const ANSWER_LIMIT_BYTES: usize = 64 * 1024 * 1024;

/// How long a service may take to be reached.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long it may take to answer.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Why a service does not tell its contract.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The URL is none.
    #[error("this is not a URL")]
    Url,
    /// No answer.
    #[error("the service does not answer; is it running there?")]
    Unreachable(#[source] reqwest::Error),
    /// Too much of an answer.
    #[error("the answer has more than {ANSWER_LIMIT_BYTES} bytes")]
    TooLong,
    /// Neither way leads to the contract.
    #[error(
        "{document} answers {document_status}, and introspection at {endpoint} fails: {reason}; \
         turn one of them on at the service, as with --schema-document=on, or name a file"
    )]
    Withheld {
        /// Where the text was looked for.
        document: String,
        /// The status of that.
        document_status: u16,
        /// Where introspection was tried.
        endpoint: String,
        /// What came of it.
        reason: String,
    },
}

/// The contract of the service at a URL: that of its endpoint, of its `schema.graphql`, or of the
/// service as a whole.
pub(super) async fn ask(url: &str) -> Result<Result<Schema, Problems>, ServiceError> {
    let url: Url = url.parse().map_err(|_| ServiceError::Url)?;
    // Fails if there is one already, which serves as well.
    let _ = ring::default_provider().install_default();
    let client = Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(TIMEOUT);
    let client = client.build().map_err(ServiceError::Unreachable)?;
    let document = if url.path().ends_with(".graphql") {
        url.clone()
    } else {
        url.join("schema.graphql").map_err(|_| ServiceError::Url)?
    };
    let sent = client.get(document.clone()).send().await;
    let answer = sent.map_err(ServiceError::Unreachable)?;
    let document_status = answer.status().as_u16();
    if answer.status().is_success() && !is_page(&answer) {
        let sdl = String::from_utf8_lossy(&body(answer).await?).into_owned();
        return Ok(Schema::parse(document, &sdl));
    }
    let endpoint = match url.path() {
        "/" | "/schema.graphql" => url.join("/graphql").map_err(|_| ServiceError::Url)?,
        _ => url,
    };
    introspect(&client, &endpoint).await.and_then(|told| {
        told.map_err(|reason| ServiceError::Withheld {
            document: document.to_string(),
            document_status,
            endpoint: endpoint.to_string(),
            reason,
        })
    })
}

/// What the service tells about itself, or why it does not.
async fn introspect(
    client: &Client,
    endpoint: &Url,
) -> Result<Result<Result<Schema, Problems>, String>, ServiceError> {
    let request = client.post(endpoint.clone());
    let request = request.header(
        "accept",
        "application/graphql-response+json, application/json;q=0.9",
    );
    let sent = request
        .json(&json!({ "query": INTROSPECTION }))
        .send()
        .await;
    let answer = sent.map_err(ServiceError::Unreachable)?;
    let status = answer.status();
    let bytes = body(answer).await?;
    let Ok(told) = serde_json::from_slice::<Value>(&bytes) else {
        return Ok(Err(format!("it answers {} without JSON", status.as_u16())));
    };
    if told["data"]["__schema"].is_object() {
        return Ok(Ok(Schema::from_introspection(endpoint, &told)));
    }
    let message = told["errors"][0]["message"].as_str();
    Ok(Err(match message {
        Some(message) => format!("it says {message:?}"),
        None => format!("it answers {} without data", status.as_u16()),
    }))
}

/// Whether the answer is for a browser, as that of a service that answers every path with its page.
fn is_page(answer: &Response) -> bool {
    let content_type = answer.headers().get("content-type");
    content_type.is_some_and(|value| value.as_bytes().starts_with(b"text/html"))
}

async fn body(mut answer: Response) -> Result<Vec<u8>, ServiceError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(ServiceError::Unreachable)? {
        if bytes.len() + chunk.len() > ANSWER_LIMIT_BYTES {
            return Err(ServiceError::TooLong);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}
