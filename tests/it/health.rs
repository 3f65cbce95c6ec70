//! `/health/live` and `/health/ready`.

use std::time::Duration;

use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::json;
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::timeout,
};

use crate::support::{Backend, Response, TestApp, tests};

tests![
    a_running_service_is_live_and_ready,
    health_allows_only_get_and_head,
    health_responses_are_not_cacheable,
    a_busy_service_is_ready,
    a_service_without_its_migrations_is_live_and_not_ready,
    a_service_older_than_its_database_is_ready,
    a_service_with_mismatched_tables_is_not_ready,
    a_service_is_not_ready_until_its_database_is_reachable_again,
    concurrent_probes_succeed,
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
        let response = app.send(path, app.request(Method::POST, path)).await;
        assert_eq!(response.status(), 405, "{response}");
        assert_eq!(response.header("allow"), "GET, HEAD", "{response}");
    }
}

async fn health_responses_are_not_cacheable(app: TestApp) {
    for path in ["/health/live", "/health/ready"] {
        let response = app.get(path).await;
        assert_eq!(response.header("cache-control"), "no-store", "{response}");
        let media_type = "application/json; charset=utf-8";
        assert_eq!(response.header("content-type"), media_type, "{response}");
    }
}

async fn a_busy_service_is_ready(app: TestApp) {
    let app = app.restart_with(&["--concurrency-limit=1"]).await;
    let lock = app.lock_writes().await;
    let arguments = json!({ "type": "SUV", "modelCode": "XC60" });
    let busy = async {
        // After the first refusal the mutation holds the only permit.
        while app.query("{ __typename }", json!({})).await.status() == 200 {}
        assert_eq!(app.get("/health/ready").await.status(), 200);
        assert_eq!(app.get("/health/live").await.status(), 200);
        lock.close().await.unwrap();
    };
    let busy = timeout(Duration::from_secs(15), busy);
    // The first attempts are refused while a query holds the permit.
    let create = async { while app.create_vehicle(arguments.clone()).await.status() != 200 {} };
    let ((), busy) = tokio::join!(create, busy);
    busy.expect("the mutation has a permit");
}

async fn a_service_without_its_migrations_is_live_and_not_ready(app: TestApp) {
    let other_connection = app.other_connection().await;
    let deleted = other_connection.execute_unprepared("DELETE FROM seaql_migrations");
    deleted.await.unwrap();
    let response = poll_until_status(&app, 503).await;
    assert_eq!(response.json()["status"], "not ready", "{response}");
    let parts = &response.json()["parts"];
    assert_eq!(parts["migrations"]["ready"], false, "{response}");
    assert_eq!(parts["database"]["ready"], true, "{response}");
    let detail = parts["migrations"]["detail"].as_str().unwrap();
    assert!(
        detail.ends_with("run vehicle-catalogue migrate up"),
        "{response}"
    );
    assert_eq!(app.get("/health/live").await.status(), 200);
}

async fn a_service_with_mismatched_tables_is_not_ready(app: TestApp) {
    let other_connection = app.other_connection().await;
    let rename = "ALTER TABLE vehicle RENAME COLUMN brand_name TO brand";
    other_connection.execute_unprepared(rename).await.unwrap();
    let response = poll_until_status(&app, 503).await;
    let part = &response.json()["parts"]["contract"];
    let detail = "1 differences between contract and tables; run vehicle-catalogue schema check";
    assert_eq!(
        *part,
        json!({ "ready": false, "detail": detail }),
        "{response}"
    );
}

async fn a_service_older_than_its_database_is_ready(app: TestApp) {
    let other_connection = app.other_connection().await;
    let newer = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m99990101_later', 1)";
    other_connection.execute_unprepared(newer).await.unwrap();
    loop {
        let response = poll_until_status(&app, 200).await;
        let migrations = &response.json()["parts"]["migrations"];
        if let Some(detail) = migrations["detail"].as_str() {
            assert!(detail.contains("newer version"), "{response}");
            return;
        }
    }
}

/// A TCP relay between a service and its database.
struct Relay {
    listener: TcpListener,
    database: String,
}

impl Relay {
    /// Forwards connections until `end` completes, then closes them all.
    async fn forward_until(&self, end: impl Future<Output = ()>) {
        let mut connections = JoinSet::new();
        let forward = async {
            loop {
                let (mut client, _) = self.listener.accept().await.unwrap();
                let mut server = TcpStream::connect(&self.database).await.unwrap();
                connections.spawn(async move {
                    // An early end is handled by the two peers.
                    let _ = copy_bidirectional(&mut client, &mut server).await;
                });
            }
        };
        tokio::select! {
            () = end => {}
            () = forward => {}
        }
    }

    /// Accepts connections and closes them at once until `end` completes.
    async fn refuse_until(&self, end: impl Future<Output = ()>) {
        let refuse = async {
            loop {
                drop(self.listener.accept().await.unwrap());
            }
        };
        tokio::select! {
            () = end => {}
            () = refuse => {}
        }
    }
}

async fn a_service_is_not_ready_until_its_database_is_reachable_again(app: TestApp) {
    if app.backend == Backend::Sqlite {
        // An open file stays reachable.
        return;
    }
    let url = app.database_url().to_owned();
    let host_and_port = |part: &&str| match part.rsplit_once(':') {
        Some((_, port)) => port.parse::<u16>().is_ok(),
        None => false,
    };
    let database = url.split(['@', '/']).find(host_and_port);
    let database = database.expect("the URL has a host and a port").to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let relay_addr = listener.local_addr().unwrap().to_string();
    let database_flag = format!("--database-url={}", url.replace(&database, &relay_addr));
    let relay = Relay { listener, database };
    let (started, start) = tokio::sync::oneshot::channel();
    let probes = async {
        relay
            .forward_until(async {
                let flags = [database_flag.as_str(), "--database-timeout-seconds=2"];
                let app = Box::pin(app.restart_with(&flags)).await;
                poll_until_status(&app, 200).await;
                assert!(started.send(app).is_ok());
            })
            .await;
        let app = start.await.unwrap();
        relay
            .refuse_until(async {
                let response = poll_until_status(&app, 503).await;
                let part = &response.json()["parts"]["database"];
                assert_eq!(part["ready"], false, "{response}");
                let detail = part["detail"].as_str().unwrap();
                assert!(
                    detail.starts_with("no response from the database"),
                    "{response}"
                );
                assert_eq!(app.get("/health/live").await.status(), 200);
            })
            .await;
        relay
            .forward_until(async {
                poll_until_status(&app, 200).await;
            })
            .await;
    };
    let in_time = timeout(Duration::from_secs(50), Box::pin(probes)).await;
    in_time.expect("readiness follows the database");
}

async fn concurrent_probes_succeed(app: TestApp) {
    let app = app.restart_with(&["--pool-size=1"]).await;
    let probes = (0..100).map(|_| app.get("/health/ready"));
    for response in futures_util::future::join_all(probes).await {
        assert_eq!(response.status(), 200, "{response}");
    }
}
