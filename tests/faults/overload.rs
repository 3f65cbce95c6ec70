//! More load than the limits of the service permit.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::{Client, StatusCode};
use serde_json::json;
use testkit::{Context, Running, TIMEOUT, until};
use tokio::time::sleep;

use crate::load::{self, Outcome};
use crate::oracle::Oracle;
use crate::proxy::{NetworkCondition, Proxy};
use crate::stopping::lock_writes;
use crate::support::{Vehicles as _, serve};
use crate::table::Stats;
use crate::{cases, rows};

cases![
    more_creates_than_the_queue_limit on Sqlite Postgres Mariadb Mysql {
        fault: "more creates than `--queue-limit` while every write waits for a lock",
        promise: "creates beyond the limit are refused immediately with `SERVICE_UNAVAILABLE`, a reference and `Retry-After`, and are not stored; those within it are stored; reads succeed",
        how: "60 concurrent creates for a queue of 5; the refusals arrive before the lock is released",
    },
    four_times_as_many_clients_as_the_concurrency_limit on Postgres Mariadb Mysql {
        fault: "four times as many clients as `--concurrency-limit`, which retry after `Retry-After`",
        promise: "refusals with `Retry-After`, which are counted; all other requests succeed, at least half as many as at peak load; memory bounded; full recovery",
        how: "five alternating rounds of peak load and overload, 100 ms of database latency; the median of their ratios",
    },
];

const CREATES: usize = 60;

const QUEUE_LIMIT: usize = 5;

async fn more_creates_than_the_queue_limit(context: Context) -> Stats {
    let database = context.database();
    let queue = format!("--queue-limit={QUEUE_LIMIT}");
    let flags = [
        "--statements=1",
        "--database-timeout-seconds=20",
        queue.as_str(),
    ];
    let running = serve(database.url(), &flags).await;
    let (oracle, url) = (
        Oracle::default(),
        format!("http://{}/graphql", running.addr),
    );
    let lock = lock_writes(context.backend, database.url()).await;
    let creates = join_all((0..CREATES).map(async |_| {
        let sent = Instant::now();
        let (stored, retry_after) =
            load::store_with_retry_after(&running.client, &url, &oracle).await;
        let outcome = stored.map_or_else(|outcome| outcome, |_| Outcome::Success);
        let expected = (outcome == Outcome::Unavailable).then_some("1");
        assert_eq!(
            retry_after
                .as_ref()
                .map(|retry_after| retry_after.to_str().unwrap()),
            expected
        );
        (outcome, sent.elapsed())
    }));
    let release = async {
        // The first batch takes all queued creates when it starts, then the queue fills up, and the others are refused
        // while the table is locked.
        let expected = CREATES - 2 * (QUEUE_LIMIT + 1);
        until("creates are refused", async || {
            oracle.refusals() >= expected
        })
        .await;
        assert_eq!(load::read(&running.client, &url).await, Outcome::Success);
        lock.close().await.unwrap();
    };
    let (creates, ()) = tokio::join!(creates, release);

    let refused: Vec<_> = creates
        .iter()
        .filter(|(outcome, ..)| *outcome == Outcome::Unavailable)
        .collect();
    let stored = creates
        .iter()
        .filter(|(outcome, ..)| *outcome == Outcome::Success)
        .count();
    assert_eq!(refused.len() + stored, CREATES, "{creates:?}");
    assert!(
        stored >= QUEUE_LIMIT,
        "those in the queue are stored: {creates:?}"
    );
    let mut stats = Stats {
        clients: CREATES,
        faults: 1,
        ..Stats::default()
    };
    let table = rows::all(database.url()).await;
    oracle.compare(&table, &mut stats).assert_sound();
    let slowest = refused.iter().map(|(_, took)| took.as_millis()).max();
    let slowest = format!("{} ms", slowest.unwrap_or_default());
    stats.further.insert("slowest refusal".to_owned(), slowest);
    stats
}

/// `--concurrency-limit`, and the number of clients at peak load.
const CONCURRENCY: usize = 8;

/// One-way latency of the database, so that the processors, which the service shares with these
/// clients, are not the bottleneck.
const LATENCY: Duration = Duration::from_millis(100);

const ROUND: Duration = Duration::from_secs(2);

/// The value of `Retry-After`.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The result is the median ratio of these rounds.
const ROUNDS: usize = 5;

/// The least throughput under overload, in percent of that at peak load.
const MIN_RATIO: usize = 50;

async fn four_times_as_many_clients_as_the_concurrency_limit(context: Context) -> Stats {
    let database = context.database();
    let proxy = Proxy::new(database.url()).await;
    let limit = format!("--concurrency-limit={CONCURRENCY}");
    let running = serve(
        &proxy.url(database.url()),
        &[&limit, "--log-level=access=off"],
    )
    .await;
    assert!(running.create("XC60").await.unwrap()["errors"].is_null());
    proxy.set(NetworkCondition::Delayed(LATENCY));
    let clients = Clients::new(&running);
    let mut warm = clients.run(ROUND, CONCURRENCY).await;
    let (mut peak, mut overload) = (Round::default(), Round::default());
    let (mut ratios, mut memory) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let calm = clients.run(ROUND, CONCURRENCY).await;
        assert_eq!(calm.refused.len(), 0, "as many as it serves are served");
        let crowded = clients.run(ROUND, CONCURRENCY * 4).await;
        ratios.push(crowded.percent_of(&calm));
        peak.add(calm);
        overload.add(crowded);
        memory.push(running.memory("VmRSS") / 1024);
    }
    let after = clients.run(ROUND / 3, CONCURRENCY).await;
    assert!(
        !after.served.is_empty() && after.refused.is_empty(),
        "it recovers at once"
    );

    let ratio = median(&mut ratios);
    // The latency of the database determines the peak, so that overload needs no processor time of it.
    assert!(ratio >= MIN_RATIO, "{ratio} % of the peak: {ratios:?}");
    assert!(
        overload.refused.len() > CONCURRENCY,
        "nobody was refused: no overload"
    );
    warm.add(after);
    let refused = overload.refused.len() + warm.refused.len();
    let limit = r#"catalogue_limits_refused_total{limit="concurrency-limit"}"#;
    assert_eq!(running.count(limit), refused, "every refusal is counted");
    let served = peak.served.len() + overload.served.len() + warm.served.len();
    let queries = r#"catalogue_requests_total{operation_type="query",operation_name="(anonymous)",code="OK"}"#;
    assert_eq!(running.count(queries), served, "every response is counted");
    let (refusal, response) = (median(&mut overload.refused), median(&mut peak.served));
    let grown = memory[memory.len() - 1].saturating_sub(memory[0]);
    assert!(grown < 16 * 1024, "memory grows: {memory:?} KiB");
    let mut stats = Stats {
        clients: CONCURRENCY * 4,
        faults: memory.len(),
        ..Stats::default()
    };
    stats.further.extend([
        ("of the peak's answers".to_owned(), format!("{ratio} %")),
        ("refused".to_owned(), overload.refused.len().to_string()),
        (
            "an answer takes".to_owned(),
            format!("{} ms", response.as_millis()),
        ),
        (
            "a refusal takes".to_owned(),
            format!("{} ms", refusal.as_millis()),
        ),
        ("memory grown by".to_owned(), format!("{grown} KiB")),
    ]);
    stats
}

/// Clients of one service.
struct Clients {
    client: Client,
    url: String,
}

/// Durations of successful and refused requests.
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

    /// Number of successful requests, in percent of those of another round.
    pub(crate) fn percent_of(&self, other: &Self) -> usize {
        self.served.len() * 100 / other.served.len()
    }

    pub(crate) fn record(&mut self, status: StatusCode, took: Duration) {
        match status {
            StatusCode::OK => self.served.push(took),
            StatusCode::SERVICE_UNAVAILABLE => self.refused.push(took),
            other => panic!("nobody should be told {other}"),
        }
    }
}

impl Clients {
    fn new(running: &Running) -> Self {
        let client = Client::builder()
            .no_proxy()
            .timeout(TIMEOUT)
            .build()
            .unwrap();
        let url = format!("http://{}/graphql", running.addr);
        Self { client, url }
    }

    /// Runs clients that send the next request as soon as they have a response.
    async fn run(&self, time: Duration, clients: usize) -> Round {
        let end = Instant::now() + time;
        let rounds = join_all((0..clients).map(async |_| {
            let mut round = Round::default();
            while Instant::now() < end {
                self.query(&mut round).await;
            }
            round
        }));
        let mut all = Round::default();
        for round in rounds.await {
            all.add(round);
        }
        all
    }

    async fn query(&self, round: &mut Round) {
        let body = json!({ "query": "{ vehicle(id: 1) { modelCode } }" });
        let sent = Instant::now();
        let response = self
            .client
            .post(&self.url)
            .json(&body)
            .send()
            .await
            .unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let text = response.text().await.unwrap();
        round.record(status, sent.elapsed());
        if status == StatusCode::OK {
            assert_eq!(text, r#"{"data":{"vehicle":{"modelCode":"XC60"}}}"#);
        } else {
            assert_eq!(headers["retry-after"], "1");
            assert!(text.contains("SERVICE_UNAVAILABLE"), "{text}");
            sleep(RETRY_AFTER).await;
        }
    }
}

/// The median.
pub(crate) fn median<T: Copy + Ord>(values: &mut [T]) -> T {
    values.sort_unstable();
    values[values.len() / 2]
}
