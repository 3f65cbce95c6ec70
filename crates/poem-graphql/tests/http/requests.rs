//! GraphQL over HTTP: media types, bodies, URLs, methods and the limits of requests.

use std::{sync::Arc, time::Duration};

use async_graphql_strict::{ErrorCode, Scopes};
use poem::{
    Body, Endpoint, EndpointExt, Request, Response,
    http::{Method, StatusCode},
};
use poem_graphql::{Caller, Check, ConnectionLimits, GraphQLSettings, Observe, Observer, Refusal, Report};
use tokio::{io::AsyncWriteExt, task::yield_now, time::timeout};

use crate::support::{Service, error, graphql, post, read_to_end, text, with};

const TYPENAME: &str = r#"{"query":"{ __typename }"}"#;
const NEW: &str = "application/graphql-response+json";
const JSON: &str = "application/json";

fn endpoint() -> impl Endpoint<Output = Response> {
    graphql(GraphQLSettings::default())
}

async fn send(request: Request) -> Response {
    endpoint().get_response(request).await
}

#[tokio::test]
async fn the_accept_header_selects_the_media_type() {
    for (accept, expected) in [
        ("", JSON),
        ("  ", JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        (JSON, JSON),
        ("Application/JSON ; Charset=\"UTF-8\"", JSON),
        (NEW, NEW),
        ("application/graphql-response+json;charset=utf-8", NEW),
        ("application/graphql-response+json, application/json;q=0.9", NEW),
        ("application/json, application/graphql-response+json", NEW),
        ("application/json, application/graphql-response+json;q=0.999", JSON),
        ("application/graphql-response+json;q=0.5, */*", JSON),
        ("application/graphql-response+json, */*;q=0.1", NEW),
        ("application/json, text/plain, */*", JSON),
        ("application/json;q=0, */*", NEW),
        ("application/*;q=0.2, application/json;q=0.1", NEW),
        ("text/html, application/xml;q=0.9, */*;q=0.8", JSON),
        ("text/html", ""),
        ("application/json;q=0", ""),
        ("*/*;q=0.000", ""),
        ("application/json;q=2", ""),
        ("application/json;q=1.001", ""),
        ("application/json;q=-0.5", ""),
        ("application/json;q=nan", ""),
        ("application/json;q=", ""),
        ("application/json;q=0.33333", JSON),
        ("application/json;charset=iso-8859-1", ""),
        ("*/json", ""),
        ("json", ""),
    ] {
        let response = send(with(post(TYPENAME), "accept", accept)).await;
        if expected.is_empty() {
            assert_eq!(response.status(), StatusCode::NOT_ACCEPTABLE, "{accept}");
            let message = error(response).await["message"].to_string();
            assert!(message.contains(NEW) && message.contains(JSON), "{message}");
        } else {
            assert_eq!(response.status(), StatusCode::OK, "{accept}");
            let content_type = response.content_type().unwrap();
            assert_eq!(content_type, format!("{expected}; charset=utf-8"), "{accept}");
            assert_eq!(response.header("cache-control"), Some("no-store"));
            assert_eq!(text(response).await, r#"{"data":{"__typename":"Query"}}"#);
        }
    }
}

#[tokio::test]
async fn a_body_must_be_json_in_utf_8_and_not_compressed() {
    for (content_type, is_accepted) in [
        (JSON, true),
        ("APPLICATION/JSON;charset=UTF-8", true),
        ("application/json; charset=\"utf-8\"", true),
        ("application/json;", true),
        ("", false),
        ("text/plain", false),
        ("text/plain; application/json", false),
        ("text/plain; x=application/json", false),
        ("application/graphql", false),
        ("multipart/form-data; boundary=x", false),
        ("application/json; charset=utf-16", false),
        ("application/*", false),
        ("application/jsonp", false),
        ("application/cbor", false),
    ] {
        let request = Request::builder().method(Method::POST).content_type(content_type);
        let status = send(request.body(TYPENAME)).await.status();
        assert_eq!(status == StatusCode::OK, is_accepted, "{content_type}");
        assert_eq!(status == StatusCode::UNSUPPORTED_MEDIA_TYPE, !is_accepted);
    }
    let untyped = Request::builder().method(Method::POST).body(TYPENAME);
    assert_eq!(send(untyped).await.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let uncompressed = || with(post(TYPENAME), "content-encoding", "identity");
    assert_eq!(send(uncompressed()).await.status(), StatusCode::OK);
    for request in [post(TYPENAME), uncompressed()] {
        let compressed = send(with(request, "content-encoding", "gzip")).await;
        assert_eq!(compressed.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
        assert_eq!(compressed.header("accept-encoding"), Some("identity"));
    }
}

#[tokio::test]
async fn a_malformed_body_is_refused_with_what_is_wrong() {
    let deep = format!(r#"{{"query":"","variables":{{"v":{}"#, "[".repeat(1000));
    for (body, expected) in [
        ("", "the request body is empty;"),
        (" \n", "the request body is empty;"),
        ("{\"query\":", "JSON: EOF while parsing a value at line 1 column 9"),
        ("{\"query\":\"\\ud800\"}", "JSON: "),
        ("{\"query\":\"{a}\"} x", "JSON: trailing characters"),
        ("{\"query\":\"{a}\",\"query\":\"{b}\"}", "JSON: duplicate field `query`"),
        ("{\"variables\":{\"v\":1e400},\"query\":\"{a}\"}", "JSON: number out of range"),
        (&deep, "JSON: recursion limit exceeded"),
        ("query={a}", "JSON: "),
        ("[{\"query\":\"{a}\"}]", "the request body is a list; send one operation per request"),
        ("[]", "the request body is a list;"),
        ("[", "JSON: "),
        ("\"{a}\"", "the request body must be a JSON object"),
        ("null", "the request body must be a JSON object"),
        ("{}", "`query` is missing;"),
        ("{\"qeury\":\"{a}\"}", "`query` is missing;"),
        ("{\"query\":null}", "`query` is missing;"),
        ("{\"extensions\":{\"persistedQuery\":null}}", "`query` is missing;"),
        ("{\"query\":{}}", "`query` must be a string, not an object"),
        ("{\"query\":18446744073709551616}", "`query` must be a string, not a number"),
        ("{\"query\":\"{a}\",\"operationName\":7}", "`operationName` must be a string, not a number"),
        ("{\"query\":\"{a}\",\"variables\":[7]}", "`variables` must be an object, not a list"),
        ("{\"query\":\"{a}\",\"extensions\":false}", "`extensions` must be an object, not a boolean"),
        ("{\"documentId\":7}", "`documentId` must be a string, not a number"),
    ] {
        let response = send(post(body)).await;
        assert_eq!(response.status(), StatusCode::BAD_REQUEST, "{body}");
        let error = error(response).await;
        let message = error["message"].as_str().unwrap();
        let message = message.replace("the request body cannot be read as JSON: ", "JSON: ");
        assert!(message.starts_with(expected), "{body}: {message}");
        assert_eq!(error["extensions"]["code"], "BAD_REQUEST");
    }
    let mut request = post("");
    request.set_body(b"{\"query\":\"\xff\"}".to_vec());
    let message = error(send(request).await).await["message"].clone();
    assert_eq!(message, "the request body is not UTF-8: byte 10 is wrong");
}

/// Each body has one escape that is not Unicode.
#[tokio::test]
async fn the_position_of_a_json_error_is_that_in_the_body() {
    const WRONG: &str = r"\ud800";
    for body in [
        r#"{"query":"{ __typename }\ud800"}"#,
        r#"{"query":"{ __typename }","variables":{"a":"\ud800"}}"#,
        r#"{"query":"{ __typename }","variables":{"a":[1.5,{"b":"\ud800"}]}}"#,
        r#"{"query":"{ __typename }","extensions":{"e":1.5,"a":"\ud800"}}"#,
        "{\n \"query\":\n\"{ __typename }\",\n  \"variables\":\n {\"a\":\n   \"\\ud800\"}}",
        "{\n \"query\":\"{ __typename }\",\n  \"operationName\": \"\\ud800\"}",
    ] {
        let before = &body[..body.find(WRONG).unwrap()];
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1);
        let message = error(send(post(body)).await).await["message"].to_string();
        let within = |bytes: usize| format!(" at line {line} column {}\"", column + bytes);
        assert!(
            (0..=WRONG.len() + 1).any(|bytes| message.ends_with(&within(bytes))),
            "{body}: {message}, not at {line} column {column}"
        );
    }
}

#[tokio::test]
async fn every_member_of_a_body_is_read() {
    let named = "query A { a: __typename } query B($n: String) { greeting(name: $n) }";
    for (members, expected) in [
        (r#""operationName":"A""#, r#"{"a":"Query"}"#),
        (r#""operationName":"B","variables":{"n":"é🏃"}"#, r#"{"greeting":"hello é🏃"}"#),
        (r#""operationName":"B","variables":null,"extensions":null"#, r#"{"greeting":"hello world"}"#),
        (r#""operationName":"B","variables":{"n":"1","m":18446744073709551616,"n":"2"}"#, r#"{"greeting":"hello 2"}"#),
        (r#""operationName":"A","id":7,"more":[{}]"#, r#"{"a":"Query"}"#),
        (r#""operationName":"A","documentId":null"#, r#"{"a":"Query"}"#),
    ] {
        let response = send(post(&format!(r#"{{"query":"{named}",{members}}}"#))).await;
        assert_eq!(text(response).await, format!(r#"{{"data":{expected}}}"#), "{members}");
    }
    let hash = r#"{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"00"}}}"#;
    for (body, message) in [(r#"{"documentId":"nobody"}"#, "unknown documentId"), (hash, "PersistedQueryNotFound")] {
        let found = error(send(post(body)).await).await["message"].to_string();
        assert!(found.contains(message), "{found}");
    }
}

#[tokio::test]
async fn an_idempotency_key_reaches_resolvers_and_marks_replays() {
    let create = || post(r#"{"query":"mutation { create }"}"#);
    let replayed = send(with(create(), "idempotency-key", "\"a b\"")).await;
    assert_eq!(replayed.header("idempotent-replayed"), Some("true"));
    assert_eq!(text(replayed).await, r#"{"data":{"create":true}}"#);
    let without = send(create()).await;
    assert_eq!(without.header("idempotent-replayed"), None);
    assert_eq!(text(without).await, r#"{"data":{"create":false}}"#);
    let twice = with(with(create(), "idempotency-key", "a"), "idempotency-key", "b");
    let refused = error(send(twice).await).await;
    assert_eq!(refused["extensions"]["code"], "BAD_USER_INPUT");
    let query = send(with(post(TYPENAME), "idempotency-key", "a b")).await;
    assert_eq!(query.status(), StatusCode::OK, "only mutations use it");
}

#[tokio::test]
async fn what_the_caller_may_not_do_is_refused() {
    let may_read = |request: &mut Request| {
        let scopes = Some(Scopes { read: true, write: false });
        request.extensions_mut().insert(Caller { scopes, subject: None });
        Ok(())
    };
    let endpoint = endpoint().with(Check(may_read));
    let created = endpoint.get_response(post(r#"{"query":"mutation { create }"}"#)).await;
    assert_eq!(created.status(), StatusCode::FORBIDDEN);
    let challenge = created.header("www-authenticate").unwrap();
    assert!(challenge.starts_with("Bearer realm=\"graphql\", error=\"insufficient_scope\""), "{challenge}");
    assert_eq!(endpoint.get_response(post(TYPENAME)).await.status(), StatusCode::OK);

    let limited = graphql(GraphQLSettings::default()).admitting(|prepared, request| {
        let code = ErrorCode::LimitExceeded;
        assert_eq!((prepared.is_mutation(), request.uri().path()), (false, "/graphql"));
        Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, code, "too many").into())
    });
    let refused = limited.get_response(post(TYPENAME)).await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(error(refused).await["message"], "too many");
}

#[tokio::test]
async fn bodies_and_executions_have_limits() {
    let limited = Arc::new(graphql(GraphQLSettings {
        body_limit_bytes: 50,
        body_timeout: Duration::from_millis(300),
        concurrency_limit: 1,
        execution_timeout: Duration::from_millis(300),
        ..GraphQLSettings::default()
    }));
    let long = format!(r#"{{"query":"{{ __typename }}{}"}}"#, " ".repeat(50));
    let mut chunked = post("");
    chunked.set_body(Body::from_async_read(std::io::Cursor::new(long.clone())));
    for request in [with(post(&long), "content-length", "77"), post(&long), chunked] {
        let response = limited.get_response(request).await;
        assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
        let extensions = error(response).await["extensions"].clone();
        assert_eq!(extensions["limit"]["name"], "body-limit-bytes");
        assert_eq!(extensions["limit"]["value"], 50);
    }
    let waiting = Arc::clone(&limited);
    let waiting = async move { waiting.get_response(post(r#"{"query":"{ wait }"}"#)).await };
    let waiting = tokio::spawn(waiting);
    yield_now().await;
    let busy = limited.get_response(post(TYPENAME)).await;
    assert_eq!(busy.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(busy.header("retry-after"), Some("1"));
    assert_eq!(error(busy).await["extensions"]["limit"]["name"], "concurrency-limit");
    let timed_out = waiting.await.unwrap();
    assert_eq!(timed_out.status(), StatusCode::OK);
    let timed_out = text(timed_out).await;
    assert!(timed_out.starts_with(r#"{"data":null,"errors":[{"message":"the operation timed out;"#), "{timed_out}");
    assert!(timed_out.contains("SERVICE_UNAVAILABLE"), "{timed_out}");

    let service = Service::start(limited, ConnectionLimits::default()).await;
    let mut unfinished = service.connect().await;
    let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{";
    unfinished.write_all(head.as_bytes()).await.unwrap();
    let response = timeout(Duration::from_secs(5), read_to_end(&mut unfinished)).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 408 "), "{response}");
    assert!(response.contains(r#""limit":{"name":"body-timeout-seconds""#), "{response}");
}

#[tokio::test]
async fn a_refused_request_that_is_not_read_announces_the_end_of_its_connection() {
    let service = Service::start(endpoint(), ConnectionLimits::default()).await;
    let head = |media_type: &str, length: usize| {
        format!("POST / HTTP/1.1\r\nHost: a\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n\r\n")
    };
    for unread in [head(JSON, 20_000_000), head("text/plain", 2) + "{"] {
        let response = service.exchange(&unread).await;
        assert!(response.starts_with("HTTP/1.1 41"), "{response}");
        assert!(response.contains("\r\nconnection: close\r\n"), "{response}");
    }
    let mut kept = service.connect().await;
    let refused = head("text/plain", TYPENAME.len()) + TYPENAME;
    let last = head(JSON, TYPENAME.len()).replace("Host: a", "Host: a\r\nConnection: close") + TYPENAME;
    kept.write_all((refused + &last).as_bytes()).await.unwrap();
    let responses = read_to_end(&mut kept).await;
    assert!(responses.starts_with("HTTP/1.1 415 "), "{responses}");
    assert!(responses.contains("HTTP/1.1 200 "), "{responses}");
}

/// Records the last report.
#[derive(Clone, Default)]
struct LastReport(Arc<std::sync::Mutex<Option<(String, Report)>>>);

impl Observer for LastReport {
    type Record = String;

    fn begin(&self, _: &Request, ids: poem_graphql::Ids) -> String {
        ids.request().to_owned()
    }

    fn end(&self, id: String, _: &Response, report: Option<&Report>) {
        *self.0.lock().unwrap() = report.map(|report| (id, report.clone()));
    }
}

#[tokio::test]
async fn requests_are_observed_with_an_id_and_a_report() {
    let (last, endpoint) = (LastReport::default(), endpoint());
    let endpoint = endpoint.with(poem_graphql::catch_panics()).with(Observe(last.clone()));
    let reported = async |request: Request| {
        let response = endpoint.get_response(request).await;
        let id = response.header("x-request-id").unwrap().to_owned();
        let (recorded, report) = last.0.lock().unwrap().take().unwrap();
        assert_eq!(recorded, id);
        (id, report, response)
    };
    let (_, report, _) = reported(post(r#"{"query":"query A { __typename }"}"#)).await;
    assert_eq!((report.name(), report.code()), (Some("A"), None));
    let (_, report, _) = reported(post(r#"{"query":"{ nothing }"}"#)).await;
    assert_eq!(report.code(), Some(ErrorCode::GraphqlValidationFailed));
    let (_, report, refused) = reported(with(post("[]"), "accept", NEW)).await;
    assert_eq!((report.code(), report.elapsed), (Some(ErrorCode::BadRequest), None));
    assert!(refused.content_type().unwrap().starts_with(NEW));

    let (_, report, panicked) = reported(post(r#"{"query":"{ panic }"}"#)).await;
    assert_eq!(panicked.status(), StatusCode::INTERNAL_SERVER_ERROR);
    let (_, cause) = report.causes().next().unwrap();
    assert_eq!(cause.chain, "panic: canary-4b1c");
    let error = error(panicked).await;
    assert_eq!(error["extensions"]["reference"], cause.reference);
    assert!(!error.to_string().contains("canary"), "{error}");
}
