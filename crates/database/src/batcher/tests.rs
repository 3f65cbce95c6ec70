//! Which requests share a statement, which are queued, and what cancellation does.

use std::future::poll_fn;
use std::iter;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::*;

/// Returns each number when the gate has a permit, and records the batches.
struct Echo {
    gate: Semaphore,
    /// How long each statement takes.
    duration: Duration,
    statements: Mutex<Vec<Vec<u32>>>,
    in_flight: AtomicUsize,
    peak_in_flight: AtomicUsize,
}

impl Echo {
    fn batcher(limits: BatcherLimits, permits: usize) -> Arc<Batcher<Self>> {
        Self::slow_batcher(limits, permits, Duration::ZERO)
    }

    fn slow_batcher(
        limits: BatcherLimits,
        permits: usize,
        duration: Duration,
    ) -> Arc<Batcher<Self>> {
        let echo = Self {
            gate: Semaphore::new(permits),
            duration,
            statements: Mutex::default(),
            in_flight: AtomicUsize::new(0),
            peak_in_flight: AtomicUsize::new(0),
        };
        Batcher::new(echo, limits)
    }
}

impl BatchedQuery for Echo {
    const NAME: &'static str = "a statement";

    type Request = u32;
    type Output = u32;
    type Observer = ();

    fn can_batch(first: &u32, next: &u32) -> bool {
        first % 2 == next % 2
    }

    async fn run(&self, requests: Vec<u32>) -> Vec<u32> {
        let now = self.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        self.peak_in_flight.fetch_max(now, Ordering::SeqCst);
        self.statements.lock().unwrap().push(requests.clone());
        self.gate.acquire().await.unwrap().forget();
        if !self.duration.is_zero() {
            sleep(self.duration).await;
        }
        self.in_flight.fetch_sub(1, Ordering::SeqCst);
        assert!(!requests.contains(&PANIC), "the test requests a panic");
        requests
    }
}

const PANIC: u32 = 1_000_001;
const OPEN: usize = 1_000_000;
const ONE: BatcherLimits = BatcherLimits {
    in_flight: 1,
    batch_size: 100,
    queue_size: 100,
};

fn statements(batcher: &Batcher<Echo>) -> Vec<Vec<u32>> {
    batcher.query.statements.lock().unwrap().clone()
}

/// Polls a future once.
async fn poll<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    poll_fn(|context| Poll::Ready(Pin::new(&mut *future).poll(context))).await
}

/// Yields until no task makes progress: the runtime of a test has one thread.
async fn run_until_idle() {
    for _ in 0..50 {
        yield_now().await;
    }
}

fn assert_idle(batcher: &Batcher<Echo>) {
    let state = batcher.state();
    let load = (state.queue.len(), state.is_starting, state.in_flight);
    assert_eq!(load, (0, false, 0), "queued, starting, in flight");
}

#[tokio::test]
async fn a_single_request_runs_in_its_own_batch() {
    let batcher = Echo::batcher(ONE, OPEN);
    assert_eq!(batcher.submit(7).await, Ok(7));
    assert_eq!(batcher.submit(9).await, Ok(9));
    assert_eq!(statements(&batcher), [[7], [9]]);
    run_until_idle().await;
    assert_idle(&batcher);
}

#[tokio::test]
async fn concurrent_requests_share_a_batch() {
    let batcher = Echo::batcher(ONE, OPEN);
    let outputs = join_all([1, 3, 5, 7].map(|request| batcher.submit(request))).await;
    assert_eq!(outputs, [Ok(1), Ok(3), Ok(5), Ok(7)]);
    assert_eq!(statements(&batcher), [[1, 3, 5, 7]]);
}

#[tokio::test]
async fn a_request_does_not_join_a_started_statement() {
    let batcher = Echo::batcher(ONE, 0);
    let mut first = Box::pin(batcher.submit(1));
    assert!(poll(&mut first).await.is_pending());
    run_until_idle().await;
    let mut second = Box::pin(batcher.submit(3));
    assert!(poll(&mut second).await.is_pending());
    assert_eq!(statements(&batcher), [[1]]);
    batcher.query.gate.add_permits(2);
    assert_eq!((first.await, second.await), (Ok(1), Ok(3)));
    assert_eq!(statements(&batcher), [[1], [3]]);
}

#[tokio::test]
async fn incompatible_requests_stay_queued_in_order() {
    let batcher = Echo::batcher(ONE, OPEN);
    let outputs = join_all([1, 2, 3, 4, 5].map(|request| batcher.submit(request))).await;
    assert_eq!(outputs, [Ok(1), Ok(2), Ok(3), Ok(4), Ok(5)]);
    assert_eq!(statements(&batcher), [vec![1, 3, 5], vec![2, 4]]);
}

#[tokio::test]
async fn a_batch_skips_a_limited_number_of_incompatible_requests() {
    let limits = BatcherLimits {
        batch_size: 200,
        queue_size: 1000,
        ..ONE
    };
    let batcher = Echo::batcher(limits, OPEN);
    let even = (2..).step_by(2).take(MAX_SKIPPED);
    let requests: Vec<u32> = iter::once(1).chain(even).chain([3, 5]).collect();
    let outputs = join_all(requests.iter().map(|request| batcher.submit(*request))).await;
    assert!(outputs.into_iter().eq(requests.iter().copied().map(Ok)));
    let expected: Vec<_> = [
        &requests[..1],
        &requests[1..201],
        &requests[201..257],
        &[3, 5],
    ]
    .into();
    assert_eq!(statements(&batcher), expected);
}

#[tokio::test]
async fn batches_respect_the_limits() {
    let limits = BatcherLimits {
        in_flight: 2,
        batch_size: 3,
        queue_size: 100,
    };
    let batcher = Echo::batcher(limits, 0);
    let requests: Vec<u32> = (0..20).map(|number| 2 * number).collect();
    let mut pending = join_all(requests.iter().map(|request| batcher.submit(*request)));
    assert!(poll(&mut pending).await.is_pending());
    run_until_idle().await;
    assert_eq!(statements(&batcher), [[0, 2, 4], [6, 8, 10]]);
    batcher.query.gate.add_permits(OPEN);
    assert!(pending.await.into_iter().eq(requests.into_iter().map(Ok)));
    assert!(statements(&batcher).iter().all(|batch| batch.len() <= 3));
    assert_eq!(batcher.query.peak_in_flight.load(Ordering::SeqCst), 2);
    run_until_idle().await;
    assert_idle(&batcher);
}

#[tokio::test]
async fn rejects_a_request_when_the_queue_is_full() {
    let limits = BatcherLimits {
        queue_size: 2,
        ..ONE
    };
    let batcher = Echo::batcher(limits, 0);
    let mut first = Box::pin(batcher.submit(1));
    assert!(poll(&mut first).await.is_pending());
    run_until_idle().await;
    let mut queued: Vec<_> = [3, 5]
        .map(|request| Box::pin(batcher.submit(request)))
        .into();
    for request in &mut queued {
        assert!(poll(request).await.is_pending());
    }
    assert_eq!(batcher.submit(7).await, Err(BatchError::QueueFull));
    // A canceled request frees its queue slot.
    drop(queued.pop());
    let mut next = Box::pin(batcher.submit(9));
    assert!(poll(&mut next).await.is_pending());
    batcher.query.gate.add_permits(OPEN);
    assert_eq!(next.await, Ok(9));
    assert_eq!((first.await, join_all(queued).await), (Ok(1), vec![Ok(3)]));
}

#[tokio::test]
async fn a_canceled_request_is_removed_from_the_queue() {
    let batcher = Echo::batcher(ONE, OPEN);
    let mut places: Vec<_> = [1, 3, 5]
        .map(|request| Box::pin(batcher.submit(request)))
        .into();
    for request in &mut places {
        assert!(poll(request).await.is_pending(), "nothing has started");
    }
    drop(places.remove(0));
    drop(places.remove(0));
    assert_eq!(places.remove(0).await, Ok(5));
    assert_eq!(statements(&batcher), [[5]]);
    let mut alone = Box::pin(batcher.submit(7));
    assert!(poll(&mut alone).await.is_pending());
    drop(alone);
    run_until_idle().await;
    assert_eq!(statements(&batcher), [[5]], "no request is left");
    assert_idle(&batcher);
}

#[tokio::test]
async fn a_started_statement_survives_a_canceled_request() {
    let batcher = Echo::batcher(ONE, 0);
    let mut first = Box::pin(batcher.submit(1));
    let mut other = Box::pin(batcher.submit(3));
    assert!(poll(&mut first).await.is_pending());
    assert!(poll(&mut other).await.is_pending());
    run_until_idle().await;
    assert_eq!(statements(&batcher), [[1, 3]]);
    drop(first);
    batcher.query.gate.add_permits(1);
    assert_eq!(other.await, Ok(3));
}

#[tokio::test]
async fn an_unpolled_request_does_not_block_others() {
    let batcher = Echo::batcher(ONE, OPEN);
    let mut unpolled = Box::pin(batcher.submit(1));
    assert!(poll(&mut unpolled).await.is_pending());
    assert_eq!(batcher.submit(3).await, Ok(3));
    assert_eq!(batcher.submit(5).await, Ok(5));
    assert_eq!(unpolled.await, Ok(1));
}

#[tokio::test]
async fn a_panic_fails_only_its_batch() {
    let batcher = Echo::batcher(ONE, OPEN);
    let outputs = tokio::join!(batcher.submit(PANIC), batcher.submit(3), batcher.submit(2));
    let panicked = Err(BatchError::Panicked);
    assert_eq!(outputs, (panicked, Err(BatchError::Panicked), Ok(2)));
    assert_eq!(batcher.submit(5).await, Ok(5));
    run_until_idle().await;
    assert_idle(&batcher);
}

/// Submits requests on several threads to slow statements, and cancels some of them after a few polls.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_request_gets_one_result_under_contention() {
    let limits = BatcherLimits {
        in_flight: 2,
        batch_size: 7,
        queue_size: 10_000,
    };
    let batcher = Echo::slow_batcher(limits, OPEN, Duration::from_micros(300));
    let mut clients = JoinSet::new();
    for client in 0..200_u32 {
        let batcher = Arc::clone(&batcher);
        clients.spawn(async move {
            for round in 0..50 {
                let request = client * 1000 + round;
                let mut pending = Box::pin(batcher.submit(request));
                let polls = (client * 7 + round * 13) % 11;
                // Some are canceled after this many polls.
                for _ in 0..polls {
                    if let Poll::Ready(output) = poll(&mut pending).await {
                        assert_eq!(output, Ok(request));
                        break;
                    }
                    yield_now().await;
                }
                if polls == 0 {
                    assert_eq!(pending.await, Ok(request));
                }
            }
        });
    }
    while let Some(client) = clients.join_next().await {
        client.expect("every request has a result");
    }
    assert_eq!(
        batcher.submit(u32::MAX).await,
        Ok(u32::MAX),
        "the batcher still runs"
    );
    assert!(statements(&batcher).iter().all(|batch| batch.len() <= 7));
    assert_eq!(batcher.query.peak_in_flight.load(Ordering::SeqCst), 2);
    let mut completed: Vec<u32> = statements(&batcher).concat();
    completed.sort_unstable();
    let before = completed.len();
    completed.dedup();
    assert_eq!(completed.len(), before, "a request ran twice");
}
