//! Clients that ignore `Retry-After` and retry immediately.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::{Client, StatusCode};
use testkit::{Context, Running, TIMEOUT};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::sleep;

use crate::cases;
use crate::overload::{Round, median};
use crate::support::{Vehicles as _, start_under};
use crate::table::Stats;

cases![
    clients_that_ignore_retry_after on Sqlite {
        fault: "a service on one processor, four times as many clients as `--concurrency-limit`, on HTTP/1.1 and HTTP/2, which retry immediately and ignore `Retry-After`",
        promise: "new clients get a response; memory bounded; full recovery; the throughput is measured",
        how: "five alternating rounds of peak load and overload, the median of their ratios, lists of 100 from SQLite; the service is pinned to one processor",
    },
];

/// `--concurrency-limit`, and the number of clients at peak load.
const CONCURRENCY: usize = 8;

/// The number of clients under overload.
const CLIENTS: usize = CONCURRENCY * 4;

const ROUND: Duration = Duration::from_secs(1);

/// The result is the median ratio of these rounds.
const ROUNDS: usize = 5;

/// Interval between two new clients.
const ARRIVAL_INTERVAL: Duration = Duration::from_millis(50);

const VEHICLES: usize = 100;

const QUERY: &str =
    r#"{"query":"{ vehicles(count: 100) { id type modelCode brandName launchDate } }"}"#;

async fn clients_that_ignore_retry_after(context: Context) -> Stats {
    let database = context.database();
    let limit = format!("--concurrency-limit={CONCURRENCY}");
    let flags = [&limit, "--worker-threads=1", "--log-level=access=off"];
    let running = start_under(&["taskset", "--cpu-list", "0"], database.url(), &flags);
    let running = running.listening().await;
    for number in 0..VEHICLES {
        let created = running.create(&format!("M{number}")).await.unwrap();
        assert!(created["errors"].is_null(), "{created}");
    }
    let mut stats = Stats {
        clients: CLIENTS,
        ..Stats::default()
    };
    for (protocol, name) in [(Protocol::Http1, "HTTP/1.1"), (Protocol::Http2, "HTTP/2")] {
        let overload = protocol.overload(&running).await;
        stats.faults += overload.rounds;
        stats.further.insert(name.to_owned(), overload.summary);
    }
    stats
}

/// How clients connect.
#[derive(Clone, Copy)]
enum Protocol {
    /// One connection for each client.
    Http1,
    /// One connection for all clients.
    Http2,
}

struct Overload {
    rounds: usize,
    summary: String,
}

impl Protocol {
    async fn overload(self, running: &Running) -> Overload {
        let addr = running.addr;
        self.run_peak(addr, ROUND).await;
        let mut overload = Round::default();
        let (mut new_clients, mut memory, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let peak = self.run_peak(addr, ROUND).await;
            let crowded = self.run_clients(addr, ROUND, CLIENTS);
            let (crowded, latencies) = tokio::join!(crowded, new_client_latencies(addr, ROUND));
            ratios.push(crowded.percent_of(&peak));
            overload.add(crowded);
            new_clients.extend(latencies);
            memory.push(running.memory("VmRSS") / 1024);
        }
        let after = self.run_peak(addr, ROUND / 2).await;
        assert!(!after.served.is_empty(), "it recovers at once");

        let ratio = median(&mut ratios);
        assert!(overload.refused.len() > CLIENTS, "nobody was refused");
        let (refusal, new_clients) = (median(&mut overload.refused), median(&mut new_clients));
        let grown = memory[memory.len() - 1].saturating_sub(memory[0]);
        assert!(grown < 16 * 1024, "memory grows: {memory:?} KiB");
        let summary = format!(
            "{ratio} % of the peak throughput, {} refused, each after {} ms, new clients get a response \
             after {} ms, memory grown by {grown} KiB",
            overload.refused.len(),
            refusal.as_millis(),
            new_clients.as_millis()
        );
        Overload {
            rounds: memory.len(),
            summary,
        }
    }

    /// Runs as many clients as the concurrency limit.
    async fn run_peak(self, addr: SocketAddr, time: Duration) -> Round {
        let round = self.run_clients(addr, time, CONCURRENCY).await;
        assert_eq!(round.refused.len(), 0, "as many as it serves are served");
        round
    }

    /// Runs clients that send the next request as soon as they have a response.
    async fn run_clients(self, addr: SocketAddr, time: Duration, clients: usize) -> Round {
        match self {
            Self::Http1 => run_http_1(addr, time, clients).await,
            Self::Http2 => run_http_2(addr, time, clients).await,
        }
    }
}

async fn run_http_1(addr: SocketAddr, time: Duration, clients: usize) -> Round {
    let end = Instant::now() + time;
    let rounds = (0..clients).map(async |_| {
        let (mut connection, mut round) = (Connection::connect(addr).await, Round::default());
        while Instant::now() < end {
            let sent = Instant::now();
            let status = connection.post().await;
            round.record(status, sent.elapsed());
        }
        round
    });
    let mut total = Round::default();
    join_all(rounds)
        .await
        .into_iter()
        .for_each(|round| total.add(round));
    total
}

async fn run_http_2(addr: SocketAddr, time: Duration, clients: usize) -> Round {
    let client = Client::builder().no_proxy().http2_prior_knowledge();
    let client = client.timeout(TIMEOUT).build().unwrap();
    let end = Instant::now() + time;
    let rounds = (0..clients).map(async |_| {
        let mut round = Round::default();
        while Instant::now() < end {
            let request = client.post(format!("http://{addr}/graphql")).body(QUERY);
            let sent = Instant::now();
            let response = request.header("content-type", "application/json").send();
            let response = response.await.unwrap();
            let status = response.status();
            response.bytes().await.unwrap();
            round.record(status, sent.elapsed());
        }
        round
    });
    let mut total = Round::default();
    join_all(rounds)
        .await
        .into_iter()
        .for_each(|round| total.add(round));
    total
}

/// Response times of clients that send one request on a new connection.
async fn new_client_latencies(addr: SocketAddr, time: Duration) -> Vec<Duration> {
    let (end, mut latencies) = (Instant::now() + time, Vec::new());
    while Instant::now() < end {
        let start = Instant::now();
        Connection::connect(addr).await.post().await;
        latencies.push(start.elapsed());
        sleep(ARRIVAL_INTERVAL).await;
    }
    latencies
}

/// A minimal HTTP/1.1 client, so that the clients need little processor time.
struct Connection {
    stream: BufReader<TcpStream>,
    request: String,
}

impl Connection {
    async fn connect(addr: SocketAddr) -> Self {
        let stream = TcpStream::connect(addr).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let request = format!(
            "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{QUERY}",
            QUERY.len()
        );
        let stream = BufReader::new(stream);
        Self { stream, request }
    }

    /// Sends the query and returns the status of the response.
    async fn post(&mut self) -> StatusCode {
        let request = self.request.as_bytes();
        self.stream.write_all(request).await.unwrap();
        let (mut head, mut length) = (String::new(), 0);
        loop {
            let start = head.len();
            let read = self.stream.read_line(&mut head).await.unwrap();
            assert!(read > 0, "the connection ends: {head}");
            let line = &head[start..];
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.trim().parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).await.unwrap();
        let (_, status) = head.split_once(' ').unwrap();
        status[..3].parse().unwrap()
    }
}
