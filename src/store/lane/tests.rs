//! Who shares a statement with whom, who waits, and what becomes of those who go.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;

use futures_util::future::join_all;
use futures_util::poll;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::*;

/// Answers numbers with themselves, as soon as it is let; remembers who shared a statement.
struct Echo {
    gate: Semaphore,
    statements: Mutex<Vec<Vec<u32>>>,
    in_flight: AtomicUsize,
    most_in_flight: AtomicUsize,
}

impl Echo {
    fn lane(limits: LaneLimits, gate: usize) -> Arc<Lane<Self>> {
        let echo = Self {
            gate: Semaphore::new(gate),
            statements: Mutex::default(),
            in_flight: AtomicUsize::new(0),
            most_in_flight: AtomicUsize::new(0),
        };
        Lane::new(echo, limits)
    }
}

impl Work for Echo {
    const NAME: &'static str = "a statement";

    type Request = u32;
    type Answer = u32;

    fn together(first: &u32, next: &u32) -> bool {
        first % 2 == next % 2
    }

    async fn run(&self, requests: Vec<u32>) -> Vec<u32> {
        let now = self.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_in_flight.fetch_max(now, Ordering::SeqCst);
        self.statements.lock().unwrap().push(requests.clone());
        self.gate.acquire().await.unwrap().forget();
        self.in_flight.fetch_sub(1, Ordering::SeqCst);
        assert!(!requests.contains(&PANIC), "as the test wants it");
        requests
    }
}

const PANIC: u32 = 1_000_001;
const OPEN: usize = 1_000_000;
const ONE: LaneLimits = LaneLimits {
    statements: 1,
    batch: 100,
    queue: 100,
};

fn statements(lane: &Lane<Echo>) -> Vec<Vec<u32>> {
    lane.work.statements.lock().unwrap().clone()
}

/// Polls until nothing moves any more: the runtime of a test has one thread.
async fn settle() {
    for _ in 0..50 {
        yield_now().await;
    }
}

fn assert_idle(lane: &Lane<Echo>) {
    let state = lane.state();
    let load = (state.queue.len(), state.starting, state.running);
    assert_eq!(load, (0, 0, 0), "waiting, starting, running");
}

#[tokio::test]
async fn a_lone_request_has_a_statement_to_itself() {
    let lane = Echo::lane(ONE, OPEN);
    assert_eq!(lane.ask(7).await, Ok(7));
    assert_eq!(lane.ask(9).await, Ok(9));
    assert_eq!(statements(&lane), [[7], [9]]);
    settle().await;
    assert_idle(&lane);
}

#[tokio::test]
async fn requests_of_the_same_moment_share_a_statement() {
    let lane = Echo::lane(ONE, OPEN);
    let answers = join_all([1, 3, 5, 7].map(|request| lane.ask(request))).await;
    assert_eq!(answers, [Ok(1), Ok(3), Ok(5), Ok(7)]);
    assert_eq!(statements(&lane), [[1, 3, 5, 7]]);
}

#[tokio::test]
async fn a_request_does_not_join_a_statement_that_has_started() {
    let lane = Echo::lane(ONE, 0);
    let mut first = Box::pin(lane.ask(1));
    assert!(poll!(&mut first).is_pending());
    settle().await;
    let mut second = Box::pin(lane.ask(3));
    assert!(poll!(&mut second).is_pending());
    assert_eq!(statements(&lane), [[1]]);
    lane.work.gate.add_permits(2);
    assert_eq!((first.await, second.await), (Ok(1), Ok(3)));
    assert_eq!(statements(&lane), [[1], [3]]);
}

#[tokio::test]
async fn what_a_statement_cannot_answer_waits_for_another_in_its_order() {
    let lane = Echo::lane(ONE, OPEN);
    let answers = join_all([1, 2, 3, 4, 5].map(|request| lane.ask(request))).await;
    assert_eq!(answers, [Ok(1), Ok(2), Ok(3), Ok(4), Ok(5)]);
    assert_eq!(statements(&lane), [vec![1, 3, 5], vec![2, 4]]);
}

#[tokio::test]
async fn neither_statements_nor_their_size_exceed_the_limits() {
    let limits = LaneLimits {
        statements: 2,
        batch: 3,
        queue: 100,
    };
    let lane = Echo::lane(limits, 0);
    let requests: Vec<u32> = (0..20).map(|number| 2 * number).collect();
    let mut asked = join_all(requests.iter().map(|request| lane.ask(*request)));
    assert!(poll!(&mut asked).is_pending());
    settle().await;
    assert_eq!(statements(&lane), [[0, 2, 4], [6, 8, 10]]);
    lane.work.gate.add_permits(OPEN);
    assert!(asked.await.into_iter().eq(requests.into_iter().map(Ok)));
    assert!(statements(&lane).iter().all(|batch| batch.len() <= 3));
    assert_eq!(lane.work.most_in_flight.load(Ordering::SeqCst), 2);
    settle().await;
    assert_idle(&lane);
}

#[tokio::test]
async fn a_full_queue_refuses() {
    let limits = LaneLimits { queue: 2, ..ONE };
    let lane = Echo::lane(limits, 0);
    let mut first = Box::pin(lane.ask(1));
    assert!(poll!(&mut first).is_pending());
    settle().await;
    let mut waiting: Vec<_> = [3, 5].map(|request| Box::pin(lane.ask(request))).into();
    for place in &mut waiting {
        assert!(poll!(place).is_pending());
    }
    assert_eq!(lane.ask(7).await, Err(Unanswered::QueueFull));
    // Whoever is gone leaves its place.
    drop(waiting.pop());
    let mut next = Box::pin(lane.ask(9));
    assert!(poll!(&mut next).is_pending());
    lane.work.gate.add_permits(OPEN);
    assert_eq!(next.await, Ok(9));
    assert_eq!((first.await, join_all(waiting).await), (Ok(1), vec![Ok(3)]));
}

#[tokio::test]
async fn one_who_goes_before_the_statement_leaves_no_trace() {
    let lane = Echo::lane(ONE, OPEN);
    let mut places: Vec<_> = [1, 3, 5].map(|request| Box::pin(lane.ask(request))).into();
    for place in &mut places {
        assert!(poll!(place).is_pending(), "nothing has started");
    }
    drop(places.remove(0));
    drop(places.remove(0));
    assert_eq!(places.remove(0).await, Ok(5));
    assert_eq!(statements(&lane), [[5]]);
    let mut alone = Box::pin(lane.ask(7));
    assert!(poll!(&mut alone).is_pending());
    drop(alone);
    settle().await;
    assert_eq!(statements(&lane), [[5]], "nobody waits for another");
    assert_idle(&lane);
}

#[tokio::test]
async fn a_started_statement_is_finished_for_the_others() {
    let lane = Echo::lane(ONE, 0);
    let mut first = Box::pin(lane.ask(1));
    let mut other = Box::pin(lane.ask(3));
    assert!(poll!(&mut first).is_pending());
    assert!(poll!(&mut other).is_pending());
    settle().await;
    assert_eq!(statements(&lane), [[1, 3]]);
    drop(first);
    lane.work.gate.add_permits(1);
    assert_eq!(other.await, Ok(3));
}

#[tokio::test]
async fn one_who_waits_without_being_polled_holds_nobody_up() {
    let lane = Echo::lane(ONE, OPEN);
    let mut idle = Box::pin(lane.ask(1));
    assert!(poll!(&mut idle).is_pending());
    assert_eq!(lane.ask(3).await, Ok(3));
    assert_eq!(lane.ask(5).await, Ok(5));
    assert_eq!(idle.await, Ok(1));
}

#[tokio::test]
async fn a_panic_is_told_to_those_who_shared_it_and_stops_nobody_else() {
    let lane = Echo::lane(ONE, OPEN);
    let answers = tokio::join!(lane.ask(PANIC), lane.ask(3), lane.ask(2));
    let broken_off = Err(Unanswered::BrokenOff);
    assert_eq!(answers, (broken_off, Err(Unanswered::BrokenOff), Ok(2)));
    assert_eq!(lane.ask(5).await, Ok(5));
    settle().await;
    assert_idle(&lane);
}

/// Requests that are made, awaited a little and given up at random, on several threads.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn under_contention_everybody_gets_one_answer_and_nothing_is_left() {
    let limits = LaneLimits {
        statements: 2,
        batch: 7,
        queue: 10_000,
    };
    let lane = Echo::lane(limits, OPEN);
    let mut callers = JoinSet::new();
    for caller in 0..200_u32 {
        let lane = Arc::clone(&lane);
        callers.spawn(async move {
            for turn in 0..50 {
                let request = caller * 1000 + turn;
                let mut asked = Box::pin(lane.ask(request));
                let patience = (caller * 7 + turn * 13) % 11;
                // Some go after so many polls, at whatever point they are then.
                for _ in 0..patience {
                    if let Poll::Ready(answer) = poll!(&mut asked) {
                        assert_eq!(answer, Ok(request));
                        break;
                    }
                    yield_now().await;
                }
                if patience == 0 {
                    assert_eq!(asked.await, Ok(request));
                }
            }
        });
    }
    while let Some(caller) = callers.join_next().await {
        caller.expect("no caller is left without its answer");
    }
    assert_eq!(lane.ask(u32::MAX).await, Ok(u32::MAX), "the lane goes on");
    let mut answered: Vec<u32> = statements(&lane).concat();
    answered.sort_unstable();
    let before = answered.len();
    answered.dedup();
    assert_eq!(answered.len(), before, "no request was answered twice");
}
