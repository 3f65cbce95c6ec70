//! What a policy says about the lint.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{
    finding::{Rule, Severity},
    name::Case,
};
use crate::{Acceptance, level::LevelOrOff, pattern::Pattern};

/// The levels of the rules, and what they accept.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Options {
    /// Words that are written in capitals, also at the start of a name.
    pub(super) abbreviations: Vec<String>,
    /// What precedes a name and follows no convention.
    pub(super) prefixes: Vec<String>,
    /// The convention of enum values.
    pub(super) enum_values: Option<Case>,
    /// Verbs beside the known ones.
    pub(super) verbs: Vec<String>,
    /// The arguments that bound a list, beside the known ones.
    pub(super) limits: Vec<String>,
    /// The levels of rules that differ from their default.
    levels: BTreeMap<Rule, LevelOrOff<Severity>>,
}

/// The findings of a rule that are allowed.
#[derive(Clone, Debug)]
pub(crate) struct Allowed {
    pub(crate) rule: Rule,
    pub(crate) coordinate: Pattern,
    pub(crate) acceptance: Acceptance,
}

impl Options {
    /// Adds other options, which precede.
    pub(crate) fn extend(&mut self, other: Self) {
        self.abbreviations.extend(other.abbreviations);
        self.prefixes.extend(other.prefixes);
        self.enum_values = other.enum_values.or(self.enum_values);
        self.verbs.extend(other.verbs);
        self.limits.extend(other.limits);
        self.levels.extend(other.levels);
    }

    /// The severity of a rule; `None` if it is off.
    pub(super) fn severity(&self, rule: Rule) -> Option<Severity> {
        let level = self.levels.get(&rule);
        level.map_or_else(|| rule.severity(), |level| level.0)
    }
}
