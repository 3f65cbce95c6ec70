//! More load than the limits of the service permit.

use std::time::Instant;

use futures_util::future::join_all;
use testkit::{Context, until};

use crate::load::{self, Outcome};
use crate::oracle::Oracle;
use crate::stopping::lock_writes;
use crate::support::serve;
use crate::table::Stats;
use crate::{cases, rows};

cases![
    more_requests_than_the_concurrency_limit on Sqlite {
        fault: "more creates than `--concurrency-limit` while every write waits for a lock",
        promise: "creates beyond the limit are refused immediately with `SERVICE_UNAVAILABLE`, the limit and `Retry-After`, and are not stored; those within it are stored",
        how: "60 concurrent creates for a limit of 5; the refusals arrive before the lock is released",
    },
];

const CREATES: usize = 60;

const LIMIT: usize = 5;

async fn more_requests_than_the_concurrency_limit(context: Context) -> Stats {
    let database = context.database();
    let limit = format!("--concurrency-limit={LIMIT}");
    let flags = ["--database-timeout-seconds=20", limit.as_str()];
    let running = serve(database.url(), &flags).await;
    let (oracle, url) = (Oracle::default(), format!("http://{}/graphql", running.addr));
    let lock = lock_writes(context.backend, database.url()).await;
    let creates = join_all((0..CREATES).map(async |_| {
        let sent = Instant::now();
        let (stored, retry_after) = load::store_with_retry_after(&running.client, &url, &oracle).await;
        let outcome = stored.map_or_else(|outcome| outcome, |_| Outcome::Success);
        let expected = (outcome == Outcome::Unavailable).then_some("1");
        assert_eq!(retry_after.as_ref().map(|retry_after| retry_after.to_str().unwrap()), expected);
        (outcome, sent.elapsed())
    }));
    let release = async {
        let expected = CREATES - LIMIT;
        until("creates are refused", async || oracle.refusals() >= expected).await;
        lock.close().await.unwrap();
    };
    let (creates, ()) = tokio::join!(creates, release);

    let with = |wanted: Outcome| creates.iter().filter(move |(outcome, _)| *outcome == wanted);
    let (refused, stored) = (with(Outcome::Unavailable).count(), with(Outcome::Success).count());
    assert_eq!((refused, stored), (CREATES - LIMIT, LIMIT), "{creates:?}");
    let mut stats = Stats { clients: CREATES, faults: 1, ..Stats::default() };
    let table = rows::all(database.url()).await;
    oracle.compare(&table, &mut stats).assert_sound();
    let slowest = with(Outcome::Unavailable).map(|(_, took)| took.as_millis());
    let slowest = format!("{} ms", slowest.max().unwrap_or_default());
    stats.further.insert("slowest refusal".to_owned(), slowest);
    stats
}
