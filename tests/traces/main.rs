//! Traces: the started program tells a collector where its requests spend their time.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on fails"
)]

mod collector;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../life/running.rs"]
mod running;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use collector::{Collector, Span};
use running::{Running, until};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";

async fn service(flags: &[&str]) -> Running {
    // Another test may have been the first.
    let _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
    Running::start("sqlite:vehicles.db", flags).await
}

/// Sends a request of this trace; the last two digits are its flags.
async fn ask(service: &Running, query: &str, traceparent: Option<&str>) -> Value {
    let url = format!("http://{}/graphql", service.addr);
    let request = service.client.post(url).json(&json!({ "query": query }));
    let request = match traceparent {
        Some(traceparent) => request.header("traceparent", traceparent),
        None => request,
    };
    request.send().await.unwrap().json().await.unwrap()
}

async fn metric(service: &Running, name: &str) -> f64 {
    let url = format!("http://{}/metrics", service.addr);
    let text = service.client.get(url).send().await.unwrap();
    let text = text.text().await.unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap().trim().parse().unwrap()
}

#[tokio::test]
async fn a_request_is_told_in_spans_that_belong_together() {
    let collector = Collector::start().await;
    let service = service(&[&collector.flag()]).await;
    let traceparent = format!("00-{TRACE}-{CALLER}-01");
    let query = "query Look { one: vehicle(id: \"1\") { id } vehicles(count: 1) { id } }";
    ask(&service, query, Some(&traceparent)).await;
    let create = "mutation { createVehicle(type: \"SUV\", modelCode: \"XC60\") { id } }";
    ask(&service, create, None).await;
    until("both are told", async || collector.spans().len() >= 13).await;
    let spans = collector.spans();
    assert_eq!(spans.len(), 13, "{spans:#?}");
    let (looked, created): (Vec<_>, Vec<_>) = spans
        .into_iter()
        .partition(|span| span.text("traceId") == TRACE);

    let root = find(&looked, "POST /graphql");
    assert_eq!(root.text("parentSpanId"), CALLER);
    assert_eq!(root.0["kind"], 2);
    for (key, value) in [
        ("http.request.method", "POST"),
        ("http.route", "/graphql"),
        ("http.response.status_code", "200"),
        ("graphql.operation.type", "query"),
        ("graphql.operation.name", "Look"),
        ("catalogue.request_id", TRACE),
    ] {
        assert_eq!(root.attribute(key), Some(value), "{root:?}");
    }
    child(root, find(&looked, "parse and validate"));
    for (resolver, statement) in [
        ("Query.vehicle", "SELECT vehicle by id"),
        ("Query.vehicles", "SELECT vehicle in order"),
    ] {
        let resolver = find(&looked, resolver);
        child(root, resolver);
        let statement = find(&looked, statement);
        child(resolver, statement);
        assert_eq!(statement.0["kind"], 3);
        assert_eq!(statement.attribute("db.operation.batch.size"), Some("1"));
        let waits = looked.iter().filter(|span| span.name() == "queue");
        let of = |span: &&Span| span.text("parentSpanId") == resolver.text("spanId");
        let wait: Vec<_> = waits.filter(of).collect();
        let [wait] = wait[..] else {
            panic!("{looked:#?}");
        };
        child(resolver, wait);
        assert!(
            wait.times().1 <= statement.times().0,
            "{wait:?} {statement:?}"
        );
    }

    let root = find(&created, "POST /graphql");
    assert!(root.0.get("parentSpanId").is_none(), "{root:?}");
    assert_eq!(root.text("traceId").len(), 32);
    let resolver = find(&created, "Mutation.createVehicle");
    child(root, resolver);
    child(resolver, find(&created, "queue"));
    child(resolver, find(&created, "INSERT vehicle"));
    let exported = "catalogue_trace_spans_total{result=\"exported\"}";
    assert!((metric(&service, exported).await - 13.0).abs() < 0.5);
}

#[track_caller]
fn find<'s>(spans: &'s [Span], name: &str) -> &'s Span {
    let mut found = spans.iter().filter(|span| span.name() == name);
    let span = found
        .next()
        .unwrap_or_else(|| panic!("no {name}: {spans:#?}"));
    assert!(found.next().is_none(), "{name}: {spans:#?}");
    span
}

/// That a span is part of another.
#[track_caller]
fn child(parent: &Span, child: &Span) {
    assert_eq!(child.text("traceId"), parent.text("traceId"));
    assert_eq!(child.text("parentSpanId"), parent.text("spanId"));
    let ((begin, end), (from, to)) = (parent.times(), child.times());
    assert!(
        begin <= from && from <= to && to <= end,
        "{parent:?} {child:?}"
    );
}

/// Requests whose statements are shared are told of them each.
#[tokio::test]
async fn a_shared_statement_is_a_span_of_each_request() {
    let collector = Collector::start().await;
    let service = service(&[&collector.flag()]).await;
    ask(&service, "{ __typename }", None).await;
    let aliases: String = (0..20).fold(String::new(), |text, id| {
        format!("{text} v{id}: vehicle(id: \"{id}\") {{ id }}")
    });
    ask(&service, &format!("{{{aliases} }}"), None).await;
    until("they are told", async || {
        collector.spans().len() >= 2 + 2 + 3 * 19
    })
    .await;
    let spans = collector.spans();
    let statements: Vec<_> = spans
        .iter()
        .filter(|span| span.name() == "SELECT vehicle by id")
        .collect();
    // An id of zero is that of no vehicle, and not looked for.
    assert_eq!(statements.len(), 19, "{spans:#?}");
    let sizes = statements
        .iter()
        .filter_map(|span| span.attribute("db.operation.batch.size"));
    assert!(
        sizes.map(|size| size.parse().unwrap()).max() > Some(1),
        "{statements:#?}"
    );
}

#[tokio::test]
async fn whoever_asks_decides_what_is_recorded_and_else_the_setting() {
    let collector = Collector::start().await;
    let service = service(&[&collector.flag(), "--trace-sample=250"]).await;
    ask(
        &service,
        "{ __typename }",
        Some(&format!("00-{TRACE}-{CALLER}-00")),
    )
    .await;
    for _ in 0..40 {
        ask(&service, "{ __typename }", None).await;
    }
    ask(
        &service,
        "query Last { __typename }",
        Some(&format!("00-{TRACE}-{CALLER}-01")),
    )
    .await;
    let roots = || {
        let spans = collector.spans().into_iter();
        spans
            .filter(|span| span.name() == "POST /graphql")
            .collect::<Vec<_>>()
    };
    until("they are told", async || roots().len() >= 11).await;
    let ours = roots()
        .iter()
        .filter(|span| span.text("traceId") == TRACE)
        .count();
    assert_eq!((roots().len(), ours), (11, 1));
    // Together, not each alone.
    assert!(collector.requests() < 11, "{}", collector.requests());
}

#[tokio::test]
async fn a_failed_request_says_so() {
    let collector = Collector::start().await;
    let service = service(&[&collector.flag(), "--batch-limit=5"]).await;
    ask(&service, "{ wheels }", None).await;
    let url = format!("http://{}/graphql", service.addr);
    let list = json!([{ "query": "{ __typename }" }, { "query": "{ __typename }" }]);
    service.client.post(url).json(&list).send().await.unwrap();
    let roots = || {
        let spans = collector.spans().into_iter();
        spans
            .filter(|span| span.name() == "POST /graphql")
            .collect::<Vec<_>>()
    };
    until("they are told", async || roots().len() >= 2).await;
    let roots = roots();
    assert_eq!(
        roots[0].attribute("error.type"),
        Some("GRAPHQL_VALIDATION_FAILED")
    );
    assert!(
        roots[0].0.get("status").is_none(),
        "the service did what it should"
    );
    assert_eq!(roots[1].attribute("graphql.batch.size"), Some("2"));
    assert_eq!(roots[1].attribute("error.type"), None);
}

/// A collector that is away costs spans, and no request anything.
#[tokio::test]
async fn without_its_collector_the_service_drops_spans_and_goes_on() {
    let collector = Collector::start().await;
    let (addr, flag) = (collector.addr, collector.flag());
    drop(collector);
    let service = service(&[&flag]).await;
    for _ in 0..50 {
        ask(&service, "{ __typename }", None).await;
    }
    service
        .logged("the collector of traces does not take spans")
        .await;
    let dropped = "catalogue_trace_spans_total{result=\"dropped\"}";
    until("all are dropped", async || {
        metric(&service, dropped).await >= 100.0
    })
    .await;
    let collector = Collector::start_at(addr).await;
    ask(&service, "{ __typename }", None).await;
    until("the next is told", async || !collector.spans().is_empty()).await;
    service
        .logged("the collector of traces takes spans again")
        .await;
}

/// A collector that takes connections and says nothing.
#[tokio::test]
async fn a_collector_that_hangs_holds_up_nobody_and_memory_is_bounded() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let flag = format!(
        "--trace-endpoint=http://{}/v1/traces",
        silent.local_addr().unwrap()
    );
    let mut service = service(&[&flag]).await;
    let started = Instant::now();
    for _ in 0..80 {
        let asked = (0..32).map(|_| ask(&service, "{ __typename }", None));
        futures_util::future::join_all(asked).await;
    }
    // More wait than there is room for.
    let dropped = "catalogue_trace_spans_total{result=\"dropped\"}";
    assert!(
        metric(&service, dropped).await > 0.0,
        "after {:?}",
        started.elapsed()
    );
    let stopped = Instant::now();
    service.signal("TERM");
    assert_eq!(service.ended().await.code(), Some(0));
    assert!(
        stopped.elapsed() < Duration::from_secs(20),
        "{:?}",
        stopped.elapsed()
    );
}

#[tokio::test]
async fn what_was_recorded_last_is_told_before_the_service_ends() {
    let collector = Collector::start().await;
    let mut service = service(&[&collector.flag()]).await;
    ask(&service, "query Last { __typename }", None).await;
    service.signal("TERM");
    assert_eq!(service.ended().await.code(), Some(0));
    let spans = collector.spans();
    let last = spans
        .iter()
        .find(|span| span.attribute("graphql.operation.name") == Some("Last"));
    assert!(last.is_some(), "{spans:#?}");
}

#[tokio::test]
async fn without_the_setting_nothing_is_sent() {
    let collector = Collector::start().await;
    let mut service = service(&[]).await;
    ask(
        &service,
        "{ __typename }",
        Some(&format!("00-{TRACE}-{CALLER}-01")),
    )
    .await;
    service.signal("TERM");
    assert_eq!(service.ended().await.code(), Some(0));
    assert_eq!(collector.requests(), 0);
}
