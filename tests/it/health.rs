//! What the service says about itself to those who watch it.

use std::time::Duration;

use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::timeout,
};

use crate::support::{Answer, Backend, TestApp, tests};

tests![
    a_service_that_works_is_live_and_ready,
    health_is_only_read,
    nobody_keeps_an_answer_about_health,
    a_busy_service_is_ready,
    a_service_without_its_migrations_is_alive_and_not_ready,
    a_service_that_is_older_than_its_database_is_ready,
    a_service_whose_tables_do_not_fit_is_not_ready,
    a_service_whose_database_is_gone_is_not_ready_until_it_is_back,
    many_probes_at_once_are_answered,
];

/// Asks until the answer has a status. What the database said holds for a moment.
async fn ready_with(app: &TestApp, status: u16) -> Answer {
    loop {
        let answer = app.get("/health/ready").await;
        if answer.status() == status {
            return answer;
        }
    }
}

async fn a_service_that_works_is_live_and_ready(app: TestApp) {
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

async fn health_is_only_read(app: TestApp) {
    for path in ["/health/live", "/health/ready"] {
        let answer = app.send(path, app.request(Method::HEAD, path)).await;
        assert_eq!(answer.status(), 200, "{answer}");
        let answer = app.send(path, app.request(Method::POST, path)).await;
        assert_eq!(answer.status(), 405, "{answer}");
        assert_eq!(answer.header("allow"), "GET, HEAD", "{answer}");
    }
}

async fn nobody_keeps_an_answer_about_health(app: TestApp) {
    for path in ["/health/live", "/health/ready"] {
        let answer = app.get(path).await;
        assert_eq!(answer.header("cache-control"), "no-store", "{answer}");
        assert_eq!(answer.header("etag"), "", "{answer}");
        let media_type = "application/json; charset=utf-8";
        assert_eq!(answer.header("content-type"), media_type, "{answer}");
    }
}

async fn a_busy_service_is_ready(app: TestApp) {
    let app = app.restart_with(&["--concurrency-limit=1"]).await;
    let mut busy = app.connect().await;
    let head = "POST /graphql HTTP/1.1\r\nHost: catalogue\r\nContent-Type: application/json\r\n\
                Content-Length: 9\r\nExpect: 100-continue\r\n\r\n";
    busy.write_all(head.as_bytes()).await.unwrap();
    // The service says so once it waits for the body.
    let mut continues = [0; 25];
    busy.read_exact(&mut continues).await.unwrap();
    assert_eq!(app.ask("{ __typename }", json!({})).await.status(), 503);
    assert_eq!(app.get("/health/ready").await.status(), 200);
    assert_eq!(app.get("/health/live").await.status(), 200);
}

async fn a_service_without_its_migrations_is_alive_and_not_ready(app: TestApp) {
    let stranger = app.stranger().await;
    let forgotten = stranger.execute_unprepared("DELETE FROM seaql_migrations");
    forgotten.await.unwrap();
    let answer = ready_with(&app, 503).await;
    assert_eq!(answer.json()["status"], "not ready", "{answer}");
    let parts = &answer.json()["parts"];
    assert_eq!(parts["migrations"]["ready"], false, "{answer}");
    assert_eq!(parts["database"]["ready"], true, "{answer}");
    let detail = parts["migrations"]["detail"].as_str().unwrap();
    assert!(
        detail.ends_with("run vehicle-catalogue migrate up"),
        "{answer}"
    );
    assert_eq!(app.get("/health/live").await.status(), 200);
}

async fn a_service_whose_tables_do_not_fit_is_not_ready(app: TestApp) {
    let stranger = app.stranger().await;
    let rename = "ALTER TABLE vehicle RENAME COLUMN brand_name TO brand";
    stranger.execute_unprepared(rename).await.unwrap();
    let answer = ready_with(&app, 503).await;
    let part = &answer.json()["parts"]["contract"];
    let detail = "differences to the tables: 1; run vehicle-catalogue schema check";
    assert_eq!(
        *part,
        json!({ "ready": false, "detail": detail }),
        "{answer}"
    );
}

async fn a_service_that_is_older_than_its_database_is_ready(app: TestApp) {
    let stranger = app.stranger().await;
    let newer = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m99990101_later', 1)";
    stranger.execute_unprepared(newer).await.unwrap();
    loop {
        let answer = ready_with(&app, 200).await;
        let migrations = &answer.json()["parts"]["migrations"];
        if let Some(detail) = migrations["detail"].as_str() {
            assert!(detail.contains("newer version"), "{answer}");
            return;
        }
    }
}

/// Lets a service reach its database until it is dropped.
struct Way {
    listener: TcpListener,
    database: String,
}

impl Way {
    /// Carries connections until `end` is through, then breaks them all and takes no more.
    async fn open_until(&self, end: impl Future<Output = ()>) {
        let mut connections = JoinSet::new();
        let carry = async {
            loop {
                let (mut near, _) = self.listener.accept().await.unwrap();
                let mut far = TcpStream::connect(&self.database).await.unwrap();
                connections.spawn(async move {
                    // What ends a connection early concerns its two ends.
                    let _ = copy_bidirectional(&mut near, &mut far).await;
                });
            }
        };
        tokio::select! {
            () = end => {}
            () = carry => {}
        }
    }

    /// Takes connections and breaks them at once until `end` is through.
    async fn closed_until(&self, end: impl Future<Output = ()>) {
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

async fn a_service_whose_database_is_gone_is_not_ready_until_it_is_back(app: TestApp) {
    if app.backend == Backend::Sqlite {
        // A file that is open can't be lost.
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
    let way_addr = listener.local_addr().unwrap().to_string();
    let detour = format!("--database-url={}", url.replace(&database, &way_addr));
    let way = Way { listener, database };
    let (started, start) = tokio::sync::oneshot::channel();
    let watch = async {
        way.open_until(async {
            let flags = [detour.as_str(), "--database-timeout-seconds=2"];
            let app = Box::pin(app.restart_with(&flags)).await;
            ready_with(&app, 200).await;
            assert!(started.send(app).is_ok());
        })
        .await;
        let app = start.await.unwrap();
        way.closed_until(async {
            let answer = ready_with(&app, 503).await;
            let part = &answer.json()["parts"]["database"];
            assert_eq!(part["ready"], false, "{answer}");
            let detail = part["detail"].as_str().unwrap();
            assert!(
                detail.starts_with("the database does not answer"),
                "{answer}"
            );
            assert_eq!(app.get("/health/live").await.status(), 200);
        })
        .await;
        way.open_until(async {
            ready_with(&app, 200).await;
        })
        .await;
    };
    let in_time = timeout(Duration::from_secs(50), Box::pin(watch)).await;
    in_time.expect("readiness follows the database");
}

async fn many_probes_at_once_are_answered(app: TestApp) {
    let app = app.restart_with(&["--pool-size=1"]).await;
    let probes = (0..100).map(|_| app.get("/health/ready"));
    for answer in futures_util::future::join_all(probes).await {
        assert_eq!(answer.status(), 200, "{answer}");
    }
}
