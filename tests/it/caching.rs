//! What caches and clients may keep, and how they ask whether it still holds.

use reqwest::Method;
use serde_json::json;

use crate::support::{TestApp, tests};

tests![
    a_query_by_get_is_kept_and_asked_for_again,
    the_tag_changes_with_the_answer,
    posts_refusals_and_errors_are_not_kept,
    the_documents_are_kept_and_asked_for_again,
];

const QUERY: (&str, &str) = ("query", "{ vehicles { id modelCode } }");

async fn a_query_by_get_is_kept_and_asked_for_again(app: TestApp) {
    let answer = app.send("GET", app.getting(&[QUERY])).await;
    assert_eq!(answer.header("cache-control"), "no-cache", "{answer}");
    let tag = answer.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.ends_with('"'), "{tag}");
    for known in [
        tag.clone(),
        format!("W/{tag}"),
        format!("\"x\", {tag}"),
        "*".to_owned(),
    ] {
        let request = app.getting(&[QUERY]).header("if-none-match", &known);
        let answer = app.send(&known, request).await;
        assert_eq!(answer.status(), 304, "{answer}");
        assert_eq!(answer.text(), "", "{answer}");
        assert_eq!(answer.header("etag"), tag, "{answer}");
        assert_eq!(answer.header("cache-control"), "no-cache", "{answer}");
        assert!(answer.headers("vary").contains("Accept"), "{answer}");
    }
}

async fn the_tag_changes_with_the_answer(app: TestApp) {
    let tag = async |app: &TestApp, accept: &str| {
        let request = app.getting(&[QUERY]).header("accept", accept);
        app.send("GET", request).await.header("etag").to_owned()
    };
    let json = "application/json";
    let before = tag(&app, json).await;
    assert_eq!(tag(&app, json).await, before);
    assert_ne!(tag(&app, "application/graphql-response+json").await, before);
    app.given_vehicle("XC60").await;
    assert_ne!(tag(&app, json).await, before);
    let request = app.getting(&[QUERY]).header("if-none-match", &before);
    let answer = app.send("GET", request).await;
    assert_eq!(answer.data()["vehicles"][0]["modelCode"], json!("XC60"));
}

async fn posts_refusals_and_errors_are_not_kept(app: TestApp) {
    for (asked, request) in [
        (
            "a query by POST",
            app.posting(r#"{"query":"{ __typename }"}"#),
        ),
        (
            "a mutation by GET",
            app.getting(&[("query", "mutation { __typename }")]),
        ),
        ("an invalid query", app.getting(&[("query", "{ nothing }")])),
        (
            "an error of a field",
            app.getting(&[("query", "{ vehicle { id } }")]),
        ),
        ("no query", app.getting(&[])),
    ] {
        let answer = app.send(asked, request.header("if-none-match", "*")).await;
        assert_ne!(answer.status(), 304, "{answer}");
        assert_eq!(answer.header("cache-control"), "no-store", "{answer}");
        assert_eq!(answer.header("etag"), "", "{answer}");
    }
}

async fn the_documents_are_kept_and_asked_for_again(app: TestApp) {
    for path in ["/schema.graphql", "/limits"] {
        let answer = app.get(path).await;
        assert_eq!(answer.header("cache-control"), "no-cache", "{answer}");
        let tag = answer.header("etag").to_owned();
        let request = app.request(Method::GET, path).header("if-none-match", tag);
        assert_eq!(app.send(path, request).await.status(), 304);
    }
}
