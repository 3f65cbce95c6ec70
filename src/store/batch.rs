//! Requests that queue up while a statement runs share the next one. No request waits for a timer.

use std::{iter, sync::Arc};

use tokio::{
    sync::{Semaphore, mpsc, oneshot},
    task::yield_now,
};
use tracing::{Instrument, Span, info_span};

use super::cause::Cause;
use super::error::Error;

/// What requests of a kind share.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// The maximum number of statements at a time.
    pub(super) statements: usize,
    /// The maximum number of requests in a statement.
    pub(super) batch: usize,
    /// The maximum number of requests that wait.
    pub(super) queue: usize,
}

/// Queues requests for a few statements, each of which takes all that wait, up to a limit.
#[derive(Clone)]
pub(super) struct Batcher<Q, T> {
    queue: mpsc::Sender<Queued<Q, T>>,
    /// The name of the span of a call.
    name: &'static str,
    /// The error of a call whose statement panicked.
    panicked: fn(Cause) -> Error,
}

/// A request, and where its result goes.
type Queued<Q, T> = (Q, oneshot::Sender<Result<T, Error>>);

impl<Q: Send + 'static, T: Send + 'static> Batcher<Q, T> {
    /// `run` returns one result for each request, in their order.
    pub(super) fn new<C, A>(
        name: &'static str,
        panicked: fn(Cause) -> Error,
        limits: Limits,
        context: &C,
        run: fn(C, Vec<Q>) -> A,
    ) -> Self
    where
        C: Clone + Send + 'static,
        A: Future<Output = Vec<Result<T, Error>>> + Send + 'static,
    {
        let (queue, receiver) = mpsc::channel(limits.queue);
        let context = context.clone();
        tokio::spawn(dispatch(receiver, limits, move |requests| run(context.clone(), requests)));
        Self { queue, name, panicked }
    }

    pub(super) async fn call(&self, request: Q) -> Result<T, Error> {
        // A span below that of its request, if that is recorded. `telemetry` exports the spans of this target.
        let span = if Span::current().is_none() {
            Span::none()
        } else {
            info_span!(target: "trace", "store", otel.name = self.name, otel.kind = "client")
        };
        let (reply, result) = oneshot::channel();
        let queued = self.queue.try_send((request, reply));
        queued.map_err(|_| Error::Busy { waiting: self.queue.max_capacity() })?;
        let result = result.instrument(span).await;
        result.unwrap_or_else(|_| Err((self.panicked)(Cause::panicked())))
    }

    /// The number of requests in the queue.
    pub(super) fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }
}

/// Runs the requests that wait as soon as a statement is permitted, until the last sender is dropped.
async fn dispatch<Q, T, A>(mut receiver: mpsc::Receiver<Queued<Q, T>>, limits: Limits, run: impl Fn(Vec<Q>) -> A)
where
    T: Send + 'static,
    A: Future<Output = Vec<Result<T, Error>>> + Send + 'static,
{
    let permits = Arc::new(Semaphore::new(limits.statements));
    let mut taken: Vec<Queued<Q, T>> = Vec::new();
    loop {
        let permit = Arc::clone(&permits).acquire_owned().await;
        if receiver.recv_many(&mut taken, limits.batch).await == 0 {
            return;
        }
        if permits.available_permits() + 1 < limits.statements {
            // While another statement runs, the tasks that are ready, too, join this one.
            yield_now().await;
            let room = limits.batch - taken.len();
            taken.extend(iter::from_fn(|| receiver.try_recv().ok()).take(room));
        }
        // A caller that was cancelled has dropped its receiver.
        taken.retain(|(_, reply)| !reply.is_closed());
        if taken.is_empty() {
            continue;
        }
        let (requests, replies): (Vec<_>, Vec<_>) = taken.drain(..).unzip();
        // Large, and moved twice.
        let statement = Box::pin(run(requests));
        // A panic ends this task only: its callers see that no reply comes.
        tokio::spawn(async move {
            let results = statement.await;
            drop(permit);
            for (reply, result) in replies.into_iter().zip(results) {
                // The caller may have been cancelled meanwhile.
                let _ = reply.send(result);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::{
        sync::Semaphore,
        task::{JoinHandle, JoinSet},
        time::timeout,
    };

    use super::*;

    /// Returns each request with the size of its batch.
    type Sizes = Batcher<u32, (u32, usize)>;

    /// A statement that waits for a permit.
    fn gated(batch: usize, queue: usize) -> (Sizes, Arc<Semaphore>) {
        async fn run(gate: Arc<Semaphore>, requests: Vec<u32>) -> Vec<Result<(u32, usize), Error>> {
            gate.acquire().await.expect("it is open").forget();
            assert!(!requests.contains(&13), "a statement panics");
            let size = requests.len();
            requests.into_iter().map(|request| Ok((request, size))).collect()
        }
        let gate = Arc::new(Semaphore::new(0));
        let limits = Limits { statements: 1, batch, queue };
        (Batcher::new("test", Error::OutcomeUnknown, limits, &gate, run), gate)
    }

    type Call = JoinHandle<Result<(u32, usize), Error>>;

    /// Calls in a task, and waits until so many requests are in the queue.
    async fn call(batcher: &Sizes, request: u32, waiting: usize) -> Call {
        let (caller, queue) = (batcher.clone(), batcher);
        let task = tokio::spawn(async move { caller.call(request).await });
        // The statement runs after the caller on the one thread of a test.
        for _ in 0..9 {
            tokio::task::yield_now().await;
        }
        assert_eq!(queue.waiting(), waiting);
        task
    }

    async fn result(call: Call) -> (u32, usize) {
        call.await.expect("it ends").expect("it is run")
    }

    #[tokio::test]
    async fn requests_that_wait_for_a_statement_share_the_next_one() {
        let (batcher, gate) = gated(3, 10);
        let mut calls = vec![call(&batcher, 0, 0).await];
        for request in 1..=4 {
            calls.push(call(&batcher, request, request as usize).await);
        }
        gate.add_permits(3);
        for (call, expected) in calls.into_iter().zip([(0, 1), (1, 3), (2, 3), (3, 3), (4, 1)]) {
            assert_eq!(result(call).await, expected);
        }
    }

    #[tokio::test]
    async fn a_full_queue_refuses_and_abandoned_callers_are_skipped() {
        let (batcher, gate) = gated(9, 2);
        let first = call(&batcher, 0, 0).await;
        let (abandoned, waiting) = (call(&batcher, 1, 1).await, call(&batcher, 2, 2).await);
        let refused = batcher.call(3).await;
        assert!(matches!(refused, Err(Error::Busy { waiting: 2 })), "{refused:?}");
        abandoned.abort();
        assert!(abandoned.await.is_err());
        gate.add_permits(2);
        assert_eq!(result(first).await, (0, 1));
        assert_eq!(result(waiting).await, (2, 1));
    }

    #[tokio::test]
    async fn a_panic_fails_its_batch_only() {
        let (batcher, gate) = gated(9, 9);
        gate.add_permits(2);
        let panicked = batcher.call(13).await;
        assert!(matches!(panicked, Err(Error::OutcomeUnknown(_))), "{panicked:?}");
        assert_eq!(batcher.call(1).await.expect("it is run"), (1, 1));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn many_tasks_get_their_own_results_from_a_slow_statement() {
        async fn double((): (), requests: Vec<u32>) -> Vec<Result<u32, Error>> {
            tokio::time::sleep(Duration::from_millis(1)).await;
            requests.into_iter().map(|request| Ok(request * 2)).collect()
        }
        let limits = Limits { statements: 2, batch: 64, queue: 10_000 };
        let batcher = Batcher::new("test", Error::Unexpected, limits, &(), double);
        let mut tasks = JoinSet::new();
        for task in 0..200 {
            let batcher = batcher.clone();
            tasks.spawn(async move {
                for request in 0..50 {
                    let request = task * 50 + request;
                    // Every fifth caller goes away, perhaps after its request was taken.
                    let limit = match request % 5 {
                        0 => Duration::from_micros(700),
                        _ => Duration::from_mins(1),
                    };
                    if let Ok(result) = timeout(limit, batcher.call(request)).await {
                        assert_eq!(result.expect("it is run"), request * 2);
                    } else {
                        assert_eq!(request % 5, 0, "a request got no result");
                    }
                }
            });
        }
        while let Some(ended) = tasks.join_next().await {
            ended.expect("no task panics");
        }
        assert_eq!(batcher.waiting(), 0);
    }
}
