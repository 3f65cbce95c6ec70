//! What a policy says about the lint.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{
    finding::{Rule, Severity},
    name::{Case, Named},
};
use crate::level::LevelOrOff;

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
