//! The id of a request: that of its client, else of its trace, else a new one. Every response has it.
//!
//! `poem::middleware::RequestId` accepts any text of a client, which would end in the log, and adds no id to errors.

use std::sync::{
    Arc, LazyLock,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use poem::{
    Request, Response,
    http::{HeaderName, HeaderValue},
};
use uuid::Uuid;

use super::{
    middleware::{Changed, EarlyResponse, Hooks, hooks},
    trace_context::TraceContext,
};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Maximum length of an id from a client.
const MAX_CHARACTERS: usize = 128;

/// The id and the trace of a request. Endpoints find it in the data of the request.
pub(super) struct RequestContext {
    id: HeaderValue,
    pub(super) trace: Option<TraceContext>,
}

impl RequestContext {
    fn of(request: &Request) -> Self {
        let trace = TraceContext::of(request.headers());
        let given = request.headers().get(REQUEST_ID);
        let given = given.filter(|id| is_valid(id)).cloned();
        let of_trace = || HeaderValue::from_str(&trace.as_ref()?.trace_id).ok();
        let id = given.or_else(of_trace).unwrap_or_else(new_id);
        Self { id, trace }
    }

    /// The id as text.
    pub(super) fn id(&self) -> &str {
        self.id.to_str().unwrap_or_default()
    }

    pub(super) fn trace_id(&self) -> Option<&str> {
        self.trace.as_ref().map(|trace| &*trace.trace_id)
    }
}

/// The context of a request, or a new one without the middleware [`RequestIds`].
pub(super) fn context(request: &Request) -> Arc<RequestContext> {
    let known = request.data::<Arc<RequestContext>>();
    known.map_or_else(|| Arc::new(RequestContext::of(request)), Arc::clone)
}

/// A middleware that gives each request and its response an id, in the header `X-Request-Id`.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestIds;

hooks!(RequestIds);

impl Hooks for RequestIds {
    type Context = Arc<RequestContext>;

    fn before(&self, request: &mut Request) -> Result<Arc<RequestContext>, EarlyResponse<'_>> {
        let context = Arc::new(RequestContext::of(request));
        request.set_data(Arc::clone(&context));
        Ok(context)
    }

    fn after(&self, context: Arc<RequestContext>, mut response: Response) -> Changed<'_> {
        let id = context.id.clone();
        response.headers_mut().insert(REQUEST_ID, id);
        response.into()
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
