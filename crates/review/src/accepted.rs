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

use std::{collections::HashMap, ops::Range, sync::Arc};

use chrono::NaiveDate;
use schema::{LineIndex, Location, Position, Problems, Schema, suggestion};
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
    position: Position,
    coordinate: String,
    kind: ChangeKind,
    message: Option<String>,
    reason: String,
    until: Option<NaiveDate>,
}

#[derive(Deserialize)]
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
            lines: LineIndex::new(text),
            problems: Problems::new(file.clone()),
        };
        let raw = toml::from_str::<RawFile>(text).unwrap_or_else(|error| {
            reader.add(error.span().unwrap_or(0..0), error.message());
            RawFile {
                accepted: Vec::new(),
            }
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
        let mut by_kind: HashMap<(String, ChangeKind), Vec<usize>> = HashMap::new();
        for (index, reviewed) in review.changes.iter().enumerate() {
            let change = &reviewed.change;
            let key = (change.coordinate.clone(), change.kind);
            by_kind.entry(key).or_default().push(index);
        }
        let mut problems = Problems::new(self.file.clone());
        for entry in &self.entries {
            let key = (entry.coordinate.clone(), entry.kind);
            let found = by_kind.get(&key).map_or(&[][..], Vec::as_slice);
            match entry.find(&review, found, today) {
                Ok(index) => {
                    review.changes[index].accepted = Some(Acceptance {
                        reason: entry.reason.clone(),
                        until: entry.until,
                        location: Location::new(self.file.clone(), entry.position),
                    });
                }
                Err(invalid) => problems.add(entry.position, invalid.message(entry, old, new)),
            }
        }
        review.problems = problems.into_result(()).err();
        review
    }
}

/// Why an entry is invalid.
enum InvalidEntry {
    Expired(NaiveDate),
    NoChange,
    MessageMismatch(String),
    Ambiguous(usize),
    Safe,
    Duplicate(Location),
}

impl Entry {
    /// The index of the change that the entry accepts, out of those of its coordinate and kind.
    fn find(
        &self,
        review: &Review,
        found: &[usize],
        today: NaiveDate,
    ) -> Result<usize, InvalidEntry> {
        if let Some(until) = self.until.filter(|until| *until < today) {
            return Err(InvalidEntry::Expired(until));
        }
        let message_of = |index: &usize| &review.changes[*index].change.message;
        let matches_message = |index: &&usize| {
            let message = self.message.as_ref();
            message.is_none_or(|message| message == message_of(index))
        };
        let index = match (
            found,
            &found.iter().filter(matches_message).collect::<Vec<_>>()[..],
        ) {
            ([], _) => return Err(InvalidEntry::NoChange),
            ([first, ..], []) => {
                return Err(InvalidEntry::MessageMismatch(message_of(first).clone()));
            }
            (_, [index]) => **index,
            (_, several) => return Err(InvalidEntry::Ambiguous(several.len())),
        };
        let reviewed = &review.changes[index];
        if let Some(accepted) = &reviewed.accepted {
            return Err(InvalidEntry::Duplicate(accepted.location.clone()));
        }
        if reviewed.change.level == Level::Safe {
            return Err(InvalidEntry::Safe);
        }
        Ok(index)
    }
}

impl InvalidEntry {
    fn message(&self, entry: &Entry, old: &Schema, new: &Schema) -> String {
        let Entry {
            coordinate, kind, ..
        } = entry;
        let has = |schema: &Schema| schema.coordinates().contains(coordinate);
        match self {
            Self::Expired(until) => format!(
                "the acceptance of {kind} of '{coordinate}' expired on {until}: revert the change, \
                 or set a later date after a review"
            ),
            Self::NoChange if has(old) || has(new) => format!(
                "there is no change {kind} of '{coordinate}' between {} and {}: remove the entry",
                old.name(),
                new.name()
            ),
            Self::NoChange => {
                let (old_coordinates, new_coordinates) = (old.coordinates(), new.coordinates());
                let known = old_coordinates.iter().chain(&new_coordinates);
                format!(
                    "'{coordinate}' is neither in {} nor in {}: remove the entry if the change \
                     was released{}",
                    old.name(),
                    new.name(),
                    suggestion(coordinate, known.map(String::as_str))
                )
            }
            Self::MessageMismatch(message) => format!(
                "the message of the change {kind} of '{coordinate}' is {message:?}: review the \
                 change and update the entry, or remove it"
            ),
            Self::Ambiguous(count) => format!(
                "{count} changes are {kind} of '{coordinate}': select one by its message, message \
                 = \"…\""
            ),
            Self::Safe => {
                format!("{kind} of '{coordinate}' is safe and needs no entry: remove it")
            }
            Self::Duplicate(location) => {
                format!("{kind} of '{coordinate}' is already accepted at {location}: remove one")
            }
        }
    }
}

/// Converts the parsed TOML to entries, and collects the problems.
struct Reader {
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
        let position = self.lines.position(span.start);
        let coordinate = self.required_text("coordinate", raw.coordinate, &span);
        let kind = self.required_text("kind", raw.kind, &span);
        let reason = self.required_text("reason", raw.reason, &span);
        let until = match raw.until {
            Some(until) => Some(self.day(&until)?),
            None => None,
        };
        let (kind, kind_span) = kind?;
        let Some(kind) = ChangeKind::find(&kind) else {
            let known = ChangeKind::ALL.iter().map(|kind| kind.name());
            let message = format!("unknown kind {kind:?}{}", suggestion(&kind, known));
            self.add(kind_span, message);
            return None;
        };
        Some(Entry {
            position,
            coordinate: coordinate?.0,
            kind,
            message: raw.message,
            reason: one_line(&reason?.0),
            until,
        })
    }

    fn required_text(
        &mut self,
        key: &str,
        value: Option<Spanned<String>>,
        entry: &Range<usize>,
    ) -> Option<(String, Range<usize>)> {
        match value {
            None => {
                self.add(entry.clone(), format!("the entry has no {key}"));
                None
            }
            Some(value) if value.get_ref().trim().is_empty() => {
                self.add(value.span(), format!("the {key} is empty"));
                None
            }
            Some(value) => {
                let span = value.span();
                Some((value.into_inner(), span))
            }
        }
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
