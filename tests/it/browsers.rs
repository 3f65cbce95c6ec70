//! What web pages can do to the service through the browser of a user: nothing that they may not.

use reqwest::{Method, RequestBuilder};
use serde_json::json;

use crate::support::{Answer, TestApp, tests};

tests![
    what_a_browser_sends_unasked_changes_nothing,
    no_page_of_another_origin_may_read_answers,
    pages_of_the_permitted_origins_may_read_answers,
    pages_of_any_origin_may_read_answers_without_credentials,
    every_answer_tells_browsers_to_be_careful,
    what_no_browser_can_show_needs_no_policy_of_pages,
    no_answer_tells_what_the_service_is_made_of,
];

const MUTATION: &str = r#"mutation { createVehicle(type: "SUV", modelCode: "XC60") { id } }"#;
const ORIGIN: &str = "https://a.example";

/// The question of a browser whether a page may send a JSON body.
fn preflight(app: &TestApp, origin: &str) -> RequestBuilder {
    app.request(Method::OPTIONS, "/graphql")
        .header("origin", origin)
        .header("access-control-request-method", "POST")
        .header(
            "access-control-request-headers",
            "content-type,authorization",
        )
}

fn assert_not_permitted(answer: &Answer) {
    for name in ["origin", "methods", "headers", "credentials"] {
        let header = format!("access-control-allow-{name}");
        assert_eq!(answer.header(&header), "", "{header}: {answer}");
    }
}

async fn what_a_browser_sends_unasked_changes_nothing(app: TestApp) {
    let body = json!({ "query": MUTATION }).to_string();
    let cross = |request: RequestBuilder| {
        request
            .header("origin", "https://evil.example")
            .header("sec-fetch-site", "cross-site")
    };
    for content_type in [
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain",
        "text/plain; application/json",
        "text/plain; x=application/json",
    ] {
        let request = app.request(Method::POST, "/graphql");
        let request = request
            .header("content-type", content_type)
            .body(body.clone());
        let answer = app.send(content_type, cross(request)).await;
        assert_eq!(answer.status(), 415, "{answer}");
    }
    let bare = app.request(Method::POST, "/graphql").body(body.clone());
    assert_eq!(app.send("no type", cross(bare)).await.status(), 415);
    for mode in ["navigate", "no-cors", "cors"] {
        let request = app
            .getting(&[("query", MUTATION)])
            .header("sec-fetch-mode", mode);
        assert_eq!(app.send(mode, cross(request)).await.status(), 405);
    }
    let head = app.request(Method::HEAD, "/graphql?query=mutation%7B__typename%7D");
    assert_eq!(app.send("HEAD", cross(head)).await.status(), 405);
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
    let query = app.getting(&[("query", "{ __typename }")]);
    assert_eq!(app.send("a safe query", cross(query)).await.status(), 200);
}

async fn no_page_of_another_origin_may_read_answers(app: TestApp) {
    let answer = app.send("preflight", preflight(&app, ORIGIN)).await;
    assert_not_permitted(&answer);
    assert_eq!(answer.header("allow"), "GET, POST, OPTIONS", "{answer}");
    let request = app
        .posting(r#"{"query":"{ __typename }"}"#)
        .header("origin", ORIGIN);
    assert_not_permitted(&app.send("POST", request).await);
}

async fn pages_of_the_permitted_origins_may_read_answers(app: TestApp) {
    let app = app
        .restart_with(&["--cors-origins=https://a.example,http://localhost:3000"])
        .await;
    for origin in [ORIGIN, "http://localhost:3000"] {
        let answer = app.send("preflight", preflight(&app, origin)).await;
        assert_eq!(answer.status(), 204, "{answer}");
        for (header, expected) in [
            ("access-control-allow-origin", origin),
            ("access-control-allow-credentials", "true"),
            ("access-control-allow-methods", "GET, POST"),
            ("access-control-allow-headers", "content-type,authorization"),
            ("access-control-max-age", "7200"),
        ] {
            assert_eq!(answer.header(header), expected, "{header}: {answer}");
        }
        for body in [r#"{"query":"{ __typename }"}"#, "nonsense"] {
            let answer = app
                .send(body, app.posting(body).header("origin", origin))
                .await;
            assert_eq!(
                answer.header("access-control-allow-origin"),
                origin,
                "{answer}"
            );
            assert!(answer.headers("vary").contains("Origin"), "{answer}");
        }
    }
    for origin in [
        "https://b.example",
        "https://a.example:444",
        "http://a.example",
        "null",
    ] {
        assert_not_permitted(&app.send(origin, preflight(&app, origin)).await);
        let request = app
            .posting(r#"{"query":"{ __typename }"}"#)
            .header("origin", origin);
        let answer = app.send(origin, request).await;
        assert_not_permitted(&answer);
        assert!(answer.headers("vary").contains("Origin"), "{answer}");
    }
}

async fn pages_of_any_origin_may_read_answers_without_credentials(app: TestApp) {
    let app = app.restart_with(&["--cors-origins=*"]).await;
    let answer = app.send("preflight", preflight(&app, ORIGIN)).await;
    assert_eq!(answer.status(), 204, "{answer}");
    assert_eq!(
        answer.header("access-control-allow-origin"),
        "*",
        "{answer}"
    );
    assert_eq!(
        answer.header("access-control-allow-credentials"),
        "",
        "{answer}"
    );
}

async fn every_answer_tells_browsers_to_be_careful(app: TestApp) {
    for path in [
        "/graphql?query={__typename}",
        "/graphql",
        "/graphiql",
        "/schema.graphql",
        "/limits",
        "/",
        "/nothing",
    ] {
        let answer = app.get(path).await;
        for (header, expected) in [
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(header), expected, "{path}: {header}");
        }
        let policy = answer.header("content-security-policy");
        assert!(
            policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
        assert_eq!(
            answer.header("strict-transport-security"),
            "",
            "{path}: only TLS can promise TLS"
        );
    }
}

async fn what_no_browser_can_show_needs_no_policy_of_pages(app: TestApp) {
    let posted = app.post(r#"{"query":"{ __typename }"}"#).await;
    assert_eq!(posted.status(), 200, "{posted}");
    assert_eq!(posted.header("x-content-type-options"), "nosniff");
    assert_eq!(posted.header("cross-origin-resource-policy"), "same-origin");
    assert_eq!(posted.header("content-security-policy"), "", "{posted}");
    // Whatever a form posts is refused, and the refusal may be shown.
    let form = app
        .request(Method::POST, "/graphql")
        .header("content-type", "application/x-www-form-urlencoded")
        .body("query={__typename}");
    let refused = app.send("a form", form).await;
    assert_eq!(refused.status(), 415, "{refused}");
    assert_eq!(refused.header("x-frame-options"), "DENY", "{refused}");
}

async fn no_answer_tells_what_the_service_is_made_of(app: TestApp) {
    for path in ["/graphql?query={__typename}", "/graphiql", "/nothing"] {
        let answer = app.get(path).await;
        for header in ["server", "x-powered-by", "via"] {
            assert_eq!(answer.header(header), "", "{path}: {header}");
        }
    }
}
