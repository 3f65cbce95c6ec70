//! Runs every test on every database, each with a database, a runtime and a service of its own.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Arguments, Conclusion, Failed, Trial};
use tokio::runtime::Builder;
use tokio::time::timeout;

use super::app::TestApp;
use super::databases::{Backend, Databases};

const TEST_TIMEOUT: Duration = Duration::from_mins(1);

/// How long a test's service may take to end before its database is taken away.
const END_TIMEOUT: Duration = Duration::from_secs(5);

/// The tests of a file and its name.
pub(crate) type Module = (&'static str, &'static [Test]);

/// A test and its name, which is a sentence about the product.
#[derive(Clone, Copy)]
pub(crate) struct Test {
    pub(crate) name: &'static str,
    pub(crate) run: fn(TestApp) -> Pin<Box<dyn Future<Output = ()>>>,
}

/// The tests of a file, each an `async fn(TestApp)`.
macro_rules! tests {
    ($($name:ident),* $(,)?) => {
        pub(crate) const TESTS: &[$crate::support::harness::Test] = &[$(
            $crate::support::harness::Test {
                name: stringify!($name),
                run: |app| Box::pin($name(app)),
            }
        ),*];
    };
}
pub(crate) use tests;

/// Runs what the command line selects and stops the servers that were started for it.
pub(crate) fn run(modules: &[Module]) -> Conclusion {
    let arguments = Arguments::from_args();
    let databases = Arc::new(Databases::new());
    let mut trials = Vec::new();
    for backend in Backend::ALL {
        let missing = Databases::availability(backend).err();
        if let Some(reason) = &missing {
            tell(backend, reason);
        }
        for (module, tests) in modules {
            for test in *tests {
                let name = format!("{}::{module}::{}", backend.name(), test.name);
                trials.push(match &missing {
                    None => trial(name, *test, backend, Arc::clone(&databases)),
                    Some(reason) => without_database(name, reason.clone()),
                });
            }
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    // A test that hangs still holds the servers; they end with this process then.
    if let Some(databases) = Arc::into_inner(databases) {
        databases.stop();
    }
    conclusion
}

fn trial(name: String, test: Test, backend: Backend, databases: Arc<Databases>) -> Trial {
    Trial::test(name, move || {
        let database = Arc::new(databases.fresh(backend));
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let run = async {
            let app = TestApp::start(backend, Arc::clone(&database)).await;
            (test.run)(app).await;
        };
        // In a block: what the test has open is closed before its database is dropped.
        let in_time = runtime.block_on(async { timeout(TEST_TIMEOUT, run).await });
        runtime.shutdown_timeout(END_TIMEOUT);
        in_time.map_err(|_| Failed::from(format!("it hangs: no end after {TEST_TIMEOUT:?}")))
    })
}

/// Ignored by name, or failing where every database is required; never passed.
fn without_database(name: String, reason: String) -> Trial {
    Trial::test(name, move || Err(reason.into())).with_ignored_flag(!Databases::all_are_required())
}

#[expect(
    clippy::print_stderr,
    reason = "who reads the summary has to know why tests were left out"
)]
fn tell(backend: Backend, reason: &str) {
    eprintln!("the tests on {} cannot run: {reason}", backend.name());
}
