//! Tests of the rendered metrics.

use std::{sync::atomic::AtomicUsize, time::Duration};

use super::{CallSource, Exposition, Metrics, MetricsSettings, Operation, OperationKind};

fn metrics(operation_limit: usize) -> Metrics {
    Metrics::new(MetricsSettings {
        prefix: "shop",
        operation_limit,
        codes: vec!["GRAPHQL_PARSE_FAILED", "INTERNAL_SERVER_ERROR"],
        deprecated: vec!["Query.old".to_owned(), "Book.name".to_owned()],
        limits: vec!["depth-limit"],
    })
}

fn operation<'a>(
    kind: OperationKind,
    name: Option<&'a str>,
    slot: &'a AtomicUsize,
) -> Operation<'a> {
    Operation {
        kind,
        name,
        deprecated: &[],
        slot,
    }
}

fn record(metrics: &Metrics, operation: Option<Operation<'_>>, code: Option<&str>) {
    metrics.record_response(operation, CallSource::Ios, code, Duration::from_millis(3));
}

/// Records a successful query that has no cached slot.
fn record_query(metrics: &Metrics, name: Option<&str>) {
    let slot = AtomicUsize::new(0);
    let query = operation(OperationKind::Query, name, &slot);
    record(metrics, Some(query), None);
}

fn assert_line(metrics: &Metrics, line: &str) {
    let text = metrics.render(Exposition::OpenMetrics);
    assert!(text.lines().any(|actual| actual == line), "{line}\n{text}");
}

#[test]
fn operations_are_counted_by_kind_name_and_code() {
    let metrics = metrics(10);
    record(&metrics, None, Some("GRAPHQL_PARSE_FAILED"));
    record(&metrics, None, Some("UNKNOWN"));
    record_query(&metrics, None);
    let (slot, other_slot) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let named = operation(OperationKind::Mutation, Some("Create"), &slot);
    record(&metrics, Some(named), None);
    record(&metrics, Some(named), None);
    record(&metrics, Some(named), Some("INTERNAL_SERVER_ERROR"));
    // Another document with an operation of the same name.
    let other = operation(OperationKind::Mutation, Some("Create"), &other_slot);
    record(&metrics, Some(other), None);
    for (kind, name, code, count) in [
        ("(none)", "(none)", "GRAPHQL_PARSE_FAILED", 1),
        ("(none)", "(none)", "(other)", 1),
        ("query", "(anonymous)", "OK", 1),
        ("mutation", "Create", "OK", 3),
        ("mutation", "Create", "INTERNAL_SERVER_ERROR", 1),
    ] {
        let labels = format!("operation_type=\"{kind}\",operation_name=\"{name}\",code=\"{code}\"");
        assert_line(
            &metrics,
            &format!("shop_requests_total{{{labels}}} {count}"),
        );
        let bucket =
            format!("shop_request_duration_seconds_bucket{{le=\"0.005\",{labels}}} {count}");
        assert_line(&metrics, &bucket);
    }
}

#[test]
fn names_beyond_the_limit_are_counted_as_other() {
    let metrics = metrics(5);
    for number in 0..1000 {
        record_query(&metrics, Some(&format!("Operation{number}")));
    }
    let text = metrics.render(Exposition::OpenMetrics);
    let names = text
        .lines()
        .filter(|line| line.starts_with("shop_requests_total{"));
    assert_eq!(names.count(), 6, "{text}");
    let labels = |name| format!("operation_type=\"query\",operation_name=\"{name}\",code=\"OK\"");
    let other = labels("(other)");
    assert_line(&metrics, &format!("shop_requests_total{{{other}}} 995"));
    // An earlier name keeps its slot.
    record_query(&metrics, Some("Operation4"));
    let earlier = labels("Operation4");
    assert_line(&metrics, &format!("shop_requests_total{{{earlier}}} 2"));
}

#[test]
fn uses_of_deprecated_elements_are_counted_by_kind_of_client() {
    let metrics = metrics(5);
    let slot = AtomicUsize::new(0);
    let operation = Operation {
        deprecated: &[1],
        ..operation(OperationKind::Query, None, &slot)
    };
    record(&metrics, Some(operation), None);
    for (element, caller, uses) in [
        ("Book.name", "IOS", "1.0"),
        ("Book.name", "WEB", "0.0"),
        ("Query.old", "IOS", "0.0"),
    ] {
        let labels = format!("element=\"{element}\",caller=\"{caller}\"");
        let line = format!("shop_deprecated_uses_total{{{labels}}} {uses}");
        assert_line(&metrics, &line);
    }
}

#[test]
fn in_flight_gauges_decrease_on_drop() {
    let metrics = metrics(5);
    let (request, connection) = (metrics.request_in_flight(), metrics.open_connection());
    assert_line(&metrics, "shop_requests_in_flight 1.0");
    assert_line(&metrics, "shop_connections_open 1.0");
    drop((request, connection));
    assert_line(&metrics, "shop_requests_in_flight 0.0");
    assert_line(&metrics, "shop_connections_open 0.0");
}

#[test]
fn refusals_are_counted_by_limit() {
    let metrics = metrics(5);
    let line = |count| format!("shop_limits_refused_total{{limit=\"depth-limit\"}} {count}");
    assert_line(&metrics, &line("0.0"));
    metrics.record_limit_refused("depth-limit");
    assert_line(&metrics, &line("1.0"));
}
