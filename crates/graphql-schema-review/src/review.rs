//! The changes of a contract, and which of them were accepted.

use graphql_sdl::{Location, Problems, Schema};
use serde::Serialize;

use crate::{
    Change, Level,
    operations::{Checked, InvalidOperation, OperationName},
    usage::{Evidence, Judge, Usage},
};

/// The changes between two schemas, and which of them were accepted.
#[derive(Clone, Debug)]
pub struct Review {
    /// Every change, in the order of the coordinates.
    pub changes: Vec<Reviewed>,
    /// The invalid entries of the file of accepted changes; see [`crate::accepted`].
    pub problems: Option<Problems>,
    /// The problems of a new schema that is not valid, of which the rest was compared.
    pub invalid: Option<Problems>,
    /// The problems of an old schema that is not valid, of which the rest was compared.
    pub unread: Option<Problems>,
    /// The operations of clients, if they were checked.
    pub operations: Option<Checked>,
    /// The last of the levels that fail the review, by default breaking; `None` if no change and no operation fails it.
    pub fail_on: Option<Level>,
}

/// A change, and its acceptance if it was accepted.
#[derive(Clone, Debug, Serialize)]
pub struct Reviewed {
    /// The change.
    #[serde(flatten)]
    pub change: Change,
    /// An accepted change does not fail the review.
    pub accepted: Option<Acceptance>,
    /// The operations that stop working because of it, if operations were checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breaks: Option<Vec<OperationName>>,
    /// What recorded use says about a breaking change, if there is recorded use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Evidence>,
}

/// The acceptance of a change.
#[derive(Clone, Debug, Serialize)]
pub struct Acceptance {
    /// Why the change was accepted.
    pub reason: String,
    /// The last day of the acceptance; `None` if it does not expire.
    pub until: Option<chrono::NaiveDate>,
    /// The location of the entry.
    #[serde(rename = "place")]
    pub location: Location,
}

impl Review {
    /// The changes, none of them accepted.
    pub fn new(changes: Vec<Change>) -> Self {
        let changes = changes.into_iter().map(|change| Reviewed {
            change,
            accepted: None,
            breaks: None,
            usage: None,
        });
        Self {
            changes: changes.collect(),
            problems: None,
            invalid: None,
            unread: None,
            operations: None,
            fail_on: Some(Level::Breaking),
        }
    }

    /// Adds to each change the operations that stop working because of it. They were checked with
    /// the same changes.
    pub fn add_operations(&mut self, checked: Checked) {
        for reviewed in &mut self.changes {
            reviewed.breaks = Some(Vec::new());
        }
        for broken in &checked.broken {
            for index in &broken.change_indices {
                let breaks = &mut self.changes[*index].breaks;
                breaks
                    .get_or_insert_default()
                    .push(broken.operation.clone());
            }
        }
        self.operations = Some(checked);
    }

    /// Adds to each breaking change what recorded use says about it. One that affects nobody becomes dangerous.
    pub fn add_usage(&mut self, usage: &Usage, old: &Schema, new: &Schema) {
        let judge = Judge::new(usage, old, new);
        for reviewed in &mut self.changes {
            reviewed.usage = judge.evidence(&reviewed.change);
            if matches!(reviewed.usage, Some(Evidence::Unused { .. })) {
                reviewed.change.level = Level::Dangerous;
            }
        }
    }

    /// The operations that stop working because of a change that was not accepted.
    pub fn broken_operations(&self) -> impl Iterator<Item = &InvalidOperation> {
        let broken = self.operations.iter().flat_map(|checked| &checked.broken);
        broken.filter(|operation| {
            let indices = &operation.change_indices;
            let mut changes = indices.iter().map(|index| &self.changes[*index]);
            indices.is_empty() || changes.any(|reviewed| reviewed.accepted.is_none())
        })
    }

    /// Whether the new schema is valid, every change of a level that fails the review was accepted and every entry of the file
    /// of accepted changes is valid, and no operation stops working because of another change.
    pub fn passes(&self) -> bool {
        let is_broken = self.fail_on.is_some() && self.broken_operations().next().is_some();
        let is_valid = self.invalid.is_none() && self.problems.is_none();
        self.failing_count() == 0 && is_valid && !is_broken
    }

    /// The number of changes that fail the review: those of its levels that were not accepted.
    pub fn failing_count(&self) -> usize {
        let levels = Level::ALL.into_iter();
        let levels = levels.filter(|level| Some(*level) <= self.fail_on);
        levels.map(|level| self.count(level)).sum()
    }

    /// The number of changes of a level that were not accepted.
    pub fn count(&self, level: Level) -> usize {
        self.of_level(level)
            .filter(|reviewed| reviewed.accepted.is_none())
            .count()
    }

    /// The number of accepted changes.
    pub fn accepted_count(&self) -> usize {
        let changes = self.changes.iter();
        changes
            .filter(|reviewed| reviewed.accepted.is_some())
            .count()
    }

    pub(crate) fn of_level(&self, level: Level) -> impl Iterator<Item = &Reviewed> {
        let changes = self.changes.iter();
        changes.filter(move |reviewed| reviewed.change.level == level)
    }
}
