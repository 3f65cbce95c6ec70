//! The service is killed during concurrent creates.

use std::sync::Arc;

use testkit::Context;

use crate::load::{Load, Target};
use crate::oracle::Oracle;
use crate::support::{serve, start};
use crate::table::Stats;
use crate::{cases, rounds, rows};

cases![
    the_service_is_killed_during_creates on Sqlite Postgres Mariadb Mysql {
        fault: "`kill -9` of the service during hundreds of concurrent creates",
        promise: "acknowledged vehicles are stored exactly once, and otherwise only creates without a response; migrations intact; the next start needs no intervention",
        how: "clients on HTTP/1.1 and HTTP/2 create while the process is killed and restarted",
    },
];

const CREATORS: usize = 500;

const KILLS: usize = 2;

/// Minimum number of acknowledged creates between two kills.
const MIN_ACKNOWLEDGED: usize = 400;

async fn the_service_is_killed_during_creates(context: Context) -> Stats {
    let database = context.database();
    let flags = ["--concurrency-limit=4096"];
    let mut running = serve(database.url(), &flags).await;
    let (oracle, target) = (Arc::new(Oracle::default()), Target::new(running.addr));
    let load = Load::start(&oracle, &target, CREATORS, 0);
    let kills = rounds(KILLS);
    for _ in 0..kills {
        load.wait_for_acknowledged(MIN_ACKNOWLEDGED).await;
        running.signal("KILL");
        running.ended().await;
        running = serve(database.url(), &flags).await;
        target.set(running.addr);
    }
    load.wait_for_acknowledged(MIN_ACKNOWLEDGED).await;
    let exchanges = load.stop().await;

    let mut stats = Stats { faults: kills, ..Stats::default() };
    exchanges.record(&mut stats);
    let table = rows::all(database.url()).await;
    oracle.compare(&table, &mut stats).assert_sound();
    assert!(stats.unknown > 0, "nothing was in flight: {stats:?}");
    rows::assert_migrated_once(database.url()).await;
    let mut check = start(database.url(), &["schema", "check"]);
    assert_eq!(check.ended().await.code(), Some(0), "{}", check.log());
    stats
}
