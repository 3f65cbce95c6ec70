//! Clients that never wait: refused, they ask again at once.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::{Client, StatusCode};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::sleep;

use crate::overload::{Round, middle};
use crate::process::holdings;
use crate::running::{PATIENCE, Started};
use crate::table::Figures;
use crate::{Context, cases};

cases![
    clients_that_never_wait on Sqlite {
        fault: "a service on one processor, four times as many clients as `--concurrency-limit`, on HTTP/1.1 and HTTP/2, which ask again at once whatever they are told",
        promise: "at least 80 % of the answers of the peak; whoever comes anew is answered or refused in milliseconds; memory bounded; afterwards all is as before",
        how: "rounds of peak and overload by turns, lists of a hundred from SQLite; the service is kept on one processor, the clients have the other",
    },
];

/// `--concurrency-limit`, and the clients of the peak.
const SERVED: usize = 8;

/// The clients of the overload.
const ALL: usize = SERVED * 4;

const ROUND: Duration = Duration::from_secs(1);

/// At least so many rounds, and more only where the machine does not let the clients run evenly.
const ROUNDS: std::ops::Range<usize> = 3..8;

/// Between two clients that come anew.
const ANEW: Duration = Duration::from_millis(50);

const VEHICLES: usize = 100;

const QUERY: &str =
    r#"{"query":"{ vehicles(count: 100) { id type modelCode brandName launchDate } }"}"#;

async fn clients_that_never_wait(context: Context) -> Figures {
    let database = context.database();
    let limit = format!("--concurrency-limit={SERVED}");
    let flags = [&limit, "--worker-threads=1", "--log-level=access=off"];
    let running = Started::under(&["taskset", "--cpu-list", "0"], database.url(), &flags);
    let running = running.listening().await;
    for number in 0..VEHICLES {
        let created = running.create(&format!("M{number}")).await.unwrap();
        assert!(created["errors"].is_null(), "{created}");
    }
    let mut figures = Figures {
        clients: ALL,
        ..Figures::default()
    };
    for (protocol, name) in [(Protocol::Http1, "HTTP/1.1"), (Protocol::Http2, "HTTP/2")] {
        let seen = protocol.overload(running.addr, running.id()).await;
        figures.faults += seen.rounds;
        figures.further.insert(name.to_owned(), seen.sentence);
    }
    figures
}

/// How clients ask.
#[derive(Clone, Copy)]
enum Protocol {
    /// Each on a connection of its own.
    Http1,
    /// All on one connection.
    Http2,
}

struct Seen {
    rounds: usize,
    sentence: String,
}

impl Protocol {
    async fn overload(self, addr: SocketAddr, id: u32) -> Seen {
        self.alone(addr, ROUND).await;
        let (mut peak, mut over) = (Round::default(), Round::default());
        let (mut anew, mut memory) = (Vec::new(), Vec::new());
        for round in 0..ROUNDS.end {
            if round >= ROUNDS.start && over.served.len() * 5 >= peak.served.len() * 4 {
                break;
            }
            peak.add(self.alone(addr, ROUND).await);
            let all = self.ask(addr, ROUND, ALL);
            let (all, new) = tokio::join!(all, who_come_anew(addr, ROUND));
            over.add(all);
            anew.extend(new);
            memory.push(holdings(id).resident_kib);
        }
        let after = self.alone(addr, ROUND / 2).await;
        assert!(!after.served.is_empty(), "it recovers at once");

        let (good, best) = (over.served.len(), peak.served.len());
        let ratio = good * 100 / best;
        assert!(
            ratio >= 80,
            "{good} answers under overload, {best} at the peak"
        );
        assert!(over.refused.len() > ALL, "nobody was refused");
        let (greedy, anew) = (middle(&mut over.refused), middle(&mut anew));
        assert!(anew < Duration::from_millis(100), "they wait {anew:?}");
        let grown = memory[memory.len() - 1].saturating_sub(memory[0]);
        assert!(grown < 16 * 1024, "memory grows: {memory:?} KiB");
        let sentence = format!(
            "{ratio} % of the peak's answers, {} refused, each after {} ms, who comes anew is told \
             something after {} ms, memory grown by {grown} KiB",
            over.refused.len(),
            greedy.as_millis(),
            anew.as_millis()
        );
        Seen {
            rounds: memory.len(),
            sentence,
        }
    }

    /// As many as it serves.
    async fn alone(self, addr: SocketAddr, time: Duration) -> Round {
        let round = self.ask(addr, time, SERVED).await;
        assert_eq!(round.refused.len(), 0, "as many as it serves are served");
        round
    }

    /// Has so many clients ask for so long, each as soon as it is told anything.
    async fn ask(self, addr: SocketAddr, time: Duration, clients: usize) -> Round {
        match self {
            Self::Http1 => on_http_1(addr, time, clients).await,
            Self::Http2 => on_http_2(addr, time, clients).await,
        }
    }
}

async fn on_http_1(addr: SocketAddr, time: Duration, clients: usize) -> Round {
    let end = Instant::now() + time;
    let rounds = (0..clients).map(async |_| {
        let (mut connection, mut round) = (Connection::to(addr).await, Round::default());
        while Instant::now() < end {
            let sent = Instant::now();
            let status = connection.ask().await;
            round.note(status, sent.elapsed());
        }
        round
    });
    let mut all = Round::default();
    join_all(rounds)
        .await
        .into_iter()
        .for_each(|round| all.add(round));
    all
}

async fn on_http_2(addr: SocketAddr, time: Duration, clients: usize) -> Round {
    let client = Client::builder().no_proxy().http2_prior_knowledge();
    let client = client.timeout(PATIENCE).build().unwrap();
    let end = Instant::now() + time;
    let rounds = (0..clients).map(async |_| {
        let mut round = Round::default();
        while Instant::now() < end {
            let request = client.post(format!("http://{addr}/graphql")).body(QUERY);
            let sent = Instant::now();
            let answer = request.header("content-type", "application/json").send();
            let answer = answer.await.unwrap();
            let status = answer.status();
            answer.bytes().await.unwrap();
            round.note(status, sent.elapsed());
        }
        round
    });
    let mut all = Round::default();
    join_all(rounds)
        .await
        .into_iter()
        .for_each(|round| all.add(round));
    all
}

/// How long those wait who ask once, on a connection of their own.
async fn who_come_anew(addr: SocketAddr, time: Duration) -> Vec<Duration> {
    let (end, mut waits) = (Instant::now() + time, Vec::new());
    while Instant::now() < end {
        let came = Instant::now();
        Connection::to(addr).await.ask().await;
        waits.push(came.elapsed());
        sleep(ANEW).await;
    }
    waits
}

/// A connection of HTTP/1.1 that costs its client next to nothing.
struct Connection {
    stream: BufReader<TcpStream>,
    request: String,
}

impl Connection {
    async fn to(addr: SocketAddr) -> Self {
        let stream = TcpStream::connect(addr).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let request = format!(
            "POST /graphql HTTP/1.1\r\nHost: catalogue\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{QUERY}",
            QUERY.len()
        );
        let stream = BufReader::new(stream);
        Self { stream, request }
    }

    /// The status of the answer.
    async fn ask(&mut self) -> StatusCode {
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
