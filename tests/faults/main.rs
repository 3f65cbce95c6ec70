//! Faults on purpose: what breaks, what is promised nevertheless, and the figures that show it.
//!
//! `README.md` here has the table; `FAULTS_TABLE=write` renews it from the figures of the last runs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on fails"
)]

mod accounts;
mod balancer;
mod database;
#[path = "../it/support/databases/mod.rs"]
mod databases;
mod files;
mod greedy;
mod killed;
mod load;
mod network;
mod oracle;
mod overload;
mod process;
mod proxy;
mod rows;
#[path = "../life/running.rs"]
mod running;
mod several;
mod soak;
mod stopping;
mod storm;
mod table;

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use databases::{Backend, Databases, OwnServer, TestDatabase};
use libtest_mimic::{Arguments, Failed, Trial};
use table::Figures;
use tokio::runtime::Builder;
use tokio::time::timeout;

/// How long a case may take, unless it is asked to take long.
const CASE_TIMEOUT: Duration = Duration::from_mins(3);

/// What a test does.
type Run = fn(Context) -> Pin<Box<dyn Future<Output = Figures>>>;

/// A fault, what is promised nevertheless, and the test of it.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) fault: &'static str,
    pub(crate) promise: &'static str,
    pub(crate) how: &'static str,
    only_on: &'static [Backend],
    run: Run,
}

/// The cases of a module, under their own names, each with the databases it makes sense on, and the
/// words for the table.
macro_rules! cases {
    ($($name:ident on $($backend:ident)+ {
        fault: $fault:literal, promise: $promise:literal, how: $how:literal $(,)?
    }),* $(,)?) => {
        pub(crate) const CASES: &[$crate::Case] = &[$($crate::Case {
            name: stringify!($name),
            fault: $fault,
            promise: $promise,
            how: $how,
            only_on: &[$($crate::databases::Backend::$backend),+],
            run: |context| Box::pin($name(context)),
        }),*];
    };
}
pub(crate) use cases;

/// What a module needs of a database.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// One on any server.
    Database,
    /// A server that it may stop; the module's cases on SQLite need none.
    OwnServer,
}

/// The modules with cases.
const MODULES: &[(&str, &[Case], Needs)] = &[
    ("killed", killed::CASES, Needs::Database),
    ("database", database::CASES, Needs::OwnServer),
    ("network", network::CASES, Needs::Database),
    ("stopping", stopping::CASES, Needs::Database),
    ("several", several::CASES, Needs::Database),
    ("files", files::CASES, Needs::Database),
    ("accounts", accounts::CASES, Needs::OwnServer),
    ("overload", overload::CASES, Needs::Database),
    ("greedy", greedy::CASES, Needs::Database),
    ("soak", soak::CASES, Needs::OwnServer),
];

/// Where a test runs.
pub(crate) struct Context {
    pub(crate) backend: Backend,
    databases: Arc<Databases>,
    times: usize,
}

impl Context {
    /// An empty database of its own.
    pub(crate) fn database(&self) -> TestDatabase {
        self.databases.fresh(self.backend)
    }

    /// How often a fault is injected: so many times as a rule, `FAULTS_ROUNDS` times that if it is set.
    pub(crate) fn rounds(&self, usual: usize) -> usize {
        usual * self.times
    }
}

fn main() {
    let provider = tokio_rustls::rustls::crypto::ring::default_provider();
    provider
        .install_default()
        .expect("nobody has chosen before");
    let mut arguments = Arguments::from_args();
    // Figures of one fault at a time.
    arguments.test_threads.get_or_insert(1);
    let databases = Arc::new(Databases::new());
    let mut trials = vec![Trial::test("the_table_has_a_row_for_each_case", || {
        table::is_complete().map_err(Failed::from)
    })];
    trials.push(Trial::test("the_oracle_sees_every_difference", || {
        oracle::sees_every_difference();
        Ok(())
    }));
    for &(module, cases, needs) in MODULES {
        for case in cases {
            for &backend in case.only_on {
                trials.push(trial(module, case, needs, backend, &databases));
            }
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    if let Some(databases) = Arc::into_inner(databases) {
        databases.stop();
    }
    if table::is_asked_for() {
        table::renew();
    }
    conclusion.exit();
}

fn trial(
    module: &str,
    case: &'static Case,
    needs: Needs,
    backend: Backend,
    databases: &Arc<Databases>,
) -> Trial {
    let available = match (needs, backend) {
        (Needs::Database, _) | (_, Backend::Sqlite) => Databases::availability(backend),
        (Needs::OwnServer, _) => OwnServer::availability(backend),
    };
    let ignored = available.is_err() && !Databases::all_are_required();
    let databases = Arc::clone(databases);
    let run = move || {
        available?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let times = times();
        let most = CASE_TIMEOUT * u32::try_from(times)? + soak::duration();
        let run = (case.run)(Context {
            backend,
            databases,
            times,
        });
        let figures = runtime.block_on(async { timeout(most, run).await });
        runtime.shutdown_timeout(Duration::from_secs(5));
        let figures = figures.map_err(|_| format!("it hangs: no end after {most:?}"))?;
        table::keep(case, backend, &figures);
        Ok(())
    };
    let name = format!("{}::{module}::{}", backend.name(), case.name);
    Trial::test(name, run).with_ignored_flag(ignored)
}

/// How many times longer than usual the cases are.
fn times() -> usize {
    let times = variable("FAULTS_ROUNDS").unwrap_or_else(|| "1".to_owned());
    times.parse().expect("FAULTS_ROUNDS is a whole number")
}

/// A variable of the environment.
#[expect(
    clippy::disallowed_methods,
    reason = "tests have settings of their own"
)]
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
