//! Reports of deprecated elements and their clients: text for a terminal, JSON, and Markdown.

use std::fmt::Write;

use anstyle::AnsiColor;
use graphql_sdl::Schema;
use serde::Serialize;

use super::{ClientUse, DeprecatedUse, Usage};
use crate::{
    format::{Colours, add_lines, code, escaped, lines_cell, locations_cell, to_json},
    text::{one_line, shortened},
};

/// `1 of 2 deprecated elements is used; 41 samples of 3 clients`.
fn summary(usage: &Usage, deprecated: &[DeprecatedUse]) -> String {
    let used = deprecated
        .iter()
        .filter(|element| !element.clients.is_empty());
    let summary = match (used.count(), deprecated.len()) {
        (_, 0) => "nothing is deprecated".to_owned(),
        (0, 1) => "the deprecated element is not used".to_owned(),
        (_, 1) => "the deprecated element is used".to_owned(),
        (1, all) => format!("1 of {all} deprecated elements is used"),
        (used, all) => format!("{used} of {all} deprecated elements are used"),
    };
    format!("{summary}; {usage}")
}

fn clients(element: &DeprecatedUse) -> Vec<String> {
    let mut lines: Vec<_> = element.clients.iter().map(ClientUse::to_string).collect();
    match &element.in_variables {
        Some(ty) => lines.push(format!(
            "clients give '{ty}' in variables, whose values are not counted"
        )),
        None if lines.is_empty() => lines.push("no use was recorded".to_owned()),
        None => {}
    }
    lines
}

/// For a terminal: each deprecated element with its clients, that with the most requests first. The last line is
/// the summary.
pub fn text(usage: &Usage, schema: &Schema, colours: Colours) -> String {
    let mut text = String::new();
    let deprecated = usage.deprecated(schema);
    for element in &deprecated {
        let is_unused = element.clients.is_empty() && element.in_variables.is_none();
        let style = colours.bold(if is_unused {
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
        for client in clients(element) {
            let _ = writeln!(text, "  {client}");
        }
    }
    let _ = writeln!(text, "{}", summary(usage, &deprecated));
    text
}

#[derive(Serialize)]
struct Json {
    samples: usize,
    deprecated: Vec<DeprecatedUse>,
}

/// For programs: an object with the number of `samples` and the list `deprecated` (`coordinate`, `kind`, `reason`,
/// `location`, `clients`, `in_variables`).
pub fn json(usage: &Usage, schema: &Schema) -> String {
    to_json(&Json {
        samples: usage.samples,
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
    text.push_str("\n| Element | Location | Reason | Clients |\n|---|---|---|---|\n");
    let rows = deprecated.iter().map(|element| {
        format!(
            "| {} | {} | {} | {} |",
            code(&element.coordinate),
            locations_cell(&element.location),
            escaped(element.reason.as_deref().unwrap_or_default()),
            lines_cell(clients(element)),
        )
    });
    add_lines(&mut text, rows);
    text
}
