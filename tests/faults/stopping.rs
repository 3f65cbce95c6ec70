//! The service told to stop in the midst of everything.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::Client;
use sea_orm::{ConnectionTrait, DatabaseConnection};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::databases::Backend;
use crate::load::{Asked, Got, Load, Target};
use crate::oracle::Oracle;
use crate::running::{Running, until};
use crate::table::Figures;
use crate::{Context, cases, rows};

cases![
    it_is_told_to_stop_under_load on Sqlite Postgres Mysql {
        fault: "SIGTERM with writes that wait for a lock, a body half sent, readers at full speed, idle connections of HTTP/1.1 and HTTP/2",
        promise: "whatever was begun is answered, new connections are refused, idle ones hold nothing up, exit code 0 within the drain time-out",
        how: "the lock is released and the body completed after the door is closed; the oracle looks at the end",
    },
];

const CREATORS: usize = 24;

const IDLE: usize = 40;

/// How long a stop may take, as the service is told.
const DRAIN: Duration = Duration::from_secs(25);

const BODY: &str = r#"{"query":"{ __typename }"}"#;

async fn it_is_told_to_stop_under_load(context: Context) -> Figures {
    let database = context.database();
    let drain = format!("--drain-timeout-seconds={}", DRAIN.as_secs());
    let flags = [
        drain.as_str(),
        "--drain-pause-seconds=1",
        "--database-timeout-seconds=20",
    ];
    let mut running = Running::start(database.url(), &flags).await;
    let idle = join_all((0..IDLE).map(|number| idle(running.addr, number))).await;
    let shared = shared(running.addr).await;
    let (oracle, target) = (Arc::new(Oracle::default()), Target::new(running.addr));
    let load = Load::start(&oracle, &target, CREATORS, 8);
    load.acknowledges(200).await;
    let lock = keep_writes_waiting(context.backend, database.url()).await;
    let half = half_a_request(running.addr).await;
    until("the writes wait", async || {
        in_flight(&running).await > CREATORS
    })
    .await;

    running.signal("TERM");
    let told = Instant::now();
    until("nobody gets in any more", async || {
        TcpStream::connect(running.addr).await.is_err()
    })
    .await;
    lock.close().await.unwrap();
    let answer = the_other_half(half).await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(
        answer.ends_with(r#"{"data":{"__typename":"Query"}}"#),
        "{answer}"
    );
    assert_eq!(running.ended().await.code(), Some(0), "{}", running.log());
    let took = told.elapsed();
    assert!(took < DRAIN, "{took:?}\n{}", running.log());
    assert!(
        !running.log().contains("time-out is over"),
        "{}",
        running.log()
    );
    let exchanges = load.stop().await;
    drop((idle, shared));

    let mut figures = Figures {
        faults: 1,
        ..Figures::default()
    };
    exchanges.note(&mut figures);
    let wrong = exchanges.all.iter().filter(|one| match &one.got {
        Got::Answer => false,
        // Who comes after the door is closed gets no connection; a request that was begun never is cut.
        Got::Nothing(why) => !why.contains("Error(Connect, ") || one.sent < told,
        _ => true,
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(
        wrong.is_empty(),
        "{} of {}: {:#?}",
        wrong.len(),
        exchanges.all.len(),
        &wrong[..wrong.len().min(3)]
    );
    let late = exchanges.count(|one| {
        one.asked == Asked::Create
            && one.got == Got::Answer
            && one.sent < told
            && one.sent + one.took > told
    });
    assert!(late >= CREATORS, "only {late} creates were under way");
    oracle
        .compare(&rows::all(database.url()).await, &mut figures)
        .assert_sound();
    figures.further.insert(
        "stopped after".to_owned(),
        format!("{} ms", took.as_millis()),
    );
    figures.further.insert(
        "writes that waited and were answered".to_owned(),
        late.to_string(),
    );
    figures
}

/// A connection without a request, before its first one or after.
async fn idle(addr: SocketAddr, number: usize) -> TcpStream {
    let mut stream = TcpStream::connect(addr).await.unwrap();
    if number.is_multiple_of(2) {
        stream
            .write_all(b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")
            .await
            .unwrap();
        let mut answer = [0; 15];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(answer, *b"HTTP/1.1 200 OK");
    }
    stream
}

/// A client with an idle connection of HTTP/2.
async fn shared(addr: SocketAddr) -> Client {
    let client = Client::builder()
        .no_proxy()
        .http2_prior_knowledge()
        .build()
        .unwrap();
    let live = client
        .get(format!("http://{addr}/health/live"))
        .send()
        .await
        .unwrap();
    assert_eq!(live.status(), 200);
    client
}

/// Has every write wait until the connection is closed; reads do not.
pub(crate) async fn keep_writes_waiting(backend: Backend, url: &str) -> DatabaseConnection {
    let stranger = rows::stranger(url).await;
    let lock = match backend {
        Backend::Sqlite => "BEGIN IMMEDIATE",
        Backend::Postgres => "BEGIN; LOCK TABLE vehicle IN SHARE MODE",
        Backend::Mysql => "LOCK TABLES vehicle READ",
    };
    // Another may hold it for a moment.
    let locked = async || stranger.execute_unprepared(lock).await.is_ok();
    until("the table is locked", locked).await;
    stranger
}

/// A request whose body the service waits for.
async fn half_a_request(addr: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(addr).await.unwrap();
    let head = format!(
        "POST /graphql HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        BODY.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut go_on = [0; 25];
    stream.read_exact(&mut go_on).await.unwrap();
    assert_eq!(go_on, *b"HTTP/1.1 100 Continue\r\n\r\n");
    stream
}

async fn the_other_half(mut stream: TcpStream) -> String {
    stream.write_all(BODY.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

async fn in_flight(running: &Running) -> usize {
    let url = format!("http://{}/metrics", running.addr);
    let text = running
        .client
        .get(url)
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    let value = text
        .lines()
        .find_map(|line| line.strip_prefix("catalogue_requests_in_flight "));
    // A count, written as a decimal number.
    let count = value.unwrap().trim_end_matches(".0");
    count.parse().unwrap()
}
