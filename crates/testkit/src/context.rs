//! What a test is given, and how its function is called.

use std::future::Future;
use std::mem;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::time::timeout;
use tracing::dispatcher;

use crate::databases::{Backend, Databases, TestDatabase};
use crate::log::{Log, PrintOnPanic};

/// Maximum time for the tasks of a test to stop before its databases are dropped.
const END_TIMEOUT: Duration = Duration::from_secs(5);

/// The backend of a test and its databases.
#[derive(Clone)]
pub struct Context {
    /// The kind of database that the test runs on.
    pub backend: Backend,
    databases: Arc<Databases>,
    /// Kept until the tasks of the test have stopped.
    created: Arc<Mutex<Vec<Arc<TestDatabase>>>>,
    time_limit: Duration,
}

impl Context {
    pub(crate) fn new(backend: Backend, databases: Arc<Databases>, time_limit: Duration) -> Self {
        Self { backend, databases, created: Arc::default(), time_limit }
    }

    /// Creates an empty database, which is dropped at the end of the test.
    pub fn database(&self) -> Arc<TestDatabase> {
        let database = Arc::new(self.databases.fresh(self.backend));
        self.created.lock().unwrap().push(Arc::clone(&database));
        database
    }

    /// Executes an asynchronous test on a runtime of its own.
    ///
    /// # Panics
    ///
    /// Panics if the test panics or exceeds its time limit; what was logged on its threads is printed.
    pub fn block_on<T>(&self, test: impl Future<Output = T>) -> T {
        let log = Arc::<Log>::default();
        let dispatch = log.dispatch();
        let _print = PrintOnPanic(log);
        let _default = dispatcher::set_default(&dispatch);
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            // The dispatcher stays until the thread exits.
            .on_thread_start(move || mem::forget(dispatcher::set_default(&dispatch)))
            .build()
            .unwrap();
        let in_time = runtime.block_on(async { timeout(self.time_limit, test).await });
        runtime.shutdown_timeout(END_TIMEOUT);
        in_time.unwrap_or_else(|_| panic!("it hangs: no end after {:?}", self.time_limit))
    }
}

/// A parameter of a test function.
pub trait FromContext: Sized {
    /// Prepares the value on the runtime of the test.
    fn from_context(context: Context) -> impl Future<Output = Self>;
}

impl<T: From<Context>> FromContext for T {
    async fn from_context(context: Context) -> Self {
        context.into()
    }
}

/// A test function: synchronous or asynchronous; without parameter, or with one by value or reference.
/// `Kind` only keeps the implementations apart.
#[doc(hidden)]
pub trait Body<Kind> {
    /// Executes the test.
    fn call(self, context: &Context);
}

impl<F: FnOnce()> Body<()> for F {
    fn call(self, _: &Context) {
        self();
    }
}

impl<F: FnOnce(&T), T: From<Context>> Body<fn(&T)> for F {
    fn call(self, context: &Context) {
        self(&context.clone().into());
    }
}

impl<F: AsyncFnOnce()> Body<((),)> for F {
    fn call(self, context: &Context) {
        context.block_on(self());
    }
}

impl<F: AsyncFnOnce(T), T: FromContext> Body<(T,)> for F {
    fn call(self, context: &Context) {
        context.block_on(async { self(T::from_context(context.clone()).await).await });
    }
}

impl<F: AsyncFnOnce(&T), T: FromContext> Body<((), T)> for F {
    fn call(self, context: &Context) {
        context.block_on(async { self(&T::from_context(context.clone()).await).await });
    }
}

/// Executes a test function.
#[doc(hidden)]
pub fn run<Kind>(test: impl Body<Kind>, context: &Context) {
    test.call(context);
}
