//! The memory of partly received request bodies, and that of unsent responses: a budget of each for all connections.
//!
//! Each connection may use [`ALLOWANCE`] outside the budget, so that no client can block small requests
//! of others. Memory beyond it counts towards the budget. While more than a quarter of the budget is
//! used, a connection may use at most an equal share of that quarter, so that clients with large bodies
//! cannot starve others.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Bytes of a connection that do not count towards the budget.
const ALLOWANCE: usize = 16 * 1024;

/// Memory of an unfinished request besides the bytes of its body.
const OVERHEAD: usize = 4 * 1024;

/// Divisor of the budget: the quotient is the maximum of one connection, and what connections share
/// equally once more than that is used.
const SHARED_PART: usize = 4;

/// The budget, of this many bytes, is exceeded, and the connection uses more than its share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Exceeded(pub(super) usize);

/// The budget of all connections.
pub(super) struct BodyMemory {
    limit: usize,
    used: AtomicUsize,
    /// Number of connections that use more than the allowance.
    connections: AtomicUsize,
}

/// The memory of one connection.
pub(super) struct ConnectionMemory {
    budget: Arc<BodyMemory>,
    used: AtomicUsize,
}

/// The memory of one body, released on drop.
pub(super) struct Reservation {
    connection: Arc<ConnectionMemory>,
    bytes: usize,
}

impl BodyMemory {
    pub(super) fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self {
            limit,
            used: AtomicUsize::new(0),
            connections: AtomicUsize::new(0),
        })
    }

    pub(super) fn connection(self: &Arc<Self>) -> Arc<ConnectionMemory> {
        Arc::new(ConnectionMemory {
            budget: Arc::clone(self),
            used: AtomicUsize::new(0),
        })
    }

    fn exceeded(&self) -> Exceeded {
        Exceeded(self.limit)
    }
}

impl ConnectionMemory {
    /// Reserves memory for a body of which `bytes` were received.
    pub(super) fn reserve(self: &Arc<Self>, bytes: usize) -> Reservation {
        let mut reservation = Reservation {
            connection: Arc::clone(self),
            bytes: 0,
        };
        reservation.add(OVERHEAD + bytes);
        reservation
    }

    fn exceeds_share(&self) -> bool {
        let used = beyond_allowance(self.used.load(Ordering::Relaxed));
        let shared = self.budget.limit / SHARED_PART;
        let connections = self.budget.connections.load(Ordering::Relaxed).max(1);
        used > shared / connections && self.budget.used.load(Ordering::Relaxed) > shared
    }
}

impl Reservation {
    /// Counts `bytes` more, which are in memory already.
    pub(super) fn grow(&mut self, bytes: usize) -> Result<(), Exceeded> {
        self.add(bytes);
        let Self { connection, .. } = self;
        let budget = &connection.budget;
        let in_allowance = beyond_allowance(connection.used.load(Ordering::Relaxed)) == 0;
        if !in_allowance && budget.used.load(Ordering::Relaxed) > budget.limit {
            return Err(budget.exceeded());
        }
        self.check()
    }

    /// Checks the share of the connection, which shrinks when other connections use more memory.
    pub(super) fn check(&self) -> Result<(), Exceeded> {
        if self.connection.exceeds_share() {
            return Err(self.connection.budget.exceeded());
        }
        Ok(())
    }

    fn add(&mut self, bytes: usize) {
        self.bytes += bytes;
        let before = self.connection.used.fetch_add(bytes, Ordering::Relaxed);
        let counted = beyond_allowance(before);
        let more = beyond_allowance(before + bytes) - counted;
        if more > 0 {
            let budget = &self.connection.budget;
            budget.used.fetch_add(more, Ordering::Relaxed);
            if counted == 0 {
                budget.connections.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let before = self
            .connection
            .used
            .fetch_sub(self.bytes, Ordering::Relaxed);
        let remaining = beyond_allowance(before - self.bytes);
        let less = beyond_allowance(before) - remaining;
        if less > 0 {
            let budget = &self.connection.budget;
            budget.used.fetch_sub(less, Ordering::Relaxed);
            if remaining == 0 {
                budget.connections.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }
}

fn beyond_allowance(used: usize) -> usize {
    used.saturating_sub(ALLOWANCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: usize = 1024 * 1024;
    const SMALL: usize = ALLOWANCE - OVERHEAD;

    /// A body of this size on a new connection.
    fn body(memory: &Arc<BodyMemory>, bytes: usize) -> (Reservation, Result<(), Exceeded>) {
        let mut reservation = memory.connection().reserve(0);
        let grown = reservation.grow(bytes);
        (reservation, grown)
    }

    #[test]
    fn releases_the_memory_of_dropped_bodies() {
        let memory = BodyMemory::new(LIMIT);
        let connection = memory.connection();
        let bodies: Vec<_> = (0..10).map(|_| connection.reserve(0)).collect();
        assert_eq!(
            memory.used.load(Ordering::Relaxed),
            10 * OVERHEAD - ALLOWANCE
        );
        assert_eq!(memory.connections.load(Ordering::Relaxed), 1);
        drop(bodies);
        assert_eq!(memory.used.load(Ordering::Relaxed), 0);
        assert_eq!(memory.connections.load(Ordering::Relaxed), 0);
        assert_eq!(connection.used.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn reads_small_bodies_when_the_budget_is_exhausted() {
        let memory = BodyMemory::new(LIMIT);
        let large: Vec<_> = (0..100).map(|_| body(&memory, LIMIT)).collect();
        assert!(large.iter().all(|(_, grown)| grown.is_err()));
        assert_eq!(body(&memory, SMALL).1, Ok(()));
        assert_eq!(body(&memory, SMALL + 1).1, Err(Exceeded(LIMIT)));
    }

    #[test]
    fn limits_a_single_connection_to_a_quarter() {
        let memory = BodyMemory::new(LIMIT);
        let (mut quarter, grown) = body(&memory, LIMIT / 4 + SMALL);
        assert_eq!(grown, Ok(()));
        assert!(quarter.grow(1).is_err());
    }

    #[test]
    fn refuses_a_connection_that_exceeds_its_equal_share() {
        let memory = BodyMemory::new(LIMIT);
        let (early, grown) = body(&memory, LIMIT / 4);
        assert_eq!(grown, Ok(()));
        let (late, grown) = body(&memory, LIMIT / 16);
        assert_eq!(grown, Ok(()), "below an equal share");
        assert!(early.check().is_err());
        drop(early);
        assert_eq!(late.check(), Ok(()));
    }

    #[test]
    fn counts_the_bodies_of_a_connection_together() {
        let memory = BodyMemory::new(LIMIT);
        let connection = memory.connection();
        let mut bodies: Vec<_> = (0..4).map(|_| connection.reserve(0)).collect();
        let grown: Vec<_> = bodies
            .iter_mut()
            .map(|body| body.grow(LIMIT / 10).is_ok())
            .collect();
        assert_eq!(grown, [true, true, false, false]);
    }
}
