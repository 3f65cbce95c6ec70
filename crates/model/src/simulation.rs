//! Randomly planned clients that submit, await and cancel requests, and statements that take some steps.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use shuttle::future::{block_on, spawn, yield_now};
use shuttle::rand::{Rng, rngs::ThreadRng, thread_rng};

use crate::batcher::{BatchedQuery, Batcher, BatcherLimits};
use crate::record::{self, Outcome, Output, Request};
use crate::scheduling;

/// The maximum number of yields until all tasks must have ended.
const MAX_DRAIN_STEPS: usize = 1000;

/// The requests of each client, and the limits of the batcher.
struct Plan {
    limits: BatcherLimits,
    /// The requests of each client, submitted one after the other.
    clients: Vec<Vec<(Request, CancelAfter)>>,
}

/// When a client cancels a request.
#[derive(Clone, Copy, Debug)]
enum CancelAfter {
    Never,
    /// After this many polls.
    Polls(u32),
}

impl Plan {
    /// A random plan from the scheduler's generator.
    fn new() -> Self {
        let mut rng = thread_rng();
        let limits = BatcherLimits {
            in_flight: rng.gen_range(1..=3),
            batch_size: rng.gen_range(1..=4),
            queue_size: rng.gen_range(1..=6),
        };
        let groups = rng.gen_range(1..=3);
        let failure_rate = rng.gen_range(0.0..0.4);
        let mut numbers = 0..;
        let mut request = |rng: &mut ThreadRng| Request {
            number: numbers.next().expect("the range has no end"),
            group: rng.gen_range(0..groups),
            outcome: if !rng.gen_bool(failure_rate) {
                Outcome::Success
            } else if rng.gen_bool(0.5) {
                Outcome::Error
            } else {
                Outcome::Panic
            },
        };
        let cancel_after = |rng: &mut ThreadRng| {
            if rng.gen_bool(failure_rate) {
                CancelAfter::Polls(rng.gen_range(1..=4))
            } else {
                CancelAfter::Never
            }
        };
        let clients = (0..rng.gen_range(1..=6)).map(|_| {
            let requests = 0..rng.gen_range(1..=4);
            requests
                .map(|_| (request(&mut rng), cancel_after(&mut rng)))
                .collect()
        });
        let clients = clients.collect();
        Self { limits, clients }
    }
}

/// Creates a random plan and runs it.
pub(crate) fn run() {
    record::reset();
    scheduling::reset();
    let Plan { limits, clients } = Plan::new();
    let batcher = Batcher::new(Statements(limits), limits);
    let clients = clients.into_iter().map(|requests| {
        let batcher = Arc::clone(&batcher);
        spawn(async move {
            for (request, cancel_after) in requests {
                submit(&batcher, request, cancel_after, limits).await;
            }
        })
    });
    let clients: Vec<_> = clients.collect();
    block_on(async {
        for client in clients {
            client.await.expect("no client panics");
        }
        // The batcher must still work.
        let last = Request {
            number: u32::MAX,
            group: 0,
            outcome: Outcome::Success,
        };
        submit(&batcher, last, CancelAfter::Never, limits).await;
        for _ in 0..MAX_DRAIN_STEPS {
            if scheduling::open() == 0 {
                break;
            }
            yield_now().await;
        }
        assert_eq!(scheduling::open(), 0, "tasks have not ended");
        assert_eq!(batcher.queue_len(), 0, "requests are queued at the end");
        record::assert_complete();
    });
}

async fn submit(
    batcher: &Arc<Batcher<Statements>>,
    request: Request,
    cancel_after: CancelAfter,
    limits: BatcherLimits,
) {
    record::submitted(request);
    let mut submitted = Box::pin(batcher.submit(request));
    let output = match cancel_after {
        CancelAfter::Never => submitted.await,
        CancelAfter::Polls(polls) => {
            let mut polls = 0..polls;
            loop {
                let poll = poll_fn(|context| Poll::Ready(submitted.as_mut().poll(context)));
                if let Poll::Ready(output) = poll.await {
                    break output;
                }
                if polls.next().is_none() {
                    drop(submitted);
                    return record::canceled(request);
                }
                yield_now().await;
                assert_limits(batcher, limits);
            }
        }
    };
    record::completed(request, &output, limits);
    assert_limits(batcher, limits);
}

/// Checks the queue limit, and that no request is queued while a statement could start.
fn assert_limits(batcher: &Arc<Batcher<Statements>>, limits: BatcherLimits) {
    let snapshot = || (record::now(), scheduling::open());
    let before = snapshot();
    let queue_len = batcher.queue_len();
    assert!(
        queue_len <= limits.queue_size as u64,
        "the queue exceeds its limit"
    );
    // Other tasks may have run while the queue length was read.
    if queue_len > 0 && snapshot() == before {
        let (in_flight, open) = (record::in_flight(), scheduling::open());
        assert!(
            in_flight == limits.in_flight || open > in_flight,
            "a statement could start, {queue_len} requests are queued, and no task is starting"
        );
    }
}

/// The query of the model.
struct Statements(BatcherLimits);

impl BatchedQuery for Statements {
    const NAME: &'static str = "a statement";

    type Request = Request;
    type Output = Output;
    type Observer = ();

    fn can_batch(first: &Request, next: &Request) -> bool {
        first.group == next.group
    }

    async fn run(&self, requests: Vec<Request>) -> Vec<Output> {
        let statement = record::statement_started(&requests, self.0, scheduling::resumed_at());
        for _ in 0..thread_rng().gen_range(0..4) {
            yield_now().await;
        }
        let panics = |request: &Request| request.outcome == Outcome::Panic;
        if requests.iter().any(panics) {
            record::statement_ended(statement, true);
            return scheduling::panic_task().await;
        }
        record::statement_ended(statement, false);
        let output = |request: &Request| Output {
            number: request.number,
            outcome: request.outcome,
            statement,
        };
        requests.iter().map(output).collect()
    }
}
