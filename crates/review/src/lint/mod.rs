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

use schema::{Location, Schema};
use serde::Serialize;

use crate::named::named;

named! {
    /// A lint rule.
    Rule {
        Allowance "allowance" "An allowance has a reason, names a rule and has an effect. Cannot be disabled.",
        Described "described" "Every type, field, argument, enum value and directive has a description.",
        TypeName "type-name" "Types are named in `PascalCase`.",
        FieldName "field-name" "Fields, arguments and directives are named in `camelCase`.",
        EnumValueName "enum-value-name" "Enum values are named in `UPPER_CASE`.",
        MutationVerb "mutation-verb" "Mutations begin with a verb.",
        DeprecationReason "deprecation-reason" "A deprecation has a reason, and names what to use instead.",
        UnusedType "unused-type" "Every type can be reached from the root types.",
        IdName "id-name" "A field or argument of type `ID` is named `id`, or after what it identifies: `ownerId`.",
        ListBounded "list-bounded" "A field that returns a list has an argument that bounds it: `count`, `first`, `last` or `limit`, an `Int`.",
        Constraint "constraint" "A `@constraint` can be met, and the numbers in the description beside it are the same.",
    }
}

named! {
    /// The severity of a finding.
    Severity {
        Error "error" "The finding must be fixed or allowed.",
        Warning "warning" "The finding should be reviewed.",
    }
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
    let mut findings = rules::apply(schema, &mut allowances);
    findings.extend(allowances.findings(schema));
    findings.sort_by_cached_key(|finding| {
        let (location, coordinate) = (finding.location.clone(), finding.coordinate.clone());
        (location, coordinate, finding.rule)
    });
    findings
}
