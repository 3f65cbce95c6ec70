//! Clients that create and read as fast as they are answered, and note what each of them got.

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
use crate::table::Figures;

const CREATE: &str = "mutation ($type: String!, $modelCode: String!, $brandName: String, \
     $launchDate: String) { createVehicle(type: $type, modelCode: $modelCode, \
     brandName: $brandName, launchDate: $launchDate) \
     { id type modelCode brandName launchDate } }";

const LIST: &str = "{ vehicles(count: 3) { id type modelCode } }";

/// Connections of HTTP/2 that the clients share, beside those of HTTP/1.1.
const SHARED_CONNECTIONS: usize = 8;

/// How long thousands of clients at once may take on a loaded machine.
const LONG: Duration = Duration::from_secs(90);

/// Where the service listens; it can move.
#[derive(Clone)]
pub(crate) struct Target(Arc<RwLock<SocketAddr>>);

impl Target {
    pub(crate) fn new(addr: SocketAddr) -> Self {
        Self(Arc::new(RwLock::new(addr)))
    }

    /// From now on it listens there.
    pub(crate) fn moves_to(&self, addr: SocketAddr) {
        *self.0.write().expect("nobody panics under the lock") = addr;
    }

    fn url(&self) -> String {
        let addr = *self.0.read().expect("nobody panics under the lock");
        format!("http://{addr}/graphql")
    }
}

/// What was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// For a list.
    Read,
    /// For a vehicle to be stored.
    Create,
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Got {
    /// What was asked for.
    Answer,
    /// `SERVICE_UNAVAILABLE` with a reference: it was not done.
    Unavailable,
    /// `SERVICE_UNAVAILABLE` with a reference: it is not known whether it was done.
    Unknown,
    /// Any other answer.
    Other(String),
    /// No answer, and why.
    Nothing(String),
}

/// A request and what came back.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    pub(crate) asked: Asked,
    pub(crate) sent: Instant,
    pub(crate) took: Duration,
    pub(crate) got: Got,
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
    leave: AtomicBool,
}

impl Load {
    /// Starts clients: so many that create, and so many that read.
    pub(crate) fn start(
        oracle: &Arc<Oracle>,
        target: &Target,
        creators: usize,
        readers: usize,
    ) -> Self {
        let shared = Arc::new(Shared {
            oracle: Arc::clone(oracle),
            target: target.clone(),
            connections: connections(),
            exchanges: Mutex::default(),
            leave: AtomicBool::new(false),
        });
        let mut clients = JoinSet::new();
        for number in 0..creators + readers {
            let shared = Arc::clone(&shared);
            let asked = if number < creators {
                Asked::Create
            } else {
                Asked::Read
            };
            clients.spawn(async move { shared.ask_on(number, asked).await });
        }
        Self { shared, clients }
    }

    /// Waits until so many more creates are acknowledged.
    pub(crate) async fn acknowledges(&self, more: usize) {
        let oracle = &self.shared.oracle;
        let enough = oracle.acknowledgements() + more;
        let start = Instant::now();
        while oracle.acknowledgements() < enough {
            assert!(start.elapsed() < LONG, "creates are not acknowledged");
            sleep(Duration::from_millis(5)).await;
        }
    }

    /// How many creates were told as unknown so far.
    pub(crate) fn unknown(&self) -> usize {
        let exchanges = self.shared.exchanges();
        exchanges
            .iter()
            .filter(|one| one.got == Got::Unknown)
            .count()
    }

    /// Has every client stop after its answer, and answers what all of them got.
    pub(crate) async fn stop(self) -> Exchanges {
        self.shared.leave.store(true, Ordering::Relaxed);
        let clients = self.clients.len();
        self.clients.join_all().await;
        let mut exchanges = self.shared.exchanges();
        Exchanges {
            clients,
            all: std::mem::take(&mut *exchanges),
        }
    }
}

impl Shared {
    fn exchanges(&self) -> MutexGuard<'_, Vec<Exchange>> {
        self.exchanges.lock().expect("nobody panics under the lock")
    }

    async fn ask_on(&self, number: usize, asked: Asked) {
        let connection = &self.connections[number % self.connections.len()];
        while !self.leave.load(Ordering::Relaxed) {
            let url = self.target.url();
            let sent = Instant::now();
            let got = match asked {
                Asked::Create => create(connection, &url, &self.oracle).await,
                Asked::Read => read(connection, &url).await,
            };
            if matches!(got, Got::Nothing(_)) {
                // Nobody is there: whoever asks at once again only warms the room.
                sleep(Duration::from_millis(20)).await;
            }
            let exchange = Exchange {
                asked,
                sent,
                took: sent.elapsed(),
                got,
            };
            self.exchanges().push(exchange);
        }
    }
}

/// What clients got.
pub(crate) struct Exchanges {
    clients: usize,
    pub(crate) all: Vec<Exchange>,
}

impl Exchanges {
    /// Notes the load and the slowest answer.
    pub(crate) fn note(&self, figures: &mut Figures) {
        figures.clients = figures.clients.max(self.clients);
        let reads = self.all.iter().filter(|one| one.asked == Asked::Read);
        figures.reads += reads.count();
        let slowest = self.all.iter().map(|one| one.took).max();
        figures.slowest_ms = figures.slowest_ms.max(slowest.map(|took| took.as_millis()));
    }

    /// Fails unless each request was answered, with what it asked for or with `SERVICE_UNAVAILABLE`
    /// and a reference, and none waited longer than this.
    #[track_caller]
    pub(crate) fn assert_answered_within(&self, most: Duration) {
        let wrong = self
            .all
            .iter()
            .filter(|one| matches!(one.got, Got::Other(_) | Got::Nothing(_)) || one.took > most);
        let wrong: Vec<_> = wrong.collect();
        let some = &wrong[..wrong.len().min(5)];
        assert!(
            wrong.is_empty(),
            "{} of {} were not answered well: {some:#?}",
            wrong.len(),
            self.all.len()
        );
    }

    /// How many got this.
    pub(crate) fn count(&self, which: impl Fn(&Exchange) -> bool) -> usize {
        self.all.iter().filter(|one| which(one)).count()
    }
}

/// As [`store`], for whom the outcome is enough.
pub(crate) async fn create(client: &Client, url: &str, oracle: &Oracle) -> Got {
    let stored = store(client, url, oracle).await;
    stored.map_or_else(|got| got, |_| Got::Answer)
}

/// Sends a create that the oracle makes, and tells it what came of it. Answers what was stored, and
/// under which id.
pub(crate) async fn store(
    client: &Client,
    url: &str,
    oracle: &Oracle,
) -> Result<(i64, Content), Got> {
    store_and_wait(client, url, oracle).await.0
}

/// The same, and for how long the client was told to wait.
pub(crate) async fn store_and_wait(
    client: &Client,
    url: &str,
    oracle: &Oracle,
) -> (Result<(i64, Content), Got>, Option<HeaderValue>) {
    let (number, content) = oracle.next();
    let body = json!({ "query": CREATE, "variables": content.arguments() });
    let (headers, answer) = match exchange(client, url, &body).await {
        Ok(answer) => answer,
        Err(error) => return (Err(Got::Nothing(format!("{error:?}"))), None),
    };
    let stored = answer_to(&answer, &content);
    match &stored {
        Ok(id) => oracle.acknowledged(number, *id),
        Err(Got::Unavailable) => oracle.refused(number),
        Err(_) => {}
    }
    let wait = headers.get(header::RETRY_AFTER).cloned();
    (stored.map(|id| (id, content)), wait)
}

/// Asks for a short list.
pub(crate) async fn read(client: &Client, url: &str) -> Got {
    match ask(client, url, &json!({ "query": LIST })).await {
        Err(error) => Got::Nothing(error),
        Ok(answer) if answer["errors"].is_null() && answer["data"]["vehicles"].is_array() => {
            Got::Answer
        }
        Ok(answer) => failure(&answer),
    }
}

/// The answer to a request, or why there is none.
pub(crate) async fn ask(client: &Client, url: &str, body: &Value) -> Result<Value, String> {
    let answer = exchange(client, url, body).await;
    answer.map_or_else(|error| Err(format!("{error:?}")), |(_, answer)| Ok(answer))
}

async fn exchange(
    client: &Client,
    url: &str,
    body: &Value,
) -> Result<(HeaderMap, Value), reqwest::Error> {
    let response = client.post(url).json(body).send().await?;
    Ok((response.headers().clone(), response.json().await?))
}

/// The id under which the content was stored.
fn answer_to(answer: &Value, content: &Content) -> Result<i64, Got> {
    if answer["errors"].is_null() {
        let id = content.id_in(&answer["data"]["createVehicle"]);
        id.ok_or_else(|| Got::Other(answer.to_string()))
    } else {
        Err(failure(answer))
    }
}

fn failure(answer: &Value) -> Got {
    let error = &answer["errors"][0];
    let (code, reference) = (
        &error["extensions"]["code"],
        &error["extensions"]["reference"],
    );
    let reference = reference.as_str().is_some_and(|text| text.len() == 36);
    let message = error["message"].as_str().unwrap_or_default();
    // A service that stops tells who waits at the end, without a cause that the log could have.
    let told = reference || message.contains("this server is being stopped");
    if code != "SERVICE_UNAVAILABLE" || !told {
        Got::Other(answer.to_string())
    } else if message.contains("it is not known whether") {
        Got::Unknown
    } else {
        Got::Unavailable
    }
}

fn connections() -> Vec<Client> {
    let build = || Client::builder().no_proxy().timeout(LONG);
    let shared = (0..SHARED_CONNECTIONS).map(|_| build().http2_prior_knowledge().build().unwrap());
    let mut connections: Vec<_> = shared.collect();
    connections.push(build().build().unwrap());
    connections
}
