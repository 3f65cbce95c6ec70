//! Polls a connection again when it wakes itself.
//!
//! hyper sends the body of a request through a channel to the handler, which runs in the same task. So the task is
//! woken while it is polled, for each request. The runtime would put it into the run queue and wake another worker
//! thread, which takes it: two system calls and a cold cache for a poll that has nothing to do.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU8, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

/// The future is not being polled.
const IDLE: u8 = 0;
/// The future is being polled, and has not been woken since.
const POLLED: u8 = 1;
/// The future was woken while it was polled.
const WOKEN: u8 = 2;

/// Maximum number of polls until the runtime schedules other tasks.
const MAX_POLLS: usize = 2;

/// The wakeups of a future of one task.
#[derive(Default)]
pub(super) struct Wakeups {
    state: AtomicU8,
    task: OnceLock<Waker>,
}

impl Wakeups {
    /// Awaits a future, and polls it again at once if it was woken while it was polled.
    pub(super) async fn run<F: Future>(self: Arc<Self>, mut future: Pin<&mut F>) -> F::Output {
        let waker = Waker::from(Arc::clone(&self));
        poll_fn(|context| self.poll(context, &waker, future.as_mut())).await
    }

    fn poll<F: Future>(
        &self,
        context: &Context<'_>,
        waker: &Waker,
        mut future: Pin<&mut F>,
    ) -> Poll<F::Output> {
        let task = self.task.get_or_init(|| context.waker().clone());
        debug_assert!(task.will_wake(context.waker()), "the task stays the same");
        for _ in 0..MAX_POLLS {
            self.state.store(POLLED, Ordering::Release);
            let output = future.as_mut().poll(&mut Context::from_waker(waker));
            let was_woken = self.state.swap(IDLE, Ordering::AcqRel) == WOKEN;
            if output.is_ready() || !was_woken {
                return output;
            }
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

impl Wake for Wakeups {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let recorded = self
            .state
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |state| {
                (state != IDLE).then_some(WOKEN)
            });
        if recorded.is_err()
            && let Some(task) = self.task.get()
        {
            task.wake_by_ref();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, sync::atomic::AtomicUsize, thread, time::Duration};

    use tokio::time::timeout;

    use super::*;

    /// Counts how often a task is woken.
    #[derive(Default)]
    struct Task(AtomicUsize);

    impl Wake for Task {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Polls a future once that wakes itself in its first polls. Returns how often it was polled, and how often
    /// its task was woken.
    fn polls_and_wakeups(self_wakes: usize) -> (usize, usize) {
        let task = Arc::<Task>::default();
        let polls = Cell::new(0);
        let mut future = std::pin::pin!(poll_fn(|context| {
            polls.set(polls.get() + 1);
            if polls.get() <= self_wakes {
                context.waker().wake_by_ref();
            }
            Poll::<()>::Pending
        }));
        let mut run = std::pin::pin!(Arc::<Wakeups>::default().run(future.as_mut()));
        let waker = Waker::from(Arc::clone(&task));
        assert!(
            run.as_mut()
                .poll(&mut Context::from_waker(&waker))
                .is_pending()
        );
        (polls.get(), task.0.load(Ordering::Relaxed))
    }

    #[test]
    fn a_future_that_wakes_itself_is_polled_again_without_waking_its_task() {
        assert_eq!(polls_and_wakeups(0), (1, 0));
        assert_eq!(polls_and_wakeups(1), (2, 0));
    }

    #[test]
    fn a_future_that_always_wakes_itself_lets_other_tasks_run() {
        assert_eq!(polls_and_wakeups(usize::MAX), (2, 1));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn no_wakeup_of_another_thread_is_lost() {
        const WAKEUPS: usize = 20_000;
        let remaining = Arc::new(AtomicUsize::new(0));
        let (wakers, woken) = std::sync::mpsc::channel::<Waker>();
        let counter = Arc::clone(&remaining);
        // Ends when the future is dropped.
        thread::spawn(move || {
            for waker in woken {
                counter.fetch_add(1, Ordering::Release);
                waker.wake();
            }
        });
        let mut seen = 0;
        let mut future = std::pin::pin!(poll_fn(move |context| {
            let now = remaining.load(Ordering::Acquire);
            if now >= WAKEUPS {
                return Poll::Ready(());
            }
            // One wakeup is outstanding at any time.
            if seen == 0 || now >= seen {
                seen = now + 1;
                wakers
                    .send(context.waker().clone())
                    .expect("the thread runs");
            }
            Poll::Pending
        }));
        let run = Arc::<Wakeups>::default().run(future.as_mut());
        timeout(Duration::from_mins(1), run)
            .await
            .expect("no wakeup is lost");
    }
}
