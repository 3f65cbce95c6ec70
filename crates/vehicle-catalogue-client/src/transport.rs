//! The client, which sends HTTP requests with the request timeout, and retries queries and mutations with a key
//! after transient errors.

use std::{error::Error as _, time::Duration};

use reqwest::{
    Client, RequestBuilder, Url,
    header::{self, HeaderMap},
};
use tracing::debug;

use crate::{
    error::{Effect, Error, ErrorKind},
    retry::RetryPolicy,
};

const ACCEPT: &str = "application/graphql-response+json, application/json;q=0.9";

/// A client of the vehicle catalogue service. Cheap to clone; clones share the connection pool.
#[derive(Clone, Debug)]
pub struct CatalogueClient {
    pub(crate) http_client: Client,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) request_timeout: Duration,
    pub(crate) retry_policy: RetryPolicy,
}

/// An HTTP response with its complete body.
pub(crate) struct HttpResponse {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// Whether an operation may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperationType {
    Query,
    Mutation,
    /// Executed at most once for its idempotency key.
    MutationWithKey,
}

impl OperationType {
    /// The effect of a failure after the request was sent.
    pub(crate) fn effect_once_sent(self) -> Effect {
        match self {
            Self::Query => Effect::Nothing,
            Self::Mutation | Self::MutationWithKey => Effect::Unknown,
        }
    }

    /// Whether sending it twice has the same effect as sending it once.
    pub(crate) fn is_repeatable(self) -> bool {
        matches!(self, Self::Query | Self::MutationWithKey)
    }
}

impl CatalogueClient {
    /// A GraphQL request with this body.
    pub(crate) fn graphql_request(&self, body: Vec<u8>) -> RequestBuilder {
        self.http_client
            .post(self.url.clone())
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, ACCEPT)
            .body(body)
    }

    /// Sends a request and parses the response. After a transient error a query or a mutation with an idempotency
    /// key is retried according to the retry policy.
    pub(crate) async fn send_with_retry<T>(
        &self,
        request: impl Fn() -> RequestBuilder,
        operation_type: OperationType,
        parse: impl Fn(HttpResponse) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut attempts = 0;
        let mut effect = Effect::Nothing;
        loop {
            attempts += 1;
            let response = self.send(request()).await.map_err(|error| transport_error(error, operation_type));
            let retry_after = response.as_ref().ok().and_then(parse_retry_after);
            let mut error = match response.and_then(&parse) {
                Ok(value) => return Ok(value),
                Err(error) => error,
            };
            error.attempts = attempts;
            // An earlier attempt can have stored something.
            if effect == Effect::Unknown {
                error.effect = effect;
            }
            let is_retried = operation_type.is_repeatable() && error.is_transient();
            let backoff = self.retry_policy.backoff(attempts, retry_after).filter(|_| is_retried);
            let Some(backoff) = backoff else {
                return Err(error);
            };
            effect = error.effect;
            debug!(attempts, %error, source = ?error.source(), ?backoff, "retrying a failed operation");
            tokio::time::sleep(backoff).await;
        }
    }

    async fn send(&self, request: RequestBuilder) -> reqwest::Result<HttpResponse> {
        let request = request.headers(self.headers.clone());
        let response = request.timeout(self.request_timeout).send().await?;
        debug!(status = response.status().as_u16(), "received a response");
        Ok(HttpResponse {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.bytes().await?.to_vec(),
        })
    }
}

fn transport_error(error: reqwest::Error, operation_type: OperationType) -> Error {
    let effect =
        if error.is_connect() || error.is_builder() { Effect::Nothing } else { operation_type.effect_once_sent() };
    Error::new(ErrorKind::Http(error.without_url()), effect)
}

/// `Retry-After` in seconds; a date is ignored.
fn parse_retry_after(response: &HttpResponse) -> Option<Duration> {
    let text = response.headers.get(header::RETRY_AFTER)?.to_str().ok()?;
    text.trim().parse().ok().map(Duration::from_secs)
}
