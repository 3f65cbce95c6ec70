//! `/health/live` and `/health/ready`.

use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::json;

use crate::support::{Response, TestApp, tests};

tests![
    a_running_service_is_live_and_ready,
    health_allows_only_get_and_head on Sqlite,
    a_service_with_mismatched_tables_is_not_ready on Sqlite,
];

/// Polls readiness until it has this status, since readiness is cached for a short time.
async fn poll_until_status(app: &TestApp, status: u16) -> Response {
    loop {
        let response = app.get("/health/ready").await;
        if response.status() == status {
            return response;
        }
    }
}

async fn a_running_service_is_live_and_ready(app: TestApp) {
    let live = app.get("/health/live").await;
    assert_eq!(live.status(), 200, "{live}");
    assert_eq!(live.json(), json!({ "status": "live" }));
    let ready = app.get("/health/ready").await;
    assert_eq!(ready.status(), 200, "{ready}");
    assert_eq!(ready.json()["status"], "ready", "{ready}");
    for part in ["database", "migrations", "contract", "lifecycle"] {
        assert_eq!(ready.json()["parts"][part]["ready"], true, "{ready}");
    }
}

async fn health_allows_only_get_and_head(app: TestApp) {
    for path in ["/health/live", "/health/ready"] {
        let response = app.send(path, app.request(Method::HEAD, path)).await;
        assert_eq!(response.status(), 200, "{response}");
        assert_eq!(response.header("cache-control"), "no-store", "{response}");
        let response = app.send(path, app.request(Method::POST, path)).await;
        assert_eq!(response.status(), 405, "{response}");
        assert_eq!(response.header("allow"), "GET, HEAD", "{response}");
    }
}

async fn a_service_with_mismatched_tables_is_not_ready(app: TestApp) {
    let other_connection = app.other_connection().await;
    let rename = "ALTER TABLE vehicle RENAME COLUMN brand_name TO brand";
    other_connection.execute_unprepared(rename).await.unwrap();
    let response = poll_until_status(&app, 503).await;
    let part = &response.json()["parts"]["contract"];
    let detail = "2 differences between contract and tables; run vehicle-catalogue schema check";
    assert_eq!(*part, json!({ "ready": false, "detail": detail }), "{response}");
}
