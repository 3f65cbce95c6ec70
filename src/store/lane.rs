//! Requests that wait at the same moment share a statement.
//!
//! There is no timer: a batch is what has come together while the statements before it were
//! running, or while the tasks that were ready had their turn. A request joins only a statement
//! that has not started, so it sees whatever was acknowledged before it was made. Every request
//! gets exactly one answer; who stops waiting gets none and leaves no trace, unless the statement
//! has started, which is finished in any case: statements run in tasks of their own.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

use tokio::sync::oneshot;

use super::scheduling::{Mutex, MutexGuard, spawn, yield_now};

use crate::trace::{Queued, Statement};

/// What the requests of a lane have in common.
pub(super) trait Work: Send + Sync + 'static {
    /// What one caller asks for.
    type Request: Send + 'static;
    /// What it is answered.
    type Answer: Send + 'static;

    /// The statement, as traces call it.
    const NAME: &'static str;

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
    /// In the order of arrival. While a statement may be started and nobody is about to, it is empty.
    queue: VecDeque<Waiting<W>>,
    /// Tasks that are about to start a statement.
    starting: usize,
    /// Tasks whose statement is in flight.
    running: usize,
}

struct Waiting<W: Work> {
    request: W::Request,
    caller: oneshot::Sender<W::Answer>,
    queued: Queued,
}

impl<W: Work> Lane<W> {
    pub(super) fn new(work: W, limits: LaneLimits) -> Arc<Self> {
        Arc::new(Self {
            work,
            limits,
            state: Mutex::new(State {
                queue: VecDeque::new(),
                starting: 0,
                running: 0,
            }),
        })
    }

    /// Waits for a statement that answers this request.
    pub(super) async fn ask(
        self: &Arc<Self>,
        request: W::Request,
    ) -> Result<W::Answer, Unanswered> {
        let (caller, answer) = oneshot::channel();
        let queued = Queued::now();
        self.join(Waiting {
            request,
            caller,
            queued,
        })?;
        answer.await.map_err(|_| Unanswered::BrokenOff)
    }

    /// How many requests wait for a statement.
    pub(super) fn waiting(&self) -> u64 {
        self.state().queue.len() as u64
    }

    fn join(self: &Arc<Self>, waiting: Waiting<W>) -> Result<(), Unanswered> {
        let mut state = self.state();
        if state.queue.len() >= self.limits.queue {
            state.queue.retain(|waiting| !waiting.caller.is_closed());
            if state.queue.len() >= self.limits.queue {
                return Err(Unanswered::QueueFull);
            }
        }
        state.queue.push_back(waiting);
        self.go_on(&mut state);
        Ok(())
    }

    /// Lets somebody start a statement, if there is one to start and nobody is about to.
    fn go_on(self: &Arc<Self>, state: &mut State<W>) {
        let free = state.running < self.limits.statements;
        if state.starting == 0 && free && !state.queue.is_empty() {
            state.starting = 1;
            spawn(Arc::clone(self).run());
        }
    }

    /// Starts one statement after the other, until nobody waits.
    async fn run(self: Arc<Self>) {
        loop {
            // Whoever else is ready to ask does so now.
            yield_now().await;
            let Some(batch) = self.start() else {
                return;
            };
            let running = Running(&self);
            let traced = Statement::begin(W::NAME, batch.iter().map(|waiting| &waiting.queued));
            let (requests, callers): (Vec<_>, Vec<_>) = batch
                .into_iter()
                .map(|waiting| (waiting.request, waiting.caller))
                .unzip();
            let answers = self.work.run(requests).await;
            drop(traced);
            for (answer, caller) in answers.into_iter().zip(callers) {
                // Who is gone does not miss it.
                drop(caller.send(answer));
            }
            if running.end() == Next::Nothing {
                return;
            }
        }
    }

    /// The requests of the next statement. Nothing if all are gone: then the task has to end.
    fn start(self: &Arc<Self>) -> Option<Vec<Waiting<W>>> {
        let mut state = self.state();
        state.starting -= 1;
        let batch = state.next_batch(self.limits.batch);
        if batch.is_empty() {
            return None;
        }
        state.running += 1;
        self.go_on(&mut state);
        Some(batch)
    }

    fn state(&self) -> MutexGuard<'_, State<W>> {
        // Nothing that is done under the lock can panic halfway.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: Work> State<W> {
    /// Those at the front of the queue that go together, in their order. The others stay in theirs.
    fn next_batch(&mut self, most: usize) -> Vec<Waiting<W>> {
        let mut batch: Vec<Waiting<W>> = Vec::new();
        let mut others = Vec::new();
        while batch.len() < most
            && let Some(waiting) = self.queue.pop_front()
        {
            if waiting.caller.is_closed() {
                continue;
            }
            match batch.first() {
                Some(first) if !W::together(&first.request, &waiting.request) => {
                    others.push(waiting);
                }
                _ => batch.push(waiting),
            }
        }
        for waiting in others.into_iter().rev() {
            self.queue.push_front(waiting);
        }
        batch
    }
}

/// A statement in flight.
struct Running<'a, W: Work>(&'a Arc<Lane<W>>);

/// What a task does after its statement.
#[derive(PartialEq, Eq)]
enum Next {
    /// It is about to start another.
    Statement,
    /// It has to end.
    Nothing,
}

impl<W: Work> Running<'_, W> {
    fn end(self) -> Next {
        let lane = self.0;
        std::mem::forget(self);
        let mut state = lane.state();
        state.running -= 1;
        if state.starting > 0 || state.queue.is_empty() {
            return Next::Nothing;
        }
        state.starting = 1;
        Next::Statement
    }
}

impl<W: Work> Drop for Running<'_, W> {
    /// The statement has broken off, and with it the task.
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.running -= 1;
        self.0.go_on(&mut state);
    }
}
