//! Encodes spans as OTLP 1.x JSON.

use serde_json::{Value as Json, json};

use super::{
    recording::{Span, Trace, Value},
    settings::TraceSettings,
};

/// The body of `POST /v1/traces`.
pub(super) fn request(settings: &TraceSettings, traces: &[Trace]) -> Json {
    let spans = traces
        .iter()
        .flat_map(|Trace { id, spans }| spans.iter().map(|recorded| span(*id, recorded)));
    let (name, version) = (settings.service_name, settings.service_version);
    let resource = [
        attribute("service.name", &Value::Text(name.to_owned())),
        attribute("service.version", &Value::Text(version.to_owned())),
    ];
    json!({ "resourceSpans": [{
        "resource": { "attributes": resource },
        "scopeSpans": [{
            "scope": { "name": name, "version": version },
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
        // The JSON mapping of protobuf encodes 64-bit integers as strings.
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

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::trace::recording::Kind;

    #[test]
    fn spans_are_encoded_as_the_json_mapping_of_protobuf() {
        let settings = TraceSettings {
            service_name: "bookshop",
            service_version: "1.2.3",
            ..TraceSettings::test()
        };
        let span = Span {
            id: 0xab,
            parent: Some(1),
            name: Cow::Borrowed("insert"),
            kind: Kind::Client,
            start_ns: 1_700_000_000_000_000_001,
            end_ns: 1_700_000_000_000_000_002,
            attributes: vec![
                ("size", Value::Number(3)),
                ("text", Value::Text("a".to_owned())),
            ],
            failed: true,
        };
        let spans = vec![span];
        let body = request(&settings, &[Trace { id: 7, spans }]);
        let expected = json!({ "resourceSpans": [{
            "resource": { "attributes": [
                { "key": "service.name", "value": { "stringValue": "bookshop" } },
                { "key": "service.version", "value": { "stringValue": "1.2.3" } },
            ] },
            "scopeSpans": [{
                "scope": { "name": "bookshop", "version": "1.2.3" },
                "spans": [{
                    "traceId": "00000000000000000000000000000007",
                    "spanId": "00000000000000ab",
                    "parentSpanId": "0000000000000001",
                    "name": "insert",
                    "kind": 3,
                    "startTimeUnixNano": "1700000000000000001",
                    "endTimeUnixNano": "1700000000000000002",
                    "attributes": [
                        { "key": "size", "value": { "intValue": "3" } },
                        { "key": "text", "value": { "stringValue": "a" } },
                    ],
                    "status": { "code": 2 },
                }],
            }],
        }] });
        assert_eq!(body, expected);
    }
}
