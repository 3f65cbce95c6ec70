//! What is told of what was counted.

use std::{sync::Arc, time::Duration};

use super::{Exposition, Metrics};
use crate::{
    graphql::{ErrorCode, OperationKind, Profile},
    telemetry::Caller,
};

fn profile(kind: OperationKind, name: Option<&str>) -> Profile {
    Profile {
        kind,
        name: name.map(str::to_owned),
        ..Profile::default()
    }
}

fn metrics(operation_limit: usize) -> Arc<Metrics> {
    let deprecated = ["Query.old".to_owned(), "Vehicle.name".to_owned()];
    let metrics = Metrics::new(operation_limit, &deprecated, ["depth-limit"].into_iter());
    Arc::new(metrics)
}

fn text(metrics: &Metrics) -> String {
    metrics.text(Exposition::OpenMetrics)
}

fn answered(metrics: &Metrics, profile: Option<&Profile>, code: Option<ErrorCode>) {
    metrics.answered(profile, Caller::Ios, code, Duration::from_millis(3));
}

fn has(metrics: &Metrics, line: &str) {
    let text = text(metrics);
    assert!(text.lines().any(|told| told == line), "{line}\n{text}");
}

#[test]
fn operations_are_told_apart_by_kind_name_and_code() {
    let metrics = metrics(10);
    answered(&metrics, None, Some(ErrorCode::GraphqlParseFailed));
    answered(&metrics, Some(&profile(OperationKind::Query, None)), None);
    let named = profile(OperationKind::Mutation, Some("Create"));
    answered(&metrics, Some(&named), None);
    answered(&metrics, Some(&named), None);
    answered(&metrics, Some(&named), Some(ErrorCode::InternalServerError));
    // Another document with an operation of the same name.
    answered(
        &metrics,
        Some(&profile(OperationKind::Mutation, Some("Create"))),
        None,
    );
    for (kind, name, code, count) in [
        ("(none)", "(none)", "GRAPHQL_PARSE_FAILED", 1),
        ("query", "(anonymous)", "OK", 1),
        ("mutation", "Create", "OK", 3),
        ("mutation", "Create", "INTERNAL_SERVER_ERROR", 1),
    ] {
        let labels = format!("operation_type=\"{kind}\",operation_name=\"{name}\",code=\"{code}\"");
        has(
            &metrics,
            &format!("catalogue_requests_total{{{labels}}} {count}"),
        );
        let bucket =
            format!("catalogue_request_duration_seconds_bucket{{le=\"0.005\",{labels}}} {count}");
        has(&metrics, &bucket);
    }
}

#[test]
fn only_so_many_names_are_told_apart() {
    let metrics = metrics(5);
    for number in 0..1000 {
        let name = format!("Operation{number}");
        answered(
            &metrics,
            Some(&profile(OperationKind::Query, Some(&name))),
            None,
        );
    }
    let text = text(&metrics);
    let names = text
        .lines()
        .filter(|line| line.starts_with("catalogue_requests_total{"));
    assert_eq!(names.count(), 6, "{text}");
    has(
        &metrics,
        "catalogue_requests_total{operation_type=\"query\",operation_name=\"(other)\",code=\"OK\"} 995",
    );
    // Who came first keeps its place.
    answered(
        &metrics,
        Some(&profile(OperationKind::Query, Some("Operation4"))),
        None,
    );
    has(
        &metrics,
        "catalogue_requests_total{operation_type=\"query\",operation_name=\"Operation4\",code=\"OK\"} 2",
    );
}

#[test]
fn uses_of_deprecated_elements_are_counted_by_kind_of_client() {
    let metrics = metrics(5);
    let profile = Profile {
        deprecated: Box::new([1]),
        ..Profile::default()
    };
    answered(&metrics, Some(&profile), None);
    for (element, caller, uses) in [
        ("Vehicle.name", "IOS", "1.0"),
        ("Vehicle.name", "WEB", "0.0"),
        ("Query.old", "IOS", "0.0"),
    ] {
        let line = format!(
            "catalogue_deprecated_uses_total{{element=\"{element}\",caller=\"{caller}\"}} {uses}"
        );
        has(&metrics, &line);
    }
}

#[test]
fn what_is_in_flight_ends() {
    let metrics = metrics(5);
    let (request, connection) = (metrics.request(), metrics.connection());
    has(&metrics, "catalogue_requests_in_flight 1.0");
    has(&metrics, "catalogue_connections_open 1.0");
    drop((request, connection));
    has(&metrics, "catalogue_requests_in_flight 0.0");
    has(&metrics, "catalogue_connections_open 0.0");
}

#[test]
fn a_limit_that_refuses_is_counted_by_its_name() {
    let metrics = metrics(5);
    has(
        &metrics,
        "catalogue_limits_refused_total{limit=\"depth-limit\"} 0.0",
    );
    metrics.limit_refused("depth-limit");
    has(
        &metrics,
        "catalogue_limits_refused_total{limit=\"depth-limit\"} 1.0",
    );
}
