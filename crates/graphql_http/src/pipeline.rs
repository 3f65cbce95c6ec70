//! The pipeline: every step of a request, in order.
//!
//! 1. [`RequestMetadata`] is parsed when the head has been received (`server`), and recording begins.
//! 2. [`Pipeline::refuse`]: allowed host, CORS preflight, length of the URL, header lines.
//! 3. [`Pipeline::route`]: GraphQL, or the other paths; a panic becomes an internal error.
//! 4. [`GraphqlEndpoint::prepare`]: method, media types, authorization and rate limit, permits.
//! 5. [`GraphqlEndpoint::post`]: reads and parses the body, executes its operations, renders the response;
//!    [`GraphqlEndpoint::get`] executes the operation in a URL.
//! 6. [`Pipeline::complete`]: CORS, security headers, content coding, conditional requests, HEAD.
//! 7. [`unsent::encode_and_count`]: a large response is counted while it waits for its compression and until it is sent.
//! 8. The request is recorded: log, metrics, trace.
//!
//! Futures are kept small, since under many connections copies of futures dominate: the head is consumed
//! before the first future is created, so that none stores it; steps 4 and 5 and the execution in them are boxed, so
//! that the outer futures move a pointer, and so are rare futures (a span, compression). No box exceeds 1 KiB, above
//! which the allocator is slower.
//! `cargo bench --bench load -- connections` measures it, and `cargo bench --bench instructions` the engine.

mod step;

use std::{
    future::{Future, ready},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Instant,
};

use engine::{Engine, Permitted};
use futures_util::{FutureExt, future::BoxFuture};
use poem::{
    Body, Endpoint, IntoResponse, Request, Response,
    endpoint::BoxEndpoint,
    http::{HeaderValue, Method, StatusCode, header},
};
use tokio::sync::{Semaphore, SemaphorePermit};

use self::step::{Head, Step};
use super::{
    authorizer::{Authorizer, Prepared},
    body::{self, BodyError},
    encoding::{self, Coding},
    entity_tag, graphiql, head,
    idempotency::Attached,
    media_type::ResponseType,
    metadata::{ContentHeaders, RequestMetadata},
    outcome::Outcome,
    record::{RequestObserver, RequestRecord},
    refusal::{METHODS, Refusal},
    render::{self, Batch, Caching},
    request::{self, ParsedBody},
    response_headers::{self, EngineHeaders},
    settings::{Graphiql, HttpSettings},
    unsent::{self, LARGE_BYTES, UnsentResponses},
    usage,
};

/// Handles the requests of a listener.
pub(super) struct Pipeline {
    pub(super) settings: Arc<HttpSettings>,
    /// `None` if requests are not recorded.
    pub(super) observer: Option<RequestObserver>,
    /// `None` if `/graphql` is a path like others.
    pub(super) graphql: Option<GraphqlEndpoint>,
    /// The other paths. GraphQL does not use poem's router, since each of its layers costs time.
    pub(super) others: BoxEndpoint<'static, Response>,
}

impl Pipeline {
    /// `unsent` is `None` for callers without a connection.
    pub(super) fn handle<'h>(
        &'h self,
        mut request: Box<Request>,
        metadata: Box<RequestMetadata>,
        unsent: Option<&'h Arc<UnsentResponses>>,
    ) -> BoxFuture<'h, Response> {
        let record = RequestRecord::begin(self.observer.as_ref(), metadata);
        if record.metadata.method == Method::HEAD {
            request.set_method(Method::GET);
        }
        let outcome = match self.refuse(&request, &record.metadata) {
            Some(outcome) => ready(outcome).boxed(),
            None => self.route(request, &record.metadata),
        };
        let outcome = match &record.span {
            Some(span) => span.record(outcome).boxed(),
            None => outcome,
        };
        let outcome = AssertUnwindSafe(outcome).catch_unwind();
        Box::pin(async move {
            let mut outcome = outcome.await.unwrap_or_else(|payload| {
                render::internal_error(&*payload, record.metadata.response_type())
            });
            let coding = self.complete(&mut outcome.response, &record.metadata);
            if coding.is_some() || outcome.content_bytes >= LARGE_BYTES {
                let counted = Box::pin(unsent::encode_and_count(
                    &mut outcome.response,
                    coding,
                    unsent,
                ));
                if let Err(exceeded) = counted.await {
                    outcome =
                        Refusal::Unsent(exceeded).into_outcome(record.metadata.response_type());
                    self.complete(&mut outcome.response, &record.metadata);
                }
            }
            if record.metadata.method == Method::HEAD {
                outcome.response = response_headers::without_content(outcome.response);
            }
            record.end(outcome)
        })
    }

    /// The response to a request that no route gets: a refusal or a CORS preflight.
    fn refuse(&self, request: &Request, metadata: &RequestMetadata) -> Option<Outcome> {
        let refusal = if let Err(error) = self.settings.allowed_hosts.check(request) {
            Refusal::Host(error)
        } else if let Some(response) = self.settings.cors_origins.preflight(request) {
            return Some(response.into());
        } else {
            head::check(request, self.settings.url_limit_bytes).err()?
        };
        Some(refusal.into_outcome(metadata.response_type()))
    }

    /// Delegates to the endpoint of the path.
    fn route<'p>(
        &'p self,
        request: Box<Request>,
        metadata: &RequestMetadata,
    ) -> BoxFuture<'p, Outcome> {
        let call = || match &self.graphql {
            Some(graphql) if metadata.is_graphql => graphql.call(request, metadata),
            _ => {
                let response = self.others.get_response(*request);
                response.map(Outcome::from).boxed()
            }
        };
        catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|payload| {
            ready(render::internal_error(&*payload, metadata.response_type())).boxed()
        })
    }

    /// Completes the headers. Returns the coding with which the content is to be compressed.
    fn complete(&self, response: &mut Response, metadata: &RequestMetadata) -> Option<Coding> {
        let (cors, origin) = (&self.settings.cors_origins, metadata.origin.as_ref());
        cors.add_headers(origin, response.headers_mut());
        response_headers::add_security_headers(response, metadata);
        let threshold = self.settings.compression_threshold_bytes;
        let coding = encoding::negotiate(response, metadata, threshold);
        if let Some(coding) = coding {
            entity_tag::mark_encoded(response, coding.name());
        }
        let is_read = metadata.method == Method::GET || metadata.method == Method::HEAD;
        if is_read && entity_tag::is_not_modified(response, &metadata.if_none_match) {
            entity_tag::set_not_modified(response);
            return None;
        }
        coding
    }
}

/// For callers without a connection.
impl Endpoint for Pipeline {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        let metadata = Box::new(RequestMetadata::parse(&request));
        Ok(self.handle(Box::new(request), metadata, None).await)
    }
}

/// Executes the GraphQL requests at `/graphql`.
pub(super) struct GraphqlEndpoint {
    pub(super) engine: Arc<Engine>,
    pub(super) authorizer: Authorizer,
    pub(super) settings: Arc<HttpSettings>,
    pub(super) permits: Semaphore,
    pub(super) schema_hash: HeaderValue,
    pub(super) engine_headers: EngineHeaders,
}

impl GraphqlEndpoint {
    fn call<'e>(
        &'e self,
        request: Box<Request>,
        metadata: &RequestMetadata,
    ) -> BoxFuture<'e, Outcome> {
        let response_type = metadata.response_type();
        let refused = move |refusal: Refusal| {
            let mut outcome = refusal.into_outcome(response_type);
            self.set_schema_hash(&mut outcome.response);
            outcome
        };
        match self.prepare(request, metadata) {
            Err(refusal) => ready(refused(refusal)).boxed(),
            Ok(Step::Respond(mut response)) => {
                self.set_schema_hash(&mut response);
                ready(response.into()).boxed()
            }
            Ok(Step::ReadBody(body, head)) => {
                let result = self.post(body, head);
                result
                    .map(move |result| result.unwrap_or_else(refused))
                    .boxed()
            }
            Ok(Step::Execute(graphql, head, permit)) => self.get(graphql, head, permit).boxed(),
        }
    }

    /// Of a response that is not of the engine.
    fn set_schema_hash(&self, response: &mut Response) {
        let headers = response.headers_mut();
        headers.insert(response_headers::SCHEMA_HASH, self.schema_hash.clone());
    }

    /// Handles the head of a request, without waiting.
    fn prepare(
        &self,
        mut request: Box<Request>,
        metadata: &RequestMetadata,
    ) -> Result<Step<'_>, Refusal> {
        let method = request.method();
        if *method == Method::OPTIONS {
            let methods = StatusCode::NO_CONTENT.with_header(header::ALLOW, METHODS);
            return Ok(Step::Respond(methods.into_response()));
        }
        if self.settings.graphiql == Graphiql::On && graphiql::is_wanted(&request) {
            let page = graphiql::redirect().with_header(header::VARY, "Accept");
            return Ok(Step::Respond(page.into_response()));
        }
        let is_get = match *method {
            Method::GET => true,
            Method::POST => false,
            _ => return Err(Refusal::Method),
        };
        let response_type = metadata.accepted.ok_or(Refusal::NotAcceptable)?;
        let auth = self
            .authorizer
            .authorize(request.headers(), metadata.peer)?;
        let permitted = if is_get {
            Permitted::QUERIES
        } else {
            Permitted::QUERIES_AND_MUTATIONS
        };
        let head = Head {
            permitted: permitted.within(auth.scopes),
            caller: usage::caller(&self.engine, &auth, metadata, request.headers()),
            auth,
            key: metadata.idempotency_key.clone(),
            response_type,
        };
        if is_get {
            let permit = self.permit()?;
            let graphql = request::from_parameters(request::parameters(&request)?)?;
            return Ok(Step::Execute(Box::new(graphql), head, permit));
        }
        // Refused before the body is read, since refusals must be cheap under overload.
        if self.permits.available_permits() == 0 {
            return Err(self.busy());
        }
        self.check_content(&metadata.content)?;
        Ok(Step::ReadBody(request.take_body(), head))
    }

    /// Validates the headers of a body.
    fn check_content(&self, content: &ContentHeaders) -> Result<(), Refusal> {
        if !content.is_json {
            return Err(Refusal::MediaType);
        }
        if content.is_encoded {
            return Err(Refusal::ContentEncoding);
        }
        let limit = self.settings.body_limit_bytes;
        if content.length > limit {
            let actual = Some(content.length);
            return Err(Refusal::Body(BodyError::TooLarge { limit, actual }));
        }
        Ok(())
    }

    /// Acquires a permit to execute a request. It is acquired after the body is read, so that clients
    /// that send slowly hold no permit.
    fn permit(&self) -> Result<SemaphorePermit<'_>, Refusal> {
        self.permits.try_acquire().map_err(|_| self.busy())
    }

    fn busy(&self) -> Refusal {
        let limit = self.settings.concurrency_limit;
        Refusal::Busy { limit }
    }

    /// Executes the operation in a URL.
    fn get<'e>(
        &'e self,
        graphql: Box<engine::Request>,
        head: Head,
        permit: SemaphorePermit<'e>,
    ) -> impl Future<Output = Outcome> + Send + use<'e> {
        let (permitted, caller, response_type) = (head.permitted, head.caller, head.response_type);
        async move {
            let _permit = permit;
            let started = Instant::now();
            let prepared = self.engine.prepare(*graphql, permitted);
            usage::record(&self.engine, caller.as_ref(), [&prepared]);
            let executed = self.single(prepared, started, response_type, Caching::Revalidate);
            executed.await
        }
    }

    /// Reads a body and executes its operations.
    fn post(
        &self,
        body: Body,
        head: Head,
    ) -> impl Future<Output = Result<Outcome, Refusal>> + Send + use<'_> {
        let body = body::read(body, self.settings.body_limit_bytes);
        async move {
            let body = body.await?;
            let _permit = self.permit()?;
            let (outcome, attached) = self.execute_body(&body, &head)?;
            drop(body);
            let mut outcome = outcome.await;
            attached.mark(&mut outcome.response);
            Ok(outcome)
        }
    }

    /// Parses and prepares the operations in a body. The future executes them.
    fn execute_body<'e>(
        &'e self,
        body: &[u8],
        head: &Head,
    ) -> Result<(BoxFuture<'e, Outcome>, Attached), Refusal> {
        let limit = self.settings.batch_limit;
        let prepare = |graphql| self.engine.prepare(graphql, head.permitted);
        match request::from_body(body, limit)? {
            ParsedBody::Single(graphql) => {
                let started = Instant::now();
                let mut prepared = [prepare(graphql)];
                let attached = self.admit(head, &mut prepared)?;
                let [prepared] = prepared;
                let outcome = self.single(prepared, started, head.response_type, Caching::NoStore);
                Ok((outcome.boxed(), attached))
            }
            ParsedBody::Batch(list) => {
                let actual = list.len();
                if actual > limit {
                    return Err(Refusal::BatchTooLong { limit, actual });
                }
                // Authorizing the request has counted the first operation.
                self.authorizer
                    .charge(&head.auth, 1, actual.saturating_sub(1))?;
                let mut list: Vec<_> = list.into_iter().map(prepare).collect();
                let attached = self.admit(head, &mut list)?;
                let outcome = self.batch(list, head.response_type);
                Ok((outcome.boxed(), attached))
            }
        }
    }

    /// Charges the items of the operations, gives them the idempotency key, and records their use.
    fn admit(&self, head: &Head, prepared: &mut [Prepared]) -> Result<Attached, Refusal> {
        self.authorizer.charge_items(&head.auth, prepared)?;
        let attached = head.key.attach(head.auth.subject.as_deref(), prepared)?;
        usage::record(&self.engine, head.caller.as_ref(), &*prepared);
        Ok(attached)
    }

    fn single(
        &self,
        prepared: Prepared,
        started: Instant,
        response_type: ResponseType,
        caching: Caching,
    ) -> impl Future<Output = Outcome> + Send {
        let realm = self.authorizer.realm;
        let headers = (response_type, &self.engine_headers);
        let executed = self.engine.run(prepared, self.engine.response_limit());
        executed.map(move |executed| render::single(executed, started, headers, caching, realm))
    }

    async fn batch(&self, list: Vec<Prepared>, response_type: ResponseType) -> Outcome {
        let mut batch = Batch::new(list.len());
        let mut remaining_bytes = self.engine.response_limit();
        for prepared in list {
            let started = Instant::now();
            // Sequentially, so that a query sees the effect of the mutation before it.
            let executed = self.engine.run(prepared, remaining_bytes);
            let bytes = batch.push(executed.await, started);
            remaining_bytes = remaining_bytes.saturating_sub(bytes);
        }
        batch.finish(self.engine_headers.of(response_type))
    }
}

#[cfg(test)]
mod tests;
