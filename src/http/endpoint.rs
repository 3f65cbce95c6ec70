//! The GraphQL endpoint: reads a request, lets the engine execute it, answers.

use std::{pin::pin, sync::Arc, time::Instant};

use async_graphql::Request as GraphqlRequest;
use futures_util::TryStreamExt;
use poem::{
    Body, Endpoint, IntoResponse, Request, Response,
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
};
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};

use super::{
    Graphiql, HttpSettings,
    answer::{self, Caching},
    envelope::header_text,
    guard::{Admitted, Guard},
    media_type::{self, NotAcceptable, ResponseType},
    observe::{self, Operation},
    pages,
    refusal::{METHODS, Refusal},
    request::{self, Batches, Posted},
};
use crate::graphql::{Answer, Engine, Permitted, contract_hash};

/// Says in every answer which contract it is an answer under.
const SCHEMA_HASH: HeaderName = HeaderName::from_static("schema-hash");

/// The endpoint at `/graphql`.
pub(super) struct GraphqlEndpoint {
    engine: Arc<Engine>,
    guard: Guard,
    settings: HttpSettings,
    seats: Semaphore,
    schema_hash: HeaderValue,
}

impl GraphqlEndpoint {
    pub(super) fn new(engine: Arc<Engine>, guard: Guard, settings: HttpSettings) -> Self {
        Self {
            engine,
            guard,
            seats: Semaphore::new(settings.concurrency_limit),
            settings,
            schema_hash: HeaderValue::try_from(contract_hash().to_string())
                .expect("digits are a value"),
        }
    }

    async fn answer(&self, request: Request) -> Response {
        let method = request.method().clone();
        if method == Method::OPTIONS {
            return StatusCode::NO_CONTENT
                .with_header(header::ALLOW, METHODS)
                .into_response();
        }
        let accept = text(&request, &header::ACCEPT);
        let response_type = ResponseType::negotiate(&accept);
        let page = method == Method::GET && self.settings.graphiql == Graphiql::On;
        if page && media_type::accepts_html(&accept) && asks_nothing(&request) {
            return pages::graphiql_redirect()
                .with_header(header::VARY, "Accept")
                .into_response();
        }
        let answered = match (method, response_type) {
            (Method::GET | Method::POST, Err(NotAcceptable)) => Err(Refusal::NotAcceptable),
            (Method::GET, Ok(response_type)) => self.get(&request, response_type).await,
            (Method::POST, Ok(response_type)) => self.post(request, response_type).await,
            _ => Err(Refusal::Method),
        };
        let response_type = response_type.unwrap_or(ResponseType::Json);
        answered.unwrap_or_else(|refusal| refusal.into_response(response_type))
    }

    async fn get(
        &self,
        request: &Request,
        response_type: ResponseType,
    ) -> Result<Response, Refusal> {
        let Admitted { scopes, .. } = self.guard.admit(request)?;
        let _seat = self.seat()?;
        let graphql = request::from_parameters(parameters(request))?;
        let (permitted, caching) = (Permitted::Queries.within(scopes), Caching::Revalidated);
        Ok(self.one(graphql, permitted, response_type, caching).await)
    }

    async fn post(
        &self,
        request: Request,
        response_type: ResponseType,
    ) -> Result<Response, Refusal> {
        // Before the body is read: the bodies that are held at once are limited by that too.
        let admitted = self.guard.admit(&request)?;
        let permitted = Permitted::QueriesAndMutations.within(admitted.scopes);
        let _seat = self.seat()?;
        match self.posted(request).await? {
            Posted::One(graphql) => {
                let caching = Caching::Forbidden;
                Ok(self.one(*graphql, permitted, response_type, caching).await)
            }
            Posted::Batch(list) => {
                let (limit, actual) = (self.settings.batch_limit, list.len());
                if actual > limit {
                    return Err(Refusal::BatchTooLong { limit, actual });
                }
                // The first one was counted when the request was let in.
                self.guard.charge(&admitted, actual.saturating_sub(1))?;
                Ok(self.batch(list, permitted, response_type).await)
            }
        }
    }

    async fn one(
        &self,
        graphql: GraphqlRequest,
        permitted: Permitted,
        response_type: ResponseType,
        caching: Caching,
    ) -> Response {
        let started = Instant::now();
        let (answer, told) = self.execute(graphql, permitted).await;
        let mut response = answer::render(answer, response_type, caching).await;
        observe::note(&mut response, vec![told.took(started.elapsed())]);
        response
    }

    async fn batch(
        &self,
        list: Vec<GraphqlRequest>,
        permitted: Permitted,
        response_type: ResponseType,
    ) -> Response {
        let mut answers = Vec::with_capacity(list.len());
        let mut told = Vec::with_capacity(list.len());
        for graphql in list {
            let started = Instant::now();
            // One after the other: a query sees what the mutation before it has stored.
            let (answer, operation) = self.execute(graphql, permitted).await;
            answers.push(answer);
            told.push(operation.took(started.elapsed()));
        }
        let mut response = answer::render_batch(answers, response_type);
        observe::note(&mut response, told);
        response
    }

    fn seat(&self) -> Result<SemaphorePermit<'_>, Refusal> {
        let limit = self.settings.concurrency_limit;
        self.seats
            .try_acquire()
            .map_err(|_| Refusal::Busy { limit })
    }

    /// The answer, and what is told of it to the operator.
    async fn execute(&self, graphql: GraphqlRequest, permitted: Permitted) -> (Answer, Operation) {
        let answer = self.engine.execute(graphql, permitted).await;
        let told = Operation::of(&answer);
        (answer, told)
    }

    async fn posted(&self, mut request: Request) -> Result<Posted, Refusal> {
        if !media_type::is_json(&text(&request, &header::CONTENT_TYPE)) {
            return Err(Refusal::MediaType);
        }
        let encoding = text(&request, &header::CONTENT_ENCODING);
        if !matches!(encoding.trim(), "" | "identity") {
            return Err(Refusal::ContentEncoding);
        }
        let limit = self.settings.body_limit_bytes;
        let announced = text(&request, &header::CONTENT_LENGTH).parse().unwrap_or(0);
        if announced > limit {
            let actual = Some(announced);
            return Err(Refusal::BodyTooLarge { limit, actual });
        }
        let patience = self.settings.read_timeout;
        let body = read_body(request.take_body(), announced, limit);
        let in_time = timeout(patience, body).await;
        let body = in_time.map_err(|_| Refusal::BodyTooSlow { limit: patience })??;
        let batches = match self.settings.batch_limit {
            0 => Batches::Refused,
            _ => Batches::Permitted,
        };
        Ok(request::from_body(&body, batches)?)
    }
}

impl Endpoint for GraphqlEndpoint {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        // Every endpoint around this one holds the future of the next one, and moves it.
        let mut response = Box::pin(self.answer(request)).await;
        let headers = response.headers_mut();
        headers.insert(SCHEMA_HASH, self.schema_hash.clone());
        Ok(response)
    }
}

fn text<'a>(request: &'a Request, name: &HeaderName) -> std::borrow::Cow<'a, str> {
    header_text(request.headers(), name)
}

fn asks_nothing(request: &Request) -> bool {
    let asks = |name: &str| name == "query" || name == "extensions";
    !parameters(request).iter().any(|(name, _)| asks(name))
}

fn parameters(request: &Request) -> Vec<(String, String)> {
    // Any text can be decoded to a list of pairs.
    request.params().unwrap_or_default()
}

/// Never holds more than the limit, whatever was announced or is sent.
async fn read_body(body: Body, announced: usize, limit: usize) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::with_capacity(announced.min(64 * 1024));
    let mut chunks = pin!(body.into_bytes_stream());
    while let Some(chunk) = chunks
        .try_next()
        .await
        .map_err(|_| Refusal::BodyIncomplete)?
    {
        if chunk.len() > limit - bytes.len() {
            let actual = None;
            return Err(Refusal::BodyTooLarge { limit, actual });
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}
