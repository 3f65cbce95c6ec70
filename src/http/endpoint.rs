//! The GraphQL endpoint: reads a request, lets the engine execute it, answers.

use std::{
    future::{Future, ready},
    pin::pin,
    sync::Arc,
    time::Instant,
};

use async_graphql::Request as GraphqlRequest;
use futures_util::{FutureExt, TryStreamExt, future::Either};
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

    /// Does what can be done before there is anything to wait for.
    fn begin(&self, request: Request, response_type: Negotiated) -> Result<Begun<'_>, Refusal> {
        let method = request.method();
        if *method == Method::OPTIONS {
            let methods = StatusCode::NO_CONTENT.with_header(header::ALLOW, METHODS);
            return Ok(Begun::Answered(methods.into_response()));
        }
        if self.is_asked_for_a_page(&request) {
            let page = pages::graphiql_redirect().with_header(header::VARY, "Accept");
            return Ok(Begun::Answered(page.into_response()));
        }
        match *method {
            Method::GET | Method::POST => response_type.map_err(|_| Refusal::NotAcceptable)?,
            _ => return Err(Refusal::Method),
        };
        // Before the body is read: the bodies that are held at once are limited by that too.
        let admitted = self.guard.admit(&request)?;
        let seat = self.seat()?;
        if *method == Method::GET {
            return Ok(Begun::Get {
                permitted: Permitted::Queries.within(admitted.scopes),
                graphql: request::from_parameters(parameters(&request)).map(Box::new)?,
                seat,
            });
        }
        Ok(Begun::Post {
            permitted: Permitted::QueriesAndMutations.within(admitted.scopes),
            body: self.announced(request)?,
            admitted,
            seat,
        })
    }

    fn is_asked_for_a_page(&self, request: &Request) -> bool {
        *request.method() == Method::GET
            && self.settings.graphiql == Graphiql::On
            && media_type::accepts_html(&text(request, &header::ACCEPT))
            && asks_nothing(request)
    }

    async fn finish(
        &self,
        begun: Begun<'_>,
        response_type: ResponseType,
    ) -> Result<Response, Refusal> {
        match begun {
            Begun::Answered(response) => Ok(response),
            Begun::Get {
                graphql,
                permitted,
                seat: _seat,
            } => {
                let caching = Caching::Revalidated;
                Ok(self.one(*graphql, permitted, response_type, caching).await)
            }
            Begun::Post {
                body,
                admitted,
                permitted,
                seat: _seat,
            } => match self.posted(body).await? {
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
            },
        }
    }

    fn one(
        &self,
        graphql: GraphqlRequest,
        permitted: Permitted,
        response_type: ResponseType,
        caching: Caching,
    ) -> impl Future<Output = Response> + Send {
        let started = Instant::now();
        let executed = self.execute(graphql, permitted);
        executed.then(async move |(answer, told)| {
            let mut response = answer::render(answer, response_type, caching).await;
            observe::note(&mut response, vec![told.took(started.elapsed())]);
            response
        })
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
    fn execute(
        &self,
        graphql: GraphqlRequest,
        permitted: Permitted,
    ) -> impl Future<Output = (Answer, Operation)> + Send {
        let executed = self.engine.execute(graphql, permitted);
        executed.map(|answer| {
            let told = Operation::of(&answer);
            (answer, told)
        })
    }

    /// The body of a request whose headers say that it can be one of GraphQL.
    fn announced(&self, mut request: Request) -> Result<Announced, Refusal> {
        if !media_type::is_json(&text(&request, &header::CONTENT_TYPE)) {
            return Err(Refusal::MediaType);
        }
        let encoding = text(&request, &header::CONTENT_ENCODING);
        if !matches!(encoding.trim(), "" | "identity") {
            return Err(Refusal::ContentEncoding);
        }
        let limit = self.settings.body_limit_bytes;
        let bytes = text(&request, &header::CONTENT_LENGTH).parse().unwrap_or(0);
        if bytes > limit {
            let actual = Some(bytes);
            return Err(Refusal::BodyTooLarge { limit, actual });
        }
        Ok(Announced {
            body: request.take_body(),
            bytes,
        })
    }

    async fn posted(&self, announced: Announced) -> Result<Posted, Refusal> {
        let limit = self.settings.body_limit_bytes;
        let patience = self.settings.read_timeout;
        let in_time = timeout(patience, read_body(announced, limit)).await;
        let body = in_time.map_err(|_| Refusal::BodyTooSlow { limit: patience })??;
        let batches = match self.settings.batch_limit {
            0 => Batches::Refused,
            _ => Batches::Permitted,
        };
        Ok(request::from_body(&body, batches)?)
    }
}

/// What is left to do with a request whose head is read. The rest of the head is not kept: it would
/// lie in the future of the answer all the time.
enum Begun<'e> {
    /// Nothing.
    Answered(Response),
    /// To execute an operation.
    Get {
        graphql: Box<GraphqlRequest>,
        permitted: Permitted,
        seat: SemaphorePermit<'e>,
    },
    /// To read a body and to execute what stands in it.
    Post {
        body: Announced,
        admitted: Admitted,
        permitted: Permitted,
        seat: SemaphorePermit<'e>,
    },
}

/// A body, and how long its client says that it is.
struct Announced {
    body: Body,
    bytes: usize,
}

type Negotiated = Result<ResponseType, NotAcceptable>;

impl Endpoint for GraphqlEndpoint {
    type Output = Response;

    fn call(&self, request: Request) -> impl Future<Output = poem::Result<Response>> + Send {
        let response_type = ResponseType::negotiate(&text(&request, &header::ACCEPT));
        let begun = self.begin(request, response_type);
        let response_type = response_type.unwrap_or(ResponseType::Json);
        let answered = match begun {
            Ok(begun) => Either::Left(self.finish(begun, response_type)),
            Err(refusal) => Either::Right(ready(Err(refusal))),
        };
        answered.map(move |answered| {
            let mut response =
                answered.unwrap_or_else(|refusal| refusal.into_response(response_type));
            let headers = response.headers_mut();
            headers.insert(SCHEMA_HASH, self.schema_hash.clone());
            Ok(response)
        })
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
async fn read_body(announced: Announced, limit: usize) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::with_capacity(announced.bytes.min(64 * 1024));
    let mut chunks = pin!(announced.body.into_bytes_stream());
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
