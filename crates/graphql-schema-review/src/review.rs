//! The changes of a contract, and which of them were accepted.

use std::{cell::LazyCell, collections::HashMap, fmt::Write};

use anstyle::AnsiColor;
use graphql_sdl::{Location, Problems, Schema};
use serde::Serialize;

use crate::{
    Change, Level,
    annotation::{Annotation, Severity, sorted},
    operations::{
        Checked, InvalidOperation, OperationName,
        report::{annotations, located, summary as operations_summary},
    },
    report::{Entry, Note, Report, first},
    usage::{Evidence, Judge, Usage},
};

/// The changes between two schemas, and which of them were accepted.
#[derive(Clone, Debug)]
pub struct Review {
    /// Every change, in the order of the coordinates.
    pub changes: Vec<Reviewed>,
    /// The invalid entries of the accepted changes in the policy.
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
        let changes = changes.into_iter().map(|change| Reviewed { change, accepted: None, breaks: None, usage: None });
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
                breaks.get_or_insert_default().push(broken.operation.clone());
            }
        }
        self.operations = Some(checked);
    }

    /// Adds to each breaking change what recorded use says about it. One that affects no client becomes dangerous.
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
        self.operations.iter().flat_map(|checked| &checked.broken).filter(|operation| {
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
        let levels = Level::ALL.into_iter().filter(|level| Some(*level) <= self.fail_on);
        levels.map(|level| self.count(level)).sum()
    }

    /// The number of changes of a level that were not accepted.
    pub fn count(&self, level: Level) -> usize {
        self.of_level(level).filter(|reviewed| reviewed.accepted.is_none()).count()
    }

    /// The number of accepted changes.
    pub fn accepted_count(&self) -> usize {
        self.changes.iter().filter(|reviewed| reviewed.accepted.is_some()).count()
    }

    fn of_level(&self, level: Level) -> impl Iterator<Item = &Reviewed> {
        self.changes.iter().filter(move |reviewed| reviewed.change.level == level)
    }

    /// The problems of the new schema, and the changes, the worst first, each with its locations, the reason for its level, the reason for its acceptance, the
    /// recorded use and the operations that it breaks.
    pub fn report(&self) -> Report {
        let changes = Level::ALL.into_iter().flat_map(|level| self.of_level(level)).map(entry);
        let invalid = self.invalid.iter().flatten().map(|problem| Entry {
            label: "error",
            colour: AnsiColor::Red,
            message: problem.message.clone(),
            rule: None,
            locations: problem.location().into_iter().collect(),
            details: Vec::new(),
            is_folded: false,
        });
        let problems = self.problems.iter().flatten();
        Report {
            subject: "Contract",
            entries: invalid.chain(changes).collect(),
            folded: "safe or accepted",
            notes: vec![
                Note {
                    label: "error",
                    heading: "Invalid entries of accepted changes",
                    lines: problems.map(ToString::to_string).collect(),
                },
                Note::unread(self.unread.as_ref()),
            ],
            summary: self.summary(),
            lists_all_notes: false,
        }
    }

    /// The changes that are breaking or dangerous and were not accepted, the problems of the new schema, the invalid entries of accepted
    /// changes, and the operations that stop working.
    pub fn annotations(&self, new: &Schema) -> Vec<Annotation> {
        let groups = [(&self.invalid, "INVALID"), (&self.problems, "ACCEPTED")];
        let problems = groups.into_iter().flat_map(|(problems, rule)| {
            problems.iter().flatten().map(move |problem| {
                let (location, lines) = (problem.location(), [problem.message.clone()]);
                Annotation::new(Severity::Error, location.as_ref(), rule, lines)
            })
        });
        let operations = self.broken_operations().flat_map(annotations);
        sorted(self.annotations_of_changes(new).chain(problems).chain(operations))
    }

    /// `2 breaking, 1 dangerous, 3 safe, 1 accepted`, and the summary of the operations.
    fn summary(&self) -> String {
        let mut summary = match self.changes[..] {
            [] => "no changes".to_owned(),
            _ => Level::ALL.map(|level| format!("{} {level}", self.count(level))).join(", "),
        };
        let accepted = self.accepted_count();
        if accepted > 0 {
            let _ = write!(summary, ", {accepted} accepted");
        }
        if let Some(checked) = &self.operations {
            let _ = write!(summary, "; {}", operations_summary(checked));
        }
        summary
    }

    /// What was removed is at the nearest part that the new schema has.
    fn annotations_of_changes(&self, new: &Schema) -> impl Iterator<Item = Annotation> {
        let locations = LazyCell::new(|| {
            let elements = new.elements().into_iter();
            let locations =
                elements.filter_map(|element| Some((element.coordinate(), new.location(element.name_span())?)));
            locations.collect::<HashMap<_, _>>()
        });
        let nearest = move |coordinate: &str| {
            let owner = coordinate.split_once('(').map_or(coordinate, |(owner, _)| owner);
            let ty = owner.split_once('.').map_or(owner, |(ty, _)| ty);
            let location = [owner, ty].into_iter().find_map(|near| locations.get(near));
            location.cloned().or_else(|| new.location_of_offset(0))
        };
        self.changes.iter().filter(|reviewed| reviewed.accepted.is_none()).filter_map(move |reviewed| {
            let change = &reviewed.change;
            let severity = match change.level {
                Level::Breaking => Severity::Error,
                Level::Dangerous => Severity::Warning,
                Level::Safe => return None,
            };
            let location = change.new.clone().or_else(|| nearest(&change.coordinate));
            let lines = [change.message.clone()].into_iter().chain(details(reviewed));
            let kind = change.kind.name();
            Some(Annotation::new(severity, location.as_ref(), kind, lines))
        })
    }
}

fn entry(reviewed: &Reviewed) -> Entry {
    let change = &reviewed.change;
    let breaks = reviewed.breaks.iter().flatten().next().is_some();
    Entry {
        label: change.level.name(),
        colour: match change.level {
            Level::Breaking => AnsiColor::Red,
            Level::Dangerous => AnsiColor::Yellow,
            Level::Safe => AnsiColor::Green,
        },
        message: change.message.clone(),
        rule: Some(change.kind.name()),
        locations: change.old.iter().chain(&change.new).cloned().collect(),
        details: details(reviewed),
        is_folded: reviewed.accepted.is_some() || change.level == Level::Safe && !breaks,
    }
}

/// The reason for its level, its acceptance, its recorded use, and `breaks query Books at books.graphql:1:1` for each
/// operation that stops working.
fn details(reviewed: &Reviewed) -> Vec<String> {
    let acceptance = reviewed.accepted.as_ref().map(|accepted| {
        let until = accepted.until.map(|day| format!(" until {day}"));
        format!("accepted{}: {}", until.unwrap_or_default(), accepted.reason)
    });
    let breaks = reviewed.breaks.as_deref().unwrap_or_default().iter();
    let breaks = breaks.map(|operation| format!("breaks {}", located(operation)));
    let mut details = vec![reviewed.change.reason.to_owned()];
    details.extend(acceptance);
    details.extend(reviewed.usage.as_ref().map(ToString::to_string));
    details.extend(first(breaks));
    details
}
