//! The GraphQL endpoint: reads a request, lets the engine execute it, answers.

use std::sync::Arc;

use async_graphql::Request as GraphqlRequest;
use futures_util::{StreamExt, TryStreamExt};
use poem::{
    Body, Endpoint, IntoResponse, Request, Response,
    http::{HeaderName, Method, header},
};

use super::{
    Limits, answer,
    media_type::{self, ResponseType},
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
        if is_a_browser_looking(&request, &accept) {
            return pages::graphiql_redirect().into_response();
        }
        let Ok(response_type) = ResponseType::negotiate(&accept) else {
            return Refusal::NotAcceptable.into_response(ResponseType::Json);
        };
        let read = match *request.method() {
            Method::GET => from_url(&request).map(|graphql| (graphql, Permitted::Queries)),
            Method::POST => from_body(&mut request, self.limits)
                .await
                .map(|graphql| (graphql, Permitted::QueriesAndMutations)),
            _ => Err(Refusal::Method),
        };
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

fn is_a_browser_looking(request: &Request, accept: &str) -> bool {
    request.method() == Method::GET
        && request.uri().query().is_none()
        && media_type::accepts_html(accept)
}

fn from_url(request: &Request) -> Result<GraphqlRequest, Refusal> {
    let parameters: Vec<(String, String)> = request.params().unwrap_or_default();
    Ok(request::from_parameters(parameters)?)
}

async fn from_body(request: &mut Request, limits: Limits) -> Result<GraphqlRequest, Refusal> {
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
    Ok(request::from_body(&body)?)
}

/// Never holds more than the limit, whatever was announced or is sent.
async fn read_body(body: Body, announced: usize, limit: usize) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::with_capacity(announced.min(limit).min(64 * 1024));
    let mut chunks = body.into_bytes_stream().boxed();
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
fn header_text(request: &Request, name: &HeaderName) -> String {
    let lines = request.headers().get_all(name).iter();
    let texts: Vec<&str> = lines.map(|line| line.to_str().unwrap_or("?")).collect();
    texts.join(",")
}
