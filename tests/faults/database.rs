//! The database killed, ended in order, and frozen, while clients create and read.

use std::time::Duration;

use tokio::time::sleep;

use crate::databases::OwnServer;
use crate::storm::{Scale, Storm};
use crate::table::Figures;
use crate::{Context, cases};

cases![
    the_database_is_killed on Postgres Mysql {
        fault: "`kill -9` of every process of the database, and its start half a second later, or three",
        promise: "every request is answered in time, with what it asked for or `SERVICE_UNAVAILABLE` and a reference; reads recover by themselves within a second; no write is doubled, a lost acknowledgement is told as unknown",
        how: "clients create and read; the server is killed and started again in their midst",
    },
    the_database_is_restarted on Postgres Mysql {
        fault: "the database shut down in order and started again, as an upgrade does it",
        promise: "the same",
        how: "the same, with the signal that ends the server in order",
    },
    the_database_is_frozen on Postgres Mysql {
        fault: "the database frozen (`SIGSTOP`) for longer than its time-out, then thawed (`SIGCONT`)",
        promise: "the same; what is given up is told as unknown or not stored, as it is",
        how: "the same, with every process of the server stopped",
    },
];

/// How long the database is away, by turns.
const AWAY: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(3)];

/// More than twice the time-out of the database: writes are given up.
const FROZEN: Duration = Duration::from_secs(5);

async fn the_database_is_killed(context: Context) -> Figures {
    let mut server = OwnServer::durable(context.backend);
    let mut storm = Storm::begin(&server.database(), Scale::PATIENT).await;
    for away in AWAY.into_iter().cycle().take(context.rounds(AWAY.len())) {
        storm.rages().await;
        server.kill();
        sleep(away).await;
        server.start_again();
        storm.is_over().await;
    }
    storm.end().await
}

async fn the_database_is_restarted(context: Context) -> Figures {
    let mut server = OwnServer::durable(context.backend);
    let mut storm = Storm::begin(&server.database(), Scale::USUAL).await;
    for _ in 0..context.rounds(2) {
        storm.rages().await;
        server.end();
        server.start_again();
        storm.is_over().await;
    }
    storm.end().await
}

async fn the_database_is_frozen(context: Context) -> Figures {
    let mut server = OwnServer::durable(context.backend);
    let mut storm = Storm::begin(&server.database(), Scale::IMPATIENT).await;
    for _ in 0..context.rounds(1) {
        storm.rages().await;
        server.freeze();
        sleep(FROZEN).await;
        server.thaw();
        storm.is_over().await;
    }
    let figures = storm.end().await;
    let given_up = figures.refused + figures.unknown;
    assert!(given_up > 0, "nobody noticed: {figures:?}");
    figures
}
