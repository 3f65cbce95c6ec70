//! `/metrics`: what each metric counts, and that every metric named in `docs/` and `deploy/` exists.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::{Value, json};

use crate::support::{TestApp, tests};

tests![
    requests_are_counted_by_type_name_and_code,
    operation_names_beyond_the_limit_share_a_label,
    refusals_are_counted_by_limit,
    cached_documents_and_persisted_queries_are_counted,
    metrics_are_exposed_as_open_metrics,
    every_metric_in_docs_and_deploy_exists,
];

/// The samples of a metric with their labels as exported.
pub(super) async fn values(app: &TestApp, metric: &str) -> Vec<(String, f64)> {
    let response = app.get("/metrics").await;
    assert_eq!(response.status(), 200, "{response}");
    let samples = response.text().lines().filter_map(|line| {
        let sample = line.strip_prefix(metric)?;
        let (labels, value) = sample.rsplit_once(' ')?;
        (labels.is_empty() || labels.starts_with('{')).then(|| (labels.to_owned(), value.parse().unwrap()))
    });
    samples.collect()
}

/// The sum of the samples whose labels contain all these texts.
async fn value(app: &TestApp, metric: &str, label_values: &[&str]) -> f64 {
    let values = values(app, metric).await.into_iter();
    values
        .filter(|(labels, _)| label_values.iter().all(|label_value| labels.contains(label_value)))
        .fold(0.0, |sum, (_, value)| sum + value)
}

#[track_caller]
pub(super) fn assert_equals(actual: f64, expected: f64) {
    assert!((actual - expected).abs() < 1e-9, "{actual}, not {expected}");
}

async fn requests_are_counted_by_type_name_and_code(app: TestApp) {
    for _ in 0..3 {
        app.query("query Hello { __typename }", json!({})).await;
    }
    app.query("{ vehicle { id } }", json!({})).await;
    app.query("nonsense", json!({})).await;
    app.create_vehicle(json!({ "type": "SUV", "modelCode": "XC60" })).await;
    for (label_values, expected) in [
        ([r#""query""#, r#""Hello""#, r#""OK""#], 3.0),
        ([r#""query""#, r#""(anonymous)""#, r#""BAD_USER_INPUT""#], 1.0),
        ([r#""(none)""#, r#""(none)""#, r#""GRAPHQL_PARSE_FAILED""#], 1.0),
        ([r#""mutation""#, r#""(anonymous)""#, r#""OK""#], 1.0),
    ] {
        assert_equals(value(&app, "catalogue_requests_total", &label_values).await, expected);
        let count = "catalogue_request_duration_seconds_count";
        assert_equals(value(&app, count, &label_values).await, expected);
    }
    assert!(value(&app, "catalogue_request_duration_seconds_sum", &["Hello"]).await > 0.0);
    assert_equals(value(&app, "catalogue_requests_in_flight", &[]).await, 0.0);
}

async fn operation_names_beyond_the_limit_share_a_label(app: TestApp) {
    for number in 0..150 {
        let document = format!("query Operation{number} {{ __typename }}");
        app.query(&document, json!({})).await;
    }
    assert_eq!(values(&app, "catalogue_requests_total").await.len(), 101);
    let other = [r#"operation_name="(other)""#];
    assert_equals(value(&app, "catalogue_requests_total", &other).await, 50.0);
}

async fn refusals_are_counted_by_limit(app: TestApp) {
    let app = app.restart_with(&["--body-limit-bytes=1024"]).await;
    let refused = "catalogue_limits_refused_total";
    for limit in ["alias-limit", "body-limit-bytes", "url-limit-bytes"] {
        assert_equals(value(&app, refused, &[limit]).await, 0.0);
    }
    let aliases = (0..101).fold(String::new(), |text, n| format!("{text}a{n}: id "));
    let document = format!("{{ vehicles {{ {aliases} }} }}");
    app.get_request(&[("query", &document)]).send().await.unwrap();
    app.post(" ".repeat(2000)).await;
    app.get(&format!("/graphql?query={}", "x".repeat(9000))).await;
    for limit in ["alias-limit", "body-limit-bytes", "url-limit-bytes"] {
        assert_equals(value(&app, refused, &[limit]).await, 1.0);
    }
    assert_equals(value(&app, "catalogue_requests_total", &["LIMIT_EXCEEDED"]).await, 3.0);
}

async fn cached_documents_and_persisted_queries_are_counted(app: TestApp) {
    for _ in 0..3 {
        app.query("{ __typename }", json!({})).await;
    }
    assert_equals(value(&app, "catalogue_document_cache_misses_total", &[]).await, 1.0);
    assert_equals(value(&app, "catalogue_document_cache_hits_total", &[]).await, 2.0);
    assert_equals(value(&app, "catalogue_document_cache_documents", &[]).await, 1.0);
    let hash = "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38";
    let extensions = json!({ "persistedQuery": { "version": 1, "sha256Hash": hash } });
    for query in [None, Some("{__typename}"), None] {
        let body = json!({ "query": query, "extensions": extensions });
        app.post(body.to_string()).await;
    }
    assert_equals(value(&app, "catalogue_persisted_queries_registered", &[]).await, 1.0);
}

async fn metrics_are_exposed_as_open_metrics(app: TestApp) {
    let response = app.get("/metrics").await;
    let media_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    assert_eq!(response.header("content-type"), media_type);
    assert!(response.text().ends_with("# EOF\n"), "{response}");
}

async fn every_metric_in_docs_and_deploy_exists(app: TestApp) {
    app.given_vehicle("XC60").await;
    app.query("nonsense", json!({})).await;
    app.get(&format!("/graphql?query={}", "x".repeat(9000))).await;
    let response = app.get("/metrics").await;
    let mut exported: BTreeSet<String> = response.text().lines().filter_map(metric_name).collect();
    // Only with TLS, and with a collector of traces.
    exported.extend(
        ["certificate_not_after_seconds", "certificate_reload_failures_total", "trace_spans_total"]
            .map(|name| format!("catalogue_{name}")),
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = |file: &str| fs::read_to_string(root.join(file)).unwrap();
    let dashboard = text("deploy/dashboard.json");
    serde_json::from_str::<Value>(&dashboard).expect("the dashboard is JSON");
    for (file, text) in [
        ("dashboard.json", dashboard),
        ("alerts.yml", text("deploy/alerts.yml")),
        ("operations.md", text("docs/operations.md")),
        ("troubleshooting.md", text("docs/troubleshooting.md")),
    ] {
        let named = named_metrics(&text);
        assert!(named.len() > 5, "{file}: {named:?}");
        let missing: Vec<_> = named.difference(&exported).collect();
        assert!(missing.is_empty(), "{file} names {missing:?}\n{response}");
    }
    let reference = text("docs/operations.md");
    for metric in exported {
        let row = format!("| `{metric}` | ");
        assert!(reference.contains(&row), "docs/operations.md has no row {row}");
    }
}

/// The metric name in a `# TYPE` line, with the suffix of its samples.
fn metric_name(line: &str) -> Option<String> {
    let (name, kind) = line.strip_prefix("# TYPE ")?.split_once(' ')?;
    let suffix = match kind {
        "counter" => "_total",
        "info" => "_info",
        _ => "",
    };
    Some(format!("{name}{suffix}"))
}

/// Every metric name in a text, without the suffixes of histogram series.
fn named_metrics(text: &str) -> BTreeSet<String> {
    let tokens = text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
    let metrics = tokens.filter(|token| token.starts_with("catalogue_") || token.starts_with("process_"));
    let suffixes = ["_bucket", "_sum", "_count"];
    metrics
        .map(|name| {
            let mut suffixes = suffixes.iter();
            let bare = suffixes.find_map(|suffix| name.strip_suffix(suffix));
            bare.unwrap_or(name).to_owned()
        })
        .collect()
}
