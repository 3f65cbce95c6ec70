//! Batches concurrent requests into shared statements.
//!
//! There is no batch delay: a batch contains the requests that were queued while earlier statements
//! were in flight or while other ready tasks ran. A request joins only a statement that has not
//! started, so it reads everything that was acknowledged before the request. Every request receives
//! exactly one result. A canceled request is removed from the queue; a statement that has started is
//! always finished, because statements run in tasks of their own. This module knows nothing of SQL.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use tokio::{spawn, task::yield_now};

/// The maximum number of queued requests that a batch skips, because they cannot share its statement: with a long queue
/// of such requests, every batch would move all of them.
const MAX_SKIPPED: usize = 256;

/// A query that serves several requests with one statement.
pub trait BatchedQuery: Send + Sync + 'static {
    /// The parameters of one request.
    type Request: Send + 'static;
    /// The result of one request.
    type Output: Send + 'static;
    /// Observes the requests and the statements, for traces; `()` observes nothing.
    type Observer: Observer;

    /// The name of the statement in traces.
    const NAME: &'static str;

    /// Whether `next` can share the statement of `first`; by default it cannot.
    fn can_batch(_first: &Self::Request, _next: &Self::Request) -> bool {
        false
    }

    /// Runs the statement. Returns one result per request, in the order of the requests.
    fn run(&self, requests: Vec<Self::Request>) -> impl Future<Output = Vec<Self::Output>> + Send;
}

/// Observes how long requests are queued, and the statements that execute them.
pub trait Observer: 'static {
    /// Created in the task of the request when it is queued.
    type Queued: Send + 'static;
    /// Created when a statement begins, and dropped when it ends.
    type Statement: Send;

    /// A request of the current task is queued.
    fn queued() -> Self::Queued;

    /// A statement with this name begins, which executes these requests.
    fn begin<'a>(
        name: &'static str,
        batch: impl ExactSizeIterator<Item = &'a Self::Queued>,
    ) -> Self::Statement;
}

impl Observer for () {
    type Queued = ();
    type Statement = ();

    fn queued() {}

    fn begin<'a>(_: &'static str, _: impl ExactSizeIterator<Item = &'a ()>) {}
}

/// The limits of a batcher.
#[derive(Clone, Copy, Debug)]
pub struct BatcherLimits {
    /// The maximum number of statements in flight.
    pub in_flight: usize,
    /// The maximum number of requests in a batch.
    pub batch_size: usize,
    /// The maximum number of queued requests.
    pub queue_size: usize,
}

/// Why a request has no result.
#[derive(Debug, PartialEq, Eq)]
pub enum BatchError {
    /// The queue is full.
    QueueFull,
    /// The statement panicked.
    Panicked,
}

/// Queues requests and runs them in batches.
pub struct Batcher<Q: BatchedQuery> {
    query: Q,
    limits: BatcherLimits,
    state: Mutex<State<Q>>,
}

struct State<Q: BatchedQuery> {
    /// In the order of arrival. Empty if another statement is permitted and no task is starting.
    queue: VecDeque<QueuedRequest<Q>>,
    /// Whether a task is about to take a batch.
    is_starting: bool,
    /// Statements in flight.
    in_flight: usize,
    /// Whether the last batch had several requests.
    was_shared: bool,
}

struct QueuedRequest<Q: BatchedQuery> {
    request: Q::Request,
    sender: oneshot::Sender<Q::Output>,
    observed: <Q::Observer as Observer>::Queued,
}

impl<Q: BatchedQuery> Batcher<Q> {
    /// A batcher that runs this query.
    pub fn new(query: Q, limits: BatcherLimits) -> Arc<Self> {
        Arc::new(Self {
            query,
            limits,
            state: Mutex::new(State {
                queue: VecDeque::new(),
                is_starting: false,
                in_flight: 0,
                was_shared: false,
            }),
        })
    }

    /// Queues a request and waits for its result.
    pub async fn submit(self: &Arc<Self>, request: Q::Request) -> Result<Q::Output, BatchError> {
        let (sender, output) = oneshot::channel();
        let observed = Q::Observer::queued();
        self.enqueue(QueuedRequest {
            request,
            sender,
            observed,
        })?;
        output.await.map_err(|_| BatchError::Panicked)
    }

    /// The number of queued requests.
    pub fn queue_len(&self) -> u64 {
        self.state().queue.len() as u64
    }

    fn enqueue(self: &Arc<Self>, queued: QueuedRequest<Q>) -> Result<(), BatchError> {
        let mut state = self.state();
        if state.queue.len() >= self.limits.queue_size {
            state.queue.retain(|queued| !queued.sender.is_closed());
            if state.queue.len() >= self.limits.queue_size {
                return Err(BatchError::QueueFull);
            }
        }
        state.queue.push_back(queued);
        self.spawn_if_needed(&mut state);
        Ok(())
    }

    /// Spawns a task if a request is queued, a statement is permitted and no task is starting.
    fn spawn_if_needed(self: &Arc<Self>, state: &mut State<Q>) {
        let free = state.in_flight < self.limits.in_flight;
        if !state.is_starting && free && !state.queue.is_empty() {
            state.is_starting = true;
            spawn(Arc::clone(self).run());
        }
    }

    /// Runs batches until the queue is empty.
    async fn run(self: Arc<Self>) {
        loop {
            // Tasks that are ready to submit a request run first. Not for a lone caller, since a yield on an idle
            // worker thread wakes another one.
            if self.is_concurrent() {
                yield_now().await;
            }
            let Some(batch) = self.take_batch() else {
                return;
            };
            let in_flight = InFlight(&self);
            let queued = batch.iter().map(|queued| &queued.observed);
            let statement = Q::Observer::begin(Q::NAME, queued);
            let (requests, senders): (Vec<_>, Vec<_>) = batch
                .into_iter()
                .map(|queued| (queued.request, queued.sender))
                .unzip();
            let outputs = self.query.run(requests).await;
            drop(statement);
            for (output, sender) in outputs.into_iter().zip(senders) {
                // A canceled request has dropped its receiver.
                drop(sender.send(output));
            }
            if !in_flight.end() {
                return;
            }
        }
    }

    /// Whether other requests are likely to be submitted now.
    fn is_concurrent(&self) -> bool {
        let state = self.state();
        state.was_shared || state.in_flight > 0 || state.queue.len() > 1
    }

    /// The next batch, or `None` if all queued requests were canceled; then the task must end.
    fn take_batch(self: &Arc<Self>) -> Option<Vec<QueuedRequest<Q>>> {
        let mut state = self.state();
        state.is_starting = false;
        let batch = state.next_batch(self.limits.batch_size);
        if batch.is_empty() {
            return None;
        }
        state.in_flight += 1;
        state.was_shared = batch.len() > 1;
        self.spawn_if_needed(&mut state);
        Some(batch)
    }

    fn state(&self) -> MutexGuard<'_, State<Q>> {
        // No code under the lock panics halfway.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Q: BatchedQuery> State<Q> {
    /// Takes the requests that can share the statement of the first one, in order. The others stay queued.
    fn next_batch(&mut self, batch_size: usize) -> Vec<QueuedRequest<Q>> {
        let mut batch: Vec<QueuedRequest<Q>> = Vec::new();
        let mut others = Vec::new();
        while batch.len() < batch_size
            && others.len() < MAX_SKIPPED
            && let Some(queued) = self.queue.pop_front()
        {
            if queued.sender.is_closed() {
                continue;
            }
            match batch.first() {
                Some(first) if !Q::can_batch(&first.request, &queued.request) => {
                    others.push(queued);
                }
                _ => batch.push(queued),
            }
        }
        for queued in others.into_iter().rev() {
            self.queue.push_front(queued);
        }
        batch
    }
}

/// Counts a statement as in flight until it is dropped.
struct InFlight<'a, Q: BatchedQuery>(&'a Arc<Batcher<Q>>);

impl<Q: BatchedQuery> InFlight<'_, Q> {
    /// Ends the statement, and returns whether its task takes another batch.
    fn end(self) -> bool {
        let batcher = self.0;
        std::mem::forget(self);
        let mut state = batcher.state();
        state.in_flight -= 1;
        let continues = !state.is_starting && !state.queue.is_empty();
        state.is_starting |= continues;
        continues
    }
}

impl<Q: BatchedQuery> Drop for InFlight<'_, Q> {
    /// The statement panicked, and its task with it.
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.in_flight -= 1;
        self.0.spawn_if_needed(&mut state);
    }
}
