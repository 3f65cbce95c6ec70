//! The findings of the lint, their rules and their severities.

use schema::Location;
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
        BuiltInScalar "built-in-scalar" "A built-in scalar is not defined.",
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
    /// The severity of a violation. Names, bounds and definitions of built-in scalars are warnings: an
    /// external API can impose them.
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
            Self::MutationVerb | Self::IdName | Self::ListBounded | Self::BuiltInScalar => {
                Severity::Warning
            }
        }
    }
}
