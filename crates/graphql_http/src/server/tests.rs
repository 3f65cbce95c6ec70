//! Graceful shutdown under randomized clients: `DRAIN_SEED=N` runs one seed, `DRAIN_SEEDS` times.
//!
//! Sockets, the clock and the scheduler are real, so a seed fixes the clients, their protocol and their
//! timing, but not the interleaving. Repeat a failed seed.

use std::{
    collections::HashMap,
    env,
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use futures_util::future;
use poem::{IntoResponse, Request, Response};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    task::JoinSet,
    time::timeout,
};

use super::*;

const SEEDS: u64 = 200;
const CONCURRENT_RUNS: usize = 20;
const RUN_TIMEOUT: Duration = Duration::from_mins(1);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sends_one_response_to_each_started_request() {
    let (only, seeds) = (number("DRAIN_SEED"), number("DRAIN_SEEDS").unwrap_or(SEEDS));
    let mut runs = 0..seeds;
    let mut running = JoinSet::new();
    let mut outcomes = Outcomes::default();
    loop {
        while running.len() < CONCURRENT_RUNS
            && let Some(run) = runs.next()
        {
            let seed = only.unwrap_or(run);
            running.spawn(async move { (seed, timeout(RUN_TIMEOUT, simulate(seed, run)).await) });
        }
        let Some(ended) = running.join_next().await else {
            break;
        };
        let (seed, ended) = ended.expect("the message above names the failure");
        let one = ended.unwrap_or_else(|_| panic!("seed {seed}: the service does not stop"));
        outcomes.add(&one);
    }
    if only.is_none() {
        let Outcomes {
            completed,
            aborted,
            not_started,
            multiplexed,
        } = outcomes;
        let each = [completed, aborted, not_started, multiplexed];
        assert!(
            each.iter().all(|&count| count > 0),
            "untested: {outcomes:?}"
        );
    }
}

/// Linux gives connections to different addresses the same port of the client.
#[tokio::test]
async fn a_connection_is_known_by_both_of_its_addresses() {
    let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let settings = HttpSettings {
        read_timeout: Duration::from_millis(500),
        ..HttpSettings::default()
    };
    let server = tokio::spawn(async move {
        let (endpoint, stopping) = (SlowEndpoint::default(), Stopping::new());
        let shutdown = future::pending();
        run(
            listener,
            endpoint,
            &settings,
            None,
            &stopping,
            || (),
            shutdown,
        )
        .await
    });
    let first = connect_from(
        (Ipv4Addr::LOCALHOST, 0).into(),
        (Ipv4Addr::LOCALHOST, port).into(),
    );
    let first = first.await;
    let other = (Ipv4Addr::new(127, 0, 0, 2), port).into();
    let mut second = connect_from(first.local_addr().unwrap(), other).await;
    drop(first);
    sleep(Duration::from_millis(100)).await;
    let request = b"GET /second/1000 HTTP/1.1\r\nhost: localhost\r\n\r\n";
    second.write_all(request).await.unwrap();
    let response = read_response(&mut second).await.expect("it is not idle");
    assert!(response.contains("second"), "{response}");
    server.abort();
}

async fn connect_from(local: SocketAddr, to: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_reuseaddr(true).unwrap();
    socket.bind(local).unwrap();
    socket.connect(to).await.unwrap()
}

fn number(variable: &str) -> Option<u64> {
    #[expect(clippy::disallowed_methods, reason = "not a setting of the service")]
    let text = env::var(variable).ok()?;
    Some(text.parse().unwrap())
}

/// Counts requests by their outcome.
#[derive(Debug, Default)]
struct Outcomes {
    completed: usize,
    aborted: usize,
    /// The connection was closed before the service had started the request.
    not_started: usize,
    /// Completed and aborted requests of HTTP/2.
    multiplexed: usize,
}

impl Outcomes {
    fn add(&mut self, other: &Self) {
        self.completed += other.completed;
        self.aborted += other.aborted;
        self.not_started += other.not_started;
        self.multiplexed += other.multiplexed;
    }
}

/// The behaviour of a client.
enum Client {
    /// Sends requests that take so many milliseconds, one after the other.
    Waits(Vec<u64>),
    /// Sends them concurrently, as streams of an HTTP/2 connection.
    Multiplexes(Vec<u64>),
    /// Disconnects so many milliseconds after its request.
    Disconnects(u64),
    /// Never finishes the head of its request.
    SendsPartOfTheHead,
    /// Sends nothing.
    IsIdle,
}

/// Starts a service and clients, and stops the service meanwhile.
async fn simulate(seed: u64, run_number: u64) -> Outcomes {
    let mut random = Random(seed);
    let settings = settings(&mut random);
    // An address per run, so that a late client cannot connect to the service of another run.
    let [.., high, low] = run_number.to_be_bytes();
    let host = Ipv4Addr::new(127, 77, high, low);
    let listener = TcpListener::bind((host, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let slow = Arc::new(SlowEndpoint::default());
    let open = Arc::new(AtomicUsize::new(0));
    let (counted, stop) = (Arc::clone(&open), random.below(60));
    let opened = move || CountGuard::new(&counted);
    let shutdown = sleep(Duration::from_millis(stop));
    let mut clients = JoinSet::new();
    for number in 0..=random.below(6) {
        let delay = Duration::from_millis(random.below(70));
        let client = match random.below(8) {
            0 => Client::Disconnects(random.below(40)),
            1 => Client::SendsPartOfTheHead,
            2 => Client::IsIdle,
            3 | 4 => {
                Client::Multiplexes((0..=random.below(6)).map(|_| random.below(120)).collect())
            }
            _ => Client::Waits((0..=random.below(3)).map(|_| random.below(120)).collect()),
        };
        let slow = Arc::clone(&slow);
        clients.spawn(async move {
            sleep(delay).await;
            if let Client::Multiplexes(times) = &client {
                return multiplex(address, times, &format!("{seed}-{number}"), &slow).await;
            }
            // The listener may be closed already.
            match TcpStream::connect(address).await {
                Ok(stream) => client.run(stream, &format!("{seed}-{number}"), &slow).await,
                Err(_) => Outcomes::default(),
            }
        });
    }
    let stopping = Stopping::new();
    let endpoint = Arc::clone(&slow).with(stopping.clone()).to_response();
    run(
        listener, endpoint, &settings, None, &stopping, opened, shutdown,
    )
    .await
    .unwrap();
    let remaining = (
        open.load(Ordering::SeqCst),
        slow.busy.load(Ordering::SeqCst),
    );
    assert_eq!(
        remaining,
        (0, 0),
        "seed {seed}: connections, requests at the end"
    );
    let mut outcomes = Outcomes::default();
    while let Some(one) = clients.join_next().await {
        outcomes.add(&one.expect("the message above names the failure"));
    }
    outcomes
}

impl Client {
    async fn run(self, mut stream: TcpStream, name: &str, slow: &SlowEndpoint) -> Outcomes {
        let mut outcomes = Outcomes::default();
        match self {
            Self::Waits(times) => {
                for (number, time_ms) in times.into_iter().enumerate() {
                    let id = format!("{name}-{number}");
                    let sent = stream.write_all(request(&id, time_ms).as_bytes()).await;
                    let response = match sent {
                        Ok(()) => read_response(&mut stream).await,
                        Err(_) => None,
                    };
                    let calls = slow.calls(&id);
                    let Some(response) = response else {
                        assert_eq!(calls, 0, "{id} was started and has no response");
                        outcomes.not_started += 1;
                        return outcomes;
                    };
                    assert_eq!(calls, 1, "{id} has a response");
                    if response.starts_with("HTTP/1.1 200 ") {
                        let body = format!("\r\n\r\n{id}");
                        assert!(response.ends_with(&body), "{id}: {response}");
                        outcomes.completed += 1;
                    } else {
                        assert!(response.starts_with("HTTP/1.1 503 "), "{id}: {response}");
                        assert!(response.contains("SERVICE_UNAVAILABLE"), "{response}");
                        outcomes.aborted += 1;
                    }
                    if response.contains("connection: close") {
                        return outcomes;
                    }
                }
            }
            Self::Disconnects(after_ms) => {
                drop(stream.write_all(request(name, 200).as_bytes()).await);
                sleep(Duration::from_millis(after_ms)).await;
            }
            Self::SendsPartOfTheHead => {
                drop(stream.write_all(b"GET /a HTTP/1.1\r\nHost: ").await);
                drop(stream.read(&mut [0; 1]).await);
            }
            Self::IsIdle | Self::Multiplexes(_) => drop(stream.read(&mut [0; 1]).await),
        }
        outcomes
    }
}

async fn multiplex(
    address: SocketAddr,
    times: &[u64],
    name: &str,
    slow: &SlowEndpoint,
) -> Outcomes {
    // Fails if it is installed already.
    let _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder()
        .no_proxy()
        .http2_prior_knowledge()
        .retry(reqwest::retry::never())
        .build()
        .unwrap();
    let client = &client;
    let requests = times.iter().enumerate().map(async |(number, time_ms)| {
        let id = format!("{name}-{number}");
        let response = client
            .get(format!("http://{address}/{id}/{time_ms}"))
            .send();
        let response = match response.await {
            Ok(response) => response,
            Err(error) => {
                let calls = slow.calls(&id);
                assert_eq!(calls, 0, "{id} was started and has no response: {error:?}");
                return None;
            }
        };
        let status = response.status();
        let text = response.text().await;
        let text = text.unwrap_or_else(|error| panic!("{id} has a partial response: {error}"));
        assert_eq!(slow.calls(&id), 1, "{id} has a response");
        match status.as_u16() {
            200 => assert_eq!(text, id),
            503 => assert!(text.contains("SERVICE_UNAVAILABLE"), "{id}: {text}"),
            other => panic!("{id}: {other}"),
        }
        Some(status.is_success())
    });
    let results = future::join_all(requests).await;
    let count = |expected| results.iter().filter(|result| **result == expected).count();
    Outcomes {
        completed: count(Some(true)),
        aborted: count(Some(false)),
        not_started: count(None),
        multiplexed: results.iter().flatten().count(),
    }
}

fn request(id: &str, time_ms: u64) -> String {
    format!("GET /{id}/{time_ms} HTTP/1.1\r\nHost: localhost\r\n\r\n")
}

/// A complete response, if there is one.
async fn read_response(stream: &mut TcpStream) -> Option<String> {
    let mut text = String::new();
    let mut bytes = [0; 1024];
    loop {
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let (_, length) = head.split_once("content-length: ")?;
            let length: usize = length.split("\r\n").next()?.parse().ok()?;
            if body.len() >= length {
                return Some(text);
            }
        }
        match stream.read(&mut bytes).await {
            Ok(0) | Err(_) => return None,
            Ok(read) => text.push_str(str::from_utf8(&bytes[..read]).ok()?),
        }
    }
}

/// Returns the id of `/ID/TIME`, after so many milliseconds.
#[derive(Default)]
struct SlowEndpoint {
    calls: Mutex<HashMap<String, usize>>,
    busy: Arc<AtomicUsize>,
}

impl SlowEndpoint {
    /// How often a request was started.
    fn calls(&self, id: &str) -> usize {
        let calls = self.calls.lock().unwrap();
        calls.get(id).copied().unwrap_or(0)
    }
}

impl Endpoint for SlowEndpoint {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        let _busy = CountGuard::new(&self.busy);
        let path = request.uri().path().trim_start_matches('/').to_owned();
        let (id, time_ms) = path.split_once('/').unwrap();
        *self.calls.lock().unwrap().entry(id.to_owned()).or_default() += 1;
        sleep(Duration::from_millis(time_ms.parse().unwrap())).await;
        Ok(id.to_owned().into_response())
    }
}

/// Increments a counter until it is dropped.
struct CountGuard(Arc<AtomicUsize>);

impl CountGuard {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(count))
    }
}

impl Drop for CountGuard {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn settings(random: &mut Random) -> HttpSettings {
    HttpSettings {
        connection_limit: 1 + usize::try_from(random.below(5)).unwrap(),
        drain_pause: Duration::from_millis(random.below(30)),
        drain_timeout: Duration::from_millis(random.below(150)),
        ..HttpSettings::default()
    }
}

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % end
    }
}
