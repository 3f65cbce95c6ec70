//! The findings of the lint, their rules and their severities, and what a policy says about them.

use std::collections::BTreeMap;

use graphql_sdl::Location;
use serde::{Deserialize, Serialize};

use super::name::{Case, Named};
use crate::{change::LevelOrOff, named::named};

named! {
    /// A lint rule.
    Rule {
        Allowance "allowance" "An allowance has a reason, names a rule, has an effect and has not expired. Cannot be allowed.",
        CommentDescription "comment-description" "What describes an element is a description, not a comment above it.",
        Described "described" "Every type, field, argument, enum value and directive has a description.",
        TypeName "type-name" "Types are named in `PascalCase`, or as the policy says.",
        FieldName "field-name" "Fields, arguments and directives are named in `camelCase`, or as the policy says.",
        EnumValueName "enum-value-name" "Enum values are named in `UPPER_CASE`, or as the policy says.",
        FieldPrefix "field-prefix" "The name of a field does not repeat that of its type: `Book.title`, not `Book.bookTitle`.",
        EnumValueUnique "enum-value-unique" "The values of an enum differ in more than case.",
        MutationVerb "mutation-verb" "The name of a mutation has a verb.",
        DeprecationReason "deprecation-reason" "A deprecation has a reason, and names what to use instead.",
        DeprecationDate "deprecation-date" "The reason of a deprecation has the date of the removal, `YYYY-MM-DD`, which is not past.",
        UnusedType "unused-type" "Every type can be reached from the root types, or from a type with `Webhook` in its name or with `@key`.",
        IdName "id-name" "A field, argument or input field named `id` is no `String`, `Int` or `Float`, and a field of type `ID`, unless it is a mutation, says that it is an identifier: `id`, `ownerId`, `uuid`.",
        ListBounded "list-bounded" "A field of `Query` that returns a list of objects, and another one if the objects have an `id`, has an argument that bounds it, such as `first`.",
        RelayConnection "relay-connection" "A connection has `edges`, a list, and `pageInfo: PageInfo!`.",
        RelayEdge "relay-edge" "An edge has `node`, which is no list, and a scalar `cursor`.",
        RelayArguments "relay-arguments" "A field that returns a connection has the arguments `first` and `after`, or `last` and `before`.",
        RelayPageInfo "relay-page-info" "`PageInfo` has `hasNextPage: Boolean!`, `hasPreviousPage: Boolean!`, and scalars `startCursor` and `endCursor` that can be null.",
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
    /// The severity of a violation without a policy; `None` if the rule is off. Descriptions, which most schemas lack, bounds, the conventions of Relay and
    /// definitions of built-in scalars are warnings: an external API can impose them.
    pub fn severity(self) -> Option<Severity> {
        match self {
            Self::DeprecationDate | Self::FieldPrefix => None,
            Self::Allowance
            | Self::TypeName
            | Self::FieldName
            | Self::EnumValueName
            | Self::DeprecationReason
            | Self::UnusedType
            | Self::Constraint => Some(Severity::Error),
            _ => Some(Severity::Warning),
        }
    }
}

/// The levels of the rules, and what they accept.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Options {
    /// Words that are written in capitals, also at the start of a name.
    pub(super) abbreviations: Vec<String>,
    /// What precedes a name and follows no convention.
    pub(crate) prefixes: Vec<String>,
    /// The conventions of names that differ from their default.
    pub(super) styles: BTreeMap<Named, Case>,
    /// Verbs beside the known ones.
    pub(super) verbs: Vec<String>,
    /// The arguments that bound a list, beside the known ones.
    pub(super) limits: Vec<String>,
    /// The levels of rules that differ from their default.
    levels: BTreeMap<Rule, LevelOrOff<Severity>>,
}

impl Options {
    /// Sets the level of rules that have none.
    pub(crate) fn default_level(&mut self, rules: &[Rule], level: Option<Severity>) {
        for rule in rules {
            self.levels.entry(*rule).or_insert(LevelOrOff(level));
        }
    }

    /// The severity of a rule; `None` if it is off.
    pub(super) fn severity(&self, rule: Rule) -> Option<Severity> {
        let level = self.levels.get(&rule);
        level.map_or_else(|| rule.severity(), |level| level.0)
    }
}
