//! Persisted queries (by SHA-256 hash or document id) and trusted documents.

use serde_json::{Value, json};

use crate::support::{Response, TestApp, manifest, tests};

tests![
    a_query_is_registered_and_then_sent_as_its_hash,
    an_unknown_hash_has_the_standard_error,
    a_mismatched_hash_is_refused,
    an_invalid_query_is_not_registered,
    only_trusted_documents_are_executed_in_enforce_mode,
    trusted_documents_must_match_the_contract,
    a_document_is_selected_by_document_id,
    an_unknown_document_id_is_refused,
    trusted_documents_are_selected_by_document_id,
];

const QUERY: &str = "{__typename}";
const HASH: &str = "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38";

async fn send(app: &TestApp, query: Option<&str>, hash: &str) -> Response {
    let persisted = json!({ "persistedQuery": { "version": 1, "sha256Hash": hash } });
    let mut body = json!({ "extensions": persisted });
    if let Some(query) = query {
        body["query"] = Value::from(query);
    }
    app.post(body.to_string()).await
}

async fn a_query_is_registered_and_then_sent_as_its_hash(app: TestApp) {
    for query in [Some(QUERY), None, None] {
        let response = send(&app, query, HASH).await;
        assert_eq!(response.data(), json!({ "__typename": "Query" }));
    }
    let response = send(&app, None, &HASH.to_uppercase()).await;
    assert_eq!(response.data(), json!({ "__typename": "Query" }));
}

async fn an_unknown_hash_has_the_standard_error(app: TestApp) {
    let response = send(&app, None, HASH).await;
    response.assert_not_executed(&["PERSISTED_QUERY_NOT_FOUND"]);
    assert_eq!(response.error()["message"], "PersistedQueryNotFound");
}

async fn a_mismatched_hash_is_refused(app: TestApp) {
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

async fn an_invalid_query_is_not_registered(app: TestApp) {
    let (query, hash) = (
        "{a}",
        "460c3a93211614ac783c0f1d1bbbcb45a6da87d6421b5c0771772588f1015ff8",
    );
    send(&app, Some(query), hash).await.assert_refused();
    send(&app, None, hash)
        .await
        .assert_not_executed(&["PERSISTED_QUERY_NOT_FOUND"]);
}

/// A file of trusted documents.
fn trusted(documents: &[(&str, &str)]) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().expect("a file can be made");
    std::fs::write(file.path(), manifest(documents)).expect("it can be written");
    file
}

async fn only_trusted_documents_are_executed_in_enforce_mode(app: TestApp) {
    let file = trusted(&[("typename", QUERY)]);
    let path = format!("--trusted-documents={}", file.path().display());
    let app = app
        .restart_with(&[&path, "--trusted-documents-mode=enforce"])
        .await;
    let expected = json!({ "__typename": "Query" });
    assert_eq!(app.query(QUERY, json!({})).await.data(), expected);
    assert_eq!(send(&app, None, HASH).await.data(), expected);
    assert_eq!(send(&app, None, "typename").await.data(), expected);
    let other = app.query("{ vehicles { id } }", json!({})).await;
    other.assert_not_executed(&["BAD_REQUEST"]);
}

async fn trusted_documents_must_match_the_contract(app: TestApp) {
    let file = trusted(&[("typename", QUERY), ("wrong", "{ vehicle { colour } }")]);
    let path = format!("--trusted-documents={}", file.path().display());
    let error = app.startup_error_with(&[&path]).await;
    assert!(
        error.contains("\"wrong\" (\"{ vehicle { colour } }\"): "),
        "{error}"
    );
}

async fn by_id(app: &TestApp, id: &str) -> [Response; 2] {
    let body = json!({ "documentId": id }).to_string();
    let get = app.get_request(&[("documentId", id)]);
    [app.post(body).await, app.send(id, get).await]
}

async fn a_document_is_selected_by_document_id(app: TestApp) {
    let id = format!("sha256:{HASH}");
    for response in by_id(&app, &id).await {
        response.assert_not_executed(&["PERSISTED_QUERY_NOT_FOUND"]);
    }
    // A registration is valid for both protocols.
    let body = json!({ "documentId": id, "query": QUERY });
    let expected = json!({ "__typename": "Query" });
    assert_eq!(app.post(body.to_string()).await.data(), expected);
    for response in by_id(&app, &id).await {
        assert_eq!(response.data(), expected);
    }
    assert_eq!(send(&app, None, HASH).await.data(), expected);
}

async fn an_unknown_document_id_is_refused(app: TestApp) {
    for id in ["sha256:0", "x-own:1", "typename", HASH, "md5:1"] {
        for response in by_id(&app, id).await {
            response.assert_not_executed(&["PERSISTED_QUERY_NOT_FOUND"]);
            let message = response.error()["message"].to_string();
            assert!(message.contains(id), "{response}");
        }
    }
    for body in [
        json!({ "documentId": "" }),
        json!({ "documentId": 7 }),
        json!({ "documentId": { "id": 7 } }),
        json!({ "documentId": null }),
        json!({ "documentId": "typename", "query": QUERY }),
        json!({ "documentId": format!("sha256:{HASH}"), "query": "{ __typename }" }),
    ] {
        let response = app.post(body.to_string()).await;
        response.assert_not_executed(&["BAD_REQUEST"]);
    }
}

async fn trusted_documents_are_selected_by_document_id(app: TestApp) {
    let create = "mutation ($m: String!) { createVehicle(type: \"SUV\", modelCode: $m) { id } }";
    let file = trusted(&[("typename", QUERY), ("create", create)]);
    let path = format!("--trusted-documents={}", file.path().display());
    let app = app
        .restart_with(&[&path, "--trusted-documents-mode=enforce"])
        .await;
    for id in ["typename", &format!("sha256:{HASH}"), HASH] {
        for response in by_id(&app, id).await {
            assert_eq!(response.data(), json!({ "__typename": "Query" }));
        }
    }
    for response in by_id(&app, "unknown").await {
        response.assert_not_executed(&["PERSISTED_QUERY_NOT_FOUND"]);
        let message = "unknown documentId \"unknown\"; this server executes only trusted documents";
        assert_eq!(response.error()["message"], message);
    }
    let body = json!({ "documentId": "create", "variables": { "m": "XC60" } });
    let response = app.post(body.to_string()).await;
    assert_eq!(response.data(), json!({ "createVehicle": { "id": "1" } }));
    let parameters = [("documentId", "create"), ("variables", "{\"m\":\"XC60\"}")];
    let response = app
        .send("create by GET", app.get_request(&parameters))
        .await;
    assert_eq!(response.status(), 405, "{response}");
    assert_eq!(app.stored_vehicles().await, 1);
}
