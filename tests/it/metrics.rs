//! The metrics: what moves when, and that everything that `operate/` names is there.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::{Value, json};

use crate::support::{Backend, TestApp, tests};

tests![
    requests_are_counted_by_kind_name_and_code,
    names_of_operations_beyond_the_limit_count_as_one,
    names_of_documents_that_are_not_valid_are_not_counted,
    a_limit_that_refuses_is_counted,
    documents_and_persisted_queries_are_counted,
    connections_to_the_database_are_counted,
    errors_of_the_database_are_counted,
    reading_the_metrics_is_not_counted,
    the_format_is_the_one_that_is_asked_for,
    everything_that_operate_names_is_there,
];

/// The values of a metric by its labels, as they are written.
async fn values(app: &TestApp, metric: &str) -> Vec<(String, f64)> {
    let answer = app.get("/metrics").await;
    assert_eq!(answer.status(), 200, "{answer}");
    let samples = answer.text().lines().filter_map(|line| {
        let rest = line.strip_prefix(metric)?;
        let (labels, value) = rest.rsplit_once(' ')?;
        (labels.is_empty() || labels.starts_with('{'))
            .then(|| (labels.to_owned(), value.parse().unwrap()))
    });
    samples.collect()
}

/// The sum of the values that have all these words in their labels.
async fn value(app: &TestApp, metric: &str, words: &[&str]) -> f64 {
    let values = values(app, metric).await.into_iter();
    values
        .filter(|(labels, _)| words.iter().all(|word| labels.contains(word)))
        .fold(0.0, |sum, (_, value)| sum + value)
}

#[track_caller]
fn is(actual: f64, expected: f64) {
    assert!((actual - expected).abs() < 1e-9, "{actual}, not {expected}");
}

async fn requests_are_counted_by_kind_name_and_code(app: TestApp) {
    for _ in 0..3 {
        app.ask("query Hello { __typename }", json!({})).await;
    }
    app.ask("{ vehicle { id } }", json!({})).await;
    app.ask("nonsense", json!({})).await;
    app.create_vehicle(json!({ "type": "SUV", "modelCode": "XC60" }))
        .await;
    for (words, expected) in [
        ([r#""query""#, r#""Hello""#, r#""OK""#], 3.0),
        (
            [r#""query""#, r#""(anonymous)""#, r#""BAD_USER_INPUT""#],
            1.0,
        ),
        (
            [r#""(none)""#, r#""(none)""#, r#""GRAPHQL_PARSE_FAILED""#],
            1.0,
        ),
        ([r#""mutation""#, r#""(anonymous)""#, r#""OK""#], 1.0),
    ] {
        is(
            value(&app, "catalogue_requests_total", &words).await,
            expected,
        );
        let count = "catalogue_request_duration_seconds_count";
        is(value(&app, count, &words).await, expected);
    }
    assert!(value(&app, "catalogue_request_duration_seconds_sum", &["Hello"]).await > 0.0);
    is(value(&app, "catalogue_requests_in_flight", &[]).await, 0.0);
}

async fn names_of_operations_beyond_the_limit_count_as_one(app: TestApp) {
    let app = app.restart_with(&["--metrics-operation-limit=10"]).await;
    for number in 0..1000 {
        let document = format!("query Operation{number} {{ __typename }}");
        app.ask(&document, json!({})).await;
    }
    assert_eq!(values(&app, "catalogue_requests_total").await.len(), 11);
    let other = [r#"operation_name="(other)""#];
    is(value(&app, "catalogue_requests_total", &other).await, 990.0);
}

async fn names_of_documents_that_are_not_valid_are_not_counted(app: TestApp) {
    app.ask("query Unknown { wheels }", json!({})).await;
    let body = json!({ "query": "{ __typename }", "operationName": "Missing" });
    app.post(body.to_string()).await;
    for name in ["Unknown", "Missing"] {
        is(value(&app, "catalogue_requests_total", &[name]).await, 0.0);
    }
    let none = [r#"operation_name="(none)""#];
    is(value(&app, "catalogue_requests_total", &none).await, 2.0);
}

async fn a_limit_that_refuses_is_counted(app: TestApp) {
    let app = app
        .restart_with(&["--alias-limit=0", "--body-limit-bytes=1024"])
        .await;
    let refused = "catalogue_limits_refused_total";
    for limit in ["alias-limit", "body-limit-bytes", "url-limit-bytes"] {
        is(value(&app, refused, &[limit]).await, 0.0);
    }
    app.ask("{ a: __typename }", json!({})).await;
    app.post(" ".repeat(2000)).await;
    app.get(&format!("/graphql?query={}", "x".repeat(9000)))
        .await;
    for limit in ["alias-limit", "body-limit-bytes", "url-limit-bytes"] {
        is(value(&app, refused, &[limit]).await, 1.0);
    }
    is(
        value(&app, "catalogue_requests_total", &["LIMIT_EXCEEDED"]).await,
        3.0,
    );
}

async fn documents_and_persisted_queries_are_counted(app: TestApp) {
    for _ in 0..3 {
        app.ask("{ __typename }", json!({})).await;
    }
    is(
        value(&app, "catalogue_document_cache_misses_total", &[]).await,
        1.0,
    );
    is(
        value(&app, "catalogue_document_cache_hits_total", &[]).await,
        2.0,
    );
    is(
        value(&app, "catalogue_document_cache_documents", &[]).await,
        1.0,
    );
    is(
        value(&app, "catalogue_document_cache_text_bytes", &[]).await,
        14.0,
    );
    let hash = "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38";
    let extensions = json!({ "persistedQuery": { "version": 1, "sha256Hash": hash } });
    for query in [None, Some("{__typename}"), None] {
        let body = json!({ "query": query, "extensions": extensions });
        app.post(body.to_string()).await;
    }
    let lookups = "catalogue_persisted_query_lookups_total";
    is(value(&app, lookups, &["not_found"]).await, 1.0);
    is(value(&app, lookups, &[r#""found""#]).await, 1.0);
    is(
        value(&app, "catalogue_persisted_queries_registered", &[]).await,
        1.0,
    );
}

async fn connections_to_the_database_are_counted(app: TestApp) {
    app.given_vehicle("XC60").await;
    let pool = match app.backend {
        Backend::Sqlite => "writer",
        _ => "shared",
    };
    let connections = value(&app, "catalogue_pool_connections", &[pool]).await;
    assert!(connections >= 1.0, "{connections}");
    let limit = value(&app, "catalogue_pool_connections_limit", &[pool]).await;
    is(limit, if pool == "writer" { 1.0 } else { 4.0 });
    is(value(&app, "catalogue_pool_waiting", &[]).await, 0.0);
    is(value(&app, "catalogue_ready", &[]).await, 1.0);
}

async fn errors_of_the_database_are_counted(app: TestApp) {
    let errors = "catalogue_database_errors_total";
    is(value(&app, errors, &[]).await, 0.0);
    let stranger = app.stranger().await;
    let rename = "ALTER TABLE vehicle RENAME TO elsewhere";
    sea_orm::ConnectionTrait::execute_unprepared(&stranger, rename)
        .await
        .unwrap();
    app.vehicle("1").await;
    is(value(&app, errors, &["unexpected"]).await, 1.0);
    is(
        value(&app, "catalogue_requests_total", &["INTERNAL_SERVER_ERROR"]).await,
        1.0,
    );
}

async fn reading_the_metrics_is_not_counted(app: TestApp) {
    for _ in 0..3 {
        app.get("/metrics").await;
        app.get("/limits").await;
    }
    assert!(values(&app, "catalogue_requests_total").await.is_empty());
}

async fn the_format_is_the_one_that_is_asked_for(app: TestApp) {
    let answer = app.get("/metrics").await;
    let plain = "text/plain; version=0.0.4; charset=utf-8";
    assert_eq!(answer.header("content-type"), plain);
    assert!(
        answer
            .text()
            .contains("# TYPE catalogue_requests_total counter\n")
    );
    let request = app.request(reqwest::Method::GET, "/metrics");
    let request = request.header("accept", "application/openmetrics-text;version=1.0.0");
    let answer = app.send("OpenMetrics", request).await;
    assert!(
        answer
            .header("content-type")
            .starts_with("application/openmetrics-text")
    );
    assert!(
        answer
            .text()
            .contains("# TYPE catalogue_requests counter\n")
    );
    assert!(answer.text().ends_with("# EOF\n"), "{answer}");
}

async fn everything_that_operate_names_is_there(app: TestApp) {
    app.given_vehicle("XC60").await;
    app.ask("nonsense", json!({})).await;
    let answer = app.get("/metrics").await;
    let told: BTreeSet<String> = answer.text().lines().filter_map(family).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("operate");
    let text = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
    let dashboard = text("dashboard.json");
    serde_json::from_str::<Value>(&dashboard).expect("the dashboard is JSON");
    for (file, text) in [
        ("dashboard.json", dashboard),
        ("alerts.yml", text("alerts.yml")),
        ("README.md", text("README.md")),
        ("troubleshooting.md", text("troubleshooting.md")),
    ] {
        let named = named_metrics(&text);
        assert!(named.len() > 5, "{file}: {named:?}");
        let missing: Vec<_> = named.difference(&told).collect();
        assert!(missing.is_empty(), "{file} names {missing:?}\n{answer}");
    }
    let readme = text("README.md");
    for metric in told {
        let row = format!("| `{metric}` | ");
        assert!(readme.contains(&row), "operate/README.md has no row {row}");
    }
}

/// The name in a line that says what a metric is.
fn family(line: &str) -> Option<String> {
    let name = line.strip_prefix("# TYPE ")?;
    name.split(' ').next().map(str::to_owned)
}

/// Every name of a metric in a text, without the endings that a histogram has.
fn named_metrics(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
    let metrics =
        words.filter(|word| word.starts_with("catalogue_") || word.starts_with("process_"));
    let endings = ["_bucket", "_sum", "_count"];
    metrics
        .map(|name| {
            let mut endings = endings.iter();
            let bare = endings.find_map(|ending| name.strip_suffix(ending));
            bare.unwrap_or(name).to_owned()
        })
        .collect()
}
