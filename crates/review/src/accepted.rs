//! The changes that reviewers accepted: a reviewed file beside the schema, by convention
//! `schema.accepted.toml`.
//!
//! ```toml
//! [[accepted]]
//! coordinate = "Book.title"   # as in the report
//! kind = "FIELD_REMOVED"             # as in the report
//! reason = "No client of the last year selects it."
//! until = 2027-01-31                 # the last day; without it, the entry does not expire
//! message = "…"                      # as in the report; only where several changes have
//!                                    # this coordinate and kind
//! ```
//!
//! An entry accepts one change. An entry that has expired, or whose change does not exist, is a
//! problem, so that the file lists only what is intended now.

use std::{ops::Range, sync::Arc};

use chrono::NaiveDate;
use schema::{LineIndex, Location, Problems, Schema, excerpt, suggestion};
use serde::Deserialize;
use toml::{Spanned, Value};

use crate::{Acceptance, Change, ChangeKind, Level, Review, text::one_line};

/// The contents of the file of accepted changes.
#[derive(Clone, Debug)]
pub struct Accepted {
    file: Arc<str>,
    entries: Vec<Entry>,
}

/// One accepted change.
#[derive(Clone, Debug)]
struct Entry {
    coordinate: String,
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
        let mut reader = Reader {
            file: file.clone(),
            lines: LineIndex::new(text),
            problems: Problems::new(file.clone()),
        };
        let raw = toml::from_str(text).unwrap_or_else(|error| {
            reader.add(error.span().unwrap_or(0..0), error.message());
            RawFile::default()
        });
        let entries = raw.accepted.into_iter();
        let entries: Vec<Entry> = entries.filter_map(|entry| reader.entry(entry)).collect();
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
        for entry in &self.entries {
            match entry.find(&review, today, old, new) {
                Ok(index) => review.changes[index].accepted = Some(entry.acceptance.clone()),
                Err(message) => problems.add(entry.acceptance.location.position, message),
            }
        }
        review.problems = problems.into_result(()).err();
        review
    }
}

impl Entry {
    /// The index of the change that the entry accepts, or why the entry is invalid.
    fn find(
        &self,
        review: &Review,
        today: NaiveDate,
        old: &Schema,
        new: &Schema,
    ) -> Result<usize, String> {
        let Self {
            coordinate, kind, ..
        } = self;
        if let Some(until) = self.acceptance.until.filter(|until| *until < today) {
            return Err(format!(
                "the acceptance of {kind} of '{coordinate}' expired on {until}: revert the change, \
                 or set a later date after a review"
            ));
        }
        let changes = review.changes.iter().enumerate();
        let mut changes: Vec<_> = changes
            .filter(|(_, one)| one.change.kind == *kind && one.change.coordinate == *coordinate)
            .collect();
        let Some((_, first)) = changes.first() else {
            return Err(self.no_change(old, new));
        };
        let other_message = &first.change.message;
        if let Some(message) = &self.message {
            changes.retain(|(_, one)| one.change.message == *message);
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
                None => Ok(index),
            },
            _ => Err(format!(
                "{} changes are {kind} of '{coordinate}': select one by its message, message = \
                 \"…\"",
                changes.len()
            )),
        }
    }

    fn no_change(&self, old: &Schema, new: &Schema) -> String {
        let Self {
            coordinate, kind, ..
        } = self;
        let (old_name, new_name) = (old.name(), new.name());
        let (old_coordinates, new_coordinates) = (old.coordinates(), new.coordinates());
        let known = || old_coordinates.iter().chain(&new_coordinates);
        if known().any(|known| known == coordinate) {
            format!(
                "there is no change {kind} of '{coordinate}' between {old_name} and {new_name}: \
                 remove the entry"
            )
        } else {
            format!(
                "'{coordinate}' is neither in {old_name} nor in {new_name}: remove the entry if \
                 the change was released{}",
                suggestion(coordinate, known().map(String::as_str))
            )
        }
    }
}

/// Converts the parsed TOML to entries, and collects the problems.
struct Reader {
    file: Arc<str>,
    lines: LineIndex,
    problems: Problems,
}

impl Reader {
    fn add(&mut self, span: Range<usize>, message: impl AsRef<str>) {
        self.problems.add(self.lines.position(span.start), message);
    }

    fn entry(&mut self, raw: Spanned<RawEntry>) -> Option<Entry> {
        let span = raw.span();
        let raw = raw.into_inner();
        let coordinate = self.required_text("coordinate", raw.coordinate, &span);
        let kind = self.required_text("kind", raw.kind, &span);
        let reason = self.required_text("reason", raw.reason, &span);
        let kind = kind.and_then(|name| self.kind(&name));
        let until = raw.until.map(|until| self.day(&until));
        Some(Entry {
            coordinate: coordinate?.into_inner(),
            kind: kind?,
            message: raw.message,
            acceptance: Acceptance {
                reason: one_line(reason?.get_ref()),
                until: match until {
                    Some(day) => Some(day?),
                    None => None,
                },
                location: Location {
                    file: self.file.clone(),
                    position: self.lines.position(span.start),
                },
            },
        })
    }

    fn kind(&mut self, name: &Spanned<String>) -> Option<ChangeKind> {
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
            self.add(span, message);
        }
        kind
    }

    fn required_text(
        &mut self,
        key: &str,
        value: Option<Spanned<String>>,
        entry: &Range<usize>,
    ) -> Option<Spanned<String>> {
        let (span, message) = match value {
            Some(value) if !value.get_ref().trim().is_empty() => return Some(value),
            Some(value) => (value.span(), format!("the {key} is empty")),
            None => (entry.clone(), format!("the entry has no {key}")),
        };
        self.add(span, message);
        None
    }

    fn day(&mut self, until: &Spanned<Value>) -> Option<NaiveDate> {
        let day = match until.get_ref() {
            Value::Datetime(day) if day.time.is_none() && day.offset.is_none() => day.date,
            _ => None,
        };
        let day = day.and_then(|day| {
            NaiveDate::from_ymd_opt(day.year.into(), day.month.into(), day.day.into())
        });
        if day.is_none() {
            let message =
                "until is not a date: write it as 2027-01-31, without quotes and without a time";
            self.add(until.span(), message);
        }
        day
    }
}
