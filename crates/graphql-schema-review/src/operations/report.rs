//! Reports of operations: text for a terminal, JSON, and Markdown for a pull request.

use std::fmt::{self, Write};

use anstyle::AnsiColor;

use super::{Checked, InvalidOperation, OperationName, OperationProblem, UnusedFragment};
use crate::{
    Change,
    format::{
        Colours, UNREAD, add_lines, add_unread, escaped, lines_cell, locations_cell, to_json,
        unread_lines,
    },
    text::{counted, first, one_line},
};

/// `query Books of "3f2a…"`.
impl fmt::Display for OperationName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(formatter, "{} {}", self.kind, graphql_sdl::excerpt(name))?,
            None => write!(formatter, "anonymous {}", self.kind)?,
        }
        match &self.id {
            Some(id) => write!(formatter, " of the document {:?}", graphql_sdl::excerpt(id)),
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

/// `field 'Book.title' was removed [FIELD_REMOVED]`, and the locations.
pub(crate) fn cause(change: &Change) -> String {
    let mut cause = format!("{} [{}]", one_line(&change.message), change.kind);
    for location in change.old.iter().chain(&change.new) {
        let _ = write!(cause, " at {location}");
    }
    cause
}

/// For a terminal: each operation that stops working with its location, the problems and the
/// changes, then those that were not valid before. The last line is the summary.
pub fn text(checked: &Checked, colours: Colours) -> String {
    let mut text = String::new();
    for (operations, label, colour) in [
        (&checked.broken, "broken", AnsiColor::Red),
        (
            &checked.invalid_before,
            "not valid before",
            AnsiColor::Yellow,
        ),
    ] {
        let style = colours.bold(colour);
        for invalid in operations {
            let operation = &invalid.operation;
            let _ = writeln!(text, "{style}{label}{style:#}: {operation}");
            if let Some(location) = &operation.location {
                let _ = writeln!(text, "  at {location}");
            }
            for problem in first(invalid.problems.iter()) {
                let _ = writeln!(text, "  {problem}");
            }
            for cause in first(invalid.changes.iter().map(cause)) {
                let _ = writeln!(text, "  because {cause}");
            }
        }
    }
    for unchecked in unchecked(checked) {
        let _ = writeln!(text, "not checked: {unchecked}");
    }
    for problem in unread_lines(checked.unread.as_ref()) {
        let _ = writeln!(text, "{UNREAD}: {problem}");
    }
    let _ = writeln!(text, "{}", summary(checked));
    text
}

impl fmt::Display for UnusedFragment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = graphql_sdl::excerpt(&self.name);
        let location = &self.location;
        write!(
            formatter,
            "no operation uses the fragment {name:?} at {location}"
        )
    }
}

/// What is not checked.
fn unchecked(checked: &Checked) -> Vec<String> {
    let unchecked = first(checked.unchecked.iter().map(|one| {
        let reason = one_line(&one.reason);
        format!("{reason} at {}", one.location)
    }));
    let omitted = match checked.omitted_tests {
        0 => None,
        count => Some(format!(
            "{} of tests and stories (--include-tests)",
            counted(count, "file")
        )),
    };
    [
        first(checked.unused.iter()),
        unchecked,
        Vec::from_iter(omitted),
    ]
    .concat()
}

/// For programs: an object with the number of `operations`, the lists `broken` and `invalid_before`
/// (`name`, `kind`, `id`, `location`, `problems`, `changes` as in the report of changes) and
/// `unused_fragments`, `unchecked` (`location`, `reason`), and the number of `omitted_tests`.
pub fn json(checked: &Checked) -> String {
    to_json(checked)
}

/// For a pull request.
pub fn markdown(checked: &Checked) -> String {
    let mut text = format!("### Operations: {}\n", summary(checked));
    table(&checked.broken, &mut text);
    if !checked.invalid_before.is_empty() {
        let count = checked.invalid_before.len();
        let _ = write!(
            text,
            "\n<details><summary>{count} not valid before</summary>\n"
        );
        table(&checked.invalid_before, &mut text);
        text.push_str("\n</details>\n");
    }
    let unchecked = unchecked(checked);
    if !unchecked.is_empty() {
        text.push_str("\n**Not checked:**\n\n");
        let lines = unchecked.iter().map(|line| format!("- {}", escaped(line)));
        add_lines(&mut text, lines);
    }
    add_unread(&mut text, checked.unread.as_ref());
    text
}

fn table(operations: &[InvalidOperation], text: &mut String) {
    if operations.is_empty() {
        return;
    }
    text.push_str("\n| Operation | Location | Problem | Change |\n|---|---|---|---|\n");
    let rows = operations.iter().map(|invalid| {
        let operation = &invalid.operation;
        format!(
            "| {} | {} | {} | {} |",
            escaped(&operation.to_string()),
            locations_cell(&operation.location),
            lines_cell(first(invalid.problems.iter())),
            lines_cell(first(invalid.changes.iter().map(cause))),
        )
    });
    add_lines(text, rows);
}
