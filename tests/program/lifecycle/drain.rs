//! Graceful shutdown: drain pause, drain timeout and signals; and a start that waits for the database.

use std::time::{Duration, Instant};

use sea_orm::ConnectionTrait;
use testkit::{Context, connect, free_port, until};
use tokio::net::TcpStream;

use crate::support::{Vehicles as _, serve, start};

testkit::tests![
    the_drain_pause_serves_requests_and_closes_connections on Sqlite,
    a_second_signal_exits_at_once on Sqlite,
    sighup_ends_neither_the_service_nor_its_drain on Sqlite,
    a_signal_stops_a_startup_that_waits_for_the_database on Sqlite,
    startup_waits_for_a_locked_file on Sqlite,
];

async fn the_drain_pause_serves_requests_and_closes_connections(context: Context) {
    let database = context.database();
    let mut running = serve(database.url(), &["--drain-pause-seconds=2"]).await;
    assert_eq!(running.readiness().await, 200);
    let url = format!("http://{}/graphql?query={{__typename}}", running.addr);
    let before = running.client.get(&url).send().await.unwrap();
    assert!(!before.headers().contains_key("connection"));
    let signalled = Instant::now();
    running.signal("TERM");
    until("not ready", async || running.readiness().await == 503).await;
    let live = running.client.get(running.url("/health/live")).send().await.unwrap();
    assert_eq!(live.status(), 200);
    let meanwhile = running.client.get(&url).send().await.unwrap();
    assert_eq!(meanwhile.status(), 200);
    assert_eq!(meanwhile.headers()["connection"], "close");
    assert_eq!(running.ended().await.code(), Some(0));
    assert!(signalled.elapsed() >= Duration::from_secs(2));
}

async fn a_second_signal_exits_at_once(context: Context) {
    for (signal, code) in [("TERM", 143), ("INT", 130)] {
        let database = context.database();
        let flags = ["--drain-pause-seconds=3600"];
        let mut running = serve(database.url(), &flags).await;
        running.signal("TERM");
        running.logged("SIGTERM").await;
        running.signal(signal);
        assert_eq!(running.ended().await.code(), Some(code), "{}", running.log());
        let last = running.log();
        let last = last.lines().last().unwrap();
        assert!(last.starts_with("error: aborted by a second signal"), "{last}");
    }
}

/// A terminal sends it when it is closed, some service managers when they stop a service, and operators for a reload.
async fn sighup_ends_neither_the_service_nor_its_drain(context: Context) {
    let database = context.database();
    let mut running = serve(database.url(), &["--drain-pause-seconds=2"]).await;
    running.signal("HUP");
    assert!(running.create("XC60").await.unwrap()["errors"].is_null());
    running.signal("TERM");
    running.logged("SIGTERM: draining").await;
    for _ in 0..3 {
        running.signal("HUP");
    }
    assert!(running.create("XC90").await.unwrap()["errors"].is_null());
    assert_eq!(running.ended().await.code(), Some(0), "{}", running.log());
}

async fn a_signal_stops_a_startup_that_waits_for_the_database(_: Context) {
    let url = format!("postgres://user:secret@127.0.0.1:{}/shop", free_port());
    let addr = format!("127.0.0.1:{}", free_port());
    let listen = format!("--listen={addr}");
    let mut started = start(&url, &[&listen, "--database-connect-timeout-seconds=3600"]);
    started.logged("waiting for the ").await;
    let refused = TcpStream::connect(addr).await.unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::ConnectionRefused);
    started.signal("TERM");
    assert_eq!(started.ended().await.code(), Some(0));
    let log = started.log();
    for expected in
        ["database shop at 127.0.0.1", "\"connect_timeout_s\":3600", "refused", "SIGTERM: stopped while starting"]
    {
        assert!(log.contains(expected), "{expected:?} is not in\n{log}");
    }
    assert!(!log.contains("secret"), "{log}");
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
