//! The GraphQL endpoint: reads a request, lets the engine execute it, answers.

use std::{borrow::Cow, pin::pin, sync::Arc};

use async_graphql::Request as GraphqlRequest;
use futures_util::TryStreamExt;
use poem::{
    Body, Endpoint, IntoResponse, Request, Response,
    http::{HeaderName, Method, header},
};

use super::{
    Limits, answer,
    media_type::{self, NotAcceptable, ResponseType},
    pages,
    refusal::Refusal,
    request,
};
use crate::graphql::{Engine, Permitted};

/// The endpoint at `/graphql`.
pub(super) struct GraphqlEndpoint {
    engine: Arc<Engine>,
    limits: Limits,
}

impl GraphqlEndpoint {
    pub(super) fn new(engine: Arc<Engine>, limits: Limits) -> Self {
        Self { engine, limits }
    }

    async fn answer(&self, mut request: Request) -> Response {
        let accept = header_text(&request, &header::ACCEPT);
        let response_type = ResponseType::negotiate(&accept);
        let browser = media_type::accepts_html(&accept);
        let read = match (request.method(), response_type) {
            (&Method::GET, _) if browser && asks_nothing(&request) => {
                return pages::graphiql_redirect()
                    .with_header(header::VARY, "Accept")
                    .into_response();
            }
            (&Method::GET | &Method::POST, Err(NotAcceptable)) => Err(Refusal::NotAcceptable),
            (&Method::GET, Ok(_)) => from_url(&request),
            (&Method::POST, Ok(_)) => from_body(&mut request, self.limits).await,
            _ => Err(Refusal::Method),
        };
        let response_type = response_type.unwrap_or(ResponseType::Json);
        match read {
            Ok((graphql, permitted)) => {
                answer::render(self.engine.execute(graphql, permitted).await, response_type)
            }
            Err(refusal) => refusal.into_response(response_type),
        }
    }
}

impl Endpoint for GraphqlEndpoint {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        Ok(self.answer(request).await)
    }
}

fn asks_nothing(request: &Request) -> bool {
    !parameters(request).iter().any(|(name, _)| name == "query")
}

fn from_url(request: &Request) -> Result<(GraphqlRequest, Permitted), Refusal> {
    Ok((
        request::from_parameters(parameters(request))?,
        Permitted::Queries,
    ))
}

fn parameters(request: &Request) -> Vec<(String, String)> {
    // Any text can be decoded to a list of pairs.
    request.params().unwrap_or_default()
}

async fn from_body(
    request: &mut Request,
    limits: Limits,
) -> Result<(GraphqlRequest, Permitted), Refusal> {
    if !media_type::is_json(&header_text(request, &header::CONTENT_TYPE)) {
        return Err(Refusal::MediaType);
    }
    let encoding = header_text(request, &header::CONTENT_ENCODING);
    if !matches!(encoding.trim(), "" | "identity") {
        return Err(Refusal::ContentEncoding);
    }
    let announced = header_text(request, &header::CONTENT_LENGTH)
        .parse()
        .unwrap_or(0);
    if announced > limits.body_bytes {
        return Err(Refusal::BodyTooLarge(limits.body_bytes));
    }
    let body = read_body(request.take_body(), announced, limits.body_bytes).await?;
    Ok((request::from_body(&body)?, Permitted::QueriesAndMutations))
}

/// Never holds more than the limit, whatever was announced or is sent.
async fn read_body(body: Body, announced: usize, limit: usize) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::with_capacity(announced.min(limit).min(64 * 1024));
    let mut chunks = pin!(body.into_bytes_stream());
    while let Some(chunk) = chunks
        .try_next()
        .await
        .map_err(|_| Refusal::BodyIncomplete)?
    {
        if chunk.len() > limit - bytes.len() {
            return Err(Refusal::BodyTooLarge(limit));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// All lines of a header as one. A line that is not text says nothing that could be understood.
fn header_text<'a>(request: &'a Request, name: &HeaderName) -> Cow<'a, str> {
    let mut lines = request
        .headers()
        .get_all(name)
        .iter()
        .map(|line| line.to_str().unwrap_or("?"));
    let first = lines.next().unwrap_or_default();
    lines.fold(Cow::Borrowed(first), |text, line| {
        Cow::Owned(format!("{text},{line}"))
    })
}
