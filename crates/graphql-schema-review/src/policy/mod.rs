//! The policy of a repository: a reviewed file beside the schema, by convention `schema.toml`. Every key is optional;
//! `docs/contract-review.md` lists them.

mod diff;
mod entry;

use std::{path::PathBuf, sync::Arc};

use apollo_compiler::name;
use chrono::NaiveDate;
use graphql_sdl::{LineIndex, Location, Problems, Schema, suggestion};
use serde::Deserialize;
use toml::Spanned;

pub(crate) use self::entry::Allowed;
use self::{diff::Judgement, entry::Accepted};
use crate::{
    Change, Review,
    lint::{self, Finding, Options, Severity, apply},
    names::DirectiveName,
    operations::{self, Checked, Documents},
};

/// The maximum number of known names that a problem lists.
const MAX_LISTED: usize = 10;

/// The rules about connections.
const RELAY: [lint::Rule; 4] =
    [lint::Rule::RelayConnection, lint::Rule::RelayEdge, lint::Rule::RelayArguments, lint::Rule::RelayPageInfo];

/// What a policy file says about lint, changes and operations. By default it says nothing.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// The source of the schema.
    pub(crate) schema: Option<String>,
    /// The documents of clients.
    pub(crate) documents: Vec<PathBuf>,
    presets: Vec<Preset>,
    lint: Options,
    allowed: Vec<Spanned<Allowed>>,
    diff: Judgement,
    accepted: Vec<Spanned<Accepted>>,
    operations: Clients,
    /// The name and the lines of the file.
    #[serde(skip)]
    file: Option<(Arc<str>, LineIndex)>,
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

/// A policy that others use as it is.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Preset {
    Federation,
    PrismaLike,
    Relay,
}

impl Policy {
    /// Parses the file. `name` is its name in messages and locations.
    pub fn parse(name: impl AsRef<str>, text: &str) -> Result<Self, Problems> {
        let (file, lines) = (Arc::<str>::from(name.as_ref()), LineIndex::new(text));
        let mut policy: Self = toml::from_str(text).map_err(|error| {
            let mut problems = Problems::new(file.clone());
            let start = error.span().unwrap_or_default().start;
            problems.add(lines.position(start), with_suggestion(error.message()));
            problems
        })?;
        // An earlier preset is overridden by a later one, and all of them by the file.
        for preset in policy.presets.iter().rev() {
            match preset {
                Preset::Federation => {
                    policy.lint.default_level(&[lint::Rule::UnusedType], None);
                    let directives = [name!("contact"), name!("tag")];
                    let documentation = &mut policy.diff.documentation_directives;
                    documentation.extend(directives.map(DirectiveName));
                }
                Preset::PrismaLike => {
                    policy.lint.prefixes.push("_".to_owned());
                    policy.lint.default_level(&[lint::Rule::EnumValueName], None);
                }
                Preset::Relay => policy.lint.default_level(&RELAY, Some(Severity::Error)),
            }
        }
        policy.file = Some((file, lines));
        Ok(policy)
    }

    /// The findings in a schema, in the order of the file. Allowances and removals are due on `today`.
    pub fn lint(&self, schema: &Schema, today: NaiveDate) -> Vec<Finding> {
        let allowed = self.allowed.iter();
        let allowed = allowed.map(|entry| (entry.get_ref(), self.location(entry)));
        apply(schema, &self.lint, allowed, today)
    }

    /// Every difference between two schemas that the policy does not leave out, in the order of the coordinates.
    pub fn diff(&self, old: &Schema, new: &Schema) -> Vec<Change> {
        self.diff.changes(old, new)
    }

    /// Marks the changes between two schemas that the policy accepts, and reports the entries that are invalid on `today`.
    pub fn review(&self, old: &Schema, new: &Schema, changes: Vec<Change>, today: NaiveDate) -> Review {
        let mut review = Review::new(changes);
        review.fail_on = self.diff.fail_on();
        // A pattern accepts what no other entry does.
        let (exact, patterns): (Vec<_>, Vec<_>) =
            self.accepted.iter().partition(|entry| entry.get_ref().coordinate.is_exact());
        let between = format!("between {} and {}", old.name(), new.name());
        for entry in exact.into_iter().chain(patterns) {
            let location = self.location(entry);
            let accepted = entry.get_ref().accept(&mut review.changes, &location, today, &between);
            if let Err(message) = accepted {
                let file = || Problems::new(location.file.clone());
                let problems = review.problems.get_or_insert_with(file);
                problems.add(location.position, message);
            }
        }
        review.problems = review.problems.and_then(|problems| problems.into_result(()).err());
        review
    }

    /// Validates operations as [`operations::check`] does, with the directives of clients that the policy names.
    pub fn check(&self, documents: &Documents, old: Option<&Schema>, new: &Schema, changes: &[Change]) -> Checked {
        let directives = &self.operations.client_directives;
        operations::check_with(documents, old, new, changes, directives)
    }

    /// Whether documents and operations that cannot be checked are a failure.
    pub fn is_strict(&self) -> bool {
        self.operations.strict
    }

    fn location<T>(&self, entry: &Spanned<T>) -> Location {
        let (file, lines) = self.file.as_ref().expect("a file has the entry");
        Location { file: file.clone(), position: lines.position(entry.span().start) }
    }
}

/// A message of serde with the most similar name, and without a long list: "unknown field `sort`, expected one of
/// `kind`, `reason`".
fn with_suggestion(message: &str) -> String {
    let mut names = message.split('`').skip(1).step_by(2);
    let (unknown, known) = (names.next().unwrap_or_default(), names.collect::<Vec<_>>());
    let suggestion = suggestion(unknown, known.iter().copied());
    let shown = match message.split_once(", expected") {
        Some((start, _)) if known.len() > MAX_LISTED => start,
        _ => message,
    };
    format!("{shown}{suggestion}")
}
