//! The changes of a contract, with what its reviewers accepted of them.

use serde::Serialize;

use crate::{Change, Level, Place, Problems};

/// The changes between two schemas, and what was accepted of them.
#[derive(Clone, Debug)]
pub struct Review {
    /// Every change, in the order of the coordinates.
    pub changes: Vec<Reviewed>,
    /// The entries of the file of accepted changes that don't hold; see [`crate::accepted`].
    pub problems: Option<Problems>,
}

/// A change, and that it was accepted if it was.
#[derive(Clone, Debug, Serialize)]
pub struct Reviewed {
    /// The change.
    #[serde(flatten)]
    pub change: Change,
    /// Who reads the report is told this, and the change is no reason to fail.
    pub accepted: Option<Acceptance>,
}

/// That a change was accepted.
#[derive(Clone, Debug, Serialize)]
pub struct Acceptance {
    /// Why.
    pub reason: String,
    /// The last day of it; none if it has no end.
    pub until: Option<chrono::NaiveDate>,
    /// Where the entry stands.
    pub place: Place,
}

impl Review {
    /// The changes, none of them accepted.
    pub fn of(changes: Vec<Change>) -> Self {
        let changes = changes.into_iter().map(|change| Reviewed {
            change,
            accepted: None,
        });
        Self {
            changes: changes.collect(),
            problems: None,
        }
    }

    /// Whether nothing breaks that was not accepted, and every entry of the file of accepted
    /// changes holds.
    pub fn passes(&self) -> bool {
        let mut changes = self.changes.iter();
        let breaks = changes.any(|reviewed| {
            reviewed.change.level == Level::Breaking && reviewed.accepted.is_none()
        });
        !breaks && self.problems.is_none()
    }

    /// How many changes of a level were not accepted.
    pub fn count(&self, level: Level) -> usize {
        self.of_level(level)
            .filter(|reviewed| reviewed.accepted.is_none())
            .count()
    }

    /// How many changes were accepted.
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
