//! The network between the service and its database: late, silent, cut, forgetful.

use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::databases::TestDatabase;
use crate::process::holdings;
use crate::proxy::{Proxy, Weather};
use crate::storm::{RECOVERED_WITHIN, Scale, Storm};
use crate::table::Figures;
use crate::{Context, cases};

cases![
    the_network_resets_connections on Postgres Mysql {
        fault: "the network resets every connection to the database, and every new one, for two seconds",
        promise: "every request is answered in time, with what it asked for or `SERVICE_UNAVAILABLE` and a reference; reads recover by themselves within a second; no write is doubled, a lost acknowledgement is told as unknown",
        how: "a proxy between the service and its database, clients create and read",
    },
    the_network_cuts_answers_off on Postgres Mysql {
        fault: "connections end in the midst of the database's answers",
        promise: "the same; creates that are stored and not acknowledged are told as unknown, and not sent again",
        how: "the proxy cuts each connection after seven bytes of its next answer",
    },
    the_network_is_silent on Postgres Mysql {
        fault: "nothing arrives for longer than the time-out, then everything does",
        promise: "the same",
        how: "the proxy keeps what it is sent",
    },
    the_network_forgets_connections on Postgres Mysql {
        fault: "connections are forgotten without a word, as by a router that was restarted; new ones work",
        promise: "the same, but that reads recover a second after the time-out: forgotten connections are given up, not waited for one after the other",
        how: "the proxy carries nothing more on the connections there are; what rested is forgotten with what is in use",
    },
    the_network_is_late on Postgres Mysql {
        fault: "everything arrives 20 ms later",
        promise: "every request is answered with what it asked for",
        how: "the proxy waits before it carries",
    },
    a_hundred_cuts_leave_nothing_behind on Postgres Mysql {
        fault: "a hundred times, all connections are reset and new ones work",
        promise: "no connection, file or memory is left behind",
        how: "what the process holds after the first twenty cuts is compared with what it holds after the last",
    },
];

const AWAY: Duration = Duration::from_secs(2);

/// More than twice the time-out of the database.
const SILENCE: Duration = Duration::from_secs(5);

/// Most connections of the service: those of requests and those beside them.
const POOL: usize = 8 + 2;

/// Memory that a process may take more after eighty faults, in KiB: less than half a connection's a fault.
const GROWTH_KIB: u64 = 24 * 1024;

struct Path {
    proxy: Proxy,
    database: TestDatabase,
}

impl Path {
    async fn new(context: &Context) -> Self {
        let database = context.database();
        let proxy = Proxy::to(database.url()).await;
        Self { proxy, database }
    }

    async fn storm(&self, scale: Scale) -> Storm {
        let url = self.database.url();
        Storm::through(&self.proxy.url(url), url, scale).await
    }
}

async fn the_network_resets_connections(context: Context) -> Figures {
    let path = Path::new(&context).await;
    let mut storm = path.storm(Scale::USUAL).await;
    for _ in 0..context.rounds(1) {
        storm.rages().await;
        path.proxy.set(Weather::Reset);
        sleep(AWAY).await;
        path.proxy.set(Weather::Fair);
        storm.reads_recover(Instant::now()).await;
    }
    storm.end().await
}

async fn the_network_cuts_answers_off(context: Context) -> Figures {
    let path = Path::new(&context).await;
    let mut storm = path.storm(Scale::USUAL).await;
    let rounds = context.rounds(5);
    for round in 1.. {
        storm.rages().await;
        path.proxy.set(Weather::Truncating(7));
        sleep(Duration::from_millis(100)).await;
        path.proxy.set(Weather::Fair);
        storm.reads_recover(Instant::now()).await;
        // Whether a create is under way at the moment is chance.
        if round >= rounds && storm.unknown() > 0 {
            break;
        }
        assert!(round < 10 * rounds, "no acknowledgement was lost");
    }
    storm.end().await
}

async fn the_network_is_silent(context: Context) -> Figures {
    let path = Path::new(&context).await;
    let mut storm = path.storm(Scale::IMPATIENT).await;
    for _ in 0..context.rounds(1) {
        storm.rages().await;
        path.proxy.set(Weather::Silent);
        // The service is asked for its health meanwhile, as it always is.
        let end = Instant::now() + SILENCE;
        while Instant::now() < end {
            assert_eq!(storm.running.readiness().await, 503);
        }
        path.proxy.set(Weather::Fair);
        storm.reads_recover(Instant::now()).await;
    }
    storm.end().await
}

async fn the_network_forgets_connections(context: Context) -> Figures {
    let path = Path::new(&context).await;
    let mut storm = path.storm(Scale::IMPATIENT).await;
    for _ in 0..context.rounds(4) {
        storm.rages().await;
        path.proxy.forget();
        // Both pools of connections notice: that of requests and that of health.
        storm.running.readiness().await;
        // Nothing tells that a connection is forgotten but an answer that does not come in time.
        let time_out = Duration::from_secs(Scale::IMPATIENT.database_timeout_s.into());
        let most = time_out + RECOVERED_WITHIN;
        storm.reads_recover_within(most, Instant::now()).await;
    }
    storm.is_ready().await;
    let figures = storm.end().await;
    let open = path.proxy.open();
    assert!(open <= POOL, "{open} connections are open");
    figures
}

async fn the_network_is_late(context: Context) -> Figures {
    let path = Path::new(&context).await;
    let mut storm = path
        .storm(Scale {
            database_timeout_s: 10,
            ..Scale::USUAL
        })
        .await;
    storm.rages().await;
    path.proxy.set(Weather::Late(Duration::from_millis(20)));
    storm.rages().await;
    storm.figures.faults = 1;
    let figures = storm.end().await;
    let failed = figures.refused + figures.unknown + figures.reads_refused;
    assert_eq!(failed, 0, "{figures:?}");
    figures
}

async fn a_hundred_cuts_leave_nothing_behind(context: Context) -> Figures {
    let path = Path::new(&context).await;
    let mut storm = path
        .storm(Scale {
            creators: 4,
            readers: 2,
            ..Scale::USUAL
        })
        .await;
    storm.rages().await;
    let id = storm.running.id();
    let cuts = context.rounds(100);
    let mut early = None;
    for cut in 1..=cuts {
        path.proxy.set(Weather::Reset);
        sleep(Duration::from_millis(2)).await;
        path.proxy.set(Weather::Fair);
        storm.reads_recover(Instant::now()).await;
        let open = path.proxy.open();
        assert!(open <= POOL, "{open} connections are open after {cut} cuts");
        if cut == 20 {
            early = Some(holdings(id));
        }
    }
    let (early, late) = (early.unwrap(), holdings(id));
    assert!(late.files <= early.files + POOL, "{early:?}, {late:?}");
    let most_kib = early.resident_kib + GROWTH_KIB;
    assert!(late.resident_kib <= most_kib, "{early:?}, {late:?}");
    storm.figures.faults = cuts;
    let further = [
        ("connections made", path.proxy.made().to_string()),
        ("open files", format!("{} then {}", early.files, late.files)),
        (
            "resident KiB",
            format!("{} then {}", early.resident_kib, late.resident_kib),
        ),
    ];
    let further = further.map(|(name, value)| (name.to_owned(), value));
    storm.figures.further.extend(further);
    storm.end().await
}
