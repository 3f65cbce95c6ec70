//! A middleware that sees each request and its response: their id, and what the program records of them.
//!
//! `poem::middleware::RequestId` accepts any text of a client, which would end in the log, and adds no id to errors.

use std::sync::{
    LazyLock,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use futures_util::FutureExt;
use poem::{
    Endpoint, Middleware, Request, Response,
    http::{HeaderMap, HeaderName, HeaderValue, header},
};
use tracing::{Instrument, Span};
use uuid::Uuid;

use crate::response::{self, IsRefusal, Report};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// Maximum length of an id from a client.
const MAX_CHARACTERS: usize = 128;

/// Records requests, for example as log lines, metrics and spans.
pub trait Observer: Clone + Send + Sync + 'static {
    /// What is known of a request in flight. It is dropped without a response if the client disconnects.
    type Record: Send;

    /// A request begins.
    fn begin(&self, request: &Request, ids: Ids) -> Self::Record;

    /// The span in which the request is handled.
    fn span(&self, _record: &Self::Record) -> Span {
        Span::none()
    }

    /// Whether responses announce that their connections will be closed.
    fn is_draining(&self) -> bool {
        false
    }

    /// A request has a response; the report is that of an operation or a refusal.
    fn end(&self, record: Self::Record, response: &Response, report: Option<&Report>);
}

/// The ids of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ids {
    /// That of the client, else of its trace, else a new one: printable ASCII characters.
    pub request: HeaderValue,
    /// The parent of the request, from `traceparent`.
    pub parent: Option<TraceParent>,
}

/// A span of the client, from its `traceparent` (W3C Trace Context, section 3.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceParent {
    /// 32 hexadecimal digits, not all zero.
    pub trace_id: String,
    /// Not zero.
    pub span_id: u64,
    /// Whether the client records the trace.
    pub is_sampled: bool,
}

impl Ids {
    fn of(headers: &HeaderMap) -> Self {
        let parent = TraceParent::of(headers);
        let given = headers.get(REQUEST_ID).filter(|id| is_valid(id)).cloned();
        let of_trace = || HeaderValue::from_str(&parent.as_ref()?.trace_id).ok();
        let request = given.or_else(of_trace).unwrap_or_else(new_id);
        Self { request, parent }
    }

    /// The id of the request as text.
    pub fn request(&self) -> &str {
        self.request.to_str().unwrap_or_default()
    }
}

/// Gives each request and its response an id, in the header `X-Request-Id`, and refusals the media type that their client
/// prefers; the observer records both. It is the last middleware, which a request passes first.
#[derive(Clone)]
pub struct Observe<O>(pub O);

impl<O: Observer, E: Endpoint> Middleware<E> for Observe<O> {
    type Output = ObserveEndpoint<O, E>;

    fn transform(&self, endpoint: E) -> Self::Output {
        ObserveEndpoint(self.0.clone(), endpoint)
    }
}

/// The endpoint of [`Observe`].
pub struct ObserveEndpoint<O, E>(O, E);

impl<O: Observer, E: Endpoint> Endpoint for ObserveEndpoint<O, E> {
    type Output = Response;

    fn call(&self, request: Request) -> impl Future<Output = poem::Result<Response>> + Send {
        let (ids, version) = (Ids::of(request.headers()), request.version());
        let id = ids.request.clone();
        let accept = request.headers().get(header::ACCEPT).cloned();
        let record = self.0.begin(&request, ids);
        let span = self.0.span(&record);
        response::response(&self.1, request).instrument(span).map(move |mut response| {
            if response.data::<IsRefusal>().is_some() {
                let accept = accept.as_ref().and_then(|accept| accept.to_str().ok());
                response::negotiate(&mut response, accept.unwrap_or_default());
            }
            response.headers_mut().insert(REQUEST_ID, id);
            if self.0.is_draining() {
                response::announce_close(&mut response, version);
            }
            self.0.end(record, &response, response.data::<Report>());
            Ok(response)
        })
    }
}

/// Whether an id is safe in headers and log lines.
fn is_valid(id: &HeaderValue) -> bool {
    let id = id.as_bytes();
    (1..=MAX_CHARACTERS).contains(&id.len()) && id.iter().all(u8::is_ascii_graphic)
}

/// A unique id. It is not secret, so one random number per process is enough.
fn new_id() -> HeaderValue {
    static PROCESS: LazyLock<u64> = LazyLock::new(|| Uuid::new_v4().as_u64_pair().1);
    static REQUESTS: AtomicU64 = AtomicU64::new(0);
    let request = REQUESTS.fetch_add(1, Relaxed);
    let id = Uuid::from_u64_pair(*PROCESS, request).simple().to_string();
    HeaderValue::try_from(id).expect("digits are valid in a header")
}

impl TraceParent {
    /// Of several lines none counts. Later versions may add parts.
    fn of(headers: &HeaderMap) -> Option<Self> {
        let mut lines = headers.get_all(TRACEPARENT).iter();
        let line = lines.next().filter(|_| lines.next().is_none())?;
        let parts: Vec<_> = line.to_str().ok()?.split('-').collect();
        let (&[version, trace, span, flags], more) = parts.split_first_chunk()?;
        let number = |part: &str, digits: usize| {
            let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
            let is_valid = part.len() == digits && part.bytes().all(is_digit);
            u128::from_str_radix(part, 16).ok().filter(|_| is_valid)
        };
        number(version, 2).filter(|version| *version < 255 && (*version > 0 || more.is_empty()))?;
        number(trace, 32).filter(|id| *id != 0)?;
        Some(Self {
            trace_id: trace.to_owned(),
            span_id: u64::try_from(number(span, 16)?).ok().filter(|id| *id != 0)?,
            is_sampled: number(flags, 2)? & 1 == 1,
        })
    }
}
