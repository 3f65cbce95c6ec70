//! Protection against web pages: CORS and security headers.

use reqwest::{Method, RequestBuilder};

use crate::support::{Response, TestApp, tests};

tests![
    cors_is_denied_by_default,
    cors_permits_the_configured_origins,
    cors_for_any_origin_permits_no_credentials,
    every_get_response_has_security_headers,
    a_json_response_to_post_has_no_headers_of_a_page,
];

const ORIGIN: &str = "https://a.example";

/// The CORS preflight request for a JSON body.
fn preflight(app: &TestApp, origin: &str) -> RequestBuilder {
    app.request(Method::OPTIONS, "/graphql")
        .header("origin", origin)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type,authorization")
}

fn assert_not_permitted(response: &Response) {
    for name in ["origin", "methods", "headers", "credentials"] {
        let header = format!("access-control-allow-{name}");
        assert_eq!(response.header(&header), "", "{header}: {response}");
    }
}

async fn cors_is_denied_by_default(app: TestApp) {
    let response = app.send("preflight", preflight(&app, ORIGIN)).await;
    assert_not_permitted(&response);
    assert_eq!(response.header("allow"), "GET, HEAD, POST, OPTIONS", "{response}");
    let request = app.post_request(r#"{"query":"{ __typename }"}"#).header("origin", ORIGIN);
    assert_not_permitted(&app.send("POST", request).await);
}

async fn cors_permits_the_configured_origins(app: TestApp) {
    let app = app.restart_with(&["--cors-origins=https://a.example,http://localhost:3000"]).await;
    for origin in [ORIGIN, "http://localhost:3000"] {
        let response = app.send("preflight", preflight(&app, origin)).await;
        assert_eq!(response.status(), 204, "{response}");
        for (header, expected) in [
            ("access-control-allow-origin", origin),
            ("access-control-allow-credentials", "true"),
            ("access-control-allow-methods", "GET, POST"),
            ("access-control-allow-headers", "content-type,authorization"),
            ("access-control-max-age", "7200"),
        ] {
            assert_eq!(response.header(header), expected, "{header}: {response}");
        }
        for body in [r#"{"query":"{ __typename }"}"#, "nonsense"] {
            let response = app.send(body, app.post_request(body).header("origin", origin)).await;
            assert_eq!(response.header("access-control-allow-origin"), origin, "{response}");
            assert!(response.headers("vary").contains("Origin"), "{response}");
        }
    }
    for origin in ["https://b.example", "https://a.example:444", "http://a.example", "null"] {
        assert_not_permitted(&app.send(origin, preflight(&app, origin)).await);
        let request = app.post_request(r#"{"query":"{ __typename }"}"#).header("origin", origin);
        let response = app.send(origin, request).await;
        assert_not_permitted(&response);
        assert!(response.headers("vary").contains("Origin"), "{response}");
    }
}

async fn cors_for_any_origin_permits_no_credentials(app: TestApp) {
    let app = app.restart_with(&["--cors-origins=*"]).await;
    let response = app.send("preflight", preflight(&app, ORIGIN)).await;
    assert_eq!(response.status(), 204, "{response}");
    assert_eq!(response.header("access-control-allow-origin"), "*", "{response}");
    assert_eq!(response.header("access-control-allow-credentials"), "", "{response}");
}

async fn every_get_response_has_security_headers(app: TestApp) {
    for path in ["/graphql?query={__typename}", "/graphql", "/graphiql", "/schema.graphql", "/", "/nothing"] {
        let response = app.get(path).await;
        for (header, expected) in [
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(response.header(header), expected, "{path}: {header}");
        }
        let policy = response.header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        // Only TLS can promise TLS.
        for header in ["strict-transport-security", "server"] {
            assert_eq!(response.header(header), "", "{path}: {header}");
        }
    }
}

async fn a_json_response_to_post_has_no_headers_of_a_page(app: TestApp) {
    let posted = app.post(r#"{"query":"{ __typename }"}"#).await;
    assert_eq!(posted.status(), 200, "{posted}");
    assert_eq!(posted.header("x-content-type-options"), "nosniff");
    for header in ["content-security-policy", "cross-origin-resource-policy"] {
        assert_eq!(posted.header(header), "", "{posted}");
    }
    // A form navigates to the response, so the error needs the headers of a page.
    let form = app
        .request(Method::POST, "/graphql")
        .header("content-type", "application/x-www-form-urlencoded")
        .body("query={__typename}");
    let refused = app.send("a form", form).await;
    assert_eq!(refused.status(), 415, "{refused}");
    assert_eq!(refused.header("x-frame-options"), "DENY", "{refused}");
}
