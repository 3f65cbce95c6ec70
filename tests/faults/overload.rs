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
    more_creates_than_the_queue_limit on Sqlite Postgres Mariadb Mysql {
        fault: "more creates than `--queue-limit` while every write waits for a lock",
        promise: "creates beyond the limit are refused immediately with `SERVICE_UNAVAILABLE`, a reference and `Retry-After`, and are not stored; those within it are stored; reads succeed",
        how: "60 concurrent creates for a queue of 5; the refusals arrive before the lock is released",
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
