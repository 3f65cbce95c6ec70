//! The database is killed, shut down or frozen while clients create and read.

use std::time::Duration;

use testkit::{Context, OwnServer};
use tokio::time::sleep;

use crate::load_under_faults::{Allowed, LoadUnderFaults, Scale};
use crate::table::Stats;
use crate::{cases, rounds};

cases![
    the_database_is_killed on Postgres Mariadb Mysql {
        fault: "`kill -9` of all database processes, restart after 0.5 s or 3 s",
        promise: "every request gets its result, or `SERVICE_UNAVAILABLE` with a reference, within the timeout; reads recover within a second; no create is duplicated or has an unknown outcome",
        how: "clients create and read while the server is killed and restarted",
    },
    the_database_is_restarted on Postgres Mariadb Mysql {
        fault: "orderly shutdown and restart of the database, as in an upgrade",
        promise: "the same",
        how: "the same, with the signal for an orderly shutdown",
    },
    the_database_is_frozen on Postgres Mariadb Mysql {
        fault: "the database stopped (`SIGSTOP`) for longer than the timeout, then continued (`SIGCONT`)",
        promise: "the same; a timed-out create is reported as unknown or as not stored, whichever is true",
        how: "the same, with all processes of the server stopped",
    },
];

/// Downtimes of the database, used in turn.
const DOWNTIMES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(3)];

/// More than twice the database timeout, so that writes fail.
const FROZEN: Duration = Duration::from_secs(5);

async fn the_database_is_killed(context: Context) -> Stats {
    let mut server = OwnServer::durable(context.backend);
    let mut load = LoadUnderFaults::start(&server.database(), Scale::LONG_TIMEOUT).await;
    for downtime in DOWNTIMES.into_iter().cycle().take(rounds(DOWNTIMES.len())) {
        load.prepare_fault().await;
        server.kill();
        sleep(downtime).await;
        server.start_again();
        load.measure_recovery().await;
    }
    load.end(Allowed::CONNECTIONS_LOST).await
}

async fn the_database_is_restarted(context: Context) -> Stats {
    let mut server = OwnServer::durable(context.backend);
    let mut load = LoadUnderFaults::start(&server.database(), Scale::LONG_TIMEOUT).await;
    for _ in 0..rounds(2) {
        load.prepare_fault().await;
        server.end();
        server.start_again();
        load.measure_recovery().await;
    }
    load.end(Allowed::CONNECTIONS_LOST).await
}

async fn the_database_is_frozen(context: Context) -> Stats {
    let mut server = OwnServer::durable(context.backend);
    let mut load = LoadUnderFaults::start(&server.database(), Scale::SHORT_TIMEOUT).await;
    for _ in 0..rounds(1) {
        load.prepare_fault().await;
        server.freeze();
        sleep(FROZEN).await;
        server.thaw();
        load.measure_recovery().await;
    }
    let stats = load.end(Allowed::NO_RESPONSES).await;
    let failed_creates = stats.refused + stats.unknown;
    assert!(failed_creates > 0, "nobody noticed: {stats:?}");
    stats
}
