//! Graceful shutdown under load.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::Client;
use sea_orm::{ConnectionTrait, DatabaseConnection};
use testkit::{Backend, Context, until};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::load::{Load, Operation, Outcome, Target};
use crate::oracle::Oracle;
use crate::support::serve;
use crate::table::Stats;
use crate::{cases, rows};

cases![
    it_drains_on_sigterm_under_load on Sqlite Postgres {
        fault: "SIGTERM with writes that wait for a lock, an incomplete body, readers, idle connections of HTTP/1.1 and HTTP/2",
        promise: "all requests in flight complete, new connections are refused, idle ones do not delay the exit, exit code 0 within the drain timeout",
        how: "the lock is released and the body completed after the listener is closed; comparison with the stored rows at the end",
    },
];

const CREATORS: usize = 24;

const IDLE: usize = 40;

/// The drain timeout of the service.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(25);

/// How long new connections are accepted after the signal.
const PAUSE: Duration = Duration::from_secs(1);

const BODY: &str = r#"{"query":"{ __typename }"}"#;

async fn it_drains_on_sigterm_under_load(context: Context) -> Stats {
    let database = context.database();
    let drain = format!("--drain-timeout-seconds={}", DRAIN_TIMEOUT.as_secs());
    let pause = format!("--drain-pause-seconds={}", PAUSE.as_secs());
    let flags = [drain.as_str(), pause.as_str(), "--database-timeout-seconds=20"];
    let mut running = serve(database.url(), &flags).await;
    let idle = join_all((0..IDLE).map(|number| idle(running.addr, number))).await;
    let http_2_client = http_2_client(running.addr).await;
    let (oracle, target) = (Arc::new(Oracle::default()), Target::new(running.addr));
    let load = Load::start(&oracle, &target, CREATORS, 8);
    load.wait_for_acknowledged(200).await;
    let lock = lock_writes(context.backend, database.url()).await;
    let stream = send_request_head(running.addr).await;
    until("the writes wait", async || running.count("catalogue_requests_in_flight") > CREATORS).await;

    let signalled = Instant::now();
    running.signal("TERM");
    until("nobody gets in any more", async || TcpStream::connect(running.addr).await.is_err()).await;
    lock.close().await.unwrap();
    let response = send_body(stream).await;
    assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
    assert!(response.ends_with(r#"{"data":{"__typename":"Query"}}"#), "{response}");
    assert_eq!(running.ended().await.code(), Some(0), "{}", running.log());
    let took = signalled.elapsed();
    assert!(took < DRAIN_TIMEOUT, "{took:?}\n{}", running.log());
    let exchanges = load.stop().await;
    drop((idle, http_2_client));

    let mut stats = Stats { faults: 1, ..Stats::default() };
    exchanges.record(&mut stats);
    let wrong = exchanges.all.iter().filter(|one| match &one.outcome {
        Outcome::Success => false,
        // New connections are refused after the pause, and reset if they wait to be accepted at its end. No accepted
        // request may fail.
        Outcome::NoResponse(why) if why.contains("Error(Connect, ") => one.sent < signalled,
        Outcome::NoResponse(_) => one.operation != Operation::Read || one.sent + one.took < signalled + PAUSE,
        _ => true,
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{} of {}: {:#?}", wrong.len(), exchanges.all.len(), &wrong[..wrong.len().min(3)]);
    let late = exchanges.count(|one| {
        one.operation == Operation::Create
            && one.outcome == Outcome::Success
            && one.sent < signalled
            && one.sent + one.took > signalled
    });
    assert!(late >= CREATORS, "only {late} creates were under way");
    oracle.compare(&rows::all(database.url()).await, &mut stats).assert_sound();
    stats.further.insert("stopped after".to_owned(), format!("{} ms", took.as_millis()));
    stats.further.insert("writes that waited and were answered".to_owned(), late.to_string());
    stats
}

/// An idle connection, before its first request or after one.
async fn idle(addr: SocketAddr, number: usize) -> TcpStream {
    let mut stream = TcpStream::connect(addr).await.unwrap();
    if number.is_multiple_of(2) {
        stream.write_all(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
        let mut response = [0; 15];
        stream.read_exact(&mut response).await.unwrap();
        assert_eq!(response, *b"HTTP/1.1 200 OK");
    }
    stream
}

/// A client with an idle HTTP/2 connection.
async fn http_2_client(addr: SocketAddr) -> Client {
    let client = Client::builder().no_proxy().http2_prior_knowledge().build().unwrap();
    let live = client.get(format!("http://{addr}/health/live")).send().await.unwrap();
    assert_eq!(live.status(), 200);
    client
}

/// Locks the table against writes, not reads, until the connection is closed.
pub(crate) async fn lock_writes(backend: Backend, url: &str) -> DatabaseConnection {
    let connection = testkit::connect(url).await;
    let lock = match backend {
        Backend::Sqlite => "BEGIN IMMEDIATE",
        Backend::Postgres => "BEGIN; LOCK TABLE vehicle IN SHARE MODE",
        Backend::Mariadb | Backend::Mysql => "LOCK TABLES vehicle READ",
    };
    // A running transaction may hold the lock for a short time.
    let locked = async || connection.execute_unprepared(lock).await.is_ok();
    until("the table is locked", locked).await;
    connection
}

/// Sends a request head and waits for `100 Continue`.
async fn send_request_head(addr: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(addr).await.unwrap();
    let head = format!(
        "POST /graphql HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        BODY.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut interim = [0; 25];
    stream.read_exact(&mut interim).await.unwrap();
    assert_eq!(interim, *b"HTTP/1.1 100 Continue\r\n\r\n");
    stream
}

async fn send_body(mut stream: TcpStream) -> String {
    stream.write_all(BODY.as_bytes()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    response
}
