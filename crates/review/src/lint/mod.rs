//! Lints a schema: reports what makes it hard to read, to use or to maintain.
//!
//! Every [`Rule`] has a name and a severity. A comment on its own line disables a rule for the
//! element below it and its parts, or for the file, with a reason:
//!
//! ```graphql
//! # lint:allow list-bounded reason: a week has seven days
//! days: [Day!]!
//!
//! # lint:allow-file described reason: generated from a format that has no descriptions
//! ```
//!
//! An allowance without a reason, of an unknown rule, or without effect is a finding itself.

mod allowance;
mod claims;
mod name;
pub mod report;
mod rules;

use std::fmt;

use schema::{Location, Schema};
use serde::Serialize;

/// A lint rule.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// An allowance has a reason, names a rule and has an effect. Cannot be disabled.
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
    /// A deprecation has a reason, and names what to use instead.
    DeprecationReason,
    /// Every type can be reached from the root types.
    UnusedType,
    /// A field or argument of type `ID` is named `id`, or after what it identifies: `ownerId`.
    IdName,
    /// A field that returns a list has an argument that bounds it: `count`, `first`, `last` or
    /// `limit`, an `Int`.
    ListBounded,
    /// A `@constraint` can be met, and the numbers in the description beside it are the same.
    Constraint,
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The finding must be fixed or allowed.
    Error,
    /// The finding should be reviewed.
    Warning,
}

/// A violation of a lint rule.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// The severity of the rule.
    #[serde(rename = "level")]
    pub severity: Severity,
    /// The schema coordinate, such as `Query.books(first:)`; for an allowance, the line of the file.
    pub coordinate: String,
    /// What is wrong, and how to fix it.
    pub message: String,
    /// The location; `None` if the schema was read by introspection.
    #[serde(rename = "place")]
    pub location: Option<Location>,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Self; 11] = [
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
        Self::Constraint,
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
            Self::Constraint => "constraint",
        }
    }

    /// The severity of a violation. Names and bounds are warnings: an external API can impose them.
    pub fn severity(self) -> Severity {
        match self {
            Self::Allowance
            | Self::Described
            | Self::TypeName
            | Self::FieldName
            | Self::EnumValueName
            | Self::DeprecationReason
            | Self::UnusedType
            | Self::Constraint => Severity::Error,
            Self::MutationVerb | Self::IdName | Self::ListBounded => Severity::Warning,
        }
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

/// The findings that no allowance permits, in the order of the file.
///
/// ```
/// use review::lint::{Rule, lint};
/// use schema::Schema;
///
/// let schema = Schema::parse("schema.graphql", r#"
///     "The queries."
///     type Query { "A number." The_Answer: Int }
/// "#)?;
/// let findings = lint(&schema);
/// assert_eq!(findings[0].rule, Rule::FieldName);
/// assert_eq!(findings[0].coordinate, "Query.The_Answer");
/// # Ok::<(), schema::Problems>(())
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
                location: schema.location(found.span),
            });
        }
    }
    findings.extend(allowances.findings(schema));
    findings.sort_by(|one, other| {
        let key = |finding: &Finding| {
            (
                finding.location.clone(),
                finding.coordinate.clone(),
                finding.rule,
            )
        };
        key(one).cmp(&key(other))
    });
    findings
}
