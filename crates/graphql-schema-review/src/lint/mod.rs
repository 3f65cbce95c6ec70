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
mod report;
mod rules;

use chrono::NaiveDate;
use graphql_sdl::{Location, Schema};

pub(crate) use self::finding::Options;
pub use self::{
    finding::{Finding, Rule, Severity},
    report::{annotations, report},
};
use crate::{policy::Allowed, without::without};

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
