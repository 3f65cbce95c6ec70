//! The service's life through the started process: how it starts, what it does when its database
//! goes and comes back, how several share one database, and how it ends.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on fails"
)]

#[path = "../it/support/databases/mod.rs"]
mod databases;
mod drain;
mod encryption;
mod http2;
mod ids;
mod instances;
mod restart;
mod running;

use std::pin::Pin;
use std::sync::Arc;

use databases::{Backend, Databases, OwnServer, TestDatabase};
use libtest_mimic::{Arguments, Trial};

/// What a test does.
type Run = fn(Context) -> Pin<Box<dyn Future<Output = ()>>>;

/// A test.
pub(crate) struct Case {
    name: &'static str,
    only_on: &'static [Backend],
    run: Run,
}

/// The cases of a module, under their own names, each with the databases it makes sense on.
macro_rules! cases {
    ($($name:ident on $($backend:ident)+),* $(,)?) => {
        pub(crate) const CASES: &[$crate::Case] = &[$($crate::Case {
            name: stringify!($name),
            only_on: &[$($crate::databases::Backend::$backend),+],
            run: |context| Box::pin($name(context)),
        }),*];
    };
}
pub(crate) use cases;

/// Where a test runs.
pub(crate) struct Context {
    pub(crate) backend: Backend,
    databases: Arc<Databases>,
}

impl Context {
    /// An empty database of its own.
    pub(crate) fn database(&self) -> TestDatabase {
        self.databases.fresh(self.backend)
    }
}

fn main() {
    let provider = tokio_rustls::rustls::crypto::ring::default_provider();
    provider
        .install_default()
        .expect("nobody has chosen before");
    let arguments = Arguments::from_args();
    let databases = Arc::new(Databases::new());
    let modules = [
        ("drain", drain::CASES, false),
        ("encryption", encryption::CASES, true),
        ("ids", ids::CASES, true),
        ("http2", http2::CASES, false),
        ("instances", instances::CASES, false),
        ("restart", restart::CASES, true),
    ];
    let mut trials = Vec::new();
    for backend in Backend::ALL {
        for (module, cases, own_server) in modules {
            let available = if own_server {
                OwnServer::availability(backend)
            } else {
                Databases::availability(backend)
            };
            for case in cases.iter().filter(|case| case.only_on.contains(&backend)) {
                let name = format!("{}::{module}::{}", backend.name(), case.name);
                let databases = Arc::clone(&databases);
                trials.push(trial(name, case.run, backend, available.clone(), databases));
            }
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    if let Some(databases) = Arc::into_inner(databases) {
        databases.stop();
    }
    conclusion.exit();
}

fn trial(
    name: String,
    case: Run,
    backend: Backend,
    available: Result<(), String>,
    databases: Arc<Databases>,
) -> Trial {
    let ignored = available.is_err() && !Databases::all_are_required();
    let run = move || {
        available?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        runtime.block_on(case(Context { backend, databases }));
        Ok(())
    };
    Trial::test(name, run).with_ignored_flag(ignored)
}
