//! Reports of findings: text for a terminal, JSON, and Markdown for a pull request.

use std::fmt::Write;

use anstyle::AnsiColor;

use super::finding::{Finding, Severity};
use crate::{
    format::{Colours, add_lines, code, escaped, locations_cell, to_json},
    text::{counted, one_line},
};

/// For a terminal: one line per finding, and a summary line.
pub fn text(findings: &[Finding], colours: Colours) -> String {
    let mut text = String::new();
    for finding in findings {
        let style = colours.bold(match finding.severity {
            Severity::Error => AnsiColor::Red,
            Severity::Warning => AnsiColor::Yellow,
        });
        let location = finding
            .location
            .as_ref()
            .map(|location| format!("{location}: "));
        let location = location.unwrap_or_default();
        let (severity, rule) = (finding.severity, finding.rule);
        let coordinate = one_line(&finding.coordinate);
        let message = one_line(&finding.message);
        let _ = writeln!(
            text,
            "{location}{style}{severity}{style:#}: {coordinate} {message} [{rule}]"
        );
    }
    text + &summary(findings) + "\n"
}

/// For programs: an array with one object per finding: `rule`, `level`, `coordinate`, `message` and
/// `place` (`file`, `line`, `column`, or null).
pub fn json(findings: &[Finding]) -> String {
    to_json(&findings)
}

/// For a comment on a pull request.
pub fn markdown(findings: &[Finding]) -> String {
    let mut text = format!("### Contract: {}\n", summary(findings));
    if !findings.is_empty() {
        text.push_str("\n| Level | Rule | What | Where |\n|---|---|---|---|\n");
    }
    let rows = findings.iter().map(|finding| {
        format!(
            "| {} | `{}` | {} {} | {} |",
            finding.severity,
            finding.rule,
            code(&finding.coordinate),
            escaped(&finding.message),
            locations_cell(&finding.location),
        )
    });
    add_lines(&mut text, rows);
    text
}

fn summary(findings: &[Finding]) -> String {
    let count = |severity| {
        let findings = findings.iter();
        findings
            .filter(|finding| finding.severity == severity)
            .count()
    };
    match (count(Severity::Error), count(Severity::Warning)) {
        (0, 0) => "no findings".to_owned(),
        (errors, warnings) => {
            let errors = counted(errors, "error");
            format!("{errors}, {}", counted(warnings, "warning"))
        }
    }
}
