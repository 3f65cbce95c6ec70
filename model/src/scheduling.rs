//! What the lane leaves to others, as it stands in the service under the same name; here the
//! scheduler of the check decides.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::future::{pending, poll_fn};
use std::task::Poll;

use shuttle::current::{TaskId, me};
use shuttle::future;

pub(crate) use shuttle::sync::{Mutex, MutexGuard};

/// What is known of the tasks of one run, which has a thread to itself.
#[derive(Default)]
struct Tasks {
    /// Those that have not ended.
    open: usize,
    /// Those whose statement breaks off.
    breaking: HashSet<TaskId>,
    /// What the clock said when they went on after they had let others go first.
    went_on: HashMap<TaskId, u64>,
}

thread_local! {
    static TASKS: RefCell<Tasks> = RefCell::default();
}

/// Starts the run of another plan.
pub(crate) fn reset() {
    TASKS.take();
}

/// Has a task done. It ends like one that panics when it breaks off: everything it has is dropped.
pub(crate) fn spawn(task: impl Future<Output = ()> + Send + 'static) {
    TASKS.with_borrow_mut(|tasks| tasks.open += 1);
    drop(future::spawn(async move {
        let mut task = Box::pin(task);
        let end = poll_fn(|context| {
            let ended = task.as_mut().poll(context).is_ready();
            let breaks_off = TASKS.with_borrow(|tasks| tasks.breaking.contains(&me()));
            if ended || breaks_off {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        });
        end.await;
        drop(task);
        TASKS.with_borrow_mut(|tasks| tasks.open -= 1);
    }));
}

/// Lets others go first.
pub(crate) async fn yield_now() {
    future::yield_now().await;
    TASKS.with_borrow_mut(|tasks| tasks.went_on.insert(me(), crate::record::now()));
}

/// Breaks the task off that is running.
pub(crate) async fn break_off<T>() -> T {
    TASKS.with_borrow_mut(|tasks| tasks.breaking.insert(me()));
    pending().await
}

/// When the task that is running went on the last time.
pub(crate) fn went_on() -> u64 {
    TASKS.with_borrow(|tasks| tasks.went_on.get(&me()).copied().unwrap_or(0))
}

/// How many tasks have not ended.
pub(crate) fn open() -> usize {
    TASKS.with_borrow(|tasks| tasks.open)
}
