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
mod nodes;
mod postgres;
mod replica;
#[allow(dead_code, reason = "tests of the service's own end need the rest")]
#[path = "../life/running.rs"]
mod running;
mod statements;
mod table_lock;

use std::pin::Pin;

use databases::Databases;
use libtest_mimic::{Arguments, Trial};

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
            let alone = module == "galera" && galera::ALONE.contains(&case.name);
            let trial = trial(name, case.run, available.clone());
            trials.push(if alone {
                trial.with_ignored_flag(true)
            } else {
                trial
            });
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn trial(
    name: String,
    run: fn() -> Pin<Box<dyn Future<Output = ()>>>,
    available: Result<(), String>,
) -> Trial {
    let ignored = available.is_err() && !Databases::all_are_required();
    let run = move || {
        available?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        runtime.block_on(run());
        Ok(())
    };
    Trial::test(name, run).with_ignored_flag(ignored)
}
