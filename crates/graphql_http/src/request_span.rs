//! The span of a request, with the attributes of OpenTelemetry's semantic conventions for HTTP and GraphQL.

use poem::http::Method;
use telemetry::trace::RootSpan;

use super::{metadata::GRAPHQL, outcome::OperationReport};
use engine::ErrorCode;

/// Sets the attributes of the response and ends the span. A dropped span counts as failed.
pub(super) fn end(
    mut root: RootSpan,
    method: &Method,
    (request_id_attribute, request_id): (&'static str, &str),
    status: u16,
    operations: &[OperationReport],
) {
    let is_server_error = |code: &ErrorCode| *code >= ErrorCode::ServiceUnavailable;
    let mut codes = operations.iter().filter_map(OperationReport::code);
    let failed = status >= 500 || codes.clone().any(|code| is_server_error(&code));
    // Clients choose other methods freely.
    let (method, name) = match method.as_str() {
        known @ ("GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "CONNECT" | "OPTIONS" | "TRACE"
        | "PATCH") => (known, known),
        _ => ("_OTHER", "HTTP"),
    };
    root.record_response(format!("{name} {GRAPHQL}"), failed);
    root.set_text("http.request.method", method);
    root.set_text("http.route", GRAPHQL);
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
