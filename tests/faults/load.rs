//! Concurrent clients that create and read in a closed loop, and record the outcome of each request.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, RwLock};
use std::time::{Duration, Instant};

use reqwest::Client;
use reqwest::header::{self, HeaderMap, HeaderValue};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::oracle::{Content, Oracle};
use crate::table::Stats;

const CREATE: &str = "mutation ($type: String!, $modelCode: String!, $brandName: String, \
     $launchDate: String) { createVehicle(type: $type, modelCode: $modelCode, \
     brandName: $brandName, launchDate: $launchDate) \
     { id type modelCode brandName launchDate } }";

const LIST: &str = "{ vehicles(count: 3) { id type modelCode } }";

/// HTTP/2 connections that the clients share, in addition to those of HTTP/1.1.
const SHARED_CONNECTIONS: usize = 8;

/// The pause of a client after a read, so that other cases can run at the same time, and of one whose
/// service is down.
const PAUSE: Duration = Duration::from_millis(20);

/// Long enough for thousands of concurrent clients on a loaded machine.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(90);

/// The address of the service, which changes when it is restarted.
#[derive(Clone)]
pub(crate) struct Target(Arc<RwLock<SocketAddr>>);

impl Target {
    pub(crate) fn new(addr: SocketAddr) -> Self {
        Self(Arc::new(RwLock::new(addr)))
    }

    /// Sets the new address.
    pub(crate) fn set(&self, addr: SocketAddr) {
        *self.0.write().expect("nobody panics under the lock") = addr;
    }

    fn url(&self) -> String {
        let addr = *self.0.read().expect("nobody panics under the lock");
        format!("http://{addr}/graphql")
    }
}

/// The kind of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// Queries a list.
    Read,
    /// Creates a vehicle.
    Create,
}

/// The outcome of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The requested data.
    Success,
    /// `SERVICE_UNAVAILABLE` with a reference: not executed.
    Unavailable,
    /// `SERVICE_UNAVAILABLE` with a reference: unknown whether it was executed.
    Unknown,
    /// Any other response.
    Unexpected(String),
    /// No response, and the client error.
    NoResponse(String),
}

/// A request with its outcome and duration.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    pub(crate) operation: Operation,
    pub(crate) sent: Instant,
    pub(crate) took: Duration,
    pub(crate) outcome: Outcome,
}

/// Running clients.
pub(crate) struct Load {
    shared: Arc<Shared>,
    clients: JoinSet<()>,
}

struct Shared {
    oracle: Arc<Oracle>,
    target: Target,
    connections: Vec<Client>,
    exchanges: Mutex<Vec<Exchange>>,
    stop: AtomicBool,
}

impl Load {
    /// Starts clients that create and clients that read.
    pub(crate) fn start(oracle: &Arc<Oracle>, target: &Target, creators: usize, readers: usize) -> Self {
        let shared = Arc::new(Shared {
            oracle: Arc::clone(oracle),
            target: target.clone(),
            connections: connections(),
            exchanges: Mutex::default(),
            stop: AtomicBool::new(false),
        });
        let mut clients = JoinSet::new();
        for number in 0..creators + readers {
            let shared = Arc::clone(&shared);
            let operation = if number < creators { Operation::Create } else { Operation::Read };
            clients.spawn(async move { shared.run_client(number, operation).await });
        }
        Self { shared, clients }
    }

    /// Waits until this number of further creates is acknowledged.
    pub(crate) async fn wait_for_acknowledged(&self, more: usize) {
        let oracle = &self.shared.oracle;
        let expected = oracle.acknowledgements() + more;
        let start = Instant::now();
        while oracle.acknowledgements() < expected {
            assert!(start.elapsed() < CLIENT_TIMEOUT, "creates are not acknowledged");
            sleep(Duration::from_millis(5)).await;
        }
    }

    /// Stops every client after its pending response, and returns all exchanges.
    pub(crate) async fn stop(self) -> Exchanges {
        self.shared.stop.store(true, Ordering::Relaxed);
        let clients = self.clients.len();
        self.clients.join_all().await;
        let mut exchanges = self.shared.exchanges();
        Exchanges { clients, all: std::mem::take(&mut *exchanges) }
    }
}

impl Shared {
    fn exchanges(&self) -> MutexGuard<'_, Vec<Exchange>> {
        self.exchanges.lock().expect("nobody panics under the lock")
    }

    async fn run_client(&self, number: usize, operation: Operation) {
        let connection = &self.connections[number % self.connections.len()];
        while !self.stop.load(Ordering::Relaxed) {
            let url = self.target.url();
            let sent = Instant::now();
            let outcome = match operation {
                Operation::Create => create(connection, &url, &self.oracle).await,
                Operation::Read => read(connection, &url).await,
            };
            let took = sent.elapsed();
            if operation == Operation::Read || matches!(outcome, Outcome::NoResponse(_)) {
                sleep(PAUSE).await;
            }
            let exchange = Exchange { operation, sent, took, outcome };
            self.exchanges().push(exchange);
        }
    }
}

/// All exchanges of the clients.
pub(crate) struct Exchanges {
    clients: usize,
    pub(crate) all: Vec<Exchange>,
}

impl Exchanges {
    /// Records the load and the slowest response.
    pub(crate) fn record(&self, stats: &mut Stats) {
        stats.clients = stats.clients.max(self.clients);
        let reads = self.all.iter().filter(|one| one.operation == Operation::Read);
        stats.reads += reads.count();
        let slowest = self.all.iter().map(|one| one.took).max();
        stats.slowest_ms = stats.slowest_ms.max(slowest.map(|took| took.as_millis()));
    }

    /// Asserts that each request succeeded or failed with `SERVICE_UNAVAILABLE` and a reference, within
    /// the timeout.
    #[track_caller]
    pub(crate) fn assert_completed_within(&self, timeout: Duration) {
        let wrong = self
            .all
            .iter()
            .filter(|one| matches!(one.outcome, Outcome::Unexpected(_) | Outcome::NoResponse(_)) || one.took > timeout);
        let wrong: Vec<_> = wrong.collect();
        let examples = &wrong[..wrong.len().min(5)];
        assert!(wrong.is_empty(), "{} of {} were not answered well: {examples:#?}", wrong.len(), self.all.len());
    }

    /// Number of exchanges that match.
    pub(crate) fn count(&self, predicate: impl Fn(&Exchange) -> bool) -> usize {
        self.all.iter().filter(|one| predicate(one)).count()
    }
}

/// As [`store`], but returns only the outcome.
pub(crate) async fn create(client: &Client, url: &str, oracle: &Oracle) -> Outcome {
    let stored = store(client, url, oracle).await;
    stored.map_or_else(|outcome| outcome, |_| Outcome::Success)
}

/// Sends the oracle's next create and records its outcome there. Returns the id and the stored content.
pub(crate) async fn store(client: &Client, url: &str, oracle: &Oracle) -> Result<(i64, Content), Outcome> {
    store_with_retry_after(client, url, oracle).await.0
}

/// As [`store`], and returns the header `Retry-After`.
pub(crate) async fn store_with_retry_after(
    client: &Client,
    url: &str,
    oracle: &Oracle,
) -> (Result<(i64, Content), Outcome>, Option<HeaderValue>) {
    let (number, content) = oracle.next_create();
    let body = json!({ "query": CREATE, "variables": content.arguments() });
    let (headers, response) = match exchange(client, url, &body).await {
        Ok(response) => response,
        Err(error) => return (Err(Outcome::NoResponse(format!("{error:?}"))), None),
    };
    let stored = stored_id(&response, &content);
    match &stored {
        Ok(id) => oracle.acknowledged(number, *id),
        Err(Outcome::Unavailable) => oracle.refused(number),
        Err(_) => {}
    }
    let retry_after = headers.get(header::RETRY_AFTER).cloned();
    (stored.map(|id| (id, content)), retry_after)
}

/// Queries a short list.
pub(crate) async fn read(client: &Client, url: &str) -> Outcome {
    match query(client, url, &json!({ "query": LIST })).await {
        Err(error) => Outcome::NoResponse(error),
        Ok(response) if response["errors"].is_null() && response["data"]["vehicles"].is_array() => Outcome::Success,
        Ok(response) => failure(&response),
    }
}

/// The response to a request, or the client error.
pub(crate) async fn query(client: &Client, url: &str, body: &Value) -> Result<Value, String> {
    let response = exchange(client, url, body).await;
    response.map_or_else(|error| Err(format!("{error:?}")), |(_, response)| Ok(response))
}

async fn exchange(client: &Client, url: &str, body: &Value) -> Result<(HeaderMap, Value), reqwest::Error> {
    let response = client.post(url).json(body).send().await?;
    Ok((response.headers().clone(), response.json().await?))
}

/// The id of the stored content.
fn stored_id(response: &Value, content: &Content) -> Result<i64, Outcome> {
    if response["errors"].is_null() {
        let id = content.id_in(&response["data"]["createVehicle"]);
        id.ok_or_else(|| Outcome::Unexpected(response.to_string()))
    } else {
        Err(failure(response))
    }
}

fn failure(response: &Value) -> Outcome {
    let error = &response["errors"][0];
    let (code, reference) = (&error["extensions"]["code"], &error["extensions"]["reference"]);
    let reference = reference.as_str().is_some_and(|text| text.len() == 36);
    let message = error["message"].as_str().unwrap_or_default();
    // A refusal before the execution names the limit, and has no line in the log.
    let has_cause = reference || error["extensions"]["limit"].is_object();
    if code != "SERVICE_UNAVAILABLE" || !has_cause {
        Outcome::Unexpected(response.to_string())
    } else if message.contains("outcome is unknown") {
        Outcome::Unknown
    } else {
        Outcome::Unavailable
    }
}

fn connections() -> Vec<Client> {
    let build = || Client::builder().no_proxy().timeout(CLIENT_TIMEOUT);
    let shared = (0..SHARED_CONNECTIONS).map(|_| build().http2_prior_knowledge().build().unwrap());
    let mut connections: Vec<_> = shared.collect();
    connections.push(build().build().unwrap());
    connections
}
