//! HTTP caching: `Cache-Control`, entity tags, conditional requests and HEAD.

use reqwest::Method;
use serde_json::json;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::{TestApp, http, tests};

tests![
    a_query_by_get_is_cacheable_and_revalidated,
    the_entity_tag_changes_with_the_response,
    post_responses_and_errors_are_not_cacheable,
    the_schema_and_the_limits_are_cacheable_and_revalidated,
    head_returns_the_headers_of_get_without_a_body,
    head_executes_no_mutation,
];

const QUERY: (&str, &str) = ("query", "{ vehicles { id modelCode } }");

async fn a_query_by_get_is_cacheable_and_revalidated(app: TestApp) {
    let response = app.send("GET", app.get_request(&[QUERY])).await;
    assert_eq!(response.header("cache-control"), "no-cache", "{response}");
    assert_eq!(response.headers("vary"), "Accept, Accept-Encoding");
    let tag = response.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.ends_with('"'), "{tag}");
    for entity_tags in [
        tag.clone(),
        format!("W/{tag}"),
        format!("\"x\", {tag}"),
        "*".to_owned(),
    ] {
        let request = app
            .get_request(&[QUERY])
            .header("if-none-match", &entity_tags);
        let response = app.send(&entity_tags, request).await;
        assert_eq!(response.status(), 304, "{response}");
        assert_eq!(response.text(), "", "{response}");
        assert_eq!(response.header("etag"), tag, "{response}");
        assert_eq!(response.header("cache-control"), "no-cache", "{response}");
        assert!(response.headers("vary").contains("Accept"), "{response}");
    }
}

async fn the_entity_tag_changes_with_the_response(app: TestApp) {
    let tag = async |app: &TestApp, accept: &str| {
        let request = app.get_request(&[QUERY]).header("accept", accept);
        app.send("GET", request).await.header("etag").to_owned()
    };
    let json = "application/json";
    let before = tag(&app, json).await;
    assert_eq!(tag(&app, json).await, before);
    assert_ne!(tag(&app, "application/graphql-response+json").await, before);
    app.given_vehicle("XC60").await;
    assert_ne!(tag(&app, json).await, before);
    let request = app.get_request(&[QUERY]).header("if-none-match", &before);
    let response = app.send("GET", request).await;
    assert_eq!(response.data()["vehicles"][0]["modelCode"], json!("XC60"));
}

async fn post_responses_and_errors_are_not_cacheable(app: TestApp) {
    for (label, request) in [
        (
            "a query by POST",
            app.post_request(r#"{"query":"{ __typename }"}"#),
        ),
        (
            "a mutation by GET",
            app.get_request(&[("query", "mutation { __typename }")]),
        ),
        (
            "an invalid query",
            app.get_request(&[("query", "{ nothing }")]),
        ),
        (
            "an error of a field",
            app.get_request(&[("query", "{ vehicle { id } }")]),
        ),
        ("no query", app.get_request(&[])),
    ] {
        let response = app.send(label, request.header("if-none-match", "*")).await;
        assert_ne!(response.status(), 304, "{response}");
        assert_eq!(response.header("cache-control"), "no-store", "{response}");
        assert_eq!(response.header("etag"), "", "{response}");
        assert_eq!(response.header("vary"), "", "{response}");
    }
}

async fn the_schema_and_the_limits_are_cacheable_and_revalidated(app: TestApp) {
    for path in ["/schema.graphql", "/limits"] {
        let response = app.get(path).await;
        assert_eq!(response.header("cache-control"), "no-cache", "{response}");
        let tag = response.header("etag").to_owned();
        let request = app.request(Method::GET, path).header("if-none-match", tag);
        assert_eq!(app.send(path, request).await.status(), 304);
    }
}

async fn head_returns_the_headers_of_get_without_a_body(app: TestApp) {
    for number in 0..40 {
        app.given_vehicle(&format!("XC{number}")).await;
    }
    let query = "/graphql?query=%7Bvehicles%7Bid%20modelCode%7D%7D";
    let refused = "/graphql?query=nonsense";
    let paths = [
        query,
        refused,
        "/graphql",
        "/limits",
        "/schema.graphql",
        "/graphiql",
        "/nowhere",
    ];
    let http_1 = http::client().build().unwrap();
    let http_2 = http::client().http2_prior_knowledge().build().unwrap();
    for (client, path) in [&http_1, &http_2]
        .into_iter()
        .flat_map(|client| paths.map(|path| (client, path)))
    {
        for encoding in ["identity", "gzip"] {
            let request = |method: Method| {
                let request = client.request(method, app.url(path));
                let request = request.header("x-request-id", "same");
                request.header("accept-encoding", encoding)
            };
            let head = request(Method::HEAD).send().await.unwrap();
            let get = request(Method::GET).send().await.unwrap();
            assert_eq!(head.status(), get.status(), "{path}");
            assert!(
                get.headers().contains_key("content-length"),
                "{path}: {get:?}"
            );
            let (mut actual, mut expected) = (head.headers().clone(), get.headers().clone());
            // The second may change between the two requests.
            actual.remove("date");
            expected.remove("date");
            assert_eq!(actual, expected, "{path} {encoding}");
            let content = get.bytes().await.unwrap();
            assert_eq!(
                expected["content-length"],
                content.len().to_string(),
                "{path}"
            );
            assert!(head.bytes().await.unwrap().is_empty());
        }
    }
    let tag = app
        .send(query, app.request(Method::HEAD, query))
        .await
        .header("etag")
        .to_owned();
    assert!(tag.starts_with('"'), "{tag}");
    let request = app
        .request(Method::HEAD, query)
        .header("if-none-match", tag);
    assert_eq!(app.send(query, request).await.status(), 304);

    let mut stream = app.connect().await;
    let head = format!("HEAD {query} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 200 OK"), "{response}");
    assert!(response.ends_with("\r\n\r\n"), "{response}");
    assert_eq!(response.matches("\r\n\r\n").count(), 1, "{response}");
}

async fn head_executes_no_mutation(app: TestApp) {
    let create = r#"mutation { createVehicle(type: "SUV", modelCode: "XC60") { id } }"#;
    let request = app.get_request(&[("query", create)]).build().unwrap();
    let request = app.request(Method::HEAD, "").build().map(|mut head| {
        *head.url_mut() = request.url().clone();
        head
    });
    let client = http::client().build().unwrap();
    let response = client.execute(request.unwrap()).await.unwrap();
    assert_eq!(response.status(), 405);
    assert_eq!(response.headers()["allow"], "POST");
    assert_eq!(app.stored_vehicles().await, 0);
}
