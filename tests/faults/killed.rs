//! The service killed while it stores.

use std::sync::Arc;

use crate::load::{Load, Target};
use crate::oracle::Oracle;
use crate::rows;
use crate::running::{Running, Started};
use crate::table::Figures;
use crate::{Context, cases};

cases![
    the_service_is_killed_while_it_stores on Sqlite Postgres Mysql {
        fault: "`kill -9` of the service during thousands of concurrent creates",
        promise: "what was acknowledged is there exactly once, nothing else but creates whose answer was cut off; migrations intact; the next start needs nobody",
        how: "clients on HTTP/1.1 and HTTP/2 create; the process is killed and started again in their midst",
    },
];

const CREATORS: usize = 2000;

const KILLS: usize = 2;

/// Creates that are acknowledged between two kills, at least.
const STORED: usize = 400;

async fn the_service_is_killed_while_it_stores(context: Context) -> Figures {
    let database = context.database();
    let flags = ["--concurrency-limit=4096"];
    let mut running = Running::start(database.url(), &flags).await;
    let (oracle, target) = (Arc::new(Oracle::default()), Target::new(running.addr));
    let load = Load::start(&oracle, &target, CREATORS, 0);
    let kills = context.rounds(KILLS);
    for _ in 0..kills {
        load.acknowledges(STORED).await;
        running.signal("KILL");
        running.ended().await;
        running = Running::start(database.url(), &flags).await;
        target.moves_to(running.addr);
    }
    load.acknowledges(STORED).await;
    let exchanges = load.stop().await;

    let mut figures = Figures {
        faults: kills,
        ..Figures::default()
    };
    exchanges.note(&mut figures);
    let table = rows::all(database.url()).await;
    oracle.compare(&table, &mut figures).assert_sound();
    assert!(figures.unknown > 0, "nothing was in flight: {figures:?}");
    rows::assert_migrated_once(database.url()).await;
    let mut check = Started::new(database.url(), &["schema", "check"]);
    assert_eq!(check.ended().await.code(), Some(0), "{}", check.log());
    figures
}
