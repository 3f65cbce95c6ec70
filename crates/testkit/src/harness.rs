//! Runs groups of tests with libtest-mimic, on every database or without one.

use std::num::NonZero;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use libtest_mimic::{Arguments, Conclusion, Trial};

use crate::context::Context;
use crate::databases::{Backend, Databases, OwnServer};
use crate::gate::{Concurrency, Gate};
use crate::variables::is_required;

/// Tests at the same time on each processor, since tests mostly wait for other processes and timeouts.
const TESTS_PER_PROCESSOR: usize = 2;

/// Time limit of a test in a group without one of its own.
const TIME_LIMIT: Duration = Duration::from_mins(10);

/// A test function, its name and its databases.
#[derive(Clone, Copy)]
pub struct Test {
    /// Name of the function.
    pub name: &'static str,
    /// The databases it runs on; all if empty.
    pub backends: &'static [Backend],
    /// Calls the function.
    pub run: fn(&Context),
}

/// The name of a file and its tests.
pub type Module = (&'static str, &'static [Test]);

/// The tests of a file: `tests![name, name on Sqlite Postgres]`. The compiler reports a function that is
/// missing in it as dead code, and a list that is missing in the harness too.
#[macro_export]
macro_rules! tests {
    ($($name:ident $(on $($backend:ident)+)?),* $(,)?) => {
        pub(crate) const TESTS: &[$crate::Test] = &[$($crate::Test {
            name: stringify!($name),
            backends: &[$($($crate::Backend::$backend),+)?],
            run: |context| $crate::run($name, context),
        }),*];
    };
}

/// The tests of a binary.
pub struct Harness {
    arguments: Arguments,
    databases: Arc<Databases>,
    gate: Arc<Gate>,
    groups: usize,
    one_by_one: usize,
    trials: Vec<Trial>,
}

/// Tests that run at the same time as those of another group only if they were added beside it.
pub struct Group<'a> {
    harness: &'a mut Harness,
    number: usize,
    name: &'static str,
    concurrency: Concurrency,
    time_limit: Duration,
}

impl Harness {
    /// A harness with the arguments of the command line and without tests. `--test-threads` is twice the
    /// number of processors by default.
    pub fn from_args() -> Self {
        // Fails if it is installed already.
        let _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
        let arguments = Arguments::from_args();
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        let limit = arguments.test_threads;
        let limit = limit.unwrap_or(processors * TESTS_PER_PROCESSOR);
        if !arguments.list {
            for backend in Backend::ALL {
                if let Err(reason) = Databases::availability(backend) {
                    eprintln!("the tests on {} cannot run: {reason}", backend.name());
                }
            }
        }
        Self {
            arguments,
            databases: Arc::default(),
            gate: Arc::new(Gate::new(limit)),
            groups: 0,
            one_by_one: 0,
            trials: Vec::new(),
        }
    }

    /// Whether the command line asks for the names of the tests only.
    pub fn only_lists(&self) -> bool {
        self.arguments.list
    }

    /// A new group, which runs after the earlier ones. `name` is part of the names of its tests unless it
    /// is empty.
    pub fn group(&mut self, name: &'static str, concurrency: Concurrency) -> Group<'_> {
        self.groups += 1;
        self.beside(name, concurrency)
    }

    /// As [`Self::group`], but its tests run beside those of the last group.
    pub fn beside(&mut self, name: &'static str, concurrency: Concurrency) -> Group<'_> {
        Group { number: self.groups, harness: self, name, concurrency, time_limit: TIME_LIMIT }
    }

    /// Runs what the command line selects and stops the servers that were started for it.
    pub fn run(mut self) -> Conclusion {
        // A test that waits for the one before it takes no thread from the others.
        let threads = self.gate.limit() + self.one_by_one;
        self.arguments.test_threads = Some(threads);
        let conclusion = libtest_mimic::run(&self.arguments, self.trials);
        // A hanging test still holds the servers; their watchdogs stop them when this process ends.
        drop(self.databases);
        conclusion
    }
}

impl Group<'_> {
    /// The maximum duration of an asynchronous test.
    #[must_use]
    pub fn time_limit(mut self, time_limit: Duration) -> Self {
        self.time_limit = time_limit;
        self
    }

    /// Adds tests without databases.
    pub fn add(&mut self, modules: &[Module]) {
        self.add_if(&Ok(()), modules);
    }

    /// Adds tests that are ignored if something that they need is not available, or fail if
    /// `TEST_REQUIRE_ALL=1`.
    pub fn add_if(&mut self, available: &Result<(), String>, modules: &[Module]) {
        if let Err(reason) = available
            && !self.harness.only_lists()
        {
            eprintln!("the tests of {} cannot run: {reason}", modules[0].0);
        }
        for (module, tests) in modules {
            for test in *tests {
                let name = path(&["", self.name, module, test.name]);
                let ignored = available.is_err() && !is_required();
                self.trial(name, Backend::Sqlite, available.clone(), ignored, test.run);
            }
        }
    }

    /// Adds tests that run on each of their databases.
    pub fn on_databases(&mut self, modules: &[Module]) {
        self.on_backends(modules, Databases::availability);
    }

    /// Adds tests that run on servers of their own; on SQLite they need none.
    pub fn on_own_servers(&mut self, modules: &[Module]) {
        self.on_backends(modules, OwnServer::availability);
    }

    fn on_backends(&mut self, modules: &[Module], available: fn(Backend) -> Result<(), String>) {
        for backend in Backend::ALL {
            let available = available(backend);
            for (module, tests) in modules {
                for test in *tests {
                    if test.backends.is_empty() || test.backends.contains(&backend) {
                        self.on_backend(module, test.name, backend, &available, test.run);
                    }
                }
            }
        }
    }

    /// Adds a test on one database.
    pub fn on_backend(
        &mut self,
        module: &str,
        name: &str,
        backend: Backend,
        available: &Result<(), String>,
        run: impl FnOnce(&Context) + Send + 'static,
    ) {
        let name = path(&[backend.name(), self.name, module, name]);
        let ignored = available.is_err() && !Databases::is_required(backend);
        self.trial(name, backend, available.clone(), ignored, run);
    }

    fn trial(
        &mut self,
        name: String,
        backend: Backend,
        available: Result<(), String>,
        ignored: bool,
        run: impl FnOnce(&Context) + Send + 'static,
    ) {
        let context = Context::new(backend, Arc::clone(&self.harness.databases), self.time_limit);
        let gate = Arc::clone(&self.harness.gate);
        let (group, concurrency) = (self.number, self.concurrency);
        self.harness.one_by_one += usize::from(concurrency == Concurrency::OneByOne);
        let trial = Trial::test(name, move || {
            available?;
            let _pass = gate.enter(group, concurrency);
            run(&context);
            Ok(())
        });
        self.harness.trials.push(trial.with_ignored_flag(ignored));
    }
}

/// Joins the parts of a test name that are not empty.
fn path(parts: &[&str]) -> String {
    let parts = parts.iter().copied().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("::")
}
