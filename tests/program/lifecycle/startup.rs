//! Health and refused requests while the service waits for its database at startup.

use std::net::SocketAddr;

use reqwest::{Client, Method, Response};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use testkit::{Context, Started, TIMEOUT, connect, free_port};

use crate::support::start;

testkit::tests![
    a_service_that_waits_for_its_database_is_live_and_not_ready on Sqlite,
    with_an_admin_listener_only_that_serves_health on Sqlite,
    startup_fails_after_the_connect_timeout on Sqlite,
    startup_waits_for_a_locked_file on Sqlite,
];

/// Makes the service log its addresses before it prints them.
pub(crate) const DEBUG: &str = "--log-level=debug";

/// The URL of an unreachable database.
fn unreachable_database() -> String {
    format!("postgres://user:secret@127.0.0.1:{}/vehicles", free_port())
}

/// An address of a starting service, from its log.
pub(crate) async fn address(started: &Started, field: &str) -> SocketAddr {
    started.logged("requests are refused until").await;
    let log = started.log();
    let key = format!(" {field}=");
    let (_, value) = log.split_once(&key).unwrap_or_else(|| panic!("{log}"));
    value.split_whitespace().next().unwrap().parse().unwrap()
}

fn client() -> Client {
    let client = Client::builder().no_proxy().timeout(TIMEOUT);
    client.build().unwrap()
}

async fn get(addr: SocketAddr, path: &str) -> Response {
    let url = format!("http://{addr}{path}");
    client().get(url).send().await.unwrap()
}

/// Asserts that the service is live and not ready.
pub(crate) async fn assert_alive_and_not_ready(addr: SocketAddr) {
    let live = get(addr, "/health/live").await;
    assert_eq!(live.status(), 200);
    assert!(live.headers().contains_key("x-request-id"), "{live:?}");
    assert_eq!(
        live.json::<Value>().await.unwrap(),
        json!({ "status": "live" })
    );
    let ready = get(addr, "/health/ready").await;
    assert_eq!(ready.status(), 503);
    let report = ready.json::<Value>().await.unwrap();
    assert_eq!(report["status"], "not ready", "{report}");
    let database = &report["parts"]["database"];
    assert_eq!(database["ready"], false, "{report}");
    let detail = "starting: waiting for the database";
    assert_eq!(database["detail"], detail, "{report}");
}

/// Asserts that requests are refused with `Retry-After`.
pub(crate) async fn assert_refused(addr: SocketAddr) {
    for (method, path) in [
        (Method::POST, "/graphql"),
        (Method::GET, "/graphql?query=%7B__typename%7D"),
        (Method::GET, "/metrics"),
        (Method::GET, "/limits"),
    ] {
        let request = client().request(method, format!("http://{addr}{path}"));
        let query = json!({ "query": "{ __typename }" });
        let response = request.json(&query).send().await.unwrap();
        assert_eq!(response.status(), 503, "{path}");
        assert_eq!(response.headers()["retry-after"], "1", "{path}");
        let response = response.json::<Value>().await.unwrap();
        let error = &response["errors"][0];
        assert_eq!(
            error["extensions"]["code"], "SERVICE_UNAVAILABLE",
            "{response}"
        );
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("is starting"), "{response}");
        assert!(response.get("data").is_none(), "{response}");
    }
}

async fn a_service_that_waits_for_its_database_is_live_and_not_ready(_: Context) {
    let mut started = start(&unreachable_database(), &[DEBUG]);
    let addr = address(&started, "listen").await;
    assert_alive_and_not_ready(addr).await;
    assert_refused(addr).await;
    started.signal("TERM");
    assert_eq!(started.ended().await.code(), Some(0), "{}", started.log());
    assert!(
        started.log().contains("stopped while starting"),
        "{}",
        started.log()
    );
    assert_eq!(started.printed(), "", "it never served GraphQL requests");
}

async fn with_an_admin_listener_only_that_serves_health(_: Context) {
    let mut started = start(
        &unreachable_database(),
        &[DEBUG, "--admin-listen=127.0.0.1:0"],
    );
    let admin_addr = address(&started, "admin_listen").await;
    let client_addr = address(&started, "listen").await;
    assert_alive_and_not_ready(admin_addr).await;
    assert_refused(client_addr).await;
    for path in ["/health/live", "/health/ready"] {
        assert_eq!(get(client_addr, path).await.status(), 503, "{path}");
    }
    started.signal("INT");
    assert_eq!(started.ended().await.code(), Some(0), "{}", started.log());
}

async fn startup_fails_after_the_connect_timeout(_: Context) {
    let mut started = start(
        &unreachable_database(),
        &[DEBUG, "--database-connect-timeout-seconds=2"],
    );
    let addr = address(&started, "listen").await;
    assert_eq!(get(addr, "/health/live").await.status(), 200);
    assert_eq!(started.ended().await.code(), Some(1));
    let log = started.log();
    assert!(log.contains("error: cannot use the database: "), "{log}");
    assert_eq!(started.printed(), "");
}

async fn startup_waits_for_a_locked_file(context: Context) {
    let database = context.database();
    let other = connect(&format!("{}?mode=rwc", database.url())).await;
    other.execute_unprepared("BEGIN EXCLUSIVE").await.unwrap();
    let started = start(database.url(), &["--database-timeout-seconds=1"]);
    started.logged("waiting for the ").await;
    other.close().await.unwrap();
    assert_eq!(started.listening().await.readiness().await, 200);
}
