//! Queries sent as their SHA-256: registered by clients, or allowed by the operator.

use serde_json::{Value, json};

use crate::support::{Answer, TestApp, tests};

tests![
    a_query_is_registered_and_then_sent_as_its_hash,
    an_unknown_hash_is_told_in_the_words_that_clients_know,
    a_hash_of_another_text_is_refused,
    what_is_not_valid_is_not_registered,
    persisted_queries_can_be_turned_off,
    only_trusted_documents_are_executed_when_enforced,
    other_documents_are_executed_when_only_logged,
    a_manifest_names_trusted_documents,
    trusted_documents_must_fit_the_contract,
];

const QUERY: &str = "{__typename}";
const HASH: &str = "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38";

async fn send(app: &TestApp, query: Option<&str>, hash: &str) -> Answer {
    let persisted = json!({ "persistedQuery": { "version": 1, "sha256Hash": hash } });
    let mut body = json!({ "extensions": persisted });
    if let Some(query) = query {
        body["query"] = Value::from(query);
    }
    app.post(body.to_string()).await
}

async fn a_query_is_registered_and_then_sent_as_its_hash(app: TestApp) {
    for query in [Some(QUERY), None, None] {
        let answer = send(&app, query, HASH).await;
        assert_eq!(answer.data(), json!({ "__typename": "Query" }));
    }
    let answer = send(&app, None, &HASH.to_uppercase()).await;
    assert_eq!(answer.data(), json!({ "__typename": "Query" }));
}

async fn an_unknown_hash_is_told_in_the_words_that_clients_know(app: TestApp) {
    let answer = send(&app, None, HASH).await;
    answer.assert_not_executed(&["PERSISTED_QUERY_NOT_FOUND"]);
    assert_eq!(answer.error()["message"], "PersistedQueryNotFound");
}

async fn a_hash_of_another_text_is_refused(app: TestApp) {
    send(&app, Some("{ __typename }"), HASH)
        .await
        .assert_not_executed(&["BAD_REQUEST"]);
    send(&app, None, HASH)
        .await
        .assert_not_executed(&["PERSISTED_QUERY_NOT_FOUND"]);
    for persisted in [
        json!(5),
        json!({ "version": 2, "sha256Hash": HASH }),
        json!({ "version": 1 }),
        json!({ "version": 1, "sha256Hash": 7 }),
    ] {
        let body = json!({ "query": QUERY, "extensions": { "persistedQuery": persisted } });
        app.post(body.to_string())
            .await
            .assert_not_executed(&["BAD_REQUEST"]);
    }
}

async fn what_is_not_valid_is_not_registered(app: TestApp) {
    let (query, hash) = (
        "{a}",
        "460c3a93211614ac783c0f1d1bbbcb45a6da87d6421b5c0771772588f1015ff8",
    );
    send(&app, Some(query), hash).await.assert_refused();
    send(&app, None, hash)
        .await
        .assert_not_executed(&["PERSISTED_QUERY_NOT_FOUND"]);
}

async fn persisted_queries_can_be_turned_off(app: TestApp) {
    let app = app.restart_with(&["--persisted-queries=off"]).await;
    assert_eq!(
        send(&app, Some(QUERY), HASH).await.data(),
        json!({ "__typename": "Query" })
    );
    send(&app, None, HASH)
        .await
        .assert_not_executed(&["PERSISTED_QUERY_NOT_FOUND"]);
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("typename.graphql");
    std::fs::write(file, format!("{QUERY}\n")).expect("it can be written");
    folder
}

async fn only_trusted_documents_are_executed_when_enforced(app: TestApp) {
    let folder = folder();
    let path = format!("--trusted-documents={}", folder.path().display());
    let app = app
        .restart_with(&[&path, "--trusted-documents-mode=enforce"])
        .await;
    let trusted = json!({ "__typename": "Query" });
    assert_eq!(app.ask(QUERY, json!({})).await.data(), trusted);
    assert_eq!(send(&app, None, HASH).await.data(), trusted);
    assert_eq!(send(&app, None, "typename").await.data(), trusted);
    let other = app.ask("{ vehicles { id } }", json!({})).await;
    other.assert_not_executed(&["BAD_REQUEST"]);
}

async fn other_documents_are_executed_when_only_logged(app: TestApp) {
    let folder = folder();
    let path = format!("--trusted-documents={}", folder.path().display());
    let app = app
        .restart_with(&[&path, "--trusted-documents-mode=log"])
        .await;
    let answer = app.ask("{ vehicles { id } }", json!({})).await;
    assert_eq!(answer.data(), json!({ "vehicles": [] }));
}

async fn a_manifest_names_trusted_documents(mut app: TestApp) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("manifest.json");
    let list = json!({
        "format": "apollo-persisted-query-manifest", "version": 1,
        "operations": [{ "id": "one", "name": null, "type": "query", "body": QUERY }],
    });
    for manifest in [json!({ "one": QUERY }), list] {
        std::fs::write(&file, manifest.to_string()).expect("it can be written");
        let path = format!("--trusted-documents={}", file.display());
        app = app
            .restart_with(&[&path, "--trusted-documents-mode=enforce"])
            .await;
        let answer = send(&app, None, "one").await;
        assert_eq!(answer.data(), json!({ "__typename": "Query" }));
    }
}

async fn trusted_documents_must_fit_the_contract(app: TestApp) {
    let folder = folder();
    let file = folder.path().join("wrong.graphql");
    std::fs::write(file, "{ vehicle { colour } }").expect("it can be written");
    let path = format!("--trusted-documents={}", folder.path().display());
    let error = app.cannot_start_with(&[&path]).await;
    assert!(error.contains("colour"), "{error}");
}
