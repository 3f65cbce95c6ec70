//! Requests that queue up while a statement runs share the next one. No request waits for a timer.

use std::sync::Arc;

use tokio::sync::{Mutex, mpsc, oneshot};

/// The maximum number of requests of a kind that wait for the database.
pub(super) const QUEUE: usize = 10_000;

/// Queues requests for a few workers, each of which takes all that wait, up to a limit.
pub(super) struct Batcher<Q, R>(mpsc::Sender<Queued<Q, R>>);

/// A request, and where its result goes.
type Queued<Q, R> = (Q, oneshot::Sender<R>);

/// Why a request has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BatchError {
    QueueFull { waiting: usize },
    Panicked,
}

impl<Q: Send + 'static, R: Send + 'static> Batcher<Q, R> {
    /// `run` returns one result for each request, in their order.
    pub(super) fn new<F, A>(workers: usize, batch: usize, queue: usize, run: F) -> Self
    where
        F: Fn(Vec<Q>) -> A + Clone + Send + 'static,
        A: Future<Output = Vec<R>> + Send + 'static,
    {
        let (sender, receiver) = mpsc::channel(queue);
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..workers {
            tokio::spawn(work(Arc::clone(&receiver), batch, run.clone()));
        }
        Self(sender)
    }

    pub(super) async fn call(&self, request: Q) -> Result<R, BatchError> {
        let (reply, result) = oneshot::channel();
        let queued = self.0.try_send((request, reply));
        queued.map_err(|_| BatchError::QueueFull {
            waiting: self.0.max_capacity(),
        })?;
        result.await.map_err(|_| BatchError::Panicked)
    }

    /// The number of requests in the queue.
    pub(super) fn waiting(&self) -> usize {
        self.0.max_capacity() - self.0.capacity()
    }
}

async fn work<Q, R, F, A>(receiver: Arc<Mutex<mpsc::Receiver<Queued<Q, R>>>>, batch: usize, run: F)
where
    Q: Send + 'static,
    R: Send + 'static,
    F: Fn(Vec<Q>) -> A + Send,
    A: Future<Output = Vec<R>> + Send + 'static,
{
    let mut taken: Vec<Queued<Q, R>> = Vec::new();
    while receiver.lock().await.recv_many(&mut taken, batch).await > 0 {
        // A caller that was cancelled has dropped its receiver.
        taken.retain(|(_, reply)| !reply.is_closed());
        if taken.is_empty() {
            continue;
        }
        let (requests, replies): (Vec<_>, Vec<_>) = taken.drain(..).unzip();
        // A task of its own, so that a panic does not end the worker: its callers see that no reply comes.
        let results = tokio::spawn(run(requests)).await.unwrap_or_default();
        for (reply, result) in replies.into_iter().zip(results) {
            // The caller may have been cancelled meanwhile.
            let _ = reply.send(result);
        }
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

    type Gated = (Arc<Batcher<u32, (u32, usize)>>, Arc<Semaphore>);

    /// A statement that waits for a permit, and returns each request with the size of its batch.
    fn gated(workers: usize, batch: usize, queue: usize) -> Gated {
        let gate = Arc::new(Semaphore::new(0));
        let statement = Arc::clone(&gate);
        let batcher = Batcher::new(workers, batch, queue, move |requests: Vec<u32>| {
            let gate = Arc::clone(&statement);
            async move {
                gate.acquire().await.expect("it is open").forget();
                assert!(!requests.contains(&13), "a statement panics");
                let size = requests.len();
                requests
                    .into_iter()
                    .map(|request| (request, size))
                    .collect()
            }
        });
        (Arc::new(batcher), gate)
    }

    type Call = JoinHandle<Result<(u32, usize), BatchError>>;

    /// Calls in a task, and waits until so many requests are in the queue.
    async fn call(batcher: &Arc<Batcher<u32, (u32, usize)>>, request: u32, waiting: usize) -> Call {
        let (caller, queue) = (Arc::clone(batcher), batcher);
        let task = tokio::spawn(async move { caller.call(request).await });
        // The worker runs after the caller on the one thread of a test.
        for _ in 0..9 {
            tokio::task::yield_now().await;
        }
        assert_eq!(queue.waiting(), waiting);
        task
    }

    #[tokio::test]
    async fn requests_that_wait_for_a_statement_share_the_next_one() {
        let (batcher, gate) = gated(1, 3, 10);
        let mut calls = vec![call(&batcher, 0, 0).await];
        for request in 1..=4 {
            calls.push(call(&batcher, request, request as usize).await);
        }
        gate.add_permits(3);
        for (call, expected) in calls
            .into_iter()
            .zip([(0, 1), (1, 3), (2, 3), (3, 3), (4, 1)])
        {
            assert_eq!(call.await.expect("it ends"), Ok(expected));
        }
    }

    #[tokio::test]
    async fn a_full_queue_refuses_and_abandoned_callers_are_skipped() {
        let (batcher, gate) = gated(1, 9, 2);
        let first = call(&batcher, 0, 0).await;
        let (abandoned, waiting) = (call(&batcher, 1, 1).await, call(&batcher, 2, 2).await);
        let refused = batcher.call(3).await;
        assert_eq!(refused, Err(BatchError::QueueFull { waiting: 2 }));
        abandoned.abort();
        assert!(abandoned.await.is_err());
        gate.add_permits(2);
        assert_eq!(first.await.expect("it ends"), Ok((0, 1)));
        assert_eq!(waiting.await.expect("it ends"), Ok((2, 1)));
    }

    #[tokio::test]
    async fn a_panic_fails_its_batch_only() {
        let (batcher, gate) = gated(1, 9, 9);
        gate.add_permits(2);
        assert_eq!(batcher.call(13).await, Err(BatchError::Panicked));
        assert_eq!(batcher.call(1).await, Ok((1, 1)));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn many_tasks_get_their_own_results_from_a_slow_statement() {
        let batcher = Batcher::new(2, 64, 10_000, |requests: Vec<u32>| async move {
            tokio::time::sleep(Duration::from_millis(1)).await;
            requests.into_iter().map(|request| request * 2).collect()
        });
        let batcher = Arc::new(batcher);
        let mut tasks = JoinSet::new();
        for task in 0..200 {
            let batcher = Arc::clone(&batcher);
            tasks.spawn(async move {
                for request in 0..50 {
                    let request = task * 50 + request;
                    // Every fifth caller goes away, perhaps after its request was taken.
                    let limit = match request % 5 {
                        0 => Duration::from_micros(700),
                        _ => Duration::from_mins(1),
                    };
                    if let Ok(result) = timeout(limit, batcher.call(request)).await {
                        assert_eq!(result, Ok(request * 2));
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
