//! The changes that reviewers accepted: a reviewed file beside the schema, by convention
//! `schema.accepted.toml`.
//!
//! ```toml
//! [[accepted]]
//! coordinate = "Book.title"   # as in the report, or a pattern: "Query.legacy*"
//! kind = "FIELD_REMOVED"             # as in the report
//! reason = "No client of the last year selects it."
//! until = 2027-01-31                 # the last day; without it, the entry does not expire
//! message = "…"                      # as in the report; only where several changes have
//!                                    # this coordinate and kind
//! ```
//!
//! An entry accepts one change, and one with a pattern every change of its kind that it matches and no other entry
//! accepts. An entry that has expired, or whose change does not exist, is a problem, so that the file lists only what is
//! intended now.

use std::{
    cell::{Cell, LazyCell},
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use chrono::NaiveDate;
use graphql_sdl::{Problems, Schema, excerpt, suggestion};
use serde::Deserialize;
use toml::{Spanned, Value};

use crate::{
    Acceptance, Change, ChangeKind, Level, Review, Reviewed, pattern::Pattern,
    toml_reader::TomlReader,
};

/// The maximum number of entries for which a similar coordinate is searched, which takes long in a large schema.
const MAX_SUGGESTIONS: usize = 10;

/// The contents of the file of accepted changes.
#[derive(Clone, Debug)]
pub struct Accepted {
    file: Arc<str>,
    entries: Vec<Entry>,
}

/// One accepted change, or the changes that a pattern matches.
#[derive(Clone, Debug)]
struct Entry {
    coordinate: Pattern,
    kind: ChangeKind,
    message: Option<String>,
    acceptance: Acceptance,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    #[serde(default)]
    accepted: Vec<Spanned<RawEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEntry {
    coordinate: Option<Spanned<String>>,
    kind: Option<Spanned<String>>,
    message: Option<String>,
    reason: Option<Spanned<String>>,
    until: Option<Spanned<Value>>,
}

impl Accepted {
    /// Parses the file. `name` is its name in messages and locations.
    pub fn parse(name: impl AsRef<str>, text: &str) -> Result<Self, Problems> {
        let file: Arc<str> = Arc::from(name.as_ref());
        let (mut reader, raw): (_, RawFile) = TomlReader::read(&file, text);
        let entries = raw.accepted.into_iter();
        let mut entries: Vec<Entry> = entries.filter_map(|raw| entry(&mut reader, raw)).collect();
        // A pattern accepts what no other entry does.
        entries.sort_by_key(|entry| !entry.coordinate.is_exact());
        reader.problems.into_result(Self { file, entries })
    }

    /// Marks the accepted changes between two schemas, and reports the entries that are invalid on
    /// `today`.
    pub fn review(
        &self,
        old: &Schema,
        new: &Schema,
        changes: Vec<Change>,
        today: NaiveDate,
    ) -> Review {
        let mut review = Review::new(changes);
        let mut problems = Problems::new(self.file.clone());
        let mut of_coordinate: HashMap<(ChangeKind, String), Vec<usize>> = HashMap::new();
        for (index, Reviewed { change, .. }) in review.changes.iter().enumerate() {
            let key = (change.kind, change.coordinate.clone());
            of_coordinate.entry(key).or_default().push(index);
        }
        let known = LazyCell::new(|| Known::new(old, new));
        for entry in &self.entries {
            let matched = if entry.coordinate.is_exact() {
                let key = (entry.kind, entry.coordinate.as_str().to_owned());
                of_coordinate.get(&key).cloned().unwrap_or_default()
            } else {
                entry.matched(&review)
            };
            match entry.find(&review, matched, today, &known) {
                Ok(indices) => {
                    for index in indices {
                        review.changes[index].accepted = Some(entry.acceptance.clone());
                    }
                }
                Err(message) => problems.add(entry.acceptance.location.position, message),
            }
        }
        review.problems = problems.into_result(()).err();
        review
    }
}

/// The coordinates of both schemas, for what is said about entries without a change.
struct Known {
    names: [String; 2],
    coordinates: BTreeSet<String>,
    /// The number of entries for which a similar coordinate is still searched.
    suggestions: Cell<usize>,
}

impl Known {
    fn new(old: &Schema, new: &Schema) -> Self {
        let coordinates = old.coordinates().into_iter().chain(new.coordinates());
        Self {
            names: [old, new].map(|schema| schema.name().to_owned()),
            coordinates: coordinates.collect(),
            suggestions: Cell::new(MAX_SUGGESTIONS),
        }
    }

    fn suggestion(&self, coordinate: &str) -> String {
        let Some(left) = self.suggestions.get().checked_sub(1) else {
            return String::new();
        };
        self.suggestions.set(left);
        suggestion(coordinate, self.coordinates.iter().map(String::as_str))
    }
}

impl Entry {
    /// The indices of the changes that a pattern matches.
    fn matched(&self, review: &Review) -> Vec<usize> {
        let changes = review.changes.iter().enumerate();
        let changes = changes.filter(|(_, Reviewed { change, .. })| {
            change.kind == self.kind && self.coordinate.matches(&change.coordinate)
        });
        changes.map(|(index, _)| index).collect()
    }

    /// The indices of the matched changes that the entry accepts, or why the entry is invalid.
    fn find(
        &self,
        review: &Review,
        matched: Vec<usize>,
        today: NaiveDate,
        known: &Known,
    ) -> Result<Vec<usize>, String> {
        let kind = self.kind;
        let coordinate = self.coordinate.as_str();
        if let Some(until) = self.acceptance.until.filter(|until| *until < today) {
            return Err(format!(
                "the acceptance of {kind} of '{coordinate}' expired on {until}: revert the change, \
                 or set a later date after a review"
            ));
        }
        let matched = matched.into_iter();
        let mut changes: Vec<_> = matched
            .map(|index| (index, &review.changes[index]))
            .collect();
        let Some((_, first)) = changes.first() else {
            return Err(self.no_change(known));
        };
        let other_message = &first.change.message;
        if let Some(message) = &self.message {
            changes.retain(|(_, one)| one.change.message == *message);
        }
        if !self.coordinate.is_exact() {
            return self.open(changes);
        }
        match changes[..] {
            [] => Err(format!(
                "the message of the change {kind} of '{coordinate}' is {other_message:?}: review \
                 the change and update the entry, or remove it"
            )),
            [(index, reviewed)] => match &reviewed.accepted {
                Some(Acceptance { location, .. }) => Err(format!(
                    "{kind} of '{coordinate}' is already accepted at {location}: remove one"
                )),
                None if reviewed.change.level == Level::Safe => Err(format!(
                    "{kind} of '{coordinate}' is safe and needs no entry: remove it"
                )),
                None => Ok(vec![index]),
            },
            _ => Err(format!(
                "{} changes are {kind} of '{coordinate}': select one by its message, message = \
                 \"…\"",
                changes.len()
            )),
        }
    }

    /// The changes that a pattern accepts.
    fn open(&self, mut changes: Vec<(usize, &Reviewed)>) -> Result<Vec<usize>, String> {
        changes.retain(|(_, one)| one.accepted.is_none() && one.change.level != Level::Safe);
        if changes.is_empty() {
            return Err(format!(
                "every change {} of '{}' is safe or accepted by another entry: remove the entry",
                self.kind,
                self.coordinate.as_str()
            ));
        }
        Ok(changes.into_iter().map(|(index, _)| index).collect())
    }

    fn no_change(&self, known: &Known) -> String {
        let kind = self.kind;
        let coordinate = self.coordinate.as_str();
        let [old, new] = &known.names;
        let mut coordinates = known.coordinates.iter();
        let is_known = known.coordinates.contains(coordinate)
            || (!self.coordinate.is_exact() && coordinates.any(|one| self.coordinate.matches(one)));
        if is_known {
            return format!(
                "there is no change {kind} of '{coordinate}' between {old} and {new}: remove the entry"
            );
        }
        format!(
            "'{coordinate}' is neither in {old} nor in {new}: remove the entry if the change was released{}",
            known.suggestion(coordinate)
        )
    }
}

fn entry(reader: &mut TomlReader, raw: Spanned<RawEntry>) -> Option<Entry> {
    let span = raw.span();
    let raw = raw.into_inner();
    let coordinate = reader.coordinate(raw.coordinate, &span);
    let kind = reader.required_text("kind", raw.kind, &span);
    let kind = kind.and_then(|name| self::kind(reader, &name));
    let acceptance = reader.acceptance(raw.reason, raw.until, &span);
    Some(Entry {
        coordinate: coordinate?,
        kind: kind?,
        message: raw.message,
        acceptance: acceptance?,
    })
}

fn kind(reader: &mut TomlReader, name: &Spanned<String>) -> Option<ChangeKind> {
    let (span, name) = (name.span(), name.get_ref());
    let mut kinds = ChangeKind::ALL.into_iter();
    let kind = kinds.find(|kind| kind.name() == name);
    if kind.is_none() {
        let known = ChangeKind::ALL.map(ChangeKind::name);
        let message = format!(
            "unknown kind {:?}{}",
            excerpt(name),
            suggestion(name, known)
        );
        reader.add(span, message);
    }
    kind
}
