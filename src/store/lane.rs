//! Requests that wait at the same moment share a statement.
//!
//! There is no timer: a batch is what has come together while the statements before it were
//! running, or while the tasks that were ready had their turn. A request joins only a statement
//! that has not started, so it sees whatever was acknowledged before it was made. One of those who
//! wait leads: it runs the statement for all in its own task, so that a lone request is handed to
//! nobody. Every request gets exactly one answer; who stops waiting gets none and leaves no trace,
//! unless the statement has started, which is then finished for the others.

mod detached;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use tokio::task::yield_now;

use detached::Detached;

/// What the requests of a lane have in common.
pub(super) trait Work: Send + Sync + 'static {
    /// What one caller asks for.
    type Request: Send + 'static;
    /// What it is answered.
    type Answer: Send + 'static;

    /// Whether the statement for `first` can answer `next` too.
    fn together(first: &Self::Request, next: &Self::Request) -> bool;

    /// Runs the statement: as many answers as requests, in their order.
    fn run(&self, requests: Vec<Self::Request>) -> impl Future<Output = Vec<Self::Answer>> + Send;
}

/// How much a lane does at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneLimits {
    /// Statements in flight.
    pub(super) statements: usize,
    /// Requests in a statement.
    pub(super) batch: usize,
    /// Requests that wait for a statement.
    pub(super) queue: usize,
}

/// Why a request was not answered.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unanswered {
    /// As many requests wait already as may.
    QueueFull,
    /// The statement broke off with a panic.
    BrokenOff,
}

/// A queue of requests and the statements that answer them.
pub(super) struct Lane<W: Work> {
    work: W,
    limits: LaneLimits,
    state: Mutex<State<W>>,
}

struct State<W: Work> {
    /// In the order of arrival. If somebody leads, its own request is the first.
    queue: VecDeque<Waiting<W>>,
    /// Whether somebody was chosen to start the next statement and has not done so yet. If nobody
    /// was although a statement could be started, the queue is empty.
    led: bool,
    /// Statements in flight.
    running: usize,
}

struct Waiting<W: Work> {
    request: W::Request,
    /// Who asked; nobody but the leader's own request has none.
    caller: Option<oneshot::Sender<Turn<W>>>,
}

/// What one who waits is told.
enum Turn<W: Work> {
    /// To start the next statement.
    Lead,
    /// The answer.
    Answer(W::Answer),
}

impl<W: Work> Lane<W> {
    pub(super) fn new(work: W, limits: LaneLimits) -> Arc<Self> {
        Arc::new(Self {
            work,
            limits,
            state: Mutex::new(State {
                queue: VecDeque::new(),
                led: false,
                running: 0,
            }),
        })
    }

    /// What the lane does.
    pub(super) fn work(&self) -> &W {
        &self.work
    }

    /// The requests that wait, and the statements in flight.
    pub(super) fn load(&self) -> (usize, usize) {
        let state = self.state();
        (state.queue.len(), state.running)
    }

    /// Waits for a statement that answers this request.
    pub(super) async fn ask(
        self: &Arc<Self>,
        request: W::Request,
    ) -> Result<W::Answer, Unanswered> {
        let mut place = self.join(request)?;
        if let Role::Follower(turn) = &mut place.role {
            match turn.await {
                Ok(Turn::Lead) => place.role = Role::Leader,
                Ok(Turn::Answer(answer)) => {
                    place.role = Role::Answered;
                    return Ok(answer);
                }
                Err(_) => return Err(Unanswered::BrokenOff),
            }
        }
        // Whoever else is ready to ask does so now.
        yield_now().await;
        let batch = self.start();
        place.role = Role::Answered;
        Detached::new(Arc::clone(self).run(batch)).await
    }

    fn join(self: &Arc<Self>, request: W::Request) -> Result<Place<W>, Unanswered> {
        let mut state = self.state();
        if state.queue.len() >= self.limits.queue {
            state.forget_the_gone();
            if state.queue.len() >= self.limits.queue {
                return Err(Unanswered::QueueFull);
            }
        }
        let leads = !state.led && state.running < self.limits.statements;
        let (caller, role) = if leads {
            state.led = true;
            (None, Role::Leader)
        } else {
            let (sender, turn) = oneshot::channel();
            (Some(sender), Role::Follower(turn))
        };
        state.queue.push_back(Waiting { request, caller });
        drop(state);
        Ok(Place {
            lane: Arc::clone(self),
            role,
        })
    }

    /// Takes the requests of the next statement out of the queue, the leader's own first.
    fn start(&self) -> Vec<Waiting<W>> {
        let mut state = self.state();
        state.led = false;
        state.running += 1;
        let batch = state.next_batch(self.limits.batch);
        self.go_on(&mut state);
        batch
    }

    async fn run(self: Arc<Self>, batch: Vec<Waiting<W>>) -> Result<W::Answer, Unanswered> {
        let running = Running(Arc::clone(&self));
        let (requests, callers): (Vec<_>, Vec<_>) = batch
            .into_iter()
            .map(|waiting| (waiting.request, waiting.caller))
            .unzip();
        let answers = self.work.run(requests).await;
        // The next statement starts before the answers of this one are passed on.
        drop(running);
        let mut own = Err(Unanswered::BrokenOff);
        for (answer, caller) in answers.into_iter().zip(callers) {
            match caller {
                // Who is gone does not miss it.
                Some(caller) => drop(caller.send(Turn::Answer(answer))),
                None => own = Ok(answer),
            }
        }
        own
    }

    /// Chooses who starts the next statement, if there is one to start.
    fn go_on(&self, state: &mut State<W>) {
        while !state.led && state.running < self.limits.statements {
            let Some(first) = state.queue.front_mut() else {
                return;
            };
            let caller = first.caller.take();
            if caller.is_some_and(|caller| caller.send(Turn::Lead).is_ok()) {
                state.led = true;
            } else {
                state.queue.pop_front();
            }
        }
    }

    /// The leader went without starting the statement.
    fn resign(&self) {
        let mut state = self.state();
        state.led = false;
        state.queue.pop_front();
        self.go_on(&mut state);
    }

    fn state(&self) -> MutexGuard<'_, State<W>> {
        // Nothing that is done under the lock can panic halfway.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: Work> State<W> {
    fn next_batch(&mut self, most: usize) -> Vec<Waiting<W>> {
        let mut batch: Vec<Waiting<W>> = Vec::new();
        let mut others = Vec::new();
        while batch.len() < most
            && let Some(waiting) = self.queue.pop_front()
        {
            let joins = match batch.first() {
                Some(first) => W::together(&first.request, &waiting.request),
                None => true,
            };
            if waiting.is_gone() {
                continue;
            } else if joins {
                batch.push(waiting);
            } else {
                others.push(waiting);
            }
        }
        for waiting in others.into_iter().rev() {
            self.queue.push_front(waiting);
        }
        batch
    }

    fn forget_the_gone(&mut self) {
        self.queue.retain(|waiting| !waiting.is_gone());
    }
}

impl<W: Work> Waiting<W> {
    fn is_gone(&self) -> bool {
        self.caller.as_ref().is_some_and(oneshot::Sender::is_closed)
    }
}

/// A statement in flight.
struct Running<W: Work>(Arc<Lane<W>>);

impl<W: Work> Drop for Running<W> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.running -= 1;
        self.0.go_on(&mut state);
    }
}

/// A caller's place in the queue.
struct Place<W: Work> {
    lane: Arc<Lane<W>>,
    role: Role<W>,
}

enum Role<W: Work> {
    Leader,
    Follower(oneshot::Receiver<Turn<W>>),
    Answered,
}

impl<W: Work> Drop for Place<W> {
    fn drop(&mut self) {
        match &mut self.role {
            Role::Leader => self.lane.resign(),
            Role::Follower(turn) => {
                turn.close();
                // Chosen to lead, and gone before it knew.
                if matches!(turn.try_recv(), Ok(Turn::Lead)) {
                    self.lane.resign();
                }
            }
            Role::Answered => {}
        }
    }
}
