//! Lints a schema: reports what makes it hard to read, to use or to maintain.
//!
//! Every [`Rule`] has a name and a severity, unless it is off. A comment on its own line disables a rule for the
//! element below it and its parts, or for the file, with a reason:
//!
//! ```graphql
//! # lint:allow list-bounded reason: a customer has at most ten addresses
//! addresses: [Address!]!
//!
//! # lint:allow-file described reason: generated from a format that has no descriptions
//! ```
//!
//! An allowance without a reason, of an unknown rule, or without effect is a finding itself. A [`Policy`](crate::Policy)
//! sets other severities and has allowances, too.

mod allowance;
mod bounds;
mod claims;
mod comments;
mod federation;
mod finding;
mod name;
mod relay;
mod rules;

use std::collections::BTreeMap;

use anstyle::AnsiColor;
use chrono::NaiveDate;
use graphql_sdl::{Location, Schema, counted};

pub(crate) use self::finding::Options;
pub use self::finding::{Finding, Rule, Severity};
use crate::{
    annotation::{Annotation, sorted},
    policy::Allowed,
    report::{Entry, Note, Report},
    without::without,
};

/// The findings that no allowance permits, in the order of the file, without a [`Policy`](crate::Policy).
///
/// ```
/// use graphql_schema_review::lint::{Rule, lint};
/// use graphql_sdl::Schema;
///
/// let schema = Schema::parse("schema.graphql", r#"
///     "The queries."
///     type Query { "A number." The_Answer: Int }
/// "#)?;
/// let findings = lint(&schema);
/// assert_eq!(findings[0].rule, Rule::FieldName);
/// assert_eq!(findings[0].coordinate, "Query.The_Answer");
/// # Ok::<(), graphql_sdl::Problems>(())
/// ```
pub fn lint(schema: &Schema) -> Vec<Finding> {
    // Only rules that are off by default depend on the day.
    apply(schema, &Options::default(), [], NaiveDate::MIN)
}

/// The findings with these options on a day, except those that are allowed.
pub(crate) fn apply<'a>(
    schema: &Schema,
    options: &Options,
    allowed: impl IntoIterator<Item = (&'a Allowed, Location)>,
    today: NaiveDate,
) -> Vec<Finding> {
    let mut allowances = allowance::Allowances::read(schema, allowed, today);
    let mut findings = rules::apply(schema, options, &mut allowances, today);
    findings.extend(allowances.findings(options));
    findings.sort_by_cached_key(|finding| {
        let (location, coordinate) = (finding.location.clone(), finding.coordinate.clone());
        (location, coordinate, finding.rule)
    });
    findings
}

/// The findings that are not among those of a baseline, which can have other locations.
pub fn new_findings(findings: Vec<Finding>, baseline: &[Finding]) -> Vec<Finding> {
    without(findings, baseline, |finding| {
        // The coordinate of an allowance is its line.
        let text = if finding.rule == Rule::Allowance { &finding.message } else { &finding.coordinate };
        (finding.rule, text.clone())
    })
}

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
