//! A middleware for the bodies of responses: compressed as `Accept-Encoding` permits (RFC 9110, section 12.5.3), in chunks,
//! within memory, none for HEAD, and with the security headers for browsers that display them.
//!
//! `poem::middleware::Compression` compresses what is small, what is compressed already and what is no text, adds no
//! `Vary`, prefers a coding with the quality 0, and never chooses zstd, because it reads `zsdt`. Its codecs are used, and
//! run to the end at once, because one that waits for its client takes megabytes.

use std::{
    convert::Infallible,
    io,
    pin::Pin,
    sync::LazyLock,
    task::{Context, Poll},
    thread::available_parallelism,
};

use futures_util::FutureExt;
use http_body_util::{BodyExt, combinators::BoxBody};
use hyper::body::{Body as _, Bytes, Frame, SizeHint};
use poem::{
    Body, Endpoint, IntoResponse, Middleware, Request, Response,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, uri::Scheme},
    web::{Compress, CompressionAlgo, CompressionLevel},
};
use tokio::{
    runtime::Handle,
    sync::{OwnedSemaphorePermit, Semaphore},
    task::spawn_blocking,
};

use crate::{
    budget::{Budget, LARGE_BYTES},
    media_type::{self, is_text},
    refusal::Refusal,
    response::response,
};

/// Memory of the large bodies that clients have not read.
const UNREAD_BYTES: usize = 64 * 1024 * 1024;

/// hyper copies what it takes of a body for HTTP/1, since poem hides vectored writes from it, and takes a further chunk
/// when less than 400 KiB of its copies are unsent.
const CHUNK_BYTES: usize = 64 * 1024;

/// Bodies of this size are compressed on a blocking thread, since they would delay other requests.
const BLOCKING_BYTES: usize = 64 * 1024;

/// One permit for each processor: more concurrent compressions would only use more memory.
static BLOCKING_PERMITS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(available_parallelism().map_or(1, Into::into)));

/// The codings in descending preference, with levels at which each takes about the same time.
const CODINGS: [(&str, CompressionAlgo, i32); 3] =
    [("zstd", CompressionAlgo::ZSTD, 3), ("br", CompressionAlgo::BR, 4), ("gzip", CompressionAlgo::GZIP, 5)];

/// The headers of what a browser displays.
const PAGE_HEADERS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
];

/// HTTP Strict Transport Security for a year.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Compresses texts of a minimum size, sends bodies in chunks, and bounds the memory of those that clients do not read.
///
/// Adds headers that restrict what a browser does with a response it displays, `Content-Security-Policy` and others, unless
/// the response has them, and with TLS `Strict-Transport-Security`.
#[derive(Clone)]
pub struct ResponseBodies {
    threshold_bytes: u64,
    unread: Budget,
}

impl ResponseBodies {
    /// Compresses texts of this size.
    pub fn compressed_above(threshold_bytes: u64) -> Self {
        let unread = Budget::new(UNREAD_BYTES);
        Self { threshold_bytes, unread }
    }

    async fn finish(&self, mut response: Response, accepted: &str) -> poem::Result<Response> {
        let body = BoxBody::from(response.take_body());
        let size = body.size_hint().exact().unwrap_or(0);
        // Caches store it, and must not mix its codings.
        let is_stored = response.header(header::CACHE_CONTROL) != Some("no-store");
        let is_compressed = size >= self.threshold_bytes;
        let mut coding = is_compressed.then(|| negotiate(accepted)).flatten();
        if (coding.is_some() || is_stored) && !is_compressible(&response) {
            coding = None;
        } else if is_stored {
            let vary = HeaderValue::from_static("Accept-Encoding");
            response.headers_mut().append(header::VARY, vary);
        }
        if coding.is_none() && size < LARGE_BYTES as u64 {
            response.set_body(body);
            return Ok(response);
        }
        let content = body.collect().await.map_err(unreadable)?;
        let mut content = content.to_bytes();
        // Shared content is in memory once, however many responses share it.
        let is_shared = !content.is_unique();
        let reserve = || self.unread.reserve(content.len()).ok_or_else(unread);
        let reservation = if is_shared { None } else { Some(reserve()?) };
        if let Some(coding) = coding {
            content = compress(content, coding).await.map_err(unreadable)?;
            let headers = response.headers_mut();
            headers.remove(header::CONTENT_LENGTH);
            let name = HeaderValue::from_static(CODINGS[coding].0);
            headers.insert(header::CONTENT_ENCODING, name);
        }
        response.set_body(chunks(content, reservation));
        Ok(response)
    }
}

impl<E: Endpoint> Middleware<E> for ResponseBodies {
    type Output = ResponseBodiesEndpoint<E>;

    fn transform(&self, endpoint: E) -> Self::Output {
        ResponseBodiesEndpoint(self.clone(), endpoint)
    }
}

/// The endpoint of [`ResponseBodies`].
pub struct ResponseBodiesEndpoint<E>(ResponseBodies, E);

impl<E: Endpoint> Endpoint for ResponseBodiesEndpoint<E> {
    type Output = Response;

    fn call(&self, request: Request) -> impl Future<Output = poem::Result<Response>> + Send {
        let (is_head, is_post) = (request.method() == Method::HEAD, request.method() == Method::POST);
        let is_https = *request.scheme() == Scheme::HTTPS;
        let accepted = request.headers().get(header::ACCEPT_ENCODING).cloned();
        response(&self.1, request).then(move |mut response| async move {
            // Browsers display responses to GET, and to POST requests that a form can send. No form can send a valid GraphQL
            // request.
            if !is_post || !response.is_success() {
                add_page_headers(response.headers_mut());
            }
            if is_https {
                response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, HSTS);
            }
            let accepted = accepted.as_ref().and_then(|accepted| accepted.to_str().ok());
            let mut response = self.0.finish(response, accepted.unwrap_or_default()).await?;
            if is_head {
                // hyper would send the content in HTTP/2.
                response.set_body(());
            }
            Ok(response)
        })
    }
}

fn add_page_headers(headers: &mut HeaderMap) {
    for (name, value) in PAGE_HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

fn unread() -> poem::Error {
    let message = "too many large responses that clients have not read; request less or retry later; \
                   if the operation was a mutation, its outcome is unknown: check before retrying";
    let refusal = Refusal::busy(message);
    refusal.with_limit("unread-response-bytes", UNREAD_BYTES as u64, None).into()
}

#[expect(clippy::needless_pass_by_value, reason = "it maps errors")]
fn unreadable(error: io::Error) -> StatusCode {
    tracing::error!(%error, "cannot read the content of a response");
    StatusCode::INTERNAL_SERVER_ERROR
}

/// Content in chunks, which hold the reservation.
fn chunks(content: Bytes, reservation: Option<OwnedSemaphorePermit>) -> Body {
    struct Reserved {
        content: Bytes,
        _permit: OwnedSemaphorePermit,
    }
    impl AsRef<[u8]> for Reserved {
        fn as_ref(&self) -> &[u8] {
            &self.content
        }
    }
    let content = match reservation {
        None => content,
        Some(permit) => Bytes::from_owner(Reserved { content, _permit: permit }),
    };
    BoxBody::new(Chunks(content).map_err(|never| match never {})).into()
}

struct Chunks(Bytes);

impl hyper::body::Body for Chunks {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let size = self.0.len().min(CHUNK_BYTES);
        let chunk = (size > 0).then(|| self.0.split_to(size));
        Poll::Ready(chunk.map(|chunk| Ok(Frame::data(chunk))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.len() as u64)
    }
}

async fn compress(content: Bytes, coding: usize) -> io::Result<Bytes> {
    let (_, algorithm, level) = CODINGS[coding];
    let size = content.len();
    let compress = async move {
        let compress = Compress::new(content, algorithm);
        let compress = compress.with_quality(CompressionLevel::Precise(level));
        let compressed = compress.into_response().into_body().into_bytes().await;
        compressed.map_err(io::Error::other)
    };
    if size < BLOCKING_BYTES {
        return compress.await;
    }
    let permit = BLOCKING_PERMITS.acquire().await;
    let permit = permit.expect("the semaphore is never closed");
    let runtime = Handle::current();
    let compressed = spawn_blocking(move || {
        // Held to the end, although a client that disconnects drops the future before it.
        let _permit = permit;
        runtime.block_on(compress)
    });
    compressed.await?
}

/// Whether a response is a text without a coding.
fn is_compressible(response: &Response) -> bool {
    let headers = response.headers();
    response.status() == StatusCode::OK
        && !headers.contains_key(header::CONTENT_ENCODING)
        && response.content_type().is_some_and(is_text)
}

/// Chooses a coding by the value of `Accept-Encoding`: the first one that is listed, unless its quality is 0. Qualities are
/// preferences that a server may ignore, and `*` requests no coding in particular.
fn negotiate(accepted: &str) -> Option<usize> {
    let is_acceptable = |coding: &str| {
        let mut elements = accepted.split(',').map(|element| element.split_once(';').unwrap_or((element, "")));
        elements.any(|(name, parameters)| {
            let quality = media_type::quality(parameters).unwrap_or(0.0);
            name.trim().eq_ignore_ascii_case(coding) && quality > 0.0
        })
    };
    CODINGS.iter().position(|(name, ..)| is_acceptable(name))
}
