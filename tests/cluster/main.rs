//! The started program on databases of several servers, which the tests start: a primary with
//! replicas, or a cluster. Servers are killed, frozen, promoted and come back.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test that cannot go on fails"
)]

#[allow(dead_code, reason = "here every server is a test's own")]
#[path = "../it/support/databases/mod.rs"]
mod databases;
mod failover;
mod galera;
mod load;
mod nodes;
mod postgres;
mod replica;
#[allow(dead_code, reason = "tests of the service's own end need the rest")]
#[path = "../life/running.rs"]
mod running;
mod statements;
mod table_lock;

use std::pin::Pin;
use std::sync::{PoisonError, RwLock};

use databases::Databases;
use libtest_mimic::{Arguments, Trial};
use nodes::Nodes;

/// Held alone by cases that measure themselves by the clock of a cluster, which loses nodes that are
/// merely slow, and by all others together.
static QUIET: RwLock<()> = RwLock::new(());

/// A test.
pub(crate) struct Case {
    name: &'static str,
    run: fn() -> Pin<Box<dyn Future<Output = ()>>>,
}

/// The cases of a module, under their own names.
macro_rules! cases {
    ($($name:ident),* $(,)?) => {
        pub(crate) const CASES: &[$crate::Case] = &[$($crate::Case {
            name: stringify!($name),
            run: || Box::pin($name()),
        }),*];
    };
}
pub(crate) use cases;

fn main() {
    let provider = tokio_rustls::rustls::crypto::ring::default_provider();
    provider
        .install_default()
        .expect("nobody has chosen before");
    let arguments = Arguments::from_args();
    // Each with the reason why its servers can't be had here, if there is one.
    let modules = [
        ("failover", failover::CASES, postgres::availability()),
        ("galera", galera::CASES, nodes::availability()),
        ("replica", replica::CASES, postgres::availability()),
        ("statements", statements::CASES, postgres::availability()),
        ("table_lock", table_lock::CASES, postgres::availability()),
    ];
    let mut trials = Vec::new();
    for (module, cases, available) in modules {
        for case in cases {
            let name = format!("{module}::{}", case.name);
            let needs = match module {
                "galera" => Needs::Quiet,
                _ => Needs::Company,
            };
            trials.push(trial(name, case.run, needs, available.clone()));
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    Nodes::end_shared();
    conclusion.exit();
}

/// What a case needs of the others.
#[derive(Clone, Copy)]
enum Needs {
    /// They may run at the same time.
    Company,
    /// They may not.
    Quiet,
}

fn trial(
    name: String,
    run: fn() -> Pin<Box<dyn Future<Output = ()>>>,
    needs: Needs,
    available: Result<(), String>,
) -> Trial {
    let ignored = available.is_err() && !Databases::all_are_required();
    let run = move || {
        available?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        // Each in one of the two, as long as it runs.
        let _alone = matches!(needs, Needs::Quiet)
            .then(|| QUIET.write().unwrap_or_else(PoisonError::into_inner));
        let _together = matches!(needs, Needs::Company)
            .then(|| QUIET.read().unwrap_or_else(PoisonError::into_inner));
        runtime.block_on(run());
        Ok(())
    };
    Trial::test(name, run).with_ignored_flag(ignored)
}
