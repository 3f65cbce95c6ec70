//! A budget of memory for everything of one kind that requests keep.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// The budget, of this many bytes, is exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Exceeded(pub(super) usize);

/// A budget. Clones share it.
#[derive(Clone)]
pub(super) struct Budget(Arc<State>);

struct State {
    limit: usize,
    used: AtomicUsize,
}

/// A part of a budget, released when it is dropped.
pub(super) struct Reservation {
    budget: Budget,
    bytes: usize,
}

impl Budget {
    pub(super) fn new(limit: usize) -> Self {
        let used = AtomicUsize::new(0);
        Self(Arc::new(State { limit, used }))
    }

    /// Reserves so many bytes.
    pub(super) fn reserve(&self, bytes: usize) -> Result<Reservation, Exceeded> {
        let budget = self.clone();
        let mut reservation = Reservation { budget, bytes: 0 };
        reservation.grow(bytes)?;
        Ok(reservation)
    }
}

impl Reservation {
    /// Reserves so many bytes more.
    pub(super) fn grow(&mut self, bytes: usize) -> Result<(), Exceeded> {
        let State { limit, used } = &*self.budget.0;
        let before = used.fetch_add(bytes, Ordering::Relaxed);
        self.bytes += bytes;
        if before.saturating_add(bytes) > *limit {
            return Err(Exceeded(*limit));
        }
        Ok(())
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.budget.0.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, Exceeded};

    #[test]
    fn a_budget_can_be_used_to_its_limit_and_again_after_a_release() {
        let budget = Budget::new(100);
        let mut first = budget.reserve(60).ok();
        assert_eq!(budget.reserve(41).err(), Some(Exceeded(100)));
        assert_eq!(first.as_mut().map(|first| first.grow(40)), Some(Ok(())));
        assert!(budget.reserve(1).is_err());
        drop(first);
        assert!(budget.reserve(100).is_ok());
    }
}
