//! Tracing: the running service exports the spans of its requests to a collector.

mod collector;

testkit::tests![
    the_spans_of_a_request_form_a_tree,
    an_untrusted_client_can_disable_but_not_force_sampling,
    an_unreachable_collector_drops_spans_and_export_resumes_later,
    a_collector_that_redirects_does_not_accept_spans,
    a_hanging_collector_delays_neither_requests_nor_the_shutdown,
];

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use collector::{Collector, Span};
use futures_util::future::join_all;
use testkit::{Running, until};

use crate::support::serve;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";

async fn service(flags: &[&str]) -> Running {
    serve("sqlite:test.db", flags).await
}

/// Sends a query with this `traceparent`; its last two digits are the trace flags.
async fn execute(service: &Running, query: &str, traceparent: Option<&str>) -> Value {
    let url = format!("http://{}/graphql", service.addr);
    let request = service.client.post(url).json(&json!({ "query": query }));
    let request = match traceparent {
        Some(traceparent) => request.header("traceparent", traceparent),
        None => request,
    };
    request.send().await.unwrap().json().await.unwrap()
}

async fn the_spans_of_a_request_form_a_tree() {
    let collector = Collector::start().await;
    let service = service(&[&collector.flag()]).await;
    let traceparent = format!("00-{TRACE}-{CALLER}-01");
    let query = "query Look { one: vehicle(id: \"1\") { id } vehicles(count: 1) { id } }";
    execute(&service, query, Some(&traceparent)).await;
    let create = "mutation { createVehicle(type: \"SUV\", modelCode: \"XC60\") { id } }";
    execute(&service, create, None).await;
    until("both traces are exported", async || collector.spans().len() >= 5).await;
    let spans = collector.spans();
    assert_eq!(spans.len(), 5, "{spans:#?}");
    let (queried, created): (Vec<_>, Vec<_>) = spans.into_iter().partition(|span| span.ids()[0] == TRACE);

    let root = find(&queried, "POST /graphql");
    assert_eq!(root.ids()[2], CALLER);
    assert_eq!(root.0.kind, 2);
    for (key, value) in [
        ("http.request.method", "POST"),
        ("http.route", "/graphql"),
        ("http.response.status_code", "200"),
        ("graphql.operation.type", "query"),
        ("graphql.operation.name", "Look"),
        ("catalogue.request_id", TRACE),
        ("url.scheme", "http"),
        ("url.path", "/graphql"),
    ] {
        assert_eq!(root.attribute(key).as_deref(), Some(value), "{root:?}");
    }
    for name in ["find vehicle", "list vehicles"] {
        let call = find(&queried, name);
        assert_child(root, call);
        assert_eq!(call.0.kind, 3);
    }

    let root = find(&created, "POST /graphql");
    let [trace, _, parent] = root.ids();
    assert_eq!((trace.len(), parent.as_str()), (32, ""), "{root:?}");
    assert_child(root, find(&created, "create vehicles"));
    execute(&service, "{ wheels }", None).await;
    until("the refusal is exported", async || collector.spans().len() == 6).await;
    let refused = collector.spans().remove(5);
    assert_eq!(refused.attribute("error.type").as_deref(), Some("GRAPHQL_VALIDATION_FAILED"));
    assert_eq!(refused.0.status.as_ref().map_or(0, |status| status.code), 0, "the service did what it should");
    let exported = "catalogue_trace_spans_total{result=\"exported\"}";
    until("they are counted", async || (service.metric(exported) - 6.0).abs() < 0.5).await;
}

#[track_caller]
fn find<'s>(spans: &'s [Span], name: &str) -> &'s Span {
    let mut found = spans.iter().filter(|span| span.name() == name);
    let span = found.next().unwrap_or_else(|| panic!("no {name}: {spans:#?}"));
    assert!(found.next().is_none(), "{name}: {spans:#?}");
    span
}

/// Asserts that a span is a child of another and within its times.
#[track_caller]
fn assert_child(parent: &Span, child: &Span) {
    let [trace, id, _] = parent.ids();
    assert_eq!([&child.ids()[0], &child.ids()[2]], [&trace, &id]);
    let ((begin, end), (from, to)) = (parent.times(), child.times());
    assert!(begin <= from && from <= to && to <= end, "{parent:?} {child:?}");
}

/// The names of the operations that were recorded.
fn recorded(collector: &Collector) -> Vec<String> {
    let spans = collector.spans().into_iter();
    let roots = spans.filter(|span| span.name() == "POST /graphql");
    let names = roots.filter_map(|root| root.attribute("graphql.operation.name"));
    names.collect()
}

async fn an_untrusted_client_can_disable_but_not_force_sampling() {
    let collector = Collector::start().await;
    for (sample, flags, expected) in [(0, "01", 0), (250, "01", 10), (1000, "00", 0)] {
        let before = recorded(&collector).len();
        let sample = format!("--trace-sample={sample}");
        // The client of this test is not trusted.
        let trusted = "--trusted-proxies=192.0.2.0/24";
        let mut service = service(&[&collector.flag(), &sample, trusted]).await;
        let traceparent = format!("00-{TRACE}-{CALLER}-{flags}");
        for _ in 0..40 {
            execute(&service, "query Forced { __typename }", Some(&traceparent)).await;
        }
        service.signal("TERM");
        // The service exports queued spans before it exits.
        assert_eq!(service.ended().await.code(), Some(0));
        let exported = recorded(&collector).len() - before;
        assert_eq!(exported, expected, "{sample} {flags}");
    }
}

/// An unreachable collector drops spans and does not affect requests.
async fn an_unreachable_collector_drops_spans_and_export_resumes_later() {
    let collector = Collector::start().await;
    let (addr, flag) = (collector.addr, collector.flag());
    drop(collector);
    let service = service(&[&flag]).await;
    for _ in 0..50 {
        execute(&service, "{ __typename }", None).await;
    }
    service.logged("the trace collector did not accept spans").await;
    let log = service.log();
    assert!(log.contains("Connection refused (os error 111)"), "{log}");
    let dropped = "catalogue_trace_spans_total{result=\"dropped\"}";
    until("all are dropped", async || service.metric(dropped) >= 50.0).await;
    let collector = Collector::start_at(addr).await;
    execute(&service, "{ __typename }", None).await;
    until("the next trace is exported", async || !collector.spans().is_empty()).await;
}

async fn a_collector_that_redirects_does_not_accept_spans() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut vec![0; 64 * 1024]).unwrap();
            let redirect = "HTTP/1.1 307 Temporary Redirect\r\nLocation: /\r\n\
                Content-Length: 0\r\nConnection: close\r\n\r\n";
            stream.write_all(redirect.as_bytes()).unwrap();
            // Closing with unread bytes would reset the connection.
            let _ = stream.read_to_end(&mut Vec::new());
        }
    });
    let service = service(&[&format!("--trace-endpoint=http://{addr}/v1/traces")]).await;
    execute(&service, "{ __typename }", None).await;
    service.logged("status 307").await;
    let spans = |result| service.metric(&format!("catalogue_trace_spans_total{{result=\"{result}\"}}"));
    assert!(spans("exported") < 0.5 && spans("dropped") > 0.5);
}

/// A collector that accepts connections and never responds: an export takes five seconds.
async fn a_hanging_collector_delays_neither_requests_nor_the_shutdown() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let flag = format!("--trace-endpoint=http://{}/v1/traces", silent.local_addr().unwrap());
    let mut service = service(&[&flag]).await;
    let started = Instant::now();
    for _ in 0..10 {
        let requests = (0..32).map(|_| execute(&service, "{ __typename }", None));
        join_all(requests).await;
    }
    let elapsed = started.elapsed();
    assert!(elapsed < Duration::from_secs(30), "{elapsed:?}");
    let dropped = "catalogue_trace_spans_total{result=\"dropped\"}";
    until("spans are dropped", async || service.metric(dropped) > 0.0).await;
    let stopped = Instant::now();
    service.signal("TERM");
    assert_eq!(service.ended().await.code(), Some(0));
    assert!(stopped.elapsed() < Duration::from_secs(20), "{:?}", stopped.elapsed());
}
