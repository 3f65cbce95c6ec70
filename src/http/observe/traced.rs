//! What a trace is told of a request, in the words of OpenTelemetry's semantic conventions for HTTP and GraphQL.

use poem::{Request, Response, http::Method};

use super::{identity::Identity, observed::Observed};
use crate::{
    graphql::ErrorCode,
    trace::{Parent, Root},
};

/// What is known of a request before it is answered.
pub(super) struct Traced {
    root: Root,
    method: Method,
    path: String,
}

impl Traced {
    pub(super) fn begin(root: Root, request: &Request) -> Self {
        Self {
            root,
            method: request.method().clone(),
            path: request.uri().path().to_owned(),
        }
    }

    /// Does the work of the request.
    pub(super) fn record<F: Future>(&self, work: F) -> impl Future<Output = F::Output> + use<F> {
        self.root.record(work)
    }

    /// Says what became of it. What is not answered has failed.
    pub(super) fn end(self, identity: &Identity, response: &Response) {
        let Self {
            mut root,
            method,
            path,
        } = self;
        let status = response.status().as_u16();
        let observed = response.extensions().get::<Observed>();
        let operations = observed.map_or(&[][..], |Observed(operations)| operations);
        let is_grave = |code: &ErrorCode| *code >= ErrorCode::ServiceUnavailable;
        let mut codes = operations.iter().filter_map(|operation| operation.code);
        let failed = status >= 500 || codes.clone().any(|code| is_grave(&code));
        root.answered(format!("{method} {path}"), failed);
        root.tell_text("http.request.method", method.as_str());
        root.tell_text("http.route", path);
        root.tell_number("http.response.status_code", status.into());
        root.tell_text("catalogue.request_id", identity.request_id());
        if let Some(code) = codes.next() {
            root.tell_text("error.type", code.as_str());
        }
        // A list of operations has no single name.
        if let [operation] = operations {
            if let Some(kind) = operation.kind() {
                root.tell_text("graphql.operation.type", kind);
            }
            if let Some(name) = operation.name() {
                root.tell_text("graphql.operation.name", name);
            }
        } else if !operations.is_empty() {
            let many = i64::try_from(operations.len()).unwrap_or(i64::MAX);
            root.tell_number("graphql.batch.size", many);
        }
    }
}

impl Identity {
    /// The span of the caller, if there is one.
    pub(super) fn parent(&self) -> Option<Parent> {
        let mut parts = self.traceparent()?.split('-').skip(1);
        let (trace_id, span_id) = (parts.next()?, parts.next()?);
        let flags = u8::from_str_radix(parts.next()?, 16).ok()?;
        Some(Parent {
            trace_id: u128::from_str_radix(trace_id, 16).ok()?,
            span_id: u64::from_str_radix(span_id, 16).ok()?,
            is_sampled: flags & 1 == 1,
        })
    }
}
