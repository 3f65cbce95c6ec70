//! Reports of deprecated elements and their callers: text for a terminal, JSON, and Markdown.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use chrono::{DateTime, Utc};
use schema::{Gap, Schema};
use serde::Serialize;

use super::{CallerUse, DeprecatedUse, Usage};
use crate::{
    report::{Colours, code, escaped},
    text::{one_line, shortened},
};

/// Reported instead of callers.
const UNUSED: &str = "no use was recorded";
const NOT_RECORDED: &str = "not in the schema of each instance";

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
    let instances = match usage.snapshots.len() {
        1 => "1 instance".to_owned(),
        count => format!("{count} instances"),
    };
    let (from, to) = (since.unwrap_or_default(), until.unwrap_or_default());
    let (from, to) = (from.date_naive(), to.date_naive());
    let _ = write!(summary, "; recorded by {instances} from {from} to {to}");
    let gaps = usage.snapshots.iter().map(|snapshot| snapshot.gaps.len());
    match gaps.sum() {
        0 => {}
        1 => summary.push_str(", with 1 gap"),
        count => {
            let _: Result<(), _> = write!(summary, ", with {count} gaps");
        }
    }
    summary
}

fn callers(element: &DeprecatedUse) -> Vec<String> {
    let mut callers: Vec<String> = element.callers.iter().map(CallerUse::to_string).collect();
    if callers.is_empty() {
        callers.push(
            if element.recorded {
                UNUSED
            } else {
                NOT_RECORDED
            }
            .to_owned(),
        );
    }
    callers
}

/// For a terminal: each deprecated element with its callers, that with the most requests first. The last line is
/// the summary.
pub fn text(usage: &Usage, schema: &Schema, colours: Colours) -> String {
    let mut text = String::new();
    let deprecated = usage.deprecated(schema);
    for element in &deprecated {
        let colour = if element.callers.is_empty() {
            AnsiColor::Green
        } else {
            AnsiColor::Yellow
        };
        let style = match colours {
            Colours::None => Style::new(),
            Colours::Ansi => colour.on_default().bold(),
        };
        let (kind, coordinate) = (element.kind, &element.coordinate);
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
    let json = serde_json::to_string_pretty(&Json {
        instances: instances.collect(),
        deprecated: usage.deprecated(schema),
    });
    json.expect("it has no map whose keys are not texts") + "\n"
}

/// For a comment or a summary of a job.
pub fn markdown(usage: &Usage, schema: &Schema) -> String {
    let deprecated = usage.deprecated(schema);
    let mut text = format!("### Deprecated: {}\n", summary(usage, &deprecated));
    if deprecated.is_empty() {
        return text;
    }
    text.push_str("\n| Element | Location | Reason | Callers |\n|---|---|---|---|\n");
    for element in &deprecated {
        let location = element.location.as_ref();
        let callers: Vec<String> = callers(element).iter().map(|line| escaped(line)).collect();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            code(&element.coordinate),
            location.map_or_else(String::new, |location| code(&location.to_string())),
            escaped(&one_line(element.reason.as_deref().unwrap_or_default())),
            callers.join("<br>"),
        );
    }
    text
}
