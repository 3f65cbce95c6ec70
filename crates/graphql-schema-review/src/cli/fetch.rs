//! Fetches the contract of a running service: its `schema.graphql`, or its introspection response.

use std::time::Duration;

use graphql_sdl::{INTROSPECTION, Problems, Schema, excerpt, masked_url};
use reqwest::{
    Client, Response, Url,
    header::{HeaderMap, HeaderName, HeaderValue},
    redirect,
};
use serde_json::{Value, json};
use tokio_rustls::rustls::crypto::ring;

/// The maximum size of a response.
const RESPONSE_LIMIT_BYTES: usize = 64 * 1024 * 1024;

/// The timeout of a connection attempt.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The timeout of a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

const ACCEPT: &str = "application/graphql-response+json, application/json;q=0.9";

/// A header; `${NAME}` in its value is a variable of the environment.
#[derive(Clone)]
pub(super) struct Header {
    name: HeaderName,
    value: HeaderValue,
}

impl Header {
    /// Parses `Name: value`. The error does not contain the value.
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        let (name, mut rest) = text.split_once(':').ok_or("it has no colon")?;
        let name = HeaderName::from_bytes(name.trim().as_bytes());
        let name = name.map_err(|_| "what is before the colon is no name")?;
        let mut value = String::new();
        while let Some((before, after)) = rest.split_once("${") {
            let (variable_name, after) = after.split_once('}').ok_or("a ${ has no }")?;
            #[expect(clippy::disallowed_methods, reason = "the header names it")]
            let set = std::env::var(variable_name).ok();
            value += before;
            value += &set.ok_or("a variable in it is not set")?;
            rest = after;
        }
        value += rest;
        let value = HeaderValue::from_str(value.trim());
        let mut value = value.map_err(|_| "its value has control characters")?;
        value.set_sensitive(true);
        Ok(Self { name, value })
    }
}

/// Why the contract of a service cannot be fetched.
#[derive(Debug, thiserror::Error)]
pub(super) enum ServiceError {
    #[error("not a URL")]
    Url,
    #[error("no response; is the service running there?")]
    Unreachable(#[source] reqwest::Error),
    #[error("no response over TLS; is the service running there, with a certificate of a known authority?")]
    UnreachableTls(#[source] reqwest::Error),
    #[error("the response has more than {RESPONSE_LIMIT_BYTES} bytes")]
    ResponseTooLarge,
    #[error("the response is not UTF-8; correct the URL, or name a file")]
    NotText,
    #[error("the status is {0}; correct the URL, or add a --header")]
    Status(u16),
    #[error(
        "{document} returned {document_status}, and introspection at {endpoint} failed: {reason}; \
         enable one of them, add a --header, or name a file"
    )]
    NotProvided {
        // A masked URL, as the endpoint.
        document: String,
        document_status: u16,
        endpoint: String,
        reason: String,
    },
}

/// The contract of the service at a URL: that of its endpoint, of its `schema.graphql`, or its base
/// URL.
pub(super) async fn fetch(url: &str, headers: &[Header]) -> Result<Result<Schema, Problems>, ServiceError> {
    let url: Url = url.parse().map_err(|_| ServiceError::Url)?;
    let client = client(headers)?;
    let document = if url.path().ends_with(".graphql") {
        url.clone()
    } else {
        url.join("schema.graphql").map_err(|_| ServiceError::Url)?
    };
    let response = get(&client, &document).await?;
    let document_status = response.status().as_u16();
    if response.status().is_success() {
        let sdl = text(body(response).await?)?;
        let (schema, problems) = Schema::parse_partly(masked_url(document.as_str()), &sdl);
        // Some services return a page, JSON or nothing for every path.
        if schema.is_parsed() && schema.definitions().len() > 1 {
            return Ok(problems.into_result(schema));
        }
    }
    // The endpoint is beside the document.
    let endpoint = if url.path().ends_with('/') || url.path().ends_with(".graphql") {
        url.join("graphql").map_err(|_| ServiceError::Url)?
    } else {
        url
    };
    let mut query = INTROSPECTION.to_owned();
    let introspected = loop {
        match introspect(&client, &endpoint, &query).await? {
            Ok(json) => break Ok(json),
            Err(reason) => match without_unknown(&query, &reason) {
                Some(less) => query = less,
                None => break Err(reason),
            },
        }
    };
    let introspected = introspected.map_err(|reason| ServiceError::NotProvided {
        document: masked_url(document.as_str()),
        document_status,
        endpoint: masked_url(endpoint.as_str()),
        reason: excerpt(&reason).into_owned(),
    })?;
    Ok(Schema::from_introspection(masked_url(endpoint.as_str()), &introspected))
}

/// The text at the URL of recorded use.
pub(super) async fn fetch_usage(url: &Url, headers: &[Header]) -> Result<String, ServiceError> {
    let response = get(&client(headers)?, url).await?;
    let status = response.status();
    let text = text(body(response).await?)?;
    // Prometheus states in JSON why it refuses a query.
    if status.is_success() || text.starts_with('{') { Ok(text) } else { Err(ServiceError::Status(status.as_u16())) }
}

fn client(headers: &[Header]) -> Result<Client, ServiceError> {
    // Fails if a provider is installed already, which can be used as well.
    let _ = ring::default_provider().install_default();
    let headers: HeaderMap = headers.iter().map(|header| (header.name.clone(), header.value.clone())).collect();
    let client = Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(REQUEST_TIMEOUT)
        // Headers can be secrets, which another host must not receive.
        .redirect(redirect::Policy::none())
        .default_headers(headers);
    client.build().map_err(unreachable)
}

async fn get(client: &Client, url: &Url) -> Result<Response, ServiceError> {
    client.get(url.clone()).send().await.map_err(|error| match url.scheme() {
        "https" => ServiceError::UnreachableTls(error.without_url()),
        _ => unreachable(error),
    })
}

/// The response of introspection, or why it failed.
async fn introspect(client: &Client, endpoint: &Url, query: &str) -> Result<Result<Value, String>, ServiceError> {
    let request = client.post(endpoint.clone()).header("accept", ACCEPT);
    let request = request.json(&json!({ "query": query }));
    let response = request.send().await.map_err(unreachable)?;
    let status = response.status();
    let bytes = body(response).await?;
    let Ok(json) = serde_json::from_slice::<Value>(&bytes) else {
        return Ok(Err(format!("status {} without JSON", status.as_u16())));
    };
    if json["data"]["__schema"].is_object() {
        return Ok(Ok(json));
    }
    let errors = json["errors"].as_array().into_iter().flatten();
    let messages: Vec<&str> = errors.filter_map(|error| error["message"].as_str()).collect();
    Ok(Err(match &messages[..] {
        [] => format!("status {} without data", status.as_u16()),
        messages => messages.join("; "),
    }))
}

/// What older servers lack of the introspection query, what an error about it contains, and what they have instead.
const OPTIONAL: [(&str, &str, &str); 8] = [
    ("isOneOf", "isOneOf", ""),
    ("specifiedByURL\n", "specifiedByURL", "specifiedByURL: specifiedByUrl\n"),
    ("specifiedByURL: specifiedByUrl\n", "specifiedByUrl", ""),
    ("isRepeatable", "isRepeatable", ""),
    ("args(includeDeprecated: true)", "includeDeprecated", "args"),
    ("inputFields(includeDeprecated: true)", "includeDeprecated", "inputFields"),
    ("defaultValue\n  isDeprecated\n  deprecationReason", "__InputValue", "defaultValue"),
    ("__schema {\n    description", "__Schema", "__schema {"),
];

/// The query without what the server does not know: what its error names, or if it names nothing, all that it can lack.
fn without_unknown(query: &str, error: &str) -> Option<String> {
    let optional = OPTIONAL.iter().filter(|(part, ..)| query.contains(part));
    let named: Vec<_> = optional.clone().filter(|(_, name, _)| error.contains(name)).collect();
    let removed = if named.is_empty() { optional.collect() } else { named };
    let less = |query: String, (part, _, instead): &&(&str, &str, &str)| query.replace(part, instead);
    (!removed.is_empty()).then(|| removed.iter().fold(query.to_owned(), less))
}

/// The message names the masked URL, and not that of the request.
fn unreachable(error: reqwest::Error) -> ServiceError {
    ServiceError::Unreachable(error.without_url())
}

fn text(bytes: Vec<u8>) -> Result<String, ServiceError> {
    String::from_utf8(bytes).map_err(|_| ServiceError::NotText)
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
