//! HTTP caching and HEAD.

use reqwest::Method;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::{TestApp, http, tests};

tests![
    no_graphql_response_is_cacheable,
    head_is_answered_like_get_without_content,
    the_schema_and_graphiql_are_revalidated,
];

async fn no_graphql_response_is_cacheable(app: TestApp) {
    for (label, request) in [
        ("a query by POST", app.post_request(r#"{"query":"{ __typename }"}"#)),
        ("a query by GET", app.get_request(&[("query", "{ __typename }")])),
        ("an invalid query", app.get_request(&[("query", "{ nothing }")])),
        ("no query", app.get_request(&[])),
    ] {
        let response = app.send(label, request).await;
        assert_eq!(response.header("cache-control"), "no-store", "{response}");
        assert_eq!(response.header("vary"), "", "{response}");
    }
}

async fn the_schema_and_graphiql_are_revalidated(app: TestApp) {
    for path in ["/schema.graphql", "/graphiql"] {
        let request = app.request(Method::GET, path);
        let request = request.header("accept-encoding", "gzip, br");
        let response = app.send(path, request).await;
        assert_eq!(response.header("cache-control"), "no-cache", "{response}");
        assert_eq!(response.header("vary"), "Accept-Encoding", "{response}");
        assert_eq!(response.header("content-encoding"), "br", "{path}");
    }
}

async fn head_is_answered_like_get_without_content(app: TestApp) {
    let query = "/graphql?query=%7B__typename%7D";
    let paths = [query, "/graphql", "/schema.graphql", "/nowhere"];
    let http_1 = http::client().build().unwrap();
    let http_2 = http::client().http2_prior_knowledge().build().unwrap();
    for client in [&http_1, &http_2] {
        for path in paths {
            let request = |method: Method| client.request(method, app.url(path)).send();
            let head = request(Method::HEAD).await.unwrap();
            let get = request(Method::GET).await.unwrap();
            assert_eq!(head.status(), get.status(), "{path}");
            for name in ["content-type", "cache-control", "schema-hash"] {
                let (head, get) = (head.headers().get(name), get.headers().get(name));
                assert_eq!(head, get, "{path} {name}");
            }
            assert!(head.bytes().await.unwrap().is_empty(), "{path}");
        }
    }
    let mut stream = app.connect().await;
    let head = format!("HEAD {query} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 200 OK"), "{response}");
    assert!(response.ends_with("\r\n\r\n"), "{response}");
    assert_eq!(response.matches("\r\n\r\n").count(), 1, "{response}");
}
