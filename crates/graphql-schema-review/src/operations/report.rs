//! The report of operations.

use std::{
    fmt::{self, Write},
    iter,
};

use anstyle::AnsiColor;
use graphql_sdl::{counted, excerpt};

use super::{Checked, InvalidOperation, OperationName, OperationProblem, UnusedFragment};
use crate::{
    Change,
    annotation::{Annotation, Severity, sorted},
    report::{Entry, Note, Report, first, one_line},
};

/// `query Books of "3f2a…"`.
impl fmt::Display for OperationName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(formatter, "{} {}", self.kind, excerpt(name))?,
            None => write!(formatter, "anonymous {}", self.kind)?,
        }
        match &self.id {
            Some(id) => write!(formatter, " of the document {:?}", excerpt(id)),
            None => Ok(()),
        }
    }
}

/// `clients/books.graphql:3:5: message`.
impl fmt::Display for OperationProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(location) = &self.location {
            write!(formatter, "{location}: ")?;
        }
        formatter.write_str(&one_line(&self.message))
    }
}

/// `2 of 57 operations stop working, 1 was not valid before`.
pub(crate) fn summary(checked: &Checked) -> String {
    let of = counted(checked.count, "operation");
    let mut summary = match checked.broken.len() {
        0 => format!("none of {of} stops working"),
        1 => format!("1 of {of} stops working"),
        broken => format!("{broken} of {of} stop working"),
    };
    let before = checked.invalid_before.len();
    if before > 0 {
        let verb = if before == 1 { "was" } else { "were" };
        let _ = write!(summary, ", {before} {verb} not valid before");
    }
    if !checked.unchecked.is_empty() {
        let _ = write!(summary, ", {} not checked", checked.unchecked.len());
    }
    summary
}

/// An operation and its location.
pub(crate) fn located(operation: &OperationName) -> String {
    match &operation.location {
        Some(location) => format!("{operation} at {location}"),
        None => operation.to_string(),
    }
}

/// `because field 'Book.title' was removed [FIELD_REMOVED]`, and the locations.
fn because(change: &Change) -> String {
    let mut cause = format!("because {} [{}]", one_line(&change.message), change.kind);
    for location in change.old.iter().chain(&change.new) {
        let _ = write!(cause, " at {location}");
    }
    cause
}

impl fmt::Display for UnusedFragment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = excerpt(&self.name);
        let location = &self.location;
        write!(formatter, "no operation uses the fragment {name:?} at {location}")
    }
}

impl Checked {
    /// The operations that stop working with the changes responsible, those that were not valid before, and what was not
    /// checked.
    pub fn report(&self) -> Report {
        let groups =
            [(&self.broken, "broken", AnsiColor::Red), (&self.invalid_before, "not valid before", AnsiColor::Yellow)];
        let entries = groups.into_iter().flat_map(|(operations, label, colour)| {
            operations.iter().map(move |invalid| Entry {
                label,
                colour,
                message: invalid.operation.to_string(),
                rule: None,
                locations: invalid.operation.location.iter().cloned().collect(),
                details: [first(invalid.problems.iter()), first(invalid.changes.iter().map(because))].concat(),
                is_folded: label != "broken",
            })
        });
        let unused = self.unused.iter().map(ToString::to_string);
        let omitted = (self.omitted_tests > 0).then(|| {
            let files = counted(self.omitted_tests, "file");
            format!("{files} of tests and stories (--include-tests)")
        });
        let unchecked = self.unchecked.iter().map(|one| format!("{} at {}", one_line(&one.reason), one.location));
        Report {
            subject: "Operations",
            entries: entries.collect(),
            folded: "not valid before",
            notes: vec![
                Note {
                    label: "not checked",
                    heading: "Not checked",
                    lines: omitted.into_iter().chain(unused).chain(unchecked).collect(),
                },
                Note::unread(self.unread.as_ref()),
            ],
            summary: summary(self),
            lists_all_notes: false,
        }
    }

    /// The problems of the operations that stop working.
    pub fn annotations(&self) -> Vec<Annotation> {
        sorted(self.broken.iter().flat_map(annotations))
    }
}

/// The problems of an operation that stops working, at their lines.
pub(crate) fn annotations(operation: &InvalidOperation) -> impl Iterator<Item = Annotation> {
    let causes = first(operation.changes.iter().map(because));
    operation.problems.iter().map(move |problem| {
        let name = format!("{} stops working: {}", operation.operation, problem.message);
        let lines = iter::once(name).chain(causes.iter().cloned());
        let location = problem.location.as_ref();
        Annotation::new(Severity::Error, location, "OPERATION", lines)
    })
}
