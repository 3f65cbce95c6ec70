//! The difference of two lists.

use std::{collections::HashMap, hash::Hash};

/// What remains of a list if each of the others is removed from it once. Entries are equal if their keys are.
pub(crate) fn without<T, K: Eq + Hash>(mut list: Vec<T>, others: &[T], key: impl Fn(&T) -> K) -> Vec<T> {
    let mut counts: HashMap<K, usize> = HashMap::new();
    for other in others {
        *counts.entry(key(other)).or_default() += 1;
    }
    list.retain(|one| match counts.get_mut(&key(one)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    list
}
