//! The section about changes, and their levels by it.

use std::collections::BTreeMap;

use graphql_sdl::Schema;
use serde::Deserialize;

use crate::{
    Change, ChangeKind, Level, Rule,
    change::LevelOrOff,
    diff,
    names::DirectiveName,
    rule::{
        DEPRECATED_ENUM_VALUE_REMOVED, DEPRECATED_FIELD_REMOVED, DEPRECATED_INPUT_REMOVED, DESCRIPTION,
        UNKNOWN_DIRECTIVE, UNREACHABLE,
    },
};

/// How a policy judges changes. A level that is off leaves the changes out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Judgement {
    fail_on: Option<FailOn>,
    pub(super) documentation_directives: Vec<DirectiveName>,
    deprecated_removed: Option<LevelOrOff<Level>>,
    descriptions: Option<LevelOrOff<Level>>,
    unknown_directives: Option<LevelOrOff<Level>>,
    unreachable: Option<LevelOrOff<Level>>,
    /// The levels of other changes by kind.
    levels: BTreeMap<ChangeKind, LevelOrOff<Level>>,
}

/// The last of the levels that fail a review.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FailOn {
    Breaking,
    Dangerous,
    Off,
}

impl Judgement {
    pub(super) fn fail_on(&self) -> Option<Level> {
        match self.fail_on {
            None | Some(FailOn::Breaking) => Some(Level::Breaking),
            Some(FailOn::Dangerous) => Some(Level::Dangerous),
            Some(FailOn::Off) => None,
        }
    }

    /// The changes between two schemas with their levels.
    pub(super) fn changes(&self, old: &Schema, new: &Schema) -> Vec<Change> {
        let mut changes = diff::compare(old, new, &self.documentation_directives);
        changes.retain_mut(|change| {
            let level = self.level(change);
            change.level = level.unwrap_or(change.level);
            level.is_some()
        });
        changes
    }

    /// The level of a change; `None` if it is left out.
    fn level(&self, change: &Change) -> Option<Level> {
        let removals = [DEPRECATED_ENUM_VALUE_REMOVED, DEPRECATED_FIELD_REMOVED, DEPRECATED_INPUT_REMOVED];
        let groups: [(_, &[Rule]); 4] = [
            (self.deprecated_removed, &removals),
            (self.descriptions, &[DESCRIPTION]),
            (self.unknown_directives, &[UNKNOWN_DIRECTIVE]),
            (self.unreachable, &[UNREACHABLE]),
        ];
        let is_of = |rules: &[Rule]| rules.iter().any(|rule| rule.reason == change.reason);
        let group = groups.into_iter().find(|(_, rules)| is_of(rules));
        let level = group.and_then(|(level, _)| level);
        let level = level.or_else(|| self.levels.get(&change.kind).copied());
        level.map_or(Some(change.level), |level| level.0)
    }
}
