//! Records what happens to each request, and checks it against the guarantees of the batcher.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::batcher::{BatchError, BatcherLimits};

/// A request. Requests of the same group can share a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Request {
    /// A unique number.
    pub(crate) number: u32,
    pub(crate) group: u32,
    pub(crate) outcome: Outcome,
}

/// The outcome of a request in its statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Outcome {
    Success,
    /// The request fails alone.
    Error,
    /// The statement panics, for all requests of the batch.
    Panic,
}

/// The output of a request: which request, which outcome, from which statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Output {
    pub(crate) number: u32,
    pub(crate) outcome: Outcome,
    pub(crate) statement: usize,
}

#[derive(Default)]
struct History {
    submitted: u64,
    canceled: Option<u64>,
    statement: Option<usize>,
    completed: bool,
}

#[derive(Default)]
struct Record {
    /// Counts events.
    clock: u64,
    histories: HashMap<u32, History>,
    /// When each started, and whether it panicked.
    statements: Vec<(u64, bool)>,
    in_flight: usize,
}

thread_local! {
    static RECORD: RefCell<Record> = RefCell::default();
}

/// Resets the state for the next run.
pub(crate) fn reset() {
    RECORD.take();
}

/// The current time.
pub(crate) fn now() -> u64 {
    RECORD.with_borrow(|record| record.clock)
}

/// The number of statements in flight.
pub(crate) fn in_flight() -> usize {
    RECORD.with_borrow(|record| record.in_flight)
}

fn record_event<T>(event: impl FnOnce(&mut Record) -> T) -> T {
    RECORD.with_borrow_mut(|record| {
        record.clock += 1;
        event(record)
    })
}

/// Records that a request was submitted.
pub(crate) fn submitted(request: Request) {
    record_event(|record| {
        let history = History {
            submitted: record.clock,
            ..History::default()
        };
        let before = record.histories.insert(request.number, history);
        assert!(before.is_none(), "the plan numbers each request once");
    });
}

/// Records that a request was canceled.
pub(crate) fn canceled(request: Request) {
    record_event(|record| {
        let now = record.clock;
        record.history(request.number).canceled = Some(now);
    });
}

/// Checks and records the start of a statement in a task that resumed at `resumed_at`.
pub(crate) fn statement_started(
    requests: &[Request],
    limits: BatcherLimits,
    resumed_at: u64,
) -> usize {
    record_event(|record| {
        assert!(!requests.is_empty(), "an empty batch");
        assert!(
            requests.len() <= limits.batch_size,
            "the batch exceeds its limit"
        );
        record.in_flight += 1;
        assert!(
            record.in_flight <= limits.in_flight,
            "too many statements in flight"
        );
        let statement = record.statements.len();
        record.statements.push((record.clock, false));
        for request in requests {
            assert_eq!(
                request.group, requests[0].group,
                "incompatible requests in a batch"
            );
            let history = record.history(request.number);
            assert_eq!(history.statement, None, "{request:?} is in two statements");
            history.statement = Some(statement);
            assert!(
                history
                    .canceled
                    .is_none_or(|canceled| canceled > resumed_at),
                "{request:?} was canceled before the batch was taken"
            );
        }
        statement
    })
}

/// Records the end of a statement.
pub(crate) fn statement_ended(statement: usize, panicked: bool) {
    record_event(|record| {
        record.in_flight -= 1;
        record.statements[statement].1 = panicked;
    });
}

/// Checks and records the result of a request.
pub(crate) fn completed(
    request: Request,
    output: &Result<Output, BatchError>,
    limits: BatcherLimits,
) {
    record_event(|record| {
        let history = record.history(request.number);
        assert!(!history.completed, "{request:?} has two results");
        history.completed = true;
        let (submitted, statement) = (history.submitted, history.statement);
        match output {
            Ok(output) => {
                let expected = (request.number, request.outcome);
                assert_eq!(
                    (output.number, output.outcome),
                    expected,
                    "the output of another request"
                );
                assert_eq!(
                    Some(output.statement),
                    statement,
                    "the output of another statement"
                );
                let (started, _) = record.statements[output.statement];
                assert!(
                    submitted < started,
                    "{request:?} joined a statement that had started"
                );
            }
            Err(BatchError::Panicked) => {
                let statement = statement.expect("only a statement can panic");
                assert!(record.statements[statement].1, "it did not panic");
            }
            Err(BatchError::QueueFull) => {
                assert_eq!(statement, None, "{request:?} is refused and executed");
                // The requests that may have been queued at any time since this one was submitted.
                let statements = &record.statements;
                let was_queued = |history: &&History| {
                    let started = history.statement.map(|statement| statements[statement].0);
                    let left = history.canceled.into_iter().chain(started).min();
                    !history.completed && left.is_none_or(|left| left > submitted)
                        || history.completed && started.is_some_and(|started| started > submitted)
                };
                let queued = record.histories.values().filter(was_queued).count();
                assert!(queued >= limits.queue_size, "refused with {queued} queued");
            }
        }
    });
}

/// Checks that no statement is in flight and every request has a result or was canceled.
pub(crate) fn assert_complete() {
    RECORD.with_borrow(|record| {
        assert_eq!(record.in_flight, 0, "statements in flight at the end");
        for (number, history) in &record.histories {
            assert!(
                history.completed || history.canceled.is_some(),
                "{number} has no result"
            );
        }
    });
}

impl Record {
    fn history(&mut self, number: u32) -> &mut History {
        self.histories
            .get_mut(&number)
            .expect("it was submitted before")
    }
}
