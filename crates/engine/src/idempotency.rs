//! The idempotency key of a request: identifies its effects, so that a retry has none again.

use std::sync::atomic::{AtomicUsize, Ordering};

use sha2::{Digest, Sha256};

/// The index that an operation had in a batch of release 0.1.0, where stored keys have it.
const OPERATION: u64 = 0;

/// The idempotency key of an operation.
#[derive(Debug)]
pub struct IdempotencyKey {
    hash: [u8; 32],
    fields: AtomicUsize,
    replayed: AtomicUsize,
}

impl IdempotencyKey {
    /// The key that a client gave for an operation. Callers with different subjects have different keys.
    pub fn new(subject: Option<&str>, key: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update([u8::from(subject.is_some())]);
        for text in [subject.unwrap_or_default(), key] {
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text);
        }
        hash.update(OPERATION.to_be_bytes());
        Self {
            hash: hash.finalize().into(),
            fields: AtomicUsize::new(0),
            replayed: AtomicUsize::new(0),
        }
    }

    /// The numbers of fields that have used the key, and of those that had no effect again.
    pub fn uses(&self) -> (usize, usize) {
        let load = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        (load(&self.fields), load(&self.replayed))
    }

    /// The key of the root field at this position among those that create something, which counts as a use.
    pub(crate) fn field(&self, position: usize) -> FieldKey<'_> {
        self.fields.fetch_add(1, Ordering::Relaxed);
        FieldKey {
            key: self,
            position,
        }
    }
}

/// The idempotency key of a root field.
#[derive(Clone, Copy, Debug)]
pub struct FieldKey<'a> {
    key: &'a IdempotencyKey,
    position: usize,
}

impl FieldKey<'_> {
    /// The key of an item of the field: the first 16 bytes of SHA-256.
    pub fn item(self, index: usize) -> [u8; 16] {
        let mut hash = Sha256::new();
        hash.update(self.key.hash);
        for index in [self.position, index] {
            hash.update((index as u64).to_be_bytes());
        }
        let hash: [u8; 32] = hash.finalize().into();
        std::array::from_fn(|byte| hash[byte])
    }

    /// Records that the field had no effect again.
    pub fn record_replay(self) {
        self.key.replayed.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_part_of_a_key_changes_it() {
        let keys = [
            (None, "a", 0, 0),
            (Some(""), "a", 0, 0),
            (Some("a"), "", 0, 0),
            (Some("a"), "a", 0, 0),
            (None, "b", 0, 0),
            (None, "a", 1, 0),
            (None, "a", 0, 1),
        ];
        let derived = keys.map(|(subject, key, field, item)| {
            IdempotencyKey::new(subject, key).field(field).item(item)
        });
        let distinct: HashSet<_> = derived.into_iter().collect();
        assert_eq!(distinct.len(), keys.len());
    }
}
