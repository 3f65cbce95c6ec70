//! A database that goes and comes back.

use std::{
    collections::BTreeSet,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use sea_orm::{ConnectionTrait, Database, DatabaseConnection, Statement};
use serde_json::Value;
use tokio::time::sleep;

use crate::{
    Context, cases,
    databases::{Backend, OwnServer},
    running::{Running, Started, until},
};

cases![
    a_restart_under_load_loses_no_read_and_doubles_no_write on Postgres Mysql,
    a_write_whose_answer_is_lost_is_told_as_unknown on Postgres Mysql,
    a_write_while_the_database_is_away_is_certainly_not_stored on Postgres Mysql,
    a_write_that_waits_for_a_lock_is_given_up_by_the_database on Postgres Mysql,
    a_database_that_starts_later_than_the_service_is_waited_for on Postgres Mysql,
];

const UNKNOWN: &str = "it is not known whether the vehicle was stored";

/// What became of writes.
#[derive(Debug, Default)]
struct Written {
    acknowledged: BTreeSet<String>,
    unknown: BTreeSet<String>,
    refused: BTreeSet<String>,
}

impl Written {
    fn note(&mut self, model: String, answer: &Value) {
        let message = answer["errors"][0]["message"].as_str();
        let outcome = match message {
            None => &mut self.acknowledged,
            Some(message) if message.contains(UNKNOWN) => &mut self.unknown,
            Some(_) => &mut self.refused,
        };
        outcome.insert(model);
    }
}

async fn a_restart_under_load_loses_no_read_and_doubles_no_write(context: Context) {
    let mut server = OwnServer::durable(context.backend);
    let running = Running::start(&server.database(), &["--database-timeout-seconds=50"]).await;
    let (written, failed_reads) = (Mutex::new(Written::default()), Mutex::new(Vec::new()));
    let leave = AtomicBool::new(false);
    let writer = async |number: usize| {
        for turn in 0.. {
            if leave.load(Ordering::Relaxed) {
                return;
            }
            let model = format!("{number}-{turn}");
            let answer = running.create(&model).await.unwrap();
            written.lock().unwrap().note(model, &answer);
        }
    };
    let reader = async || {
        while !leave.load(Ordering::Relaxed) {
            let answer = running.ask("{ vehicles(count: 3) { id } }").await.unwrap();
            if answer.get("errors").is_some() {
                failed_reads.lock().unwrap().push(answer.to_string());
            }
        }
    };
    let acknowledged = || written.lock().unwrap().acknowledged.len();
    let conductor = async {
        for _ in 0..2 {
            let before = acknowledged();
            until("load", async || acknowledged() >= before + 30).await;
            server.stop();
            sleep(Duration::from_millis(300)).await;
            server.start_again();
        }
        let before = acknowledged();
        until("load after it", async || acknowledged() >= before + 30).await;
        leave.store(true, Ordering::Relaxed);
    };
    let writers = async { tokio::join!(writer(0), writer(1), writer(2), writer(3)) };
    tokio::join!(conductor, writers, reader(), reader(), reader(), reader());

    assert_eq!(*failed_reads.lock().unwrap(), [""; 0], "{}", running.log());
    let written = written.into_inner().unwrap();
    let list = running.models().await;
    let stored: BTreeSet<_> = list.iter().cloned().collect();
    assert_eq!(list.len(), stored.len(), "a write was doubled");
    assert!(
        stored.is_superset(&written.acknowledged),
        "a write was lost"
    );
    assert!(stored.is_disjoint(&written.refused), "{written:?}");
    // Those that were under way; no others. A server ends one connection after the other, so in each
    // restart a writer can lose a second one that it has sent on a connection that was still there.
    assert!(written.unknown.len() <= 16, "{:?}", written.unknown);
    assert!(written.refused.is_empty(), "{:?}", written.refused);
}

async fn a_write_whose_answer_is_lost_is_told_as_unknown(context: Context) {
    let mut server = OwnServer::durable(context.backend);
    let url = server.database();
    let running = Running::start(&url, &["--database-timeout-seconds=50"]).await;
    let stranger = lock(context.backend, &url).await;
    let crash = async {
        let waiting = async || waiting_inserts(context.backend, &stranger).await;
        until("a write waits", async || waiting().await == 1).await;
        server.stop();
    };
    let (answer, ()) = tokio::join!(running.create("XC60"), crash);
    let error = answer.unwrap()["errors"][0].clone();
    let message = error["message"].as_str().unwrap();
    assert!(message.contains(UNKNOWN), "{error}");
    assert_eq!(error["extensions"]["code"], "SERVICE_UNAVAILABLE");
    assert!(error["extensions"]["reference"].is_string(), "{error}");
    server.start_again();
    assert_eq!(
        running.models().await,
        [""; 0],
        "it is said once, sent once"
    );
}

async fn a_write_while_the_database_is_away_is_certainly_not_stored(context: Context) {
    let mut server = OwnServer::durable(context.backend);
    let running = Running::start(&server.database(), &["--database-timeout-seconds=2"]).await;
    server.stop();
    let read = running.ask("{ vehicles { id } }").await.unwrap();
    let write = running.create("XC60").await.unwrap();
    for answer in [read, write] {
        let error = &answer["errors"][0];
        assert_eq!(
            error["extensions"]["code"], "SERVICE_UNAVAILABLE",
            "{error}"
        );
        let message = error["message"].as_str().unwrap();
        assert!(
            message.contains("can't be reached at the moment"),
            "{error}"
        );
    }
    assert_eq!(running.readiness().await, 503);
    server.start_again();
    until("ready", async || running.readiness().await == 200).await;
    assert_eq!(running.models().await, [""; 0]);
}

async fn a_write_that_waits_for_a_lock_is_given_up_by_the_database(context: Context) {
    let database = context.database();
    let running = Running::start(database.url(), &["--database-timeout-seconds=1"]).await;
    let stranger = lock(context.backend, database.url()).await;
    let answer = running.create("XC60").await.unwrap();
    let error = &answer["errors"][0];
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("can't be reached at the moment"),
        "{error}"
    );
    assert_eq!(waiting_inserts(context.backend, &stranger).await, 0);
    stranger.close().await.unwrap();
    assert_eq!(running.models().await, [""; 0]);
}

async fn a_database_that_starts_later_than_the_service_is_waited_for(context: Context) {
    let mut server = OwnServer::durable(context.backend);
    let url = server.database();
    server.stop();
    let started = Started::new(&url, &["--database-connect-timeout-seconds=60"]);
    started.logged("waiting for the ").await;
    server.start_again();
    let running = started.listening().await;
    assert_eq!(running.models().await, [""; 0]);
    assert!(
        running.log().contains(" connected to the "),
        "{}",
        running.log()
    );
}

/// Keeps everybody else from the vehicles for as long as the answer is open.
async fn lock(backend: Backend, url: &str) -> DatabaseConnection {
    let mut options = sea_orm::ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    let stranger = Database::connect(options).await.unwrap();
    let lock = match backend {
        Backend::Mysql => "LOCK TABLES vehicle WRITE",
        _ => "BEGIN; LOCK TABLE vehicle IN ACCESS EXCLUSIVE MODE",
    };
    stranger.execute_unprepared(lock).await.unwrap();
    stranger
}

/// How many statements that insert are being executed in the database.
async fn waiting_inserts(backend: Backend, stranger: &DatabaseConnection) -> i64 {
    let count = match backend {
        Backend::Mysql => {
            "SELECT COUNT(*) FROM information_schema.processlist \
             WHERE db = DATABASE() AND info LIKE 'INSERT INTO `vehicle`%'"
        }
        _ => {
            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() \
             AND state = 'active' AND query LIKE 'INSERT INTO \"vehicle\"%'"
        }
    };
    if backend == Backend::Postgres {
        // Within a transaction it shows what it has shown before.
        let anew = "SELECT pg_stat_clear_snapshot()";
        stranger.execute_unprepared(anew).await.unwrap();
    }
    let count = Statement::from_string(stranger.get_database_backend(), count);
    let row = stranger.query_one_raw(count).await.unwrap().unwrap();
    row.try_get_by_index(0).unwrap()
}
