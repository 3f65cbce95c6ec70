//! The state of one request, and what its resolvers report.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use async_graphql::{Name, ServerError, Value, Variables};
use indexmap::IndexSet;

use crate::idempotency::IdempotencyKey;

/// The size of an error without its message: location, path, code.
const ERROR_BYTES: usize = 128;

/// The state that the resolvers of one request share.
pub(crate) struct RequestState {
    pub(super) variables: Variables,
    pub(super) idempotency_key: Option<Arc<IdempotencyKey>>,
    errors: Mutex<Vec<ServerError>>,
    /// The truncated lists, by the response key of their root field.
    truncated: Mutex<Vec<(Name, Value)>>,
    max_bytes: usize,
    /// The size of the response so far. Fields are written serially, so there is no concurrent change.
    written_bytes: AtomicUsize,
}

impl RequestState {
    /// Limits the size of fields and errors to `max_bytes`.
    pub(crate) fn new(
        variables: Variables,
        max_bytes: usize,
        idempotency_key: Option<Arc<IdempotencyKey>>,
    ) -> Self {
        Self {
            variables,
            idempotency_key,
            errors: Mutex::default(),
            truncated: Mutex::default(),
            max_bytes,
            written_bytes: AtomicUsize::new(0),
        }
    }

    /// Takes the reported errors.
    pub(crate) fn take_errors(&self) -> Vec<ServerError> {
        std::mem::take(&mut lock(&self.errors))
    }

    /// Takes the truncated lists, in the order of the root fields, which are resolved concurrently.
    pub(crate) fn take_truncated(&self, keys: &IndexSet<Name>) -> Vec<Value> {
        let mut entries = std::mem::take(&mut *lock(&self.truncated));
        entries.sort_by_key(|(key, _)| keys.get_index_of(key.as_str()));
        entries.into_iter().map(|(_, entry)| entry).collect()
    }

    /// Adds a truncated list below a root field.
    pub(super) fn truncated(&self, root: &Name, entry: Value) {
        lock(&self.truncated).push((root.clone(), entry));
    }

    /// The remaining size of the response.
    pub(crate) fn remaining_bytes(&self) -> usize {
        let written = self.written_bytes.load(Ordering::Relaxed);
        self.max_bytes.saturating_sub(written)
    }

    /// Whether the response is too large to be sent. What was written is incomplete.
    pub(crate) fn is_too_large(&self) -> bool {
        self.written_bytes.load(Ordering::Relaxed) > self.max_bytes
    }

    /// Counts what was written.
    pub(crate) fn written(&self, bytes: usize) {
        let written = self.written_bytes.load(Ordering::Relaxed);
        let written = written.saturating_add(bytes);
        self.written_bytes.store(written, Ordering::Relaxed);
    }

    /// Adds the error of a nullable field, which is null.
    pub(crate) fn report(&self, error: ServerError) -> Vec<u8> {
        self.written(ERROR_BYTES + error.message.len());
        if !self.is_too_large() {
            lock(&self.errors).push(error);
        }
        b"null".to_vec()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_truncated_lists_in_the_order_of_the_document() {
        let keys: IndexSet<Name> = ["z", "m", "a", "b"].map(Name::new).into_iter().collect();
        let request = RequestState::new(Variables::default(), 0, None);
        for key in ["a", "b", "z"] {
            request.truncated(&Name::new(key), Value::from(key));
        }
        let expected = ["z", "a", "b"].map(Value::from);
        assert_eq!(request.take_truncated(&keys), expected);
        assert!(request.take_truncated(&keys).is_empty());
    }
}
