//! A long mixture: two instances, every fault in an order of chance, and the oracle at the end.
//!
//! `FAULTS_SOAK_SECONDS=3600 cargo test --test faults -- soak` takes an hour for each database.
//! `FAULTS_SEED=…` injects the faults of an earlier run in the same order.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sea_orm::Database;
use tokio::time::sleep;

use crate::databases::{Backend, Extras, OwnServer, TestDatabase};
use crate::load::{Got, Load, Target};
use crate::oracle::Oracle;
use crate::process::holdings;
use crate::proxy::{Proxy, Weather};
use crate::running::{Running, until};
use crate::stopping::keep_writes_waiting;
use crate::table::Figures;
use crate::{Context, cases, rows, variable};

cases![
    a_long_mixture_of_faults on Sqlite Postgres Mysql {
        fault: "by turns and by chance: `kill -9` and SIGTERM of one of two instances, the database crashed, locked, far away, silent, cut off in the midst of answers",
        promise: "what was acknowledged is there exactly once, nothing refused is; every answer is right or `SERVICE_UNAVAILABLE`; afterwards everything works again by itself",
        how: "`FAULTS_SOAK_SECONDS` (7 in CI) and `FAULTS_SEED`, which is printed; memory and open files of the last instances in the figures",
    },
];

/// How long the faults go on.
pub(crate) fn duration() -> Duration {
    Duration::from_secs(number("FAULTS_SOAK_SECONDS").unwrap_or(7))
}

const FLAGS: [&str; 3] = [
    "--database-timeout-seconds=2",
    "--drain-timeout-seconds=5",
    "--log-level=info,access=off",
];

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    InstanceKilled,
    InstanceStopped,
    Locked,
    DatabaseCrashed,
    Network(Weather),
    Forgotten,
}

const EVERYWHERE: &[Fault] = &[Fault::InstanceKilled, Fault::InstanceStopped, Fault::Locked];

const ON_SERVERS: &[Fault] = &[
    Fault::InstanceKilled,
    Fault::InstanceStopped,
    Fault::Locked,
    Fault::DatabaseCrashed,
    Fault::Forgotten,
    Fault::Network(Weather::Late(Duration::from_millis(100))),
    Fault::Network(Weather::Silent),
    Fault::Network(Weather::Truncating(7)),
    Fault::Network(Weather::Reset),
];

async fn a_long_mixture_of_faults(context: Context) -> Figures {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let seed = number("FAULTS_SEED").unwrap_or(since.as_secs());
    print(&format!(
        "{} soak: FAULTS_SEED={seed}",
        context.backend.name()
    ));
    let mut soak = Soak::start(&context, Chance(seed)).await;
    let oracle = Arc::new(Oracle::default());
    let loads = soak
        .targets
        .each_ref()
        .map(|target| Load::start(&oracle, target, 6, 6));
    let mut figures = Figures::default();
    let start = Instant::now();
    while start.elapsed() < duration() {
        soak.inject().await;
        figures.faults += 1;
    }
    for load in &loads {
        load.acknowledges(50).await;
    }
    let mut wrong = Vec::new();
    for load in loads {
        let exchanges = load.stop().await;
        exchanges.note(&mut figures);
        wrong.extend(
            exchanges
                .all
                .into_iter()
                .filter(|one| matches!(one.got, Got::Other(_))),
        );
    }
    let story = &soak.story;
    let some = &wrong[..wrong.len().min(3)];
    assert!(
        wrong.is_empty(),
        "FAULTS_SEED={seed} {story:?}: {} wrong answers: {some:#?}",
        wrong.len()
    );
    for instance in &soak.instances {
        until("it is ready", async || instance.readiness().await == 200).await;
        let held = holdings(instance.id());
        figures.further.insert(
            "memory of an instance".to_owned(),
            format!("{} MiB", held.resident_kib / 1024),
        );
        figures
            .further
            .insert("its open files".to_owned(), held.files.to_string());
    }
    let verdict = oracle.compare(&rows::all(&soak.url).await, &mut figures);
    print(&format!("{} soak: {story:?}", context.backend.name()));
    verdict.assert_sound();
    rows::assert_migrated_once(&soak.url).await;
    figures.further.insert("seed".to_owned(), seed.to_string());
    figures
}

/// The instances, what is between them and the database, and the chance that breaks them.
struct Soak {
    chance: Chance,
    faults: &'static [Fault],
    backend: Backend,
    /// The database as it is reached directly.
    url: String,
    server: Option<OwnServer>,
    network: Option<Proxy>,
    instances: [Running; 2],
    targets: [Target; 2],
    story: Vec<Fault>,
    _file: Option<TestDatabase>,
}

impl Soak {
    async fn start(context: &Context, chance: Chance) -> Self {
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
            Some(_) => Some(Proxy::to(&url).await),
            None => None,
        };
        let through = network
            .as_ref()
            .map_or(url.clone(), |network| network.url(&url));
        let instances = [
            Running::start(&through, &FLAGS).await,
            Running::start(&through, &FLAGS).await,
        ];
        let targets = instances
            .each_ref()
            .map(|instance| Target::new(instance.addr));
        let faults = if server.is_some() {
            ON_SERVERS
        } else {
            EVERYWHERE
        };
        Self {
            chance,
            faults,
            backend,
            url,
            server,
            network,
            instances,
            targets,
            story: Vec::new(),
            _file: file,
        }
    }

    /// A fault of chance, for a while of chance, and a while of peace.
    async fn inject(&mut self) {
        let fault = self.faults[self.chance.below(self.faults.len())];
        let (number, lasting, peace) = (
            self.chance.below(self.instances.len()),
            self.chance.pause(1500),
            self.chance.pause(500),
        );
        self.story.push(fault);
        match fault {
            Fault::InstanceKilled => self.replace(number, "KILL").await,
            Fault::InstanceStopped => self.replace(number, "TERM").await,
            Fault::Locked => {
                let lock = keep_writes_waiting(self.backend, &self.url).await;
                sleep(lasting).await;
                lock.close().await.unwrap();
            }
            Fault::DatabaseCrashed => {
                let server = self.server.as_mut().expect("it is a fault of servers");
                server.stop();
                sleep(lasting).await;
                server.start_again();
                let back = async || Database::connect(self.url.as_str()).await.is_ok();
                until("the server is back", back).await;
            }
            Fault::Network(weather) => {
                let network = self.network.as_ref().expect("it is a fault of servers");
                network.set(weather);
                sleep(lasting).await;
                network.set(Weather::Fair);
            }
            Fault::Forgotten => self
                .network
                .as_ref()
                .expect("it is a fault of servers")
                .forget(),
        }
        sleep(peace).await;
    }

    /// Ends an instance, and starts another in its place.
    async fn replace(&mut self, number: usize, signal: &str) {
        let instance = &mut self.instances[number];
        instance.signal(signal);
        let ended = instance.ended().await;
        assert_eq!(
            ended.code(),
            (signal == "TERM").then_some(0),
            "{}",
            instance.log()
        );
        let through = self.network.as_ref();
        let through = through.map_or(self.url.clone(), |network| network.url(&self.url));
        *instance = Running::start(&through, &FLAGS).await;
        self.targets[number].moves_to(instance.addr);
    }
}

/// A server that keeps what it has acknowledged, however it ends.
fn durable(backend: Backend) -> OwnServer {
    let arguments = match backend {
        Backend::Mysql => vec!["--innodb-flush-log-at-trx-commit=1".to_owned()],
        // Its own `synchronous_commit` is off: the service turns it on.
        _ => Vec::new(),
    };
    OwnServer::start(
        backend,
        &Extras {
            arguments,
            ..Extras::default()
        },
    )
}

/// Numbers that look like chance and are the same for the same seed: `SplitMix64`.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() % most as u64).expect("it is below a usize")
    }

    fn pause(&mut self, most_ms: u64) -> Duration {
        Duration::from_millis(self.next() % most_ms)
    }
}

fn number(name: &str) -> Option<u64> {
    let text = variable(name)?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is no number: {text}")),
    )
}

#[expect(clippy::print_stderr, reason = "whoever runs it wants to run it again")]
fn print(line: &str) {
    eprintln!("{line}");
}
