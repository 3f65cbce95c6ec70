//! Soak test: two instances, faults in random order, and a comparison with the oracle at the end.
//!
//! `FAULTS_SOAK_SECONDS=3600 cargo test --test faults -- soak` takes an hour for each database.
//! `FAULTS_SEED=…` injects the faults of an earlier run in the same order.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sea_orm::Database;
use testkit::{Backend, Context, Extras, OwnServer, Running, TestDatabase, until, variable};
use tokio::time::sleep;

use crate::load::{Load, Outcome, Target};
use crate::oracle::Oracle;
use crate::proxy::{NetworkCondition, Proxy};
use crate::stopping::lock_writes;
use crate::support::serve;
use crate::table::Stats;
use crate::{cases, rows};

cases![
    a_long_random_sequence_of_faults on Sqlite Postgres Mariadb Mysql {
        fault: "random sequence of: `kill -9` and SIGTERM of one of two instances; the database crashed, locked, slow, silent, disconnected in the middle of responses",
        promise: "acknowledged vehicles are stored exactly once, refused ones are not; every response is correct or `SERVICE_UNAVAILABLE`; full recovery",
        how: "`FAULTS_SOAK_SECONDS` (7 in CI) and `FAULTS_SEED`, which is printed; the figures include memory and open files of the last instances",
    },
];

/// Duration of the fault injection.
pub(crate) fn duration() -> Duration {
    Duration::from_secs(number("FAULTS_SOAK_SECONDS").unwrap_or(7))
}

const FLAGS: [&str; 3] = ["--database-timeout-seconds=2", "--drain-timeout-seconds=5", "--log-level=info,access=off"];

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    InstanceKilled,
    InstanceStopped,
    Locked,
    DatabaseCrashed,
    Network(NetworkCondition),
    Blackholed,
}

const FAULTS_ON_SQLITE: &[Fault] = &[Fault::InstanceKilled, Fault::InstanceStopped, Fault::Locked];

const FAULTS_ON_SERVERS: &[Fault] = &[
    Fault::InstanceKilled,
    Fault::InstanceStopped,
    Fault::Locked,
    Fault::DatabaseCrashed,
    Fault::Blackholed,
    Fault::Network(NetworkCondition::Delayed(Duration::from_millis(100))),
    Fault::Network(NetworkCondition::Stalled),
    Fault::Network(NetworkCondition::Truncating(7)),
    Fault::Network(NetworkCondition::Reset),
];

async fn a_long_random_sequence_of_faults(context: Context) -> Stats {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let seed = number("FAULTS_SEED").unwrap_or(since.as_secs());
    print(&format!("{} soak: FAULTS_SEED={seed}", context.backend.name()));
    let mut soak = Soak::start(&context, Random(seed)).await;
    let oracle = Arc::new(Oracle::default());
    let loads = soak.targets.each_ref().map(|target| Load::start(&oracle, target, 6, 6));
    let mut stats = Stats::default();
    let start = Instant::now();
    while start.elapsed() < duration() {
        soak.inject().await;
        stats.faults += 1;
    }
    for load in &loads {
        load.wait_for_acknowledged(50).await;
    }
    let mut wrong = Vec::new();
    for load in loads {
        let exchanges = load.stop().await;
        exchanges.record(&mut stats);
        wrong.extend(exchanges.all.into_iter().filter(|one| matches!(one.outcome, Outcome::Unexpected(_))));
    }
    let history = &soak.history;
    let examples = &wrong[..wrong.len().min(3)];
    assert!(wrong.is_empty(), "FAULTS_SEED={seed} {history:?}: {} wrong answers: {examples:#?}", wrong.len());
    for instance in &soak.instances {
        until("it is ready", async || instance.readiness().await == 200).await;
        stats
            .further
            .insert("memory of an instance".to_owned(), format!("{} MiB", instance.memory("VmRSS") / (1024 * 1024)));
        stats.further.insert("its open files".to_owned(), instance.open_files().to_string());
    }
    let verdict = oracle.compare(&rows::all(&soak.url).await, &mut stats);
    print(&format!("{} soak: {history:?}", context.backend.name()));
    verdict.assert_sound();
    rows::assert_migrated_once(&soak.url).await;
    stats.further.insert("seed".to_owned(), seed.to_string());
    stats
}

/// The instances, the proxy to their database, and the random faults.
struct Soak {
    random: Random,
    faults: &'static [Fault],
    backend: Backend,
    /// The URL of the database without the proxy.
    url: String,
    server: Option<OwnServer>,
    network: Option<Proxy>,
    instances: [Running; 2],
    targets: [Target; 2],
    history: Vec<Fault>,
    _file: Option<Arc<TestDatabase>>,
}

impl Soak {
    async fn start(context: &Context, random: Random) -> Self {
        let backend = context.backend;
        let (file, server) = match backend {
            Backend::Sqlite => (Some(context.database()), None),
            _ => (None, Some(durable(backend))),
        };
        let url = match (&file, &server) {
            (Some(file), _) => file.url().to_owned(),
            (_, Some(server)) => server.database(),
            _ => unreachable!("there is one of both"),
        };
        let network = match server {
            Some(_) => Some(Proxy::new(&url).await),
            None => None,
        };
        let service_url = network.as_ref().map_or(url.clone(), |network| network.url(&url));
        let instances = [serve(&service_url, &FLAGS).await, serve(&service_url, &FLAGS).await];
        let targets = instances.each_ref().map(|instance| Target::new(instance.addr));
        let faults = if server.is_some() { FAULTS_ON_SERVERS } else { FAULTS_ON_SQLITE };
        Self { random, faults, backend, url, server, network, instances, targets, history: Vec::new(), _file: file }
    }

    /// Injects a random fault for a random duration, followed by a random pause.
    async fn inject(&mut self) {
        let fault = self.faults[self.random.below(self.faults.len())];
        let (number, duration_of_fault, pause) = (
            self.random.below(self.instances.len()),
            self.random.duration_below(1500),
            self.random.duration_below(500),
        );
        self.history.push(fault);
        match fault {
            Fault::InstanceKilled => self.replace(number, "KILL").await,
            Fault::InstanceStopped => self.replace(number, "TERM").await,
            Fault::Locked => {
                let lock = lock_writes(self.backend, &self.url).await;
                sleep(duration_of_fault).await;
                lock.close().await.unwrap();
            }
            Fault::DatabaseCrashed => {
                let server = self.server.as_mut().expect("it is a fault of servers");
                server.stop();
                sleep(duration_of_fault).await;
                server.start_again();
                let back = async || Database::connect(self.url.as_str()).await.is_ok();
                until("the server is back", back).await;
            }
            Fault::Network(condition) => {
                let network = self.network.as_ref().expect("it is a fault of servers");
                network.set(condition);
                sleep(duration_of_fault).await;
                network.set(NetworkCondition::Normal);
            }
            Fault::Blackholed => self.network.as_ref().expect("it is a fault of servers").blackhole(),
        }
        sleep(pause).await;
    }

    /// Stops an instance with a signal, and starts another one.
    async fn replace(&mut self, number: usize, signal: &str) {
        let instance = &mut self.instances[number];
        instance.signal(signal);
        let ended = instance.ended().await;
        assert_eq!(ended.code(), (signal == "TERM").then_some(0), "{}", instance.log());
        let service_url = self.network.as_ref();
        let service_url = service_url.map_or(self.url.clone(), |network| network.url(&self.url));
        *instance = serve(&service_url, &FLAGS).await;
        self.targets[number].set(instance.addr);
    }
}

/// A server with durable commits, which survive a crash.
fn durable(backend: Backend) -> OwnServer {
    let arguments = match backend {
        Backend::Mariadb | Backend::Mysql => vec!["--innodb-flush-log-at-trx-commit=1".to_owned()],
        // `synchronous_commit` is off by default here; the service turns it on.
        _ => Vec::new(),
    };
    OwnServer::start(backend, &Extras { arguments, ..Extras::default() })
}

/// A seeded pseudorandom number generator: `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("it is below a usize")
    }

    fn duration_below(&mut self, bound_ms: u64) -> Duration {
        Duration::from_millis(self.next() % bound_ms)
    }
}

fn number(name: &str) -> Option<u64> {
    let text = variable(name)?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}

#[expect(clippy::print_stderr, reason = "the seed is needed to repeat a run")]
fn print(line: &str) {
    eprintln!("{line}");
}
