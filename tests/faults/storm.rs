//! Clients, a service, and a database that something happens to: what all such cases have in common.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sea_orm::sqlx::{self, Connection, MySqlConnection, PgConnection};
use tokio::time::sleep;

use crate::load::{Asked, Got, Load, Target, read};
use crate::oracle::Oracle;
use crate::rows;
use crate::running::{PATIENCE, Running};
use crate::table::Figures;

/// Creates that are acknowledged before each fault, at least.
const CALM: usize = 50;

/// The longest that execution may take, in seconds.
const EXECUTION_S: u64 = 15;

/// The longest that an answer may take: the time-out of execution, and what a loaded machine adds.
const ANSWERED_WITHIN: Duration = Duration::from_secs(EXECUTION_S + 5);

/// The longest that reads may need to recover.
pub(crate) const RECOVERED_WITHIN: Duration = Duration::from_secs(1);

/// How much is asked, and how long the service waits for its database.
#[derive(Clone, Copy)]
pub(crate) struct Scale {
    pub(crate) creators: usize,
    pub(crate) readers: usize,
    pub(crate) database_timeout_s: u32,
}

impl Scale {
    /// As the service is set when nobody sets it.
    pub(crate) const USUAL: Self = Self {
        creators: 24,
        readers: 8,
        database_timeout_s: 5,
    };

    /// So long a time-out that whoever waits for the database is still there when it returns.
    pub(crate) const PATIENT: Self = Self {
        database_timeout_s: 10,
        ..Self::USUAL
    };

    /// So short a time-out that whoever waits in vain shows within the test.
    pub(crate) const IMPATIENT: Self = Self {
        database_timeout_s: 2,
        ..Self::USUAL
    };
}

/// A service under load.
pub(crate) struct Storm {
    pub(crate) running: Running,
    pub(crate) figures: Figures,
    url: String,
    oracle: Arc<Oracle>,
    load: Load,
}

impl Storm {
    /// Starts a service and its clients.
    pub(crate) async fn begin(url: &str, scale: Scale) -> Self {
        Self::through(url, url, scale).await
    }

    /// The same, with a service that reaches the database by another way than the URL at which the
    /// table is read in the end.
    pub(crate) async fn through(way: &str, url: &str, scale: Scale) -> Self {
        let flags = [
            format!("--database-timeout-seconds={}", scale.database_timeout_s),
            format!("--execution-timeout-seconds={EXECUTION_S}"),
            "--readiness-timeout-seconds=5".to_owned(),
        ];
        let running = Running::start(way, &flags.each_ref().map(String::as_str)).await;
        let (oracle, target) = (Arc::new(Oracle::default()), Target::new(running.addr));
        let load = Load::start(&oracle, &target, scale.creators, scale.readers);
        Self {
            running,
            figures: Figures::default(),
            url: url.to_owned(),
            oracle,
            load,
        }
    }

    /// How many creates were told as unknown so far.
    pub(crate) fn unknown(&self) -> usize {
        self.load.unknown()
    }

    /// Waits until clients are served: now something may happen.
    pub(crate) async fn rages(&mut self) {
        self.load.acknowledges(CALM).await;
        self.figures.faults += 1;
    }

    /// Waits until the database answers again, and measures how long the service needs then.
    pub(crate) async fn is_over(&mut self) {
        self.database_answers().await;
        self.reads_recover(Instant::now()).await;
    }

    /// Measures how long the service needs to answer a read since the fault was over.
    pub(crate) async fn reads_recover(&mut self, over: Instant) {
        self.reads_recover_within(RECOVERED_WITHIN, over).await;
    }

    /// The same where there is a reason for another bound than the usual one.
    pub(crate) async fn reads_recover_within(&mut self, most: Duration, over: Instant) {
        let url = format!("http://{}/graphql", self.running.addr);
        let client = &self.running.client;
        while read(client, &url).await != Got::Answer {
            assert!(over.elapsed() < PATIENCE, "{}", self.running.log());
            sleep(Duration::from_millis(5)).await;
        }
        let took = over.elapsed();
        self.figures.recovery_ms = self.figures.recovery_ms.max(Some(took.as_millis()));
        assert!(
            took < most,
            "reads are back after {took:?}\n{}",
            self.running.log()
        );
    }

    /// Waits until the service says that it is ready.
    pub(crate) async fn is_ready(&self) {
        let start = Instant::now();
        while self.running.readiness().await != 200 {
            assert!(start.elapsed() < PATIENCE, "{}", self.running.log());
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Ends the load; compares what was answered with what is stored.
    pub(crate) async fn end(mut self) -> Figures {
        // It has to be well again, not only alive.
        self.load.acknowledges(CALM).await;
        let exchanges = self.load.stop().await;
        exchanges.assert_answered_within(ANSWERED_WITHIN);
        exchanges.note(&mut self.figures);
        let failed = exchanges.count(|one| one.asked == Asked::Read && one.got != Got::Answer);
        self.figures.reads_refused = failed;
        let table = rows::all(&self.url).await;
        let verdict = self.oracle.compare(&table, &mut self.figures);
        verdict.assert_sound();
        self.figures
    }

    async fn database_answers(&self) {
        let start = Instant::now();
        while !answers(&self.url).await {
            assert!(start.elapsed() < PATIENCE, "the database does not return");
            sleep(Duration::from_millis(2)).await;
        }
    }
}

/// Whether a connection can be made and is answered.
async fn answers(url: &str) -> bool {
    let answered = if url.starts_with("postgres") {
        asked(PgConnection::connect(url).await).await
    } else {
        asked(MySqlConnection::connect(url).await).await
    };
    answered.is_ok()
}

async fn asked<C: Connection>(connection: Result<C, sqlx::Error>) -> Result<(), sqlx::Error> {
    connection?.ping().await
}
