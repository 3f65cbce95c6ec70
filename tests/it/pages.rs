//! Routes beside the endpoint: GraphiQL, its assets, the schema document, unknown paths.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{TestApp, tests};

tests![
    a_browser_is_redirected_to_graphiql,
    the_content_security_policy_permits_no_other_host,
    assets_are_immutable,
    assets_are_sent_with_gzip_only,
    the_schema_document_is_served,
    the_schema_document_and_introspection_can_be_turned_off,
    an_unknown_path_lists_the_known_ones,
    graphiql_can_be_turned_off,
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

async fn assets_are_immutable(app: TestApp) {
    let script = script(&app).await;
    let response = app.get(&script).await;
    assert_eq!(response.status(), 200);
    let content_type = "text/javascript; charset=utf-8";
    assert_eq!(response.header("content-type"), content_type);
    let cached = "public, max-age=31536000, immutable";
    assert_eq!(response.header("cache-control"), cached);
    assert_eq!(response.header("x-content-type-options"), "nosniff");
    let other = app.get("/graphiql/assets/other.js").await;
    assert_eq!(other.status(), 404, "{other}");
}

/// Every browser accepts it, and a second copy would take memory.
async fn assets_are_sent_with_gzip_only(app: TestApp) {
    let script = script(&app).await;
    for accepted in ["gzip, deflate, br", "br", "identity"] {
        let request = app.request(Method::GET, &script);
        let response = app.send(accepted, request.header("accept-encoding", accepted)).await;
        assert_eq!(response.header("content-encoding"), "gzip", "{accepted}");
        assert_eq!(response.header("vary"), "", "{accepted}");
        assert!(response.bytes().starts_with(&[0x1f, 0x8b]), "{accepted}");
    }
}

/// The path of a script of the GraphiQL page.
async fn script(app: &TestApp) -> String {
    let page = app.get("/graphiql").await;
    let (_, after_src) = page.text().split_once("src=\".").unwrap();
    after_src.split_once('"').unwrap().0.to_owned()
}

async fn the_schema_document_is_served(app: TestApp) {
    let response = app.get("/schema.graphql").await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(response.text(), include_str!("../../schema.graphql"));
}

async fn the_schema_document_and_introspection_can_be_turned_off(app: TestApp) {
    let mut app = app;
    for (flags, status) in
        [(&["--introspection=off"][..], 404), (&["--production"], 404), (&["--production", "--introspection=on"], 200)]
    {
        app = app.restart_with(flags).await;
        let response = app.get("/schema.graphql").await;
        assert_eq!(response.status(), status, "{flags:?}");
        let query = "{ __schema { queryType { name } } }";
        let introspection = app.query(query, json!({})).await;
        if status == 404 {
            let text = "the schema at /schema.graphql with --introspection on";
            assert!(response.text().contains(text), "{response}");
            introspection.assert_not_executed(&["GRAPHQL_VALIDATION_FAILED"]);
        } else {
            introspection.data();
        }
    }
}

async fn an_unknown_path_lists_the_known_ones(app: TestApp) {
    for path in ["/nothing", "/graphql/", "/GraphQL", "/graphql/x"] {
        let response = app.get(path).await;
        assert_eq!(response.status(), 404, "{response}");
        assert!(response.text().contains("/graphql,"), "{response}");
    }
}

async fn graphiql_can_be_turned_off(app: TestApp) {
    let mut app = app;
    for (flags, status) in
        [(&["--graphiql=off"][..], 404), (&["--production"], 404), (&["--production", "--graphiql=on"], 200)]
    {
        app = app.restart_with(flags).await;
        let page = app.get("/graphiql").await;
        assert_eq!(page.status(), status, "{flags:?}");
        let text = "GraphiQL at /graphiql with --graphiql on";
        assert_eq!(page.text().contains(text), status == 404, "{page}");
        let browser = app.request(Method::GET, "/graphql").header("accept", "text/html, */*;q=0.8");
        let expected = if status == 200 { 303 } else { 400 };
        assert_eq!(app.send("a browser", browser).await.status(), expected, "{flags:?}");
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
