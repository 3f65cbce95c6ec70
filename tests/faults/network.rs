//! The network between the service and its database: latency, stalls, resets, truncation, blackholes.

use std::any::Any;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use testkit::{Backend, Context, Extras, OwnServer, Running, connect, until};
use tokio::time::sleep;

use crate::load_under_faults::{Allowed, LoadUnderFaults, RECOVERY_TIMEOUT, Scale};
use crate::proxy::{NetworkCondition, Proxy};
use crate::support::{Vehicles as _, serve};
use crate::table::Stats;
use crate::{cases, rounds};

cases![
    the_network_resets_connections on Postgres Mariadb {
        fault: "all existing and new connections to the database are reset for two seconds",
        promise: "every request gets its result, or `SERVICE_UNAVAILABLE` with a reference, within the timeout; reads recover within a second; no create is duplicated or has an unknown outcome",
        how: "a proxy between the service and its database, clients create and read",
    },
    the_network_truncates_responses on Postgres Mariadb {
        fault: "connections are closed in the middle of responses of the database",
        promise: "the same; a create whose response was lost is sent again with its key, and stored once",
        how: "the proxy closes each connection after seven bytes of the next response",
    },
    the_network_stalls on Postgres Mariadb {
        fault: "no data arrives for longer than the timeout, then all of it",
        promise: "the same",
        how: "the proxy buffers the data",
    },
    the_network_blackholes_connections on Postgres Mariadb Mysql {
        fault: "existing connections, on MySQL with TLS, silently stop carrying data, as after the restart of a router; new ones work",
        promise: "the same, except that reads recover within a second after the timeout: stale connections are closed together, not one after the other",
        how: "the proxy forwards nothing on existing connections, idle or in use",
    },
    the_network_has_latency on Postgres {
        fault: "20 ms of latency",
        promise: "every request succeeds",
        how: "the proxy delays the data",
    },
    a_cancelled_ping_closes_its_connection on Mariadb {
        fault: "the timeout of a lookup or of a readiness check ends while a connection is pinged or used; the response arrives later",
        promise: "no statement reads the response to another one",
        how: "one connection is killed, and the network stalls when the next one is pinged; the statements of a readiness check take longer than its timeout",
    },
    a_hundred_resets_leak_nothing on Postgres Mariadb {
        fault: "all connections are reset a hundred times; new ones work",
        promise: "no leak of connections, files or memory",
        how: "resources of the process after the first twenty resets are compared with those after the last",
    },
];

const OUTAGE: Duration = Duration::from_secs(2);

/// More than twice the database timeout.
const STALL: Duration = Duration::from_secs(5);

/// Maximum number of database connections of the service: the pool, and two for health.
const MAX_CONNECTIONS: usize = 8 + 2;

/// Maximum memory growth of the process during eighty faults, in KiB.
const MAX_GROWTH_KIB: u64 = 24 * 1024;

struct Path {
    proxy: Proxy,
    url: String,
    /// The database, or its server, which is removed with this value.
    _owner: Box<dyn Any + Send>,
}

impl Path {
    /// To a database of the shared server; on MySQL to a server of its own, since the shared one is without TLS.
    async fn new(context: &Context) -> Self {
        let (url, owner): (_, Box<dyn Any + Send>) = if context.backend == Backend::Mysql {
            let server = OwnServer::start(Backend::Mysql, &Extras::default());
            (server.database(), Box::new(server))
        } else {
            let database = context.database();
            (database.url().to_owned(), Box::new(database))
        };
        Self { proxy: Proxy::new(&url).await, url, _owner: owner }
    }

    async fn start_load(&self, scale: Scale) -> LoadUnderFaults {
        LoadUnderFaults::start_through(&self.proxy.url(&self.url), &self.url, scale).await
    }
}

/// The pending read or create of each client.
const BLACKHOLE_ALLOWS: Allowed = Allowed { refused_reads: 1, unknown_creates: 1 };

const NO_FAILURES: Allowed = Allowed { refused_reads: 0, unknown_creates: 0 };

async fn the_network_resets_connections(context: Context) -> Stats {
    let path = Path::new(&context).await;
    let mut load = path.start_load(Scale::DEFAULT).await;
    for _ in 0..rounds(1) {
        load.prepare_fault().await;
        path.proxy.set(NetworkCondition::Reset);
        sleep(OUTAGE).await;
        path.proxy.set(NetworkCondition::Normal);
        load.measure_read_recovery(Instant::now()).await;
    }
    load.end(Allowed::CONNECTIONS_LOST).await
}

async fn the_network_truncates_responses(context: Context) -> Stats {
    let path = Path::new(&context).await;
    let mut load = path.start_load(Scale::DEFAULT).await;
    for _ in 0..rounds(5) {
        load.prepare_fault().await;
        path.proxy.set(NetworkCondition::Truncating(7));
        sleep(Duration::from_millis(100)).await;
        path.proxy.set(NetworkCondition::Normal);
        load.measure_read_recovery(Instant::now()).await;
    }
    load.end(Allowed::CONNECTIONS_LOST).await
}

async fn the_network_stalls(context: Context) -> Stats {
    let path = Path::new(&context).await;
    let mut load = path.start_load(Scale::SHORT_TIMEOUT).await;
    for _ in 0..rounds(1) {
        load.prepare_fault().await;
        path.proxy.set(NetworkCondition::Stalled);
        // Health probes continue during the stall.
        let end = Instant::now() + STALL;
        while Instant::now() < end {
            assert_eq!(load.running.readiness().await, 503);
        }
        path.proxy.set(NetworkCondition::Normal);
        load.measure_read_recovery(Instant::now()).await;
    }
    load.end(Allowed::NO_RESPONSES).await
}

async fn the_network_blackholes_connections(context: Context) -> Stats {
    let path = Path::new(&context).await;
    let mut load = path.start_load(Scale::SHORT_TIMEOUT).await;
    for _ in 0..rounds(4) {
        load.prepare_fault().await;
        path.proxy.blackhole();
        // Also uses the connections of the health check.
        load.running.readiness().await;
        // Only a timeout detects a blackholed connection.
        let database_timeout = Duration::from_secs(Scale::SHORT_TIMEOUT.database_timeout_s.into());
        let recovery_timeout = database_timeout + RECOVERY_TIMEOUT;
        load.measure_read_recovery_within(recovery_timeout, Instant::now()).await;
    }
    load.wait_until_ready().await;
    let stats = load.end(BLACKHOLE_ALLOWS).await;
    let open = path.proxy.open();
    // At each fault sqlx may have been testing connections without a time-out.
    let tested = rounds(2 * 4);
    assert!(open <= MAX_CONNECTIONS + tested, "{open} connections are open");
    stats
}

async fn the_network_has_latency(context: Context) -> Stats {
    let path = Path::new(&context).await;
    let mut load = path.start_load(Scale { database_timeout_s: 10, ..Scale::DEFAULT }).await;
    load.prepare_fault().await;
    path.proxy.set(delayed(20));
    load.prepare_fault().await;
    load.stats.faults = 1;
    let stats = load.end(NO_FAILURES).await;
    assert_eq!(stats.refused, 0, "{stats:?}");
    stats
}

async fn a_cancelled_ping_closes_its_connection(context: Context) -> Stats {
    let path = Path::new(&context).await;
    let url = path.proxy.url(&path.url);
    let running = serve(&url, &["--database-timeout-seconds=1"]).await;
    let ids = 1..=8;
    for id in ids.clone() {
        running.create(&format!("M{id}")).await.unwrap();
    }
    let model = async |id: u32| {
        let document = format!(r#"{{ vehicle(id: "{id}") {{ modelCode }} }}"#);
        let response = running.query(&document).await.unwrap();
        response["data"]["vehicle"]["modelCode"].clone()
    };

    // The statements of lookups are prepared on two connections, and the last one is used by one lookup.
    path.proxy.set(delayed(50));
    join_all(ids.clone().map(&model)).await;
    path.proxy.set(NetworkCondition::Normal);
    assert_eq!(model(1).await, "M1");
    let admin = connect(&path.url).await;
    let open = path.proxy.open();
    let last_used = "SELECT id FROM information_schema.processlist \
         WHERE db = DATABASE() AND id <> CONNECTION_ID() ORDER BY time_ms LIMIT 1";
    let last_used = Statement::from_string(DbBackend::MySql, last_used);
    let row = admin.query_one_raw(last_used).await.unwrap().unwrap();
    let kill = format!("KILL {}", row.try_get_by_index::<i64>(0).unwrap());
    admin.execute_unprepared(&kill).await.unwrap();
    until("closed", async || path.proxy.open() < open).await;
    path.proxy.set(NetworkCondition::Stalled);
    assert!(model(2).await.is_null(), "the network stalls");
    path.proxy.set(NetworkCondition::Normal);
    for id in ids.clone() {
        assert_eq!(model(id).await, format!("M{id}"), "{}", running.log());
    }

    assert_eq!(running.readiness().await, 200);
    let cached = Duration::from_millis(1100);
    sleep(cached).await;
    path.proxy.set(delayed(300));
    assert_eq!(running.readiness().await, 503);
    path.proxy.set(NetworkCondition::Normal);
    sleep(cached).await;
    assert_eq!(running.readiness().await, 200, "{}", running.log());
    Stats { faults: 2, ..Stats::default() }
}

/// A latency of this many milliseconds in each direction.
fn delayed(delay_ms: u64) -> NetworkCondition {
    NetworkCondition::Delayed(Duration::from_millis(delay_ms))
}

async fn a_hundred_resets_leak_nothing(context: Context) -> Stats {
    let path = Path::new(&context).await;
    let mut load = path.start_load(Scale { creators: 4, readers: 2, ..Scale::DEFAULT }).await;
    let resets = rounds(100);
    let mut early = None;
    for reset in 1..=resets {
        // Resets in the rhythm of the retries could fail every attempt of a request.
        load.wait_for_creates(10).await;
        path.proxy.set(NetworkCondition::Reset);
        sleep(Duration::from_millis(2)).await;
        path.proxy.set(NetworkCondition::Normal);
        load.measure_read_recovery(Instant::now()).await;
        let open = path.proxy.open();
        assert!(open <= MAX_CONNECTIONS, "{open} connections are open after {reset} cuts");
        if reset == 20 {
            early = Some(usage(&load.running));
        }
    }
    let ((early_files, early_kib), (late_files, late_kib)) = (early.unwrap(), usage(&load.running));
    assert!(late_files <= early_files + MAX_CONNECTIONS, "{early_files} open files, then {late_files}");
    assert!(late_kib <= early_kib + MAX_GROWTH_KIB, "{early_kib} KiB, then {late_kib} KiB");
    load.stats.faults = resets;
    let further = [
        ("connections made", path.proxy.opened().to_string()),
        ("open files", format!("{early_files} then {late_files}")),
        ("resident KiB", format!("{early_kib} then {late_kib}")),
    ];
    let further = further.map(|(name, value)| (name.to_owned(), value));
    load.stats.further.extend(further);
    load.end(Allowed::CONNECTIONS_LOST).await
}

/// The number of open files and the resident memory in KiB.
fn usage(running: &Running) -> (usize, u64) {
    (running.open_files(), running.memory("VmRSS") / 1024)
}
