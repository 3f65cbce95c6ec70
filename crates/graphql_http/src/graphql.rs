//! The GraphQL endpoint.
//!
//! `async_graphql_poem::GraphQL` is not used: it reads a body of any size and any content type, for any time, executes
//! mutations by GET, answers every request with the status 200, knows neither `documentId` nor idempotency keys, and its
//! responses contain `data` in request errors.

use std::{future::ready, sync::Arc, time::Instant};

use engine::{Engine, IdempotencyKey, Permitted};
use futures_util::{FutureExt, TryFutureExt, future::BoxFuture};
use poem::{
    Body, Endpoint, IntoResponse, Request, Response,
    http::{HeaderMap, Method, StatusCode, header},
};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::{
    authorization::Authorized,
    body::{BodyError, BodyReader},
    client::header_text,
    idempotency::{self, HeaderKey},
    media_type::{self, ResponseType},
    refusal::{METHODS, Refusal},
    request::{self, Prepared},
    response,
    settings::HttpSettings,
};

/// Executes GraphQL requests over HTTP: `GET` for queries, `POST` for all operations.
///
/// Wrap it in [`Authorize`](crate::Authorize) to authenticate callers; without it all operations are permitted.
pub struct GraphQL {
    engine: Arc<Engine>,
    /// The realm of `WWW-Authenticate`.
    realm: &'static str,
    permits: Semaphore,
    concurrency_limit: usize,
    body: BodyReader,
}

/// The response to an executed request, or why it was not executed.
type Executed = Result<Response, Refusal>;

/// What the head of a request determines for its operation.
struct Head {
    permitted: Permitted,
    authorized: Authorized,
    key: HeaderKey,
    response_type: ResponseType,
}

impl GraphQL {
    /// Executes requests by an engine, within the limits of the settings. `realm` is that of challenges to clients that
    /// lack a scope.
    pub fn new(engine: Arc<Engine>, realm: &'static str, settings: &HttpSettings) -> Self {
        Self {
            engine,
            realm,
            permits: Semaphore::new(settings.concurrency_limit),
            concurrency_limit: settings.concurrency_limit,
            body: BodyReader::new(settings),
        }
    }

    /// Handles the head of a request.
    fn head(request: &mut Request, permitted: Permitted) -> Result<Head, Refusal> {
        let accept = header_text(request.headers(), header::ACCEPT);
        let response_type = ResponseType::negotiate(&accept).ok_or(Refusal::NotAcceptable)?;
        let authorized = request.extensions_mut().remove::<Authorized>();
        let authorized = authorized.unwrap_or_default();
        Ok(Head {
            permitted: permitted.within(authorized.scopes),
            authorized,
            key: HeaderKey::of(request.headers()),
            response_type,
        })
    }

    /// Validates the headers of a body.
    fn check_content(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let text = |name| header_text(headers, name);
        if !media_type::is_json(&text(header::CONTENT_TYPE)) {
            return Err(Refusal::MediaType);
        }
        if !matches!(text(header::CONTENT_ENCODING).trim(), "" | "identity") {
            return Err(Refusal::ContentEncoding);
        }
        let length = text(header::CONTENT_LENGTH).parse().unwrap_or(0);
        let limit = self.body.limit;
        if length > limit {
            let actual = Some(length);
            return Err(Refusal::Body(BodyError::TooLarge { limit, actual }));
        }
        Ok(())
    }

    /// Acquires a permit to execute a request, after its body is read, so that clients that send slowly hold none.
    fn permit(&self) -> Result<SemaphorePermit<'_>, Refusal> {
        let limit = self.concurrency_limit;
        let permit = self.permits.try_acquire();
        permit.map_err(|_| Refusal::Busy { limit })
    }

    /// Executes the operation in a URL.
    fn get(&self, mut request: Request) -> Result<BoxFuture<'_, Executed>, Refusal> {
        let head = Self::head(&mut request, Permitted::QUERIES)?;
        let permit = self.permit()?;
        let graphql = request::from_parameters(request::parameters(&request)?)?;
        let execute = async move {
            let _permit = permit;
            self.execute(graphql, &head).await
        };
        Ok(execute.boxed())
    }

    /// Reads a body and executes its operation.
    fn post(&self, mut request: Request) -> Result<BoxFuture<'_, Executed>, Refusal> {
        let head = Self::head(&mut request, Permitted::QUERIES_AND_MUTATIONS)?;
        // Refused before the body is read, since refusals must be cheap under overload.
        drop(self.permit()?);
        self.check_content(request.headers())?;
        Ok(self.execute_body(request.take_body(), head).boxed())
    }

    async fn execute_body(&self, body: Body, head: Head) -> Executed {
        let body = self.body.read(body).await.map_err(Refusal::Body)?;
        let _permit = self.permit()?;
        let graphql = request::from_body(&body)?;
        drop(body);
        // Boxed, so that a request whose body is unfinished takes no memory for its execution.
        self.execute(graphql, &head).boxed().await
    }

    async fn execute(&self, graphql: engine::Request, head: &Head) -> Executed {
        let started = Instant::now();
        let mut prepared = self.engine.prepare(graphql, head.permitted);
        let key = Self::admit(head, &mut prepared)?;
        let executed = self.engine.run(prepared).await;
        let elapsed = started.elapsed();
        let mut response = response::executed(executed, elapsed, head.response_type, self.realm);
        if let Some(key) = key {
            idempotency::mark(&key, &mut response);
        }
        Ok(response)
    }

    /// Charges the items of the operation and gives it the idempotency key.
    fn admit(head: &Head, prepared: &mut Prepared) -> Result<Option<Arc<IdempotencyKey>>, Refusal> {
        let Ok(prepared) = prepared else {
            return Ok(None);
        };
        head.authorized.charge_items(prepared)?;
        let subject = head.authorized.subject.as_deref();
        head.key.attach(subject, prepared)
    }
}

impl Endpoint for GraphQL {
    type Output = Response;

    fn call(&self, request: Request) -> impl Future<Output = poem::Result<Response>> + Send {
        let call = match *request.method() {
            Method::GET => self.get(request),
            Method::POST => self.post(request),
            Method::OPTIONS => {
                let methods = StatusCode::NO_CONTENT.with_header(header::ALLOW, METHODS);
                Ok(ready(Ok(methods.into_response())).boxed())
            }
            _ => Err(Refusal::Method),
        };
        let call = call.unwrap_or_else(|refusal| ready(Err(refusal)).boxed());
        call.map_err(poem::Error::from)
    }
}
