//! Fault injection: killed processes, failing databases and networks, overload, clusters and
//! hostile clients.
//!
//! The cases of this folder each have a fault, a promise that holds nevertheless, and measurements.
//! `README.md` has the table; `FAULTS_TABLE=write` updates it from the measurements of the last runs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test that cannot continue panics; measurements are printed"
)]

mod abuse;
mod accounts;
mod balancer;
mod changes;
mod cluster;
mod database;
mod files;
mod idempotency;
mod instances;
mod killed;
mod load;
mod load_under_faults;
mod network;
mod oracle;
mod other_server;
mod overload;
mod proxy;
mod rows;
mod soak;
mod stopping;
#[path = "../support/mod.rs"]
mod support;
mod table;

use std::pin::Pin;
use std::time::Duration;

use table::Stats;
use testkit::Concurrency::Parallel;
use testkit::{Backend, Context, Databases, Group, Harness, OwnServer, variable};

/// Timeout of a case with the default number of rounds.
const CASE_TIMEOUT: Duration = Duration::from_mins(3);

testkit::tests![the_table_has_a_row_for_each_case, the_oracle_detects_every_difference,];

/// The body of a case.
type Run = fn(Context) -> Pin<Box<dyn Future<Output = Stats>>>;

/// A fault, the promise that holds nevertheless, and its test.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) fault: &'static str,
    pub(crate) promise: &'static str,
    pub(crate) how: &'static str,
    backends: &'static [Backend],
    run: Run,
}

/// The cases of a module, each with its databases and the texts of its row in the table.
macro_rules! cases {
    ($($name:ident on $($backend:ident)+ {
        fault: $fault:literal, promise: $promise:literal, how: $how:literal $(,)?
    }),* $(,)?) => {
        pub(crate) const CASES: &[$crate::Case] = &[$($crate::Case {
            name: stringify!($name),
            fault: $fault,
            promise: $promise,
            how: $how,
            backends: &[$(testkit::Backend::$backend),+],
            run: |context| Box::pin($name(context)),
        }),*];
    };
}
pub(crate) use cases;

/// The kind of database that a module needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// A database on a shared server.
    Database,
    /// A server that the case may stop; cases on SQLite need none.
    OwnServer,
    /// A PostgreSQL primary with a standby, or a Galera cluster.
    Cluster,
}

/// All modules with cases.
const MODULES: &[(&str, &[Case], Needs)] = &[
    ("killed", killed::CASES, Needs::Database),
    ("changes", changes::CASES, Needs::Database),
    ("database", database::CASES, Needs::OwnServer),
    ("network", network::CASES, Needs::Database),
    ("stopping", stopping::CASES, Needs::Database),
    ("instances", instances::CASES, Needs::Database),
    ("idempotency", idempotency::CASES, Needs::Database),
    ("other_server", other_server::CASES, Needs::Cluster),
    ("files", files::CASES, Needs::Database),
    ("accounts", accounts::CASES, Needs::OwnServer),
    ("overload", overload::CASES, Needs::Database),
    ("soak", soak::CASES, Needs::OwnServer),
];

/// The number of faults to inject: the default, multiplied by `FAULTS_ROUNDS`.
pub(crate) fn rounds(default: usize) -> usize {
    default * times()
}

/// The value of `FAULTS_ROUNDS`.
fn times() -> usize {
    let times = variable("FAULTS_ROUNDS").unwrap_or_else(|| "1".to_owned());
    times.parse().expect("FAULTS_ROUNDS is a whole number")
}

fn main() {
    let mut harness = Harness::from_args();
    let mut faults = harness.group("", Parallel).time_limit(time_limit());
    faults.add(&[("", TESTS)]);
    for &(module, cases, needs) in MODULES {
        for case in cases {
            for &backend in case.backends {
                add(&mut faults, module, case, needs, backend);
            }
        }
    }
    cluster::add_to(&mut harness);
    harness.beside("abuse", Parallel).add(abuse::MODULES);
    let conclusion = harness.run();
    cluster::stop();
    if table::should_update() {
        table::update();
    }
    conclusion.exit();
}

/// The maximum duration of a case.
fn time_limit() -> Duration {
    let times = u32::try_from(times()).expect("FAULTS_ROUNDS is small");
    CASE_TIMEOUT * times + soak::duration()
}

fn add(group: &mut Group<'_>, module: &str, case: &'static Case, needs: Needs, backend: Backend) {
    let available = match (needs, backend) {
        (Needs::Database, _) | (_, Backend::Sqlite) => Databases::availability(backend),
        (Needs::OwnServer, _) => OwnServer::availability(backend),
        (Needs::Cluster, Backend::Postgres) => OwnServer::standby_availability(),
        (Needs::Cluster, _) => cluster::nodes::availability(),
    };
    let run = |context: &Context| {
        let stats = context.block_on((case.run)(context.clone()));
        table::save(case, context.backend, &stats);
    };
    group.on_backend(module, case.name, backend, &available, run);
}

fn the_table_has_a_row_for_each_case() {
    table::check_rows().unwrap();
}

fn the_oracle_detects_every_difference() {
    oracle::detects_every_difference();
}
