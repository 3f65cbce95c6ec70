//! What has happened to each request, and when: the second opinion on what the lane does.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::lane::{LaneLimits, Unanswered};

/// A request: whoever asks for the same group can share a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Request {
    /// No other has it.
    pub(crate) number: u32,
    pub(crate) group: u32,
    pub(crate) outcome: Outcome,
}

/// What becomes of a request in its statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Outcome {
    Success,
    /// It is answered with an error of its own.
    Error,
    /// The statement breaks off, for all who share it.
    BreaksOff,
}

/// What a statement answers: to which request, and as what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) number: u32,
    pub(crate) outcome: Outcome,
    pub(crate) statement: usize,
}

#[derive(Default)]
struct Life {
    asked: u64,
    gone: Option<u64>,
    statement: Option<usize>,
    told: bool,
}

#[derive(Default)]
struct Record {
    /// Counts what happens.
    clock: u64,
    lives: HashMap<u32, Life>,
    /// When each started, and whether it broke off.
    statements: Vec<(u64, bool)>,
    in_flight: usize,
}

thread_local! {
    static RECORD: RefCell<Record> = RefCell::default();
}

/// Starts the run of another plan.
pub(crate) fn reset() {
    RECORD.take();
}

/// What the clock says.
pub(crate) fn now() -> u64 {
    RECORD.with_borrow(|record| record.clock)
}

/// How many statements have started and not ended.
pub(crate) fn in_flight() -> usize {
    RECORD.with_borrow(|record| record.in_flight)
}

fn happens<T>(what: impl FnOnce(&mut Record) -> T) -> T {
    RECORD.with_borrow_mut(|record| {
        record.clock += 1;
        what(record)
    })
}

/// Somebody asks.
pub(crate) fn asked(request: Request) {
    happens(|record| {
        let life = Life {
            asked: record.clock,
            ..Life::default()
        };
        let before = record.lives.insert(request.number, life);
        assert!(before.is_none(), "the plan numbers each request once");
    });
}

/// Somebody waits no longer.
pub(crate) fn gone(request: Request) {
    happens(|record| {
        let now = record.clock;
        record.life(request.number).gone = Some(now);
    });
}

/// A statement starts, in a task that went on at `went_on`.
pub(crate) fn starts(requests: &[Request], limits: LaneLimits, went_on: u64) -> usize {
    happens(|record| {
        assert!(!requests.is_empty(), "a statement for nobody");
        assert!(
            requests.len() <= limits.batch,
            "more in a statement than may"
        );
        record.in_flight += 1;
        assert!(
            record.in_flight <= limits.statements,
            "more statements than may"
        );
        let statement = record.statements.len();
        record.statements.push((record.clock, false));
        for request in requests {
            assert_eq!(
                request.group, requests[0].group,
                "who does not belong together"
            );
            let life = record.life(request.number);
            assert_eq!(life.statement, None, "{request:?} is in two statements");
            life.statement = Some(statement);
            assert!(
                life.gone.is_none_or(|gone| gone > went_on),
                "{request:?} had gone before the statement was made up"
            );
        }
        statement
    })
}

/// A statement has ended, or breaks off.
pub(crate) fn ends(statement: usize, breaks_off: bool) {
    happens(|record| {
        record.in_flight -= 1;
        record.statements[statement].1 = breaks_off;
    });
}

/// A caller hears of its request.
pub(crate) fn told(request: Request, answer: &Result<Answer, Unanswered>, limits: LaneLimits) {
    happens(|record| {
        let life = record.life(request.number);
        assert!(!life.told, "{request:?} is told twice");
        life.told = true;
        let (asked, statement) = (life.asked, life.statement);
        match answer {
            Ok(answer) => {
                let right = (request.number, request.outcome);
                assert_eq!((answer.number, answer.outcome), right, "another's answer");
                assert_eq!(Some(answer.statement), statement, "another statement's");
                let (started, _) = record.statements[answer.statement];
                assert!(
                    asked < started,
                    "{request:?} joined a statement that had started"
                );
            }
            Err(Unanswered::BrokenOff) => {
                let statement = statement.expect("only a statement can break off");
                assert!(record.statements[statement].1, "it did not break off");
            }
            Err(Unanswered::QueueFull) => {
                assert_eq!(statement, None, "{request:?} is refused and executed");
                // Those that may have waited at some moment since it was asked.
                let starts = &record.statements;
                let waiting = |life: &&Life| {
                    let started = life.statement.map(|statement| starts[statement].0);
                    let left = life.gone.into_iter().chain(started).min();
                    !life.told && left.is_none_or(|left| left > asked)
                        || life.told && started.is_some_and(|started| started > asked)
                };
                let waiting = record.lives.values().filter(waiting).count();
                assert!(waiting >= limits.queue, "refused, {waiting} are waiting");
            }
        }
    });
}

/// Nothing is in flight, and everybody was told who stayed.
pub(crate) fn at_the_end() {
    RECORD.with_borrow(|record| {
        assert_eq!(record.in_flight, 0, "statements in flight at the end");
        for (number, life) in &record.lives {
            assert!(
                life.told || life.gone.is_some(),
                "{number} was told nothing"
            );
        }
    });
}

impl Record {
    fn life(&mut self, number: u32) -> &mut Life {
        self.lives.get_mut(&number).expect("it was asked before")
    }
}
