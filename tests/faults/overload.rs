//! More than the service can do.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::{Client, StatusCode};
use serde_json::json;
use tokio::time::sleep;

use crate::load::{self, Got};
use crate::oracle::Oracle;
use crate::process::holdings;
use crate::proxy::{Proxy, Weather};
use crate::running::{PATIENCE, Running, until};
use crate::stopping::keep_writes_waiting;
use crate::table::Figures;
use crate::{Context, cases, rows};

cases![
    more_wait_for_the_database_than_may on Sqlite Postgres Mysql {
        fault: "more creates than `--queue-limit` while every write waits for a lock",
        promise: "those beyond the limit are refused at once as `SERVICE_UNAVAILABLE` with a reference and `Retry-After`, and are not stored, those within it are stored; reads go on",
        how: "60 creates at once for a queue of 5; the refusals are there before the lock is released",
    },
    four_times_as_many_clients_as_it_serves on Postgres Mysql {
        fault: "four times as many clients as `--concurrency-limit`, which come again when `Retry-After` says",
        promise: "at least 80 % of the answers of the peak; refusals in a fraction of the time of an answer, with `Retry-After`; memory bounded; afterwards all is as before",
        how: "rounds of peak and overload by turns, the database 100 ms away; ratios of both",
    },
];

const CREATES: usize = 60;

const QUEUE: usize = 5;

async fn more_wait_for_the_database_than_may(context: Context) -> Figures {
    let database = context.database();
    let queue = format!("--queue-limit={QUEUE}");
    let flags = [
        "--statements=1",
        "--database-timeout-seconds=20",
        queue.as_str(),
    ];
    let running = Running::start(database.url(), &flags).await;
    let (oracle, url) = (
        Oracle::default(),
        format!("http://{}/graphql", running.addr),
    );
    let lock = keep_writes_waiting(context.backend, database.url()).await;
    let locked = AtomicBool::new(true);
    let creates = join_all((0..CREATES).map(async |_| {
        let sent = Instant::now();
        let (stored, wait) = load::store_and_wait(&running.client, &url, &oracle).await;
        let got = stored.map_or_else(|got| got, |_| Got::Answer);
        let expected = (got == Got::Unavailable).then_some("1");
        assert_eq!(wait.as_ref().map(|wait| wait.to_str().unwrap()), expected);
        (got, locked.load(Ordering::Relaxed), sent.elapsed())
    }));
    let release = async {
        // The first statement takes as many as wait when it starts, then the queue fills.
        let certain = CREATES - 2 * (QUEUE + 1);
        until("creates are refused", async || oracle.refusals() >= certain).await;
        assert_eq!(load::read(&running.client, &url).await, Got::Answer);
        locked.store(false, Ordering::Relaxed);
        lock.close().await.unwrap();
    };
    let (creates, ()) = tokio::join!(creates, release);

    let refused: Vec<_> = creates
        .iter()
        .filter(|(got, ..)| *got == Got::Unavailable)
        .collect();
    let stored = creates
        .iter()
        .filter(|(got, ..)| *got == Got::Answer)
        .count();
    assert_eq!(refused.len() + stored, CREATES, "{creates:?}");
    assert!(
        stored >= QUEUE,
        "those in the queue are stored: {creates:?}"
    );
    assert!(refused.iter().all(|(_, locked, _)| *locked), "{creates:?}");
    let mut figures = Figures {
        clients: CREATES,
        faults: 1,
        ..Figures::default()
    };
    let table = rows::all(database.url()).await;
    oracle.compare(&table, &mut figures).assert_sound();
    let slowest = refused.iter().map(|(_, _, took)| took.as_millis()).max();
    let slowest = format!("{} ms", slowest.unwrap_or_default());
    figures
        .further
        .insert("slowest refusal".to_owned(), slowest);
    figures
}

/// `--concurrency-limit`, and the clients of the peak.
const SERVED: usize = 8;

/// How far the database is away, each way: what limits the service must not be the processors, which
/// it shares with these clients.
const DISTANCE: Duration = Duration::from_millis(100);

const ROUND: Duration = Duration::from_secs(2);

/// What `Retry-After` says.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// At least so many rounds, and more only where the machine does not let the clients run evenly.
const ROUNDS: std::ops::Range<usize> = 3..6;

async fn four_times_as_many_clients_as_it_serves(context: Context) -> Figures {
    let database = context.database();
    let proxy = Proxy::to(database.url()).await;
    let limit = format!("--concurrency-limit={SERVED}");
    let running = Running::start(
        &proxy.url(database.url()),
        &[&limit, "--log-level=access=off"],
    )
    .await;
    assert!(running.create("XC60").await.unwrap()["errors"].is_null());
    proxy.set(Weather::Late(DISTANCE));
    let clients = Clients::of(&running);
    clients.ask_for(ROUND, SERVED).await;
    let (mut peak, mut over) = (Round::default(), Round::default());
    let mut memory = Vec::new();
    for round in 0..ROUNDS.end {
        if round >= ROUNDS.start && over.served.len() * 5 >= peak.served.len() * 4 {
            break;
        }
        let calm = clients.ask_for(ROUND, SERVED).await;
        assert_eq!(calm.refused.len(), 0, "as many as it serves are served");
        peak.add(calm);
        over.add(clients.ask_for(ROUND, SERVED * 4).await);
        memory.push(holdings(running.id()).resident_kib);
    }
    let after = clients.ask_for(ROUND / 3, SERVED).await;
    assert!(
        !after.served.is_empty() && after.refused.is_empty(),
        "it recovers at once"
    );

    let (good, best) = (over.served.len(), peak.served.len());
    let ratio = good * 100 / best;
    assert!(
        ratio >= 80,
        "{good} answers under overload, {best} at the peak"
    );
    assert!(
        over.refused.len() > SERVED,
        "nobody was refused: no overload"
    );
    let (refusal, answer) = (middle(&mut over.refused), middle(&mut peak.served));
    assert!(
        refusal * 2 < answer,
        "a refusal takes {refusal:?}, an answer {answer:?}"
    );
    let grown = memory[memory.len() - 1].saturating_sub(memory[0]);
    assert!(grown < 16 * 1024, "memory grows: {memory:?} KiB");
    let mut figures = Figures {
        clients: SERVED * 4,
        faults: memory.len(),
        ..Figures::default()
    };
    figures.further.extend([
        ("of the peak's answers".to_owned(), format!("{ratio} %")),
        ("refused".to_owned(), over.refused.len().to_string()),
        (
            "an answer takes".to_owned(),
            format!("{} ms", answer.as_millis()),
        ),
        (
            "a refusal takes".to_owned(),
            format!("{} ms", refusal.as_millis()),
        ),
        ("memory grown by".to_owned(), format!("{grown} KiB")),
    ]);
    figures
}

/// Clients of one service.
struct Clients {
    client: Client,
    url: String,
}

/// How long answers and refusals took.
#[derive(Default)]
pub(crate) struct Round {
    pub(crate) served: Vec<Duration>,
    pub(crate) refused: Vec<Duration>,
}

impl Round {
    pub(crate) fn add(&mut self, other: Self) {
        self.served.extend(other.served);
        self.refused.extend(other.refused);
    }

    pub(crate) fn note(&mut self, status: StatusCode, took: Duration) {
        match status {
            StatusCode::OK => self.served.push(took),
            StatusCode::SERVICE_UNAVAILABLE => self.refused.push(took),
            other => panic!("nobody should be told {other}"),
        }
    }
}

impl Clients {
    fn of(running: &Running) -> Self {
        let client = Client::builder()
            .no_proxy()
            .timeout(PATIENCE)
            .build()
            .unwrap();
        let url = format!("http://{}/graphql", running.addr);
        Self { client, url }
    }

    /// Has so many clients ask for so long, each as soon as it is answered.
    async fn ask_for(&self, time: Duration, clients: usize) -> Round {
        let end = Instant::now() + time;
        let rounds = join_all((0..clients).map(async |_| {
            let mut round = Round::default();
            while Instant::now() < end {
                self.ask(&mut round).await;
            }
            round
        }));
        let mut all = Round::default();
        for round in rounds.await {
            all.add(round);
        }
        all
    }

    async fn ask(&self, round: &mut Round) {
        let body = json!({ "query": "{ vehicle(id: 1) { modelCode } }" });
        let sent = Instant::now();
        let answer = self
            .client
            .post(&self.url)
            .json(&body)
            .send()
            .await
            .unwrap();
        let (status, headers) = (answer.status(), answer.headers().clone());
        let text = answer.text().await.unwrap();
        round.note(status, sent.elapsed());
        if status == StatusCode::OK {
            assert_eq!(text, r#"{"data":{"vehicle":{"modelCode":"XC60"}}}"#);
        } else {
            assert_eq!(headers["retry-after"], "1");
            assert!(text.contains("SERVICE_UNAVAILABLE"), "{text}");
            sleep(RETRY_AFTER).await;
        }
    }
}

pub(crate) fn middle(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
