//! Fetches the contract of a running service: its `schema.graphql`, or its introspection response.

use std::time::Duration;

use graphql_sdl::{INTROSPECTION, Problems, Schema, excerpt};
use reqwest::{Client, Response, Url, header::HeaderMap, redirect};
use serde_json::{Value, json};
use tokio_rustls::rustls::crypto::ring;

use super::{header::Header, url::masked_url};

/// The maximum size of a response.
const RESPONSE_LIMIT_BYTES: usize = 64 * 1024 * 1024;

/// The timeout of a connection attempt.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The timeout of a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

const ACCEPT: &str = "application/graphql-response+json, application/json;q=0.9";

/// Why the contract of a service cannot be fetched.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The URL is invalid.
    #[error("not a URL")]
    Url,
    /// A request failed.
    #[error("no response; is the service running there?")]
    Unreachable(#[source] reqwest::Error),
    /// A request with TLS failed.
    #[error(
        "no response over TLS; is the service running there, with a certificate of a known authority?"
    )]
    UnreachableTls(#[source] reqwest::Error),
    /// A response is too large.
    #[error("the response has more than {RESPONSE_LIMIT_BYTES} bytes")]
    ResponseTooLarge,
    /// A response has another status than success.
    #[error("the status is {0}; correct the URL, or add a --header")]
    Status(u16),
    /// The service provides neither the document nor introspection.
    #[error(
        "{document} returned {document_status}, and introspection at {endpoint} failed: {reason}; \
         enable one of them, add a --header, or name a file"
    )]
    NotProvided {
        /// The masked URL of the document.
        document: String,
        /// The status of its response.
        document_status: u16,
        /// The masked URL of the endpoint for introspection.
        endpoint: String,
        /// The error of introspection.
        reason: String,
    },
}

/// The contract of the service at a URL: that of its endpoint, of its `schema.graphql`, or its base
/// URL.
pub(super) async fn fetch(
    url: &str,
    headers: &[Header],
) -> Result<Result<Schema, Problems>, ServiceError> {
    let url: Url = url.parse().map_err(|_| ServiceError::Url)?;
    let client = client(headers)?;
    let document = if url.path().ends_with(".graphql") {
        url.clone()
    } else {
        url.join("schema.graphql").map_err(|_| ServiceError::Url)?
    };
    let response = get(&client, &document).await?;
    let document_status = response.status().as_u16();
    if response.status().is_success() && !is_html(&response) {
        let sdl = String::from_utf8_lossy(&body(response).await?).into_owned();
        return Ok(Schema::parse(masked_url(document.as_str()), &sdl));
    }
    // The endpoint is beside the document.
    let endpoint = if url.path().ends_with('/') || url.path().ends_with(".graphql") {
        url.join("graphql").map_err(|_| ServiceError::Url)?
    } else {
        url
    };
    let mut introspected = introspect(&client, &endpoint, INTROSPECTION).await?;
    if introspected.is_err() {
        // A server that does not implement `@oneOf` refuses the query because of this field.
        let query = INTROSPECTION.replace("isOneOf", "");
        introspected = introspect(&client, &endpoint, &query).await?;
    }
    let introspected = introspected.map_err(|reason| ServiceError::NotProvided {
        document: masked_url(document.as_str()),
        document_status,
        endpoint: masked_url(endpoint.as_str()),
        reason,
    })?;
    Ok(Schema::from_introspection(
        masked_url(endpoint.as_str()),
        &introspected,
    ))
}

/// The text at the URL of recorded use.
pub(super) async fn fetch_usage(url: &Url, headers: &[Header]) -> Result<String, ServiceError> {
    let response = get(&client(headers)?, url).await?;
    let status = response.status();
    let text = String::from_utf8_lossy(&body(response).await?).into_owned();
    // Prometheus states in JSON why it refuses a query.
    if status.is_success() || text.starts_with('{') {
        Ok(text)
    } else {
        Err(ServiceError::Status(status.as_u16()))
    }
}

fn client(headers: &[Header]) -> Result<Client, ServiceError> {
    // Fails if a provider is installed already, which can be used as well.
    let _ = ring::default_provider().install_default();
    let headers: HeaderMap = headers.iter().map(Header::pair).collect();
    let mut client = Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(REQUEST_TIMEOUT);
    if !headers.is_empty() {
        // They can be secrets, which another host must not receive.
        client = client.redirect(redirect::Policy::none());
    }
    let client = client.default_headers(headers).build();
    client.map_err(unreachable)
}

async fn get(client: &Client, url: &Url) -> Result<Response, ServiceError> {
    let sent = client.get(url.clone()).send().await;
    sent.map_err(|error| match url.scheme() {
        "https" => ServiceError::UnreachableTls(error.without_url()),
        _ => unreachable(error),
    })
}

/// The response of introspection, or why it failed.
async fn introspect(
    client: &Client,
    endpoint: &Url,
    query: &str,
) -> Result<Result<Value, String>, ServiceError> {
    let request = client.post(endpoint.clone()).header("accept", ACCEPT);
    let request = request.json(&json!({ "query": query }));
    let sent = request.send().await;
    let response = sent.map_err(unreachable)?;
    let status = response.status();
    let bytes = body(response).await?;
    let Ok(json) = serde_json::from_slice::<Value>(&bytes) else {
        return Ok(Err(format!("status {} without JSON", status.as_u16())));
    };
    if json["data"]["__schema"].is_object() {
        return Ok(Ok(json));
    }
    let message = json["errors"][0]["message"].as_str();
    Ok(Err(match message {
        Some(message) => format!("error {:?}", excerpt(message)),
        None => format!("status {} without data", status.as_u16()),
    }))
}

/// The message names the masked URL, and not that of the request.
fn unreachable(error: reqwest::Error) -> ServiceError {
    ServiceError::Unreachable(error.without_url())
}

/// Whether the response is an HTML page, which some services return for every path.
fn is_html(response: &Response) -> bool {
    let content_type = response.headers().get("content-type");
    content_type.is_some_and(|value| value.as_bytes().starts_with(b"text/html"))
}

async fn body(mut response: Response) -> Result<Vec<u8>, ServiceError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > RESPONSE_LIMIT_BYTES {
            return Err(ServiceError::ResponseTooLarge);
        }
    }
    Ok(bytes)
}
