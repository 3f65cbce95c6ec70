//! Routes beside the endpoint: GraphiQL, its assets, the schema document, unknown paths.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{TestApp, tests};

tests![
    a_browser_is_redirected_to_graphiql,
    the_content_security_policy_permits_no_other_host,
    assets_are_immutable_and_sent_with_gzip_only,
    the_schema_document_is_served,
    an_unknown_path_lists_the_known_ones,
    pages_and_introspection_can_be_turned_off,
    the_default_tabs_of_graphiql_can_be_executed,
];

async fn a_browser_is_redirected_to_graphiql(app: TestApp) {
    let accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for (method, path) in [(Method::GET, "/"), (Method::GET, "/graphql"), (Method::HEAD, "/graphql")] {
        let request = app.request(method, path).header("accept", accept);
        let response = app.send(path, request).await;
        assert_eq!(response.status(), 303, "{response}");
        // Relative, because a proxy may add a path prefix.
        assert_eq!(response.header("location"), "graphiql", "{response}");
    }
}

async fn the_content_security_policy_permits_no_other_host(app: TestApp) {
    let response = app.get("/graphiql").await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(response.header("cache-control"), "no-cache");
    let policy = response.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    for source in ["http", "*", "'unsafe-eval'", "script-src 'unsafe-inline'"] {
        assert!(!policy.contains(source), "{policy}");
    }
    let request = app.request(Method::POST, "/graphiql");
    let response = app.send("POST", request).await;
    assert_eq!(response.status(), 405, "{response}");
    assert_eq!(response.header("allow"), "GET, HEAD", "{response}");
}

/// Every browser accepts gzip, and a second copy would take memory.
async fn assets_are_immutable_and_sent_with_gzip_only(app: TestApp) {
    let page = app.get("/graphiql").await;
    let (_, after_src) = page.text().split_once("src=\".").unwrap();
    let script = after_src.split_once('"').unwrap().0;
    let request = app.request(Method::GET, script).header("accept-encoding", "br");
    let response = app.send(script, request).await;
    assert_eq!(response.status(), 200);
    let content_type = "text/javascript; charset=utf-8";
    assert_eq!(response.header("content-type"), content_type);
    let cached = "public, max-age=31536000, immutable";
    assert_eq!(response.header("cache-control"), cached);
    assert_eq!((response.header("content-encoding"), response.header("vary")), ("gzip", ""));
    assert!(response.bytes().starts_with(&[0x1f, 0x8b]), "{response}");
    let other = app.get("/graphiql/assets/other.js").await;
    assert_eq!(other.status(), 404, "{other}");
}

async fn the_schema_document_is_served(app: TestApp) {
    let response = app.get("/schema.graphql").await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(response.text(), include_str!("../../schema.graphql"));
}

async fn an_unknown_path_lists_the_known_ones(app: TestApp) {
    for path in ["/nothing", "/graphql/", "/GraphQL", "/graphql/x"] {
        let response = app.get(path).await;
        assert_eq!(response.status(), 404, "{response}");
        assert!(response.text().contains("/graphql,"), "{response}");
    }
}

async fn pages_and_introspection_can_be_turned_off(mut app: TestApp) {
    app = app.restart_with(&["--graphiql=off"]).await;
    assert_eq!(app.get("/graphiql").await.status(), 404);
    assert_eq!(app.get("/schema.graphql").await.status(), 200);
    for (flags, is_on) in [
        (&["--introspection=off", "--graphiql=off"][..], false),
        (&["--production"], false),
        (&["--production", "--introspection=on", "--graphiql=on"], true),
    ] {
        app = app.restart_with(flags).await;
        for (path, text) in [
            ("/schema.graphql", "the schema at /schema.graphql with --introspection on"),
            ("/graphiql", "GraphiQL at /graphiql with --graphiql on"),
        ] {
            let page = app.get(path).await;
            assert_eq!(page.status(), if is_on { 200 } else { 404 }, "{path} {flags:?}");
            assert_eq!(page.text().contains(text), !is_on, "{page}");
        }
        let introspection = app.query("{ __schema { queryType { name } } }", json!({})).await;
        if is_on {
            introspection.data();
        } else {
            introspection.assert_not_executed(&["GRAPHQL_VALIDATION_FAILED"]);
        }
        let browser = app.request(Method::GET, "/graphql").header("accept", "text/html, */*;q=0.8");
        assert_eq!(app.send("a browser", browser).await.status(), if is_on { 303 } else { 400 }, "{flags:?}");
    }
}

async fn the_default_tabs_of_graphiql_can_be_executed(app: TestApp) {
    let page = app.get("/graphiql").await;
    let start = r#"<script id="settings" type="application/json">"#;
    let (_, settings) = page.text().split_once(start).unwrap();
    let (settings, _) = settings.split_once("</script>").unwrap();
    let settings: Value = serde_json::from_str(settings).unwrap();
    assert_eq!(settings["title"], "Vehicle catalogue");
    let tabs = settings["tabs"].as_array().unwrap();
    assert_eq!(tabs.len(), 5);
    for tab in tabs {
        let variables = tab["variables"].as_str().unwrap();
        let variables = serde_json::from_str(variables).unwrap_or(Value::Null);
        let query = tab["query"].as_str().unwrap();
        let response = app.query(query, variables).await;
        // No vehicle is changed before its id is filled in.
        if query.contains("updateVehicle") || query.contains("deleteVehicle") {
            assert_eq!(response.error()["message"], "$id must not be null, its type is ID!");
            continue;
        }
        assert_eq!(response.json().get("errors"), None, "{response}");
    }
}
