//! What there is beside the endpoint: pages for people, and a word for who is lost.

use reqwest::Method;

use crate::support::{TestApp, tests};

tests![
    a_browser_is_led_to_the_page_on_which_graphql_can_be_tried,
    the_page_may_ask_no_other_host,
    the_page_is_asked_for_again_only_when_it_has_changed,
    an_asset_is_kept_for_good,
    an_asset_is_compressed_only_for_whom_accepts_that,
    the_schema_can_be_read,
    the_schema_can_be_withheld,
    an_unknown_path_is_told_the_known_ones,
    the_page_can_be_turned_off,
];

async fn a_browser_is_led_to_the_page_on_which_graphql_can_be_tried(app: TestApp) {
    let accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for path in ["/", "/graphql"] {
        let request = app.request(Method::GET, path).header("accept", accept);
        let answer = app.send(path, request).await;
        assert_eq!(answer.status(), 303, "{answer}");
        // Relative, because a proxy may serve the service under a prefix.
        assert_eq!(answer.header("location"), "graphiql", "{answer}");
    }
}

async fn the_page_may_ask_no_other_host(app: TestApp) {
    let answer = app.get("/graphiql").await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    let policy = answer.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    for source in ["http", "*", "'unsafe-eval'", "script-src 'unsafe-inline'"] {
        assert!(!policy.contains(source), "{policy}");
    }
    let request = app.request(Method::POST, "/graphiql");
    let answer = app.send("POST", request).await;
    assert_eq!(answer.status(), 405, "{answer}");
    assert_eq!(answer.header("allow"), "GET, HEAD", "{answer}");
}

async fn the_page_is_asked_for_again_only_when_it_has_changed(app: TestApp) {
    let answer = app.get("/graphiql").await;
    assert_eq!(answer.header("cache-control"), "no-cache");
    let tag = answer.header("etag").to_owned();
    for (known, status) in [(tag.as_str(), 304), ("\"other\"", 200)] {
        let request = app.request(Method::GET, "/graphiql");
        let request = request.header("if-none-match", known);
        let answer = app.send(known, request).await;
        assert_eq!(answer.status(), status, "{answer}");
        assert_eq!(answer.header("etag"), tag, "{answer}");
        assert_eq!(answer.text().is_empty(), status == 304, "{answer}");
    }
}

async fn an_asset_is_kept_for_good(app: TestApp) {
    let script = script(&app).await;
    let answer = app.get(&script).await;
    assert_eq!(answer.status(), 200);
    let content_type = "text/javascript; charset=utf-8";
    assert_eq!(answer.header("content-type"), content_type);
    let cached = "public, max-age=31536000, immutable";
    assert_eq!(answer.header("cache-control"), cached);
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    let other = app.get("/graphiql/assets/other.js").await;
    assert_eq!(other.status(), 404, "{other}");
}

async fn an_asset_is_compressed_only_for_whom_accepts_that(app: TestApp) {
    let script = script(&app).await;
    for (accepted, gzip) in [
        ("gzip, deflate, br", true),
        ("br, *;q=0.5", true),
        ("br", false),
        ("identity", false),
        ("gzip;q=0, *", false),
    ] {
        let request = app.request(Method::GET, &script);
        let request = request.header("accept-encoding", accepted);
        let response = request.send().await.unwrap();
        let header = |name| {
            response
                .headers()
                .get(name)
                .map_or("", |it| it.to_str().unwrap())
        };
        assert_eq!(header("content-encoding") == "gzip", gzip, "{accepted}");
        assert_eq!(header("vary"), "Accept-Encoding", "{accepted}");
        let is_gzip = response.bytes().await.unwrap().starts_with(&[0x1f, 0x8b]);
        assert_eq!(is_gzip, gzip, "{accepted}");
    }
}

/// The path of a script that the page loads.
async fn script(app: &TestApp) -> String {
    let page = app.get("/graphiql").await;
    let (_, rest) = page.text().split_once("src=\".").unwrap();
    rest.split_once('"').unwrap().0.to_owned()
}

async fn the_schema_can_be_read(app: TestApp) {
    let answer = app.get("/schema.graphql").await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
}

async fn the_schema_can_be_withheld(app: TestApp) {
    let mut app = app;
    for (flags, status) in [
        (&["--schema-document=off"][..], 404),
        (&["--introspection=off"], 404),
        (&["--production"], 404),
        (&["--production", "--schema-document=on"], 200),
    ] {
        app = app.restart_with(flags).await;
        let answer = app.get("/schema.graphql").await;
        assert_eq!(answer.status(), status, "{flags:?}");
        if status == 404 {
            assert!(!answer.text().contains("/schema.graphql"), "{answer}");
        }
    }
}

async fn an_unknown_path_is_told_the_known_ones(app: TestApp) {
    for path in ["/nothing", "/graphql/", "/GraphQL", "/graphql/x"] {
        let answer = app.get(path).await;
        assert_eq!(answer.status(), 404, "{answer}");
        assert!(answer.text().contains("/graphql,"), "{answer}");
    }
}

async fn the_page_can_be_turned_off(app: TestApp) {
    let mut app = app;
    for (flags, status) in [
        (&["--graphiql=off"][..], 404),
        (&["--production"], 404),
        (&["--production", "--graphiql=on"], 200),
    ] {
        app = app.restart_with(flags).await;
        assert_eq!(app.get("/graphiql").await.status(), status, "{flags:?}");
        let browser = app
            .request(Method::GET, "/graphql")
            .header("accept", "text/html, */*;q=0.8");
        let expected = if status == 200 { 303 } else { 400 };
        assert_eq!(
            app.send("a browser", browser).await.status(),
            expected,
            "{flags:?}"
        );
    }
}
