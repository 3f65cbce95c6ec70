//! Spans in the words of OTLP 1.x, as JSON.

use serde_json::{Value as Json, json};

use super::recording::{Span, Value};

/// A request of `POST /v1/traces`.
pub(super) fn request<'a>(traces: impl Iterator<Item = (u128, &'a [Span])>) -> Json {
    let spans = traces.flat_map(|(trace_id, spans)| spans.iter().map(move |it| span(trace_id, it)));
    let version = env!("CARGO_PKG_VERSION");
    let name = Value::Text(env!("CARGO_PKG_NAME").to_owned());
    let resource = [
        attribute("service.name", &name),
        attribute("service.version", &Value::Text(version.to_owned())),
    ];
    json!({ "resourceSpans": [{
        "resource": { "attributes": resource },
        "scopeSpans": [{
            "scope": { "name": env!("CARGO_PKG_NAME"), "version": version },
            "spans": spans.collect::<Vec<_>>(),
        }],
    }] })
}

fn span(trace_id: u128, span: &Span) -> Json {
    let attributes = span.attributes.iter();
    let attributes: Vec<Json> = attributes
        .map(|(name, value)| attribute(name, value))
        .collect();
    let mut json = json!({
        "traceId": format!("{trace_id:032x}"),
        "spanId": id(span.id),
        "name": span.name,
        "kind": span.kind as u8,
        // 64 bits are texts in the JSON of protobuf.
        "startTimeUnixNano": span.start_ns.to_string(),
        "endTimeUnixNano": span.end_ns.to_string(),
        "attributes": attributes,
    });
    if let Some(parent) = span.parent {
        json["parentSpanId"] = id(parent).into();
    }
    if span.failed {
        json["status"] = json!({ "code": 2 });
    }
    json
}

fn id(id: u64) -> String {
    format!("{id:016x}")
}

fn attribute(name: &str, value: &Value) -> Json {
    let value = match value {
        Value::Text(text) => json!({ "stringValue": text }),
        Value::Number(number) => json!({ "intValue": number.to_string() }),
    };
    json!({ "key": name, "value": value })
}
