//! The way that every request goes: sent, waited for, and sent again if it only reads.

use std::{error::Error as StdError, time::Duration};

use reqwest::{
    RequestBuilder, Response,
    header::{self, HeaderMap},
};
use tracing::debug;

use crate::{
    answer::Access,
    client::CatalogueClient,
    error::{Effect, Error, Transport, TransportCause},
};

const ACCEPTED: &str = "application/graphql-response+json, application/json;q=0.9";

/// A whole response.
pub(crate) struct Received {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl CatalogueClient {
    /// A request of GraphQL with this body.
    pub(crate) fn graphql_request(&self, body: Vec<u8>) -> RequestBuilder {
        self.http_client
            .post(self.url.clone())
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, ACCEPTED)
            .body(body)
    }

    /// Sends a request and reads the response. If it only reads and fails for a reason that may pass,
    /// it is sent again as often as the client's retries permit.
    pub(crate) async fn exchange<T>(
        &self,
        request: impl Fn() -> RequestBuilder,
        access: Access,
        read: impl Fn(Received) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut attempts = 0;
        loop {
            attempts += 1;
            let received = self.receive(request()).await;
            let mut retry_after = None;
            let answer = received
                .map_err(|error| lost(error, access))
                .and_then(|received| {
                    debug!(attempts, status = received.status, "answered");
                    retry_after = seconds_to_wait(&received.headers);
                    read(received)
                });
            let error = match answer {
                Err(error) if access == Access::Read && error.is_temporary() => error,
                answer => return answer.map_err(|error| counted(error, attempts)),
            };
            let Some(pause) = self.retries.pause(attempts, retry_after) else {
                return Err(counted(error, attempts));
            };
            let cause = chain(&error);
            debug!(attempts, cause, ?pause, "a read failed and is tried again");
            tokio::time::sleep(pause).await;
        }
    }

    async fn receive(&self, request: RequestBuilder) -> reqwest::Result<Received> {
        let request = request.headers(self.headers.clone());
        let response: Response = request.timeout(self.request_timeout).send().await?;
        Ok(Received {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.bytes().await?.to_vec(),
        })
    }
}

fn lost(error: reqwest::Error, access: Access) -> Error {
    let cause = TransportCause::Http(error.without_url());
    let effect = if cause.is_before_sending() {
        Effect::Nothing
    } else {
        access.effect()
    };
    Error::Transport(Transport {
        attempts: 1,
        effect,
        cause,
    })
}

fn counted(mut error: Error, sent: u32) -> Error {
    if let Error::Transport(Transport { attempts, .. }) = &mut error {
        *attempts = sent;
    }
    error
}

/// `Retry-After` in seconds; a date is not understood and says nothing.
fn seconds_to_wait(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?;
    text.trim().parse().ok().map(Duration::from_secs)
}

/// An error and what caused it, in one line.
pub(crate) fn chain(error: &dyn StdError) -> String {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    causes
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}
