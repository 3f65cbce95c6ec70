//! The changes that the reviewers of a contract accepted: a reviewed file beside the contract,
//! `schema.accepted.toml` by custom.
//!
//! ```toml
//! [[accepted]]
//! coordinate = "Vehicle.brandName"   # as the report has it
//! kind = "FIELD_REMOVED"             # as the report has it
//! reason = "No client of the last year selects it."
//! until = 2027-01-31                 # the last day; without it, as long as the change is there
//! message = "…"                      # as the report has it; only where several changes have
//!                                    # this coordinate and kind
//! ```
//!
//! An entry lets one change pass. It has to hold: one whose day has passed, or whose change is not
//! among the changes (any more), is a problem, so that the file lists what is intended now and
//! nothing else.

use std::{collections::HashMap, ops::Range, sync::Arc};

use chrono::NaiveDate;
use serde::Deserialize;
use toml::{Spanned, Value};

use crate::{
    Acceptance, Change, ChangeKind, Level, Place, Problem, Problems, Review, Schema,
    problem::suggestion, text::one_line,
};

/// What the file of accepted changes says.
#[derive(Clone, Debug)]
pub struct Accepted {
    file: Arc<str>,
    entries: Vec<Entry>,
}

/// One accepted change.
#[derive(Clone, Debug)]
struct Entry {
    place: Place,
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
    /// Reads the file. `name` is what messages and places call it.
    pub fn parse(name: impl AsRef<str>, text: &str) -> Result<Self, Problems> {
        let mut reader = Reader {
            file: Arc::from(name.as_ref()),
            text,
            problems: Vec::new(),
        };
        let entries = match toml::from_str::<RawFile>(text) {
            Ok(raw) => raw.accepted.into_iter(),
            Err(error) => {
                reader.add(error.span().unwrap_or(0..0), one_line(error.message()));
                Vec::new().into_iter()
            }
        };
        let entries: Vec<Entry> = entries.filter_map(|entry| reader.entry(entry)).collect();
        let file = reader.file.clone();
        match Problems::of(reader.problems) {
            None => Ok(Self { file, entries }),
            Some(problems) => Err(problems),
        }
    }

    /// Marks those of the changes between two schemas that were accepted, and says which entries
    /// don't hold on that day.
    pub fn review(
        &self,
        old: &Schema,
        new: &Schema,
        changes: Vec<Change>,
        today: NaiveDate,
    ) -> Review {
        let mut review = Review::of(changes);
        let mut by_kind: HashMap<(String, ChangeKind), Vec<usize>> = HashMap::new();
        for (index, reviewed) in review.changes.iter().enumerate() {
            let change = &reviewed.change;
            let key = (change.coordinate.clone(), change.kind);
            by_kind.entry(key).or_default().push(index);
        }
        let mut problems = Vec::new();
        for entry in &self.entries {
            let key = (entry.coordinate.clone(), entry.kind);
            let found = by_kind.get(&key).map_or(&[][..], Vec::as_slice);
            match entry.find(&review, found, today) {
                Ok(index) => {
                    review.changes[index].accepted = Some(Acceptance {
                        reason: entry.reason.clone(),
                        until: entry.until,
                        place: entry.place.clone(),
                    });
                }
                Err(refusal) => problems.push(Problem {
                    file: self.file.clone(),
                    place: Some(entry.place.clone()),
                    message: refusal.message(entry, old, new),
                }),
            }
        }
        review.problems = Problems::of(problems);
        review
    }
}

/// Why an entry does not hold.
enum Refusal {
    Expired(NaiveDate),
    NoChange,
    OtherMessage(String),
    Several(usize),
    Safe,
    Again(Place),
}

impl Entry {
    /// The change that the entry accepts, out of those of its coordinate and kind.
    fn find(&self, review: &Review, found: &[usize], today: NaiveDate) -> Result<usize, Refusal> {
        if let Some(until) = self.until.filter(|until| *until < today) {
            return Err(Refusal::Expired(until));
        }
        let message_of = |index: &usize| &review.changes[*index].change.message;
        let meant = |index: &&usize| {
            let message = self.message.as_ref();
            message.is_none_or(|message| message == message_of(index))
        };
        let index = match (found, &found.iter().filter(meant).collect::<Vec<_>>()[..]) {
            ([], _) => return Err(Refusal::NoChange),
            ([first, ..], []) => return Err(Refusal::OtherMessage(message_of(first).clone())),
            (_, [index]) => **index,
            (_, several) => return Err(Refusal::Several(several.len())),
        };
        let reviewed = &review.changes[index];
        if let Some(accepted) = &reviewed.accepted {
            return Err(Refusal::Again(accepted.place.clone()));
        }
        if reviewed.change.level == Level::Safe {
            return Err(Refusal::Safe);
        }
        Ok(index)
    }
}

impl Refusal {
    fn message(&self, entry: &Entry, old: &Schema, new: &Schema) -> String {
        let Entry {
            coordinate, kind, ..
        } = entry;
        match self {
            Self::Expired(until) => format!(
                "{kind} of '{coordinate}' was accepted until {until}, which has passed: undo the \
                 change, or have a later day reviewed"
            ),
            Self::NoChange if old.has(coordinate) || new.has(coordinate) => format!(
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
            Self::OtherMessage(message) => format!(
                "the change {kind} of '{coordinate}' is another one now: {message:?}; have it \
                 reviewed, or remove the entry"
            ),
            Self::Several(count) => format!(
                "{count} changes are {kind} of '{coordinate}': say which one is accepted with its \
                 message, message = \"…\""
            ),
            Self::Safe => {
                format!("{kind} of '{coordinate}' is safe and needs no entry: remove it")
            }
            Self::Again(place) => {
                format!("{kind} of '{coordinate}' is accepted at {place} already: remove one")
            }
        }
    }
}

/// Turns what TOML gives into entries, and collects the problems.
struct Reader<'a> {
    file: Arc<str>,
    text: &'a str,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn place(&self, offset: usize) -> Place {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Place {
            file: self.file.clone(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }

    fn add(&mut self, span: Range<usize>, message: impl Into<String>) {
        self.problems.push(Problem {
            file: self.file.clone(),
            place: Some(self.place(span.start)),
            message: message.into(),
        });
    }

    fn entry(&mut self, raw: Spanned<RawEntry>) -> Option<Entry> {
        let span = raw.span();
        let raw = raw.into_inner();
        let place = self.place(span.start);
        let coordinate = self.text_of("coordinate", raw.coordinate, &span);
        let kind = self.text_of("kind", raw.kind, &span);
        let reason = self.text_of("reason", raw.reason, &span);
        let until = match raw.until {
            Some(until) => Some(self.day(&until)?),
            None => None,
        };
        let (kind, kind_span) = kind?;
        let Some(kind) = ChangeKind::find(&kind) else {
            let known = ChangeKind::ALL.iter().map(|kind| kind.name());
            let message = format!("there is no kind {kind:?}{}", suggestion(&kind, known));
            self.add(kind_span, message);
            return None;
        };
        Some(Entry {
            place,
            coordinate: coordinate?.0,
            kind,
            message: raw.message,
            reason: one_line(&reason?.0),
            until,
        })
    }

    fn text_of(
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
            let message = "until is not a day: write it as 2027-01-31, without quotes and time";
            self.add(until.span(), message);
        }
        day
    }
}
