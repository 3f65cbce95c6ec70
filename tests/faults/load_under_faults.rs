//! A service under load while faults are injected: shared by the cases of database and network.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sea_orm::sqlx::{self, Connection, MySqlConnection, PgConnection};
use testkit::{Running, TIMEOUT};
use tokio::time::sleep;

use crate::load::{Load, Operation, Outcome, Target, read};
use crate::oracle::Oracle;
use crate::rows;
use crate::support::serve;
use crate::table::Stats;

/// Minimum number of acknowledged creates before each fault.
const MIN_ACKNOWLEDGED: usize = 50;

/// The execution timeout, in seconds.
const EXECUTION_S: u64 = 15;

/// Maximum response time: the execution timeout and a margin for a loaded machine.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(EXECUTION_S + 5);

/// Maximum time until reads succeed after a fault.
pub(crate) const RECOVERY_TIMEOUT: Duration = Duration::from_secs(1);

/// Number of clients, and the database timeout of the service.
#[derive(Clone, Copy)]
pub(crate) struct Scale {
    pub(crate) creators: usize,
    pub(crate) readers: usize,
    pub(crate) database_timeout_s: u32,
}

impl Scale {
    /// The default timeout of the service.
    pub(crate) const DEFAULT: Self = Self { creators: 24, readers: 8, database_timeout_s: 5 };

    /// A timeout longer than the downtime of the database, so that waiting requests succeed.
    pub(crate) const LONG_TIMEOUT: Self = Self { database_timeout_s: 10, ..Self::DEFAULT };

    /// A timeout shorter than the fault, so that requests time out within the test.
    pub(crate) const SHORT_TIMEOUT: Self = Self { database_timeout_s: 2, ..Self::DEFAULT };
}

/// Maximum number of failures for each client and fault.
#[derive(Clone, Copy)]
pub(crate) struct Allowed {
    /// Reads of each reader that fail with `SERVICE_UNAVAILABLE`.
    pub(crate) refused_reads: usize,
    /// Creates of each creator with an unknown outcome.
    pub(crate) unknown_creates: usize,
}

impl Allowed {
    /// Reads and creates are sent again while the database responds within the timeout.
    pub(crate) const CONNECTIONS_LOST: Self = Self { refused_reads: 0, unknown_creates: 0 };

    /// During a fault of more than twice the timeout, two reads of each reader, and one create of each
    /// creator.
    pub(crate) const NO_RESPONSES: Self = Self { refused_reads: 2, unknown_creates: 1 };
}

/// A service under load.
pub(crate) struct LoadUnderFaults {
    pub(crate) running: Running,
    pub(crate) stats: Stats,
    url: String,
    oracle: Arc<Oracle>,
    load: Load,
    scale: Scale,
}

impl LoadUnderFaults {
    /// Starts a service and its clients.
    pub(crate) async fn start(url: &str, scale: Scale) -> Self {
        Self::start_through(url, url, scale).await
    }

    /// As [`Self::start`], but the service reaches the database by another URL than the final comparison.
    pub(crate) async fn start_through(service_url: &str, url: &str, scale: Scale) -> Self {
        let flags = [
            format!("--database-timeout-seconds={}", scale.database_timeout_s),
            format!("--execution-timeout-seconds={EXECUTION_S}"),
        ];
        let running = serve(service_url, &flags.each_ref().map(String::as_str)).await;
        let (oracle, target) = (Arc::new(Oracle::default()), Target::new(running.addr));
        let load = Load::start(&oracle, &target, scale.creators, scale.readers);
        Self { running, stats: Stats::default(), url: url.to_owned(), oracle, load, scale }
    }

    /// Waits until clients are served, and counts the fault that the caller injects next.
    pub(crate) async fn prepare_fault(&mut self) {
        self.wait_for_creates(MIN_ACKNOWLEDGED).await;
        self.stats.faults += 1;
    }

    /// Waits until this number of further creates is acknowledged.
    pub(crate) async fn wait_for_creates(&self, more: usize) {
        self.load.wait_for_acknowledged(more).await;
    }

    /// Waits until the database accepts queries, and measures the recovery time of reads from then on.
    pub(crate) async fn measure_recovery(&mut self) {
        self.wait_for_database().await;
        self.measure_read_recovery(Instant::now()).await;
    }

    /// Measures the time from the end of the fault to the first successful read.
    pub(crate) async fn measure_read_recovery(&mut self, end: Instant) {
        self.measure_read_recovery_within(RECOVERY_TIMEOUT, end).await;
    }

    /// As [`Self::measure_read_recovery`] with another maximum.
    pub(crate) async fn measure_read_recovery_within(&mut self, timeout: Duration, end: Instant) {
        let url = format!("http://{}/graphql", self.running.addr);
        let client = &self.running.client;
        while read(client, &url).await != Outcome::Success {
            assert!(end.elapsed() < TIMEOUT, "{}", self.running.log());
            sleep(Duration::from_millis(5)).await;
        }
        let took = end.elapsed();
        self.stats.recovery_ms = self.stats.recovery_ms.max(Some(took.as_millis()));
        assert!(took < timeout, "reads are back after {took:?}\n{}", self.running.log());
    }

    /// Waits until `/health/ready` returns 200.
    pub(crate) async fn wait_until_ready(&self) {
        let start = Instant::now();
        while self.running.readiness().await != 200 {
            assert!(start.elapsed() < TIMEOUT, "{}", self.running.log());
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Stops the load, compares the responses with the stored rows, and asserts that no more requests
    /// failed than the faults allow.
    pub(crate) async fn end(mut self, allowed: Allowed) -> Stats {
        // Writes must have recovered, too.
        self.load.wait_for_acknowledged(MIN_ACKNOWLEDGED).await;
        let exchanges = self.load.stop().await;
        exchanges.assert_completed_within(RESPONSE_TIMEOUT);
        exchanges.record(&mut self.stats);
        let failed = exchanges.count(|one| one.operation == Operation::Read && one.outcome != Outcome::Success);
        self.stats.reads_refused = failed;
        let table = rows::all(&self.url).await;
        let verdict = self.oracle.compare(&table, &mut self.stats);
        verdict.assert_sound();
        let (faults, scale) = (self.stats.faults, self.scale);
        let max_refused = allowed.refused_reads * scale.readers * faults;
        assert!(failed <= max_refused, "{failed} reads were refused, of {max_refused} allowed");
        let (unknown, max_unknown) = (self.stats.unknown, allowed.unknown_creates * scale.creators * faults);
        assert!(unknown <= max_unknown, "{unknown} creates are unknown, of {max_unknown} allowed");
        self.stats
    }

    async fn wait_for_database(&self) {
        let start = Instant::now();
        while !accepts_queries(&self.url).await {
            assert!(start.elapsed() < TIMEOUT, "the database does not return");
            sleep(Duration::from_millis(2)).await;
        }
    }
}

/// Whether a new connection can be opened and pinged.
async fn accepts_queries(url: &str) -> bool {
    let result = if url.starts_with("postgres") {
        ping(PgConnection::connect(url).await).await
    } else {
        ping(MySqlConnection::connect(url).await).await
    };
    result.is_ok()
}

async fn ping<C: Connection>(connection: Result<C, sqlx::Error>) -> Result<(), sqlx::Error> {
    connection?.ping().await
}
