//! How the service ends.

use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use sea_orm::{ConnectionTrait, Database};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use crate::{
    Context, cases,
    databases::Backend,
    running::{Running, Started, until},
};

cases![
    a_service_under_load_ends_without_a_lost_answer_or_write on Sqlite Postgres Mysql,
    during_the_pause_it_serves_and_asks_its_clients_to_leave on Sqlite,
    what_is_not_finished_in_time_is_refused_and_not_reset on Sqlite Postgres Mysql,
    a_second_signal_ends_it_at_once on Sqlite,
    a_signal_ends_a_start_that_waits_for_the_database on Postgres Mysql,
];

async fn a_service_under_load_ends_without_a_lost_answer_or_write(context: Context) {
    let database = context.database();
    let mut running = Running::start(database.url(), &["--drain-pause-seconds=6"]).await;
    let (acknowledged, trouble) = (Mutex::new(BTreeSet::new()), Mutex::new(Vec::new()));
    let leave = AtomicBool::new(false);
    let writer = async |number: usize| {
        for turn in 0.. {
            if leave.load(Ordering::Relaxed) {
                return;
            }
            let model = format!("{number}-{turn}");
            match running.create(&model).await {
                Ok(answer) if answer["data"]["createVehicle"]["id"].is_string() => {
                    acknowledged.lock().unwrap().insert(model);
                }
                other => trouble.lock().unwrap().push(format!("{other:?}")),
            }
        }
    };
    let conductor = async {
        let count = || acknowledged.lock().unwrap().len();
        until("there is load", async || count() >= 20).await;
        running.signal("TERM");
        running.logged("SIGTERM").await;
        assert_eq!(running.readiness().await, 503);
        let before = count();
        until("it still serves", async || count() >= before + 8).await;
        // As a balancer does that has noticed.
        leave.store(true, Ordering::Relaxed);
    };
    tokio::join!(conductor, writer(0), writer(1), writer(2), writer(3));
    assert_eq!(running.ended().await.code(), Some(0), "{}", running.log());
    assert_eq!(*trouble.lock().unwrap(), [""; 0], "{}", running.log());
    let stored = Running::start(database.url(), &[]).await.models().await;
    assert_eq!(stored.len(), acknowledged.lock().unwrap().len());
    let stored: BTreeSet<_> = stored.into_iter().collect();
    assert_eq!(stored, *acknowledged.lock().unwrap());
}

async fn during_the_pause_it_serves_and_asks_its_clients_to_leave(context: Context) {
    let database = context.database();
    let mut running = Running::start(database.url(), &["--drain-pause-seconds=3"]).await;
    assert_eq!(running.readiness().await, 200);
    let url = format!("http://{}/graphql?query={{__typename}}", running.addr);
    let before = running.client.get(&url).send().await.unwrap();
    assert!(!before.headers().contains_key("connection"));
    let signalled = Instant::now();
    running.signal("TERM");
    running.logged("SIGTERM").await;
    assert_eq!(running.readiness().await, 503);
    let meanwhile = running.client.get(&url).send().await.unwrap();
    assert_eq!(meanwhile.status(), 200);
    assert_eq!(meanwhile.headers()["connection"], "close");
    assert_eq!(running.ended().await.code(), Some(0));
    assert!(signalled.elapsed() >= Duration::from_secs(3));
}

async fn what_is_not_finished_in_time_is_refused_and_not_reset(context: Context) {
    let database = context.database();
    let flags = ["--drain-timeout-seconds=1", "--database-timeout-seconds=20"];
    let mut running = Running::start(database.url(), &flags).await;
    let stranger = Database::connect(database.url()).await.unwrap();
    let lock = match context.backend {
        Backend::Sqlite => "BEGIN IMMEDIATE",
        Backend::Postgres => "BEGIN; LOCK TABLE vehicle IN ACCESS EXCLUSIVE MODE",
        Backend::Mysql => "LOCK TABLES vehicle WRITE",
    };
    stranger.execute_unprepared(lock).await.unwrap();
    let mut waiting = TcpStream::connect(running.addr).await.unwrap();
    let body =
        r#"{"query":"mutation { createVehicle(type: \"SUV\", modelCode: \"XC60\") { id } }"}"#;
    let head = "POST /graphql HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/json";
    let head = format!(
        "{head}\r\nX-Request-Id: mine\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    waiting.write_all(head.as_bytes()).await.unwrap();
    let mut go_on = [0; 25];
    waiting.read_exact(&mut go_on).await.unwrap();
    assert_eq!(go_on, *b"HTTP/1.1 100 Continue\r\n\r\n", "it is in flight");
    waiting.write_all(body.as_bytes()).await.unwrap();
    running.signal("TERM");
    let mut answer = String::new();
    waiting.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    for expected in [
        "SERVICE_UNAVAILABLE",
        "it is not known whether it was executed",
        "\r\nx-request-id: mine\r\n",
    ] {
        assert!(answer.contains(expected), "{answer}");
    }
    stranger.close().await.unwrap();
    assert_eq!(running.ended().await.code(), Some(0), "{}", running.log());
    assert!(
        running.log().contains("the drain time-out is over"),
        "{}",
        running.log()
    );
    assert!(running.log().contains("requests=1"), "{}", running.log());
}

async fn a_second_signal_ends_it_at_once(context: Context) {
    for (signal, code) in [("TERM", 143), ("INT", 130)] {
        let database = context.database();
        let flags = ["--drain-pause-seconds=3600"];
        let mut running = Running::start(database.url(), &flags).await;
        running.signal("TERM");
        running.logged("SIGTERM").await;
        running.signal(signal);
        assert_eq!(
            running.ended().await.code(),
            Some(code),
            "{}",
            running.log()
        );
        let last = running.log();
        let last = last.lines().last().unwrap();
        assert!(
            last.starts_with("error: stopped at once by a second signal"),
            "{last}"
        );
    }
}

async fn a_signal_ends_a_start_that_waits_for_the_database(context: Context) {
    // Nobody answers at this address for as long as it is only reserved.
    let silent = Arc::new(TcpListener::bind("127.0.0.1:0").await.unwrap());
    let port = silent.local_addr().unwrap().port();
    drop(silent);
    let scheme = match context.backend {
        Backend::Mysql => "mysql",
        _ => "postgres",
    };
    let url = format!("{scheme}://user:secret@127.0.0.1:{port}/shop");
    let mut started = Started::new(&url, &["--database-connect-timeout-seconds=3600"]);
    started.logged("waiting for the ").await;
    started.signal("TERM");
    assert_eq!(started.ended().await.code(), Some(0));
    let log = started.log();
    for expected in [
        "database shop at 127.0.0.1",
        "patience_s=3600",
        "refused",
        "SIGTERM: stopped while starting",
    ] {
        assert!(log.contains(expected), "{expected:?} is not in\n{log}");
    }
    assert!(!log.contains("secret"), "{log}");
}
