//! The policy of a repository: a reviewed file beside the schema, by convention `schema.toml`. Every key is optional.
//!
//! ```toml
//! presets = ["relay"]             # what follows overrides them
//!
//! [lint]
//! abbreviations = ["URL"]
//!
//! [lint.levels]
//! described = "warning"
//!
//! [[allowed]]
//! rule = "list-bounded"
//! coordinate = "Calendar.*"
//! reason = "A year has 366 days."
//!
//! [diff]
//! fail-on = "dangerous"
//! deprecated-removed = "safe"
//!
//! [diff.levels]
//! FIELD_ADDED = "off"
//!
//! [operations]
//! client-directives = ["track"]
//! ```

mod diff;

use std::sync::Arc;

use chrono::NaiveDate;
use graphql_sdl::{Problems, Schema};
use serde::Deserialize;
use toml::{Spanned, Value};

use self::diff::Judgement;
use crate::{
    Change, Level,
    directive_name::DirectiveName,
    lint::{Allowed, Finding, Options, Rule, apply},
    operations::{self, Checked, Documents},
    toml_reader::TomlReader,
};

/// What a policy file says about lint, changes and operations. By default it says nothing.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    lint: Options,
    allowed: Vec<Allowed>,
    diff: Judgement,
    operations: Clients,
}

/// What a policy says about the operations of clients.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Clients {
    /// The directives that clients interpret, beside the known ones.
    client_directives: Vec<DirectiveName>,
    /// Whether what cannot be checked is a failure.
    strict: bool,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RawPolicy {
    presets: Vec<Preset>,
    lint: Options,
    allowed: Vec<Spanned<RawAllowed>>,
    diff: Judgement,
    operations: Clients,
}

/// A policy in this crate.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Preset {
    Federation,
    PrismaLike,
    Relay,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAllowed {
    rule: Option<Rule>,
    coordinate: Option<Spanned<String>>,
    reason: Option<Spanned<String>>,
    until: Option<Spanned<Value>>,
}

impl Policy {
    /// Parses the file. `name` is its name in messages and locations.
    pub fn parse(name: impl AsRef<str>, text: &str) -> Result<Self, Problems> {
        let file = Arc::from(name.as_ref());
        let (mut reader, raw): (_, RawPolicy) = TomlReader::read(&file, text);
        let mut policy = Self::default();
        for preset in raw.presets {
            let preset = match preset {
                Preset::Federation => include_str!("federation.toml"),
                Preset::PrismaLike => include_str!("prisma-like.toml"),
                Preset::Relay => include_str!("relay.toml"),
            };
            let preset: RawPolicy = toml::from_str(preset).expect("a test parses every preset");
            policy.lint.extend(preset.lint);
            policy.diff.extend(preset.diff);
        }
        policy.lint.extend(raw.lint);
        policy.diff.extend(raw.diff);
        policy.operations = raw.operations;
        for raw in raw.allowed {
            policy.allowed.extend(allowed(raw, &mut reader));
        }
        reader.problems.into_result(policy)
    }

    /// The findings in a schema, in the order of the file. Allowances and removals are due on `today`.
    pub fn lint(&self, schema: &Schema, today: NaiveDate) -> Vec<Finding> {
        apply(schema, &self.lint, &self.allowed, today)
    }

    /// Every difference between two schemas that the policy does not leave out, in the order of the coordinates.
    pub fn diff(&self, old: &Schema, new: &Schema) -> Vec<Change> {
        self.diff.changes(old, new)
    }

    /// Validates operations as [`operations::check`] does, with the directives of clients that the policy names.
    pub fn check(
        &self,
        documents: &Documents,
        old: Option<&Schema>,
        new: &Schema,
        changes: &[Change],
    ) -> Checked {
        let directives = &self.operations.client_directives;
        operations::check_with(documents, old, new, changes, directives)
    }

    /// Whether documents and operations that cannot be checked are a failure.
    pub fn is_strict(&self) -> bool {
        self.operations.strict
    }

    /// The last of the levels that fail a review; `None` if none does.
    pub fn fail_on(&self) -> Option<Level> {
        self.diff.fail_on()
    }
}

fn allowed(raw: Spanned<RawAllowed>, reader: &mut TomlReader) -> Option<Allowed> {
    let span = raw.span();
    let raw = raw.into_inner();
    let coordinate = reader.coordinate(raw.coordinate, &span);
    let acceptance = reader.acceptance(raw.reason, raw.until, &span);
    let rule = raw.rule.filter(|rule| rule.is_allowable());
    if rule.is_none() {
        reader.add(span, "the entry has no rule that can be allowed");
    }
    Some(Allowed {
        rule: rule?,
        coordinate: coordinate?,
        acceptance: acceptance?,
    })
}
