//! Callers that ask, wait and leave, and statements that take their time, as the dice plan it.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use shuttle::future::{block_on, spawn, yield_now};
use shuttle::rand::{Rng, rngs::ThreadRng, thread_rng};

use crate::lane::{Lane, LaneLimits, Work};
use crate::record::{self, Answer, Outcome, Request};
use crate::scheduling;

/// How often others may go first before a task that goes on at the end must have ended.
const LAST_STEPS: usize = 1000;

/// Who asks for what, and how much the lane may do.
struct Plan {
    limits: LaneLimits,
    /// What each caller asks for, one after the other.
    callers: Vec<Vec<(Request, Patience)>>,
}

/// How long a caller waits.
#[derive(Clone, Copy, Debug)]
enum Patience {
    Endless,
    /// It leaves after it has looked so often.
    Looks(u32),
}

impl Plan {
    /// What the dice say, which are the scheduler's.
    fn new() -> Self {
        let mut dice = thread_rng();
        let limits = LaneLimits {
            statements: dice.gen_range(1..=3),
            batch: dice.gen_range(1..=4),
            queue: dice.gen_range(1..=6),
        };
        let groups = dice.gen_range(1..=3);
        let trouble = dice.gen_range(0.0..0.4);
        let mut numbers = 0..;
        let mut request = |dice: &mut ThreadRng| Request {
            number: numbers.next().expect("they are endless"),
            group: dice.gen_range(0..groups),
            outcome: if !dice.gen_bool(trouble) {
                Outcome::Success
            } else if dice.gen_bool(0.5) {
                Outcome::Error
            } else {
                Outcome::BreaksOff
            },
        };
        let patience = |dice: &mut ThreadRng| {
            if dice.gen_bool(trouble) {
                Patience::Looks(dice.gen_range(1..=4))
            } else {
                Patience::Endless
            }
        };
        let callers = (0..dice.gen_range(1..=6)).map(|_| {
            let requests = 0..dice.gen_range(1..=4);
            requests
                .map(|_| (request(&mut dice), patience(&mut dice)))
                .collect()
        });
        let callers = callers.collect();
        Self { limits, callers }
    }
}

/// Makes a plan and carries it out.
pub(crate) fn run() {
    record::reset();
    scheduling::reset();
    let Plan { limits, callers } = Plan::new();
    let lane = Lane::new(Statements(limits), limits);
    let callers = callers.into_iter().map(|requests| {
        let lane = Arc::clone(&lane);
        spawn(async move {
            for (request, patience) in requests {
                ask(&lane, request, patience, limits).await;
            }
        })
    });
    let callers: Vec<_> = callers.collect();
    block_on(async {
        for caller in callers {
            caller.await.expect("nobody stops a caller");
        }
        // Whatever has happened, the lane goes on.
        let last = Request {
            number: u32::MAX,
            group: 0,
            outcome: Outcome::Success,
        };
        ask(&lane, last, Patience::Endless, limits).await;
        for _ in 0..LAST_STEPS {
            if scheduling::open() == 0 {
                break;
            }
            yield_now().await;
        }
        assert_eq!(scheduling::open(), 0, "tasks that do not end");
        assert_eq!(lane.waiting(), 0, "requests that nobody waits for");
        record::at_the_end();
    });
}

async fn ask(
    lane: &Arc<Lane<Statements>>,
    request: Request,
    patience: Patience,
    limits: LaneLimits,
) {
    record::asked(request);
    let mut asked = Box::pin(lane.ask(request));
    let answer = match patience {
        Patience::Endless => asked.await,
        Patience::Looks(looks) => {
            let mut looks = 0..looks;
            loop {
                let look = poll_fn(|context| Poll::Ready(asked.as_mut().poll(context)));
                if let Poll::Ready(answer) = look.await {
                    break answer;
                }
                if looks.next().is_none() {
                    drop(asked);
                    return record::gone(request);
                }
                yield_now().await;
                look_at(lane, limits);
            }
        }
    };
    record::told(request, &answer, limits);
    look_at(lane, limits);
}

/// Nobody waits who need not, and no more than may.
fn look_at(lane: &Arc<Lane<Statements>>, limits: LaneLimits) {
    let moment = || (record::now(), scheduling::open());
    let before = moment();
    let waiting = lane.waiting();
    assert!(waiting <= limits.queue as u64, "more are waiting than may");
    // Others may have gone on while the lane was asked.
    if waiting > 0 && moment() == before {
        let (in_flight, open) = (record::in_flight(), scheduling::open());
        assert!(
            in_flight == limits.statements || open > in_flight,
            "a statement may start, {waiting} are waiting, and nobody is about to start it"
        );
    }
}

/// A database of the check.
struct Statements(LaneLimits);

impl Work for Statements {
    const NAME: &'static str = "a statement";

    type Request = Request;
    type Answer = Answer;

    fn together(first: &Request, next: &Request) -> bool {
        first.group == next.group
    }

    async fn run(&self, requests: Vec<Request>) -> Vec<Answer> {
        let statement = record::starts(&requests, self.0, scheduling::went_on());
        for _ in 0..thread_rng().gen_range(0..4) {
            yield_now().await;
        }
        let breaks_off = |request: &Request| request.outcome == Outcome::BreaksOff;
        if requests.iter().any(breaks_off) {
            record::ends(statement, true);
            return scheduling::break_off().await;
        }
        record::ends(statement, false);
        let answer = |request: &Request| Answer {
            number: request.number,
            outcome: request.outcome,
            statement,
        };
        requests.iter().map(answer).collect()
    }
}
