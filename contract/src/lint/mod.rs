//! One schema linted: what makes a contract hard to read, to use or to keep, found before it is served.
//!
//! Every [`Rule`] has a name and a level. A comment on a line of its own switches a rule off, for the
//! element that begins below it and everything inside, or for the file, and says why:
//!
//! ```graphql
//! # lint:allow list-bounded reason: a week has seven days
//! days: [Day!]!
//!
//! # lint:allow-file described reason: generated from a format that has no descriptions
//! ```
//!
//! An allowance without a reason, of a rule that is not known, or that nothing needs is a finding itself.

mod allowance;
mod elements;
mod name;
pub mod report;
mod rules;

use std::fmt;

use serde::Serialize;

use crate::{Place, Schema};

/// What is asked of a contract beyond being valid.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// An allowance has a reason, names a rule and is needed. Cannot be switched off.
    Allowance,
    /// Every type, field, argument, enum value and directive has a description.
    Described,
    /// Types are named in `PascalCase`.
    TypeName,
    /// Fields, arguments and directives are named in `camelCase`.
    FieldName,
    /// Enum values are named in `UPPER_CASE`.
    EnumValueName,
    /// Mutations begin with a verb.
    MutationVerb,
    /// A deprecation says why, and what to use instead.
    DeprecationReason,
    /// Every type can be reached from the root types.
    UnusedType,
    /// What has the type `ID` is named `id`, or after what it identifies: `ownerId`.
    IdName,
    /// A field that answers a list has an argument that bounds it: `count`, `first`, `last` or
    /// `limit`, an `Int`.
    ListBounded,
}

/// Whether a contract may have a finding.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It may not.
    Error,
    /// It may, but somebody should look at it.
    Warning,
}

/// A place where a contract does not do what a rule asks.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// How bad it is: the severity of the rule.
    #[serde(rename = "level")]
    pub severity: Severity,
    /// The schema coordinate, such as `Query.vehicles(count:)`; of an allowance the line of the file.
    pub coordinate: String,
    /// What is wrong, and what would be right.
    pub message: String,
    /// Where it stands; none if the schema came by introspection.
    pub place: Option<Place>,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Self; 10] = [
        Self::Allowance,
        Self::Described,
        Self::TypeName,
        Self::FieldName,
        Self::EnumValueName,
        Self::MutationVerb,
        Self::DeprecationReason,
        Self::UnusedType,
        Self::IdName,
        Self::ListBounded,
    ];

    /// The name of the rule in reports and allowances.
    pub fn name(self) -> &'static str {
        match self {
            Self::Allowance => "allowance",
            Self::Described => "described",
            Self::TypeName => "type-name",
            Self::FieldName => "field-name",
            Self::EnumValueName => "enum-value-name",
            Self::MutationVerb => "mutation-verb",
            Self::DeprecationReason => "deprecation-reason",
            Self::UnusedType => "unused-type",
            Self::IdName => "id-name",
            Self::ListBounded => "list-bounded",
        }
    }

    /// How bad it is not to do what the rule asks: names and bounds are sometimes given from outside.
    pub fn severity(self) -> Severity {
        match self {
            Self::Allowance
            | Self::Described
            | Self::TypeName
            | Self::FieldName
            | Self::EnumValueName
            | Self::DeprecationReason
            | Self::UnusedType => Severity::Error,
            Self::MutationVerb | Self::IdName | Self::ListBounded => Severity::Warning,
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

/// Whatever in a contract does not do what a rule asks and is not allowed not to, in the order of
/// the file.
///
/// ```
/// use contract::{Schema, lint::{Rule, lint}};
///
/// let schema = Schema::parse("schema.graphql", r#"
///     "What can be asked."
///     type Query { "A number." The_Answer: Int }
/// "#)?;
/// let findings = lint(&schema);
/// assert_eq!(findings[0].rule, Rule::FieldName);
/// assert_eq!(findings[0].coordinate, "Query.The_Answer");
/// # Ok::<(), contract::Problems>(())
/// ```
pub fn lint(schema: &Schema) -> Vec<Finding> {
    let mut allowances = allowance::Allowances::read(schema);
    let mut findings = Vec::new();
    for found in rules::apply(schema) {
        if !allowances.permit(found.rule, found.span) {
            findings.push(Finding {
                rule: found.rule,
                severity: found.rule.severity(),
                coordinate: found.coordinate,
                message: found.message,
                place: schema.place(found.span),
            });
        }
    }
    findings.extend(allowances.findings(schema));
    findings.sort_by(|one, other| {
        let key = |finding: &Finding| {
            (
                finding.place.clone(),
                finding.coordinate.clone(),
                finding.rule,
            )
        };
        key(one).cmp(&key(other))
    });
    findings
}
