//! Reports of deprecated elements and their callers: text for a terminal, JSON, and Markdown.

use std::fmt::Write;

use anstyle::AnsiColor;
use chrono::{DateTime, Utc};
use schema::{Gap, Schema};
use serde::Serialize;

use super::{CallerUse, DeprecatedUse, Usage};
use crate::{
    format::{Colours, add_lines, code, escaped, lines_cell, locations_cell, to_json},
    text::{counted, one_line, shortened},
};

/// `1 of 2 deprecated elements is used; recorded by 3 instances from 2026-08-24 to 2026-11-22, with 1 gap`.
fn summary(usage: &Usage, deprecated: &[DeprecatedUse]) -> String {
    let used = deprecated
        .iter()
        .filter(|element| !element.callers.is_empty());
    let mut summary = match (used.count(), deprecated.len()) {
        (_, 0) => "nothing is deprecated".to_owned(),
        (0, 1) => "the deprecated element is not used".to_owned(),
        (_, 1) => "the deprecated element is used".to_owned(),
        (1, all) => format!("1 of {all} deprecated elements is used"),
        (used, all) => format!("{used} of {all} deprecated elements are used"),
    };
    let since = usage.snapshots.iter().map(|snapshot| snapshot.since).min();
    let until = usage.snapshots.iter().map(|snapshot| snapshot.until).max();
    let instances = counted(usage.snapshots.len(), "instance");
    let (from, to) = (since.unwrap_or_default(), until.unwrap_or_default());
    let (from, to) = (from.date_naive(), to.date_naive());
    let _ = write!(summary, "; recorded by {instances} from {from} to {to}");
    let gaps = usage.snapshots.iter().map(|snapshot| snapshot.gaps.len());
    let gaps = gaps.sum();
    if gaps > 0 {
        let _ = write!(summary, ", with {}", counted(gaps, "gap"));
    }
    summary
}

fn callers(element: &DeprecatedUse) -> Vec<String> {
    match (&element.callers[..], element.recorded) {
        ([], true) => vec!["no use was recorded".to_owned()],
        ([], false) => vec!["not in the schema of each instance".to_owned()],
        (callers, _) => callers.iter().map(CallerUse::to_string).collect(),
    }
}

/// For a terminal: each deprecated element with its callers, that with the most requests first. The last line is
/// the summary.
pub fn text(usage: &Usage, schema: &Schema, colours: Colours) -> String {
    let mut text = String::new();
    let deprecated = usage.deprecated(schema);
    for element in &deprecated {
        let style = colours.bold(if element.callers.is_empty() {
            AnsiColor::Green
        } else {
            AnsiColor::Yellow
        });
        let (kind, coordinate) = (element.kind, one_line(&element.coordinate));
        let _ = write!(text, "{style}deprecated{style:#}: {kind} '{coordinate}'");
        if let Some(reason) = &element.reason {
            let _ = write!(text, ": {}", shortened(reason));
        }
        text.push('\n');
        if let Some(location) = &element.location {
            let _ = writeln!(text, "  at {location}");
        }
        for caller in callers(element) {
            let _ = writeln!(text, "  {caller}");
        }
    }
    let _ = writeln!(text, "{}", summary(usage, &deprecated));
    text
}

#[derive(Serialize)]
struct Json<'a> {
    instances: Vec<Recording<'a>>,
    deprecated: Vec<DeprecatedUse>,
}

#[derive(Serialize)]
struct Recording<'a> {
    instance: &'a str,
    contract: &'a str,
    since: DateTime<Utc>,
    until: DateTime<Utc>,
    gaps: &'a [Gap],
}

/// For programs: an object with the lists `instances` and `deprecated` (`coordinate`, `kind`, `reason`,
/// `location`, `recorded`, `callers`).
pub fn json(usage: &Usage, schema: &Schema) -> String {
    let instances = usage.snapshots.iter().map(|snapshot| Recording {
        instance: &snapshot.instance,
        contract: &snapshot.contract,
        since: snapshot.since,
        until: snapshot.until,
        gaps: &snapshot.gaps,
    });
    to_json(&Json {
        instances: instances.collect(),
        deprecated: usage.deprecated(schema),
    })
}

/// For a comment or a summary of a job.
pub fn markdown(usage: &Usage, schema: &Schema) -> String {
    let deprecated = usage.deprecated(schema);
    let mut text = format!("### Deprecated: {}\n", summary(usage, &deprecated));
    if deprecated.is_empty() {
        return text;
    }
    text.push_str("\n| Element | Location | Reason | Callers |\n|---|---|---|---|\n");
    let rows = deprecated.iter().map(|element| {
        format!(
            "| {} | {} | {} | {} |",
            code(&element.coordinate),
            locations_cell(&element.location),
            escaped(element.reason.as_deref().unwrap_or_default()),
            lines_cell(callers(element)),
        )
    });
    add_lines(&mut text, rows);
    text
}
