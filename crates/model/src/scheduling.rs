//! The replacements of the locks and the task scheduling of the batcher: shuttle's scheduler decides.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::future::{pending, poll_fn};
use std::task::Poll;

use shuttle::current::{TaskId, me};
use shuttle::future;

pub(crate) use shuttle::sync::{Mutex, MutexGuard};

/// The tasks of one run, which has a thread of its own.
#[derive(Default)]
struct Tasks {
    /// The number of tasks that have not ended.
    open: usize,
    /// The tasks whose statement panics.
    panicking: HashSet<TaskId>,
    /// When each task resumed after its last yield.
    resumed_at: HashMap<TaskId, u64>,
}

thread_local! {
    static TASKS: RefCell<Tasks> = RefCell::default();
}

/// Resets the state for the next run.
pub(crate) fn reset() {
    TASKS.take();
}

/// Spawns a task. A panic is simulated by dropping the task.
pub(crate) fn spawn(task: impl Future<Output = ()> + Send + 'static) {
    TASKS.with_borrow_mut(|tasks| tasks.open += 1);
    drop(future::spawn(async move {
        let mut task = Box::pin(task);
        let end = poll_fn(|context| {
            let ended = task.as_mut().poll(context).is_ready();
            let panicked = TASKS.with_borrow(|tasks| tasks.panicking.contains(&me()));
            if ended || panicked {
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

/// Yields to other tasks.
pub(crate) async fn yield_now() {
    future::yield_now().await;
    TASKS.with_borrow_mut(|tasks| tasks.resumed_at.insert(me(), crate::record::now()));
}

/// Simulates a panic of the current task.
pub(crate) async fn panic_task<T>() -> T {
    TASKS.with_borrow_mut(|tasks| tasks.panicking.insert(me()));
    pending().await
}

/// When the current task resumed last.
pub(crate) fn resumed_at() -> u64 {
    TASKS.with_borrow(|tasks| tasks.resumed_at.get(&me()).copied().unwrap_or(0))
}

/// The number of tasks that have not ended.
pub(crate) fn open() -> usize {
    TASKS.with_borrow(|tasks| tasks.open)
}
