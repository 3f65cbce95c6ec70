//! The GraphQL endpoint.
//!
//! It uses the extractor of async-graphql-poem, and not its endpoint: that reads a body of any size and any content type,
//! for any time, executes mutations by GET, answers every request with the status 200, knows neither `documentId` nor
//! idempotency keys, and parses the JSON text of lists again.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use async_graphql::{Executor, Pos, Response as GraphqlResponse};
use async_graphql_strict::{
    AllowedOperations, ErrorCode, Prepared, Request as GraphqlRequest, RequestError, Scopes, Strict, internal_error,
};
use futures_util::FutureExt;
use http_body_util::{BodyExt, Limited, combinators::BoxBody};
use hyper::body::Body as _;
use poem::{
    Endpoint, IntoResponse, Request, Response,
    http::{HeaderName, HeaderValue, Method, StatusCode, Version, header},
};
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{error::Elapsed, timeout},
};

use crate::{
    body::BodyReader,
    idempotency::{IdempotencyKey, REPLAYED},
    media_type::{ResponseType, is_json},
    refusal::Refusal,
    request,
    response::{Report, announce_close, graphql_response, request_error, with_report},
};

/// The methods of the endpoint.
const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST, OPTIONS");

/// The limits of the endpoint.
#[derive(Clone, Debug)]
pub struct GraphQLSettings {
    /// Maximum size of a request body.
    pub body_limit_bytes: usize,
    /// Timeout for a request body.
    pub body_timeout: Duration,
    /// Maximum number of requests that are executed at the same time. Further ones are refused.
    pub concurrency_limit: usize,
    /// Timeout for the execution of an operation.
    pub execution_timeout: Duration,
    /// The realm of `WWW-Authenticate`.
    pub realm: &'static str,
}

impl Default for GraphQLSettings {
    fn default() -> Self {
        Self {
            body_limit_bytes: 1024 * 1024,
            body_timeout: Duration::from_secs(30),
            concurrency_limit: 1024,
            execution_timeout: Duration::from_secs(30),
            realm: "graphql",
        }
    }
}

/// Who sends a request, in its extensions: a middleware of the program sets it. Without it everything is permitted.
#[derive(Clone, Debug, Default)]
pub struct Caller {
    /// Whom the token names.
    pub subject: Option<String>,
    /// The scopes of the token; `None` if tokens are not required.
    pub scopes: Option<Scopes>,
}

type Admit = dyn Fn(&Prepared, &Request) -> poem::Result<()> + Send + Sync;

/// Executes GraphQL requests over HTTP: GET for queries, POST for all operations.
pub struct GraphQL<E> {
    strict: Strict<E>,
    settings: GraphQLSettings,
    permits: Semaphore,
    body: BodyReader,
    admit: Box<Admit>,
}

impl<E: Executor> GraphQL<E> {
    /// Executes requests within these limits.
    pub fn new(strict: Strict<E>, settings: GraphQLSettings) -> Self {
        Self {
            strict,
            permits: Semaphore::new(settings.concurrency_limit),
            body: BodyReader::new(settings.body_limit_bytes, settings.body_timeout),
            settings,
            admit: Box::new(|_, _| Ok(())),
        }
    }

    /// Calls this for each operation before it is executed, for example to count it towards a rate limit.
    #[must_use]
    pub fn admitting(self, admit: impl Fn(&Prepared, &Request) -> poem::Result<()> + Send + Sync + 'static) -> Self {
        let admit = Box::new(admit);
        Self { admit, ..self }
    }

    /// Acquires a permit to execute a request.
    fn permit(&self) -> poem::Result<SemaphorePermit<'_>> {
        let (name, limit) = ("concurrency-limit", self.settings.concurrency_limit);
        self.permits.try_acquire().map_err(|_| {
            let message = format!("too many concurrent requests ({name} {limit}); retry later");
            Refusal::busy(message).with_limit(name, limit as u64, None).into()
        })
    }

    async fn get(&self, request: &Request) -> poem::Result<Response> {
        let response_type = response_type(request)?;
        let _permit = self.permit()?;
        let graphql = request::from_url(request)?;
        self.execute(graphql, AllowedOperations::QUERIES, request, response_type).await
    }

    async fn post(&self, request: &mut Request) -> poem::Result<Response> {
        let (version, checked) = (request.version(), self.check(request));
        let mut body = BoxBody::from(request.take_body());
        let response_type = match checked {
            Ok(response_type) => response_type,
            Err(error) => {
                // A small body that arrived with its head costs no connection.
                let _ = body.frame().now_or_never();
                if body.is_end_stream() {
                    return Err(error);
                }
                if version >= Version::HTTP_2 {
                    // hyper would reset the stream, and clients that still send a small body lose the response.
                    let received = Limited::new(body, 16 * 1024).collect();
                    tokio::spawn(timeout(Duration::from_secs(1), received));
                }
                return Ok(closing(error, version));
            }
        };
        let body = match self.body.read(body).await {
            Ok(body) => body,
            Err(error) => return Ok(closing(error, version)),
        };
        // Acquired after the body is read, so that clients that send slowly hold none.
        let _permit = self.permit()?;
        let graphql = request::from_body(request, body).await?;
        self.execute(graphql, AllowedOperations::ALL, request, response_type).await
    }

    /// Validates the head of a request with a body.
    fn check(&self, request: &Request) -> poem::Result<ResponseType> {
        let response_type = response_type(request)?;
        // Refused before the body is read, since refusals must be cheap under overload.
        drop(self.permit()?);
        let unsupported = |message: &'static str, name: HeaderName, value| {
            let refusal = Refusal::bad_request(StatusCode::UNSUPPORTED_MEDIA_TYPE, message);
            Err(refusal.with_header(name, HeaderValue::from_static(value)).into())
        };
        if !request.content_type().is_some_and(is_json) {
            let message = "the Content-Type of the request must be application/json, in UTF-8";
            return unsupported(message, header::ACCEPT, "application/json");
        }
        let mut codings = request.headers().get_all(header::CONTENT_ENCODING).iter();
        if !codings.all(|coding| matches!(coding.as_bytes(), b"" | b"identity")) {
            let message = "the request body must not be compressed; omit Content-Encoding";
            return unsupported(message, header::ACCEPT_ENCODING, "identity");
        }
        let length = request.header(header::CONTENT_LENGTH).and_then(|length| length.parse().ok());
        self.body.check_length(length.unwrap_or(0))?;
        Ok(response_type)
    }

    async fn execute(
        &self,
        mut graphql: GraphqlRequest,
        allowed: AllowedOperations,
        request: &Request,
        response_type: ResponseType,
    ) -> poem::Result<Response> {
        let started = Instant::now();
        let caller = request.extensions().get::<Caller>();
        graphql.allowed = allowed.within(caller.and_then(|caller| caller.scopes));
        let refused = |error: RequestError| {
            let response = request_error(&error, response_type, self.settings.realm);
            Ok(with_report(response, Report::from(error).after(started)))
        };
        let mut prepared = match self.strict.prepare(graphql) {
            Ok(prepared) => prepared,
            Err(error) => return refused(error),
        };
        (self.admit)(&prepared, request)?;
        let mut key = None;
        if prepared.is_mutation() {
            let subject = caller.and_then(|caller| caller.subject.as_deref());
            key = IdempotencyKey::of(request.headers(), subject)?.map(Arc::new);
            prepared.insert_data(key.clone());
        }
        let operation = Some(Arc::clone(prepared.operation()));
        let executed = timeout(self.settings.execution_timeout, self.strict.execute(prepared));
        let executed = match executed.await {
            Ok(Ok(executed)) => executed,
            Ok(Err(error)) => return refused(error),
            Err(elapsed) => timed_out(&elapsed),
        };
        let report = Report::of(operation, &executed.errors).after(started);
        let json = self.strict.to_json(executed);
        let mut response = graphql_response(json, StatusCode::OK, response_type);
        let is_replayed = key.is_some_and(|key| key.is_replayed());
        response.headers_mut().extend(is_replayed.then_some(REPLAYED));
        Ok(with_report(response, report))
    }
}

impl<E: Executor> Endpoint for GraphQL<E> {
    type Output = Response;

    async fn call(&self, mut request: Request) -> poem::Result<Response> {
        match *request.method() {
            Method::GET | Method::HEAD => self.get(&request).await,
            Method::POST => self.post(&mut request).await,
            Method::OPTIONS => {
                let methods = StatusCode::NO_CONTENT.with_header(header::ALLOW, METHODS);
                Ok(methods.into_response())
            }
            _ => {
                let message = "the method must be GET, HEAD or POST";
                let refusal = Refusal::bad_request(StatusCode::METHOD_NOT_ALLOWED, message);
                Err(refusal.with_header(header::ALLOW, METHODS).into())
            }
        }
    }
}

/// The response to a request that is not read, after which hyper closes a connection of HTTP/1 without saying so.
fn closing(error: poem::Error, version: Version) -> Response {
    let mut response = error.into_response();
    announce_close(&mut response, version);
    response
}

fn response_type(request: &Request) -> poem::Result<ResponseType> {
    let accept = request.header(header::ACCEPT).unwrap_or_default();
    ResponseType::negotiate(accept).ok_or_else(|| {
        let message = "the Accept header must allow application/graphql-response+json or \
                       application/json, in UTF-8";
        Refusal::bad_request(StatusCode::NOT_ACCEPTABLE, message).into()
    })
}

/// The response of an operation that exceeded the timeout. The error belongs to no field, so it has no location.
fn timed_out(elapsed: &Elapsed) -> GraphqlResponse {
    let message = "the operation timed out; if it was a mutation, its outcome is unknown: check \
                   before retrying";
    let error = internal_error(ErrorCode::ServiceUnavailable, message, elapsed, None);
    let mut error = error.into_server_error(Pos::default());
    error.locations.clear();
    GraphqlResponse::from_errors(vec![error])
}
