//! The report of the lint.

use std::collections::BTreeMap;

use anstyle::AnsiColor;
use graphql_sdl::counted;

use super::finding::{Finding, Rule, Severity};
use crate::{
    annotation::{Annotation, sorted},
    report::{Entry, Note, Report},
};

/// The findings, and how many there are of each rule.
pub fn report(findings: &[Finding]) -> Report {
    let count = |severity| findings.iter().filter(|one| one.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let mut by_rule: BTreeMap<Rule, usize> = BTreeMap::new();
    for finding in findings {
        *by_rule.entry(finding.rule).or_default() += 1;
    }
    let by_rule: Vec<_> = by_rule.iter().map(|(rule, count)| format!("{count} {rule}")).collect();
    Report {
        subject: "Contract",
        entries: findings.iter().map(entry).collect(),
        folded: "",
        notes: vec![Note {
            label: "by rule",
            heading: "By rule",
            lines: Vec::from_iter((by_rule.len() > 1).then(|| by_rule.join(", "))),
        }],
        summary: match errors + warnings {
            0 => "no findings".to_owned(),
            _ => format!("{}, {}", counted(errors, "error"), counted(warnings, "warning")),
        },
        lists_all_notes: false,
    }
}

/// The findings at their lines.
pub fn annotations(findings: &[Finding]) -> Vec<Annotation> {
    sorted(findings.iter().map(|finding| {
        let (location, rule) = (finding.location.as_ref(), finding.rule.name());
        Annotation::new(finding.severity, location, rule, [message(finding)])
    }))
}

fn message(finding: &Finding) -> String {
    format!("{} {}", finding.coordinate, finding.message)
}

fn entry(finding: &Finding) -> Entry {
    Entry {
        label: finding.severity.name(),
        colour: match finding.severity {
            Severity::Error => AnsiColor::Red,
            Severity::Warning => AnsiColor::Yellow,
        },
        message: message(finding),
        rule: Some(finding.rule.name()),
        locations: finding.location.iter().cloned().collect(),
        details: Vec::new(),
        is_folded: false,
    }
}
