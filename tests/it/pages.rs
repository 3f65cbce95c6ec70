//! What there is beside the endpoint: pages for people, and a word for who is lost.

use reqwest::Method;

use crate::support::{TestApp, tests};

tests![
    a_browser_is_led_to_the_page_on_which_graphql_can_be_tried,
    the_page_needs_no_other_host,
    the_schema_can_be_read,
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

async fn the_page_needs_no_other_host(app: TestApp) {
    let answer = app.get("/graphiql").await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    for scheme in ["http://", "https://"] {
        assert!(!answer.text().contains(scheme), "{answer}");
    }
    let request = app.request(Method::POST, "/graphiql");
    let answer = app.send("POST", request).await;
    assert_eq!(answer.status(), 405, "{answer}");
    assert_eq!(answer.header("allow"), "GET, HEAD", "{answer}");
}

async fn the_schema_can_be_read(app: TestApp) {
    let answer = app.get("/schema.graphql").await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
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
