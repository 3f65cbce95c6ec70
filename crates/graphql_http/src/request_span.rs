//! The span of a request, with the attributes of OpenTelemetry's semantic conventions for HTTP and GraphQL.

use poem::{Request, http::Method};
use telemetry::trace::RootSpan;

use super::outcome::OperationReport;
use engine::ErrorCode;

/// The root span of a request, and the attributes that are known before its response.
pub(super) struct RequestSpan {
    root: RootSpan,
    method: Method,
    path: String,
}

impl RequestSpan {
    pub(super) fn begin(root: RootSpan, request: &Request) -> Self {
        Self {
            root,
            method: request.method().clone(),
            path: request.uri().path().to_owned(),
        }
    }

    /// Runs the future inside the span.
    pub(super) fn record<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        self.root.record(future)
    }

    /// Sets the attributes of the response and ends the span. A dropped span counts as failed.
    pub(super) fn end(
        self,
        (request_id_attribute, request_id): (&'static str, &str),
        status: u16,
        operations: &[OperationReport],
    ) {
        let Self {
            mut root,
            method,
            path,
        } = self;
        let is_server_error = |code: &ErrorCode| *code >= ErrorCode::ServiceUnavailable;
        let mut codes = operations.iter().filter_map(OperationReport::code);
        let failed = status >= 500 || codes.clone().any(|code| is_server_error(&code));
        root.record_response(format!("{method} {path}"), failed);
        root.set_text("http.request.method", method.as_str());
        root.set_text("http.route", path);
        root.set_number("http.response.status_code", status.into());
        root.set_text(request_id_attribute, request_id);
        if let Some(code) = codes.next() {
            root.set_text("error.type", code.as_str());
        }
        // A batch has no single operation name.
        if let [operation] = operations {
            if let Some(kind) = operation.kind() {
                root.set_text("graphql.operation.type", kind);
            }
            if let Some(name) = operation.name() {
                root.set_text("graphql.operation.name", name);
            }
        } else if !operations.is_empty() {
            let size = i64::try_from(operations.len()).unwrap_or(i64::MAX);
            root.set_number("graphql.batch.size", size);
        }
    }
}
