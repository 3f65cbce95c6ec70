//! Reports of findings: text for a terminal, JSON, and Markdown for a pull request.

use std::fmt::Write;

use anstyle::AnsiColor;

use super::finding::{Finding, Severity};
use crate::{
    format::{Colours, escaped, to_json},
    text::counted,
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
        let (coordinate, message) = (&finding.coordinate, &finding.message);
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
    for finding in findings {
        let location = finding.location.as_ref().map(ToString::to_string);
        let _ = writeln!(
            text,
            "| {} | `{}` | `{}` {} | {} |",
            finding.severity,
            finding.rule,
            finding.coordinate,
            escaped(&finding.message),
            escaped(&location.unwrap_or_default()),
        );
    }
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
