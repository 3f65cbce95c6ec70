//! Persisted queries (by SHA-256 hash or document id) and trusted documents.

use serde_json::json;

use crate::support::{Response, TestApp, manifest, tests};

tests![a_document_is_selected_by_document_id, trusted_documents_are_selected_by_document_id,];

const QUERY: &str = "{__typename}";
const HASH: &str = "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38";

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
    let persisted = json!({ "persistedQuery": { "version": 1, "sha256Hash": HASH } });
    let body = json!({ "extensions": persisted }).to_string();
    assert_eq!(app.post(body).await.data(), expected);
}

async fn trusted_documents_are_selected_by_document_id(app: TestApp) {
    let create = "mutation ($m: String!) { createVehicle(type: \"SUV\", modelCode: $m) { id } }";
    // A document may have a description.
    let described = format!("\"\"\"Says hello.\"\"\" query {QUERY}");
    let documents = [("typename", QUERY), ("create", create), ("described", &*described)];
    let file = tempfile::NamedTempFile::new().expect("a file can be made");
    std::fs::write(file.path(), manifest(&documents)).expect("it can be written");
    let path = format!("--trusted-documents={}", file.path().display());
    let app = app.restart_with(&[&path, "--trusted-documents-mode=enforce"]).await;
    for id in ["typename", "described", &format!("sha256:{HASH}"), HASH] {
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
    let response = app.send("create by GET", app.get_request(&parameters)).await;
    assert_eq!(response.status(), 405, "{response}");
    assert_eq!(app.stored_vehicles().await, 1);
}
