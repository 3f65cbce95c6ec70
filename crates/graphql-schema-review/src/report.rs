//! Reports of changes: text for a terminal, JSON, and Markdown for a pull request.

use std::{fmt::Write, iter};

use anstyle::{AnsiColor, Style};
use graphql_sdl::{Location, Problems};

pub use crate::format::Colours;
use crate::{
    Level, Review, Reviewed,
    format::{
        UNREAD, add_lines, add_unread, escaped, lines_cell, locations_cell, to_json, unread_lines,
    },
    operations::report::{located, summary as operations_summary},
    text::{first, one_line},
};

/// `2 breaking, 1 dangerous, 3 safe, 1 accepted`, and the summary of the operations.
fn summary(review: &Review) -> String {
    let mut summary = match review.changes[..] {
        [] => "no changes".to_owned(),
        _ => Level::ALL
            .map(|level| format!("{} {level}", review.count(level)))
            .join(", "),
    };
    let accepted = review.accepted_count();
    if accepted > 0 {
        let _ = write!(summary, ", {accepted} accepted");
    }
    if let Some(checked) = &review.operations {
        let _ = write!(summary, "; {}", operations_summary(checked));
    }
    summary
}

/// The locations of the change in the old schema and in the new one.
fn locations(reviewed: &Reviewed) -> impl Iterator<Item = &Location> {
    let change = &reviewed.change;
    change.old.iter().chain(&change.new)
}

/// `accepted until 2027-01-31: reason`, if the change was accepted.
fn acceptance(reviewed: &Reviewed) -> Option<String> {
    let accepted = reviewed.accepted.as_ref()?;
    let until = accepted.until.map(|day| format!(" until {day}"));
    Some(format!(
        "accepted{}: {}",
        until.unwrap_or_default(),
        accepted.reason
    ))
}

/// Its acceptance, its recorded use, and `breaks query Books at books.graphql:1:1` for each operation
/// that stops working.
pub(crate) fn details(reviewed: &Reviewed) -> impl Iterator<Item = String> {
    let breaks = reviewed.breaks.as_deref().unwrap_or_default().iter();
    let breaks = breaks.map(|operation| format!("breaks {}", located(operation)));
    let evidence = reviewed.usage.as_ref().map(ToString::to_string);
    let details = acceptance(reviewed).into_iter().chain(evidence);
    details.chain(first(breaks))
}

/// For a terminal: the problems of a new schema that is not valid, and one line per change, the worst first, followed by its locations, the reason for
/// its level, the reason for its acceptance, the recorded use and the operations that it breaks. The
/// last line is the summary.
pub fn text(review: &Review, colours: Colours) -> String {
    let mut text = String::new();
    let dimmed = colours.style(Style::new().dimmed());
    let errors = |problems: &Option<Problems>, text: &mut String| {
        let style = colours.bold(AnsiColor::Red);
        for problem in problems.iter().flatten() {
            let _ = writeln!(text, "{style}error{style:#}: {problem}");
        }
    };
    errors(&review.invalid, &mut text);
    for level in Level::ALL {
        let style = colours.bold(match level {
            Level::Breaking => AnsiColor::Red,
            Level::Dangerous => AnsiColor::Yellow,
            Level::Safe => AnsiColor::Green,
        });
        for reviewed in review.of_level(level) {
            let change = &reviewed.change;
            let (message, kind) = (one_line(&change.message), change.kind);
            let _ = writeln!(
                text,
                "{style}{level}{style:#}: {message} {dimmed}[{kind}]{dimmed:#}"
            );
            for location in locations(reviewed) {
                let _ = writeln!(text, "  at {location}");
            }
            let _ = writeln!(text, "  {dimmed}{}{dimmed:#}", change.reason);
            for detail in details(reviewed) {
                let _ = writeln!(text, "  {detail}");
            }
        }
    }
    errors(&review.problems, &mut text);
    for problem in unread_lines(review.unread.as_ref()) {
        let _ = writeln!(text, "{UNREAD}: {problem}");
    }
    let _ = writeln!(text, "{}", summary(review));
    text
}

/// For programs: an array with one object per change, in the order of the coordinates:
/// `coordinate`, `kind`, `level`, `message`, `reason`, the locations `old` and `new` (`file`, `line`,
/// `column`, or null) and `accepted` (`reason`, `until`, `place`, or null), and
/// `breaks` (`name`, `kind`, `id`, `location`) if operations were checked, and `usage` (`verdict`) of
/// a breaking change if there is recorded use.
pub fn json(review: &Review) -> String {
    to_json(&review.changes)
}

/// For a pull request: breaking and dangerous changes in a table, safe and accepted ones collapsed.
pub fn markdown(review: &Review) -> String {
    let mut text = format!("### Contract: {}\n", summary(review));
    let errors = |problems: &Option<Problems>, title, text: &mut String| {
        if let Some(problems) = problems {
            let _ = write!(text, "\n**{title}:**\n\n");
            let lines = problems.iter().map(ToString::to_string);
            add_lines(text, lines.map(|line| format!("- {}", escaped(&line))));
        }
    };
    errors(&review.invalid, "The new contract is not valid", &mut text);
    let folded = |reviewed: &&Reviewed| {
        let breaks = reviewed.breaks.iter().flatten().next().is_some();
        reviewed.accepted.is_some() || reviewed.change.level == Level::Safe && !breaks
    };
    let levels = Level::ALL.into_iter();
    let changes = levels.flat_map(|level| review.of_level(level));
    let (hidden, shown): (Vec<_>, Vec<_>) = changes.partition(folded);
    if !shown.is_empty() {
        table(&shown, &mut text);
    }
    let accepted = "Invalid entries in the file of accepted changes";
    errors(&review.problems, accepted, &mut text);
    add_unread(&mut text, review.unread.as_ref());
    if !hidden.is_empty() {
        let _ = write!(
            text,
            "\n<details><summary>{} safe or accepted</summary>\n",
            hidden.len()
        );
        table(&hidden, &mut text);
        text.push_str("\n</details>\n");
    }
    text
}

fn table(changes: &[&Reviewed], text: &mut String) {
    text.push_str("\n| Level | Change | Location | Reason |\n|---|---|---|---|\n");
    let rows = changes.iter().map(|reviewed| {
        let change = &reviewed.change;
        let level = match change.level {
            Level::Breaking => "**breaking**",
            Level::Dangerous => "dangerous",
            Level::Safe => "safe",
        };
        let reasons = iter::once(change.reason.to_owned()).chain(details(reviewed));
        format!(
            "| {level} | {} | {} | {} |",
            escaped(&change.message),
            locations_cell(locations(reviewed)),
            lines_cell(reasons),
        )
    });
    add_lines(text, rows);
}
