//! A middleware that checks requests before an endpoint gets them, and a check of heads.

use std::future::ready;

use async_graphql_strict::ErrorCode;
use futures_util::future::Either;
use poem::{Endpoint, Middleware, Request, http::StatusCode};

use crate::refusal::Refusal;

/// Calls a function with each request, whose error is the response. `poem::EndpointExt::before` moves the request through a
/// future.
#[derive(Clone, Copy)]
pub struct Check<F>(pub F);

impl<F, E> Middleware<E> for Check<F>
where
    F: Fn(&mut Request) -> poem::Result<()> + Clone + Send + Sync,
    E: Endpoint,
{
    type Output = CheckEndpoint<F, E>;

    fn transform(&self, endpoint: E) -> Self::Output {
        CheckEndpoint(self.0.clone(), endpoint)
    }
}

/// The endpoint of [`Check`].
pub struct CheckEndpoint<F, E>(F, E);

impl<F, E> Endpoint for CheckEndpoint<F, E>
where
    F: Fn(&mut Request) -> poem::Result<()> + Send + Sync,
    E: Endpoint,
{
    type Output = E::Output;

    fn call(&self, mut request: Request) -> impl Future<Output = poem::Result<E::Output>> + Send {
        match self.0(&mut request) {
            Ok(()) => Either::Left(self.1.call(request)),
            Err(error) => Either::Right(ready(Err(error))),
        }
    }
}

/// Maximum number of header lines: that of hyper for HTTP/1, which has none for HTTP/2.
const MAX_LINES: usize = 100;

/// Refuses a request with many header lines, or whose path and query have more bytes than this.
pub fn check_head(request: &Request, url_limit_bytes: usize) -> poem::Result<()> {
    let lines = request.headers().len();
    if lines > MAX_LINES {
        let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
        let message = format!("the request has {lines} header lines, more than the maximum of {MAX_LINES}");
        return Err(Refusal::bad_request(status, message).into());
    }
    let url = request.uri().path_and_query();
    let (name, actual) = ("url-limit-bytes", url.map_or(0, |url| url.as_str().len()));
    if actual > url_limit_bytes {
        let message = format!("the URL exceeds {name} ({actual}, limit {url_limit_bytes}); send the request with POST");
        let refusal = Refusal::new(StatusCode::URI_TOO_LONG, ErrorCode::LimitExceeded, message);
        return Err(refusal.with_limit(name, url_limit_bytes as u64, Some(actual as u64)).into());
    }
    Ok(())
}
