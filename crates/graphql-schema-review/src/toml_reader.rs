//! Reads files of TOML strictly, and locates their problems.

use std::{ops::Range, sync::Arc};

use chrono::NaiveDate;
use graphql_sdl::{LineIndex, Location, Problems, suggestion};
use serde::de::DeserializeOwned;
use toml::{Spanned, Value};

use crate::{
    Acceptance,
    pattern::{MAX_PATTERNS, Pattern},
    text::one_line,
};

/// The maximum number of known names that a problem lists.
const MAX_LISTED: usize = 10;

/// Converts parsed TOML, and collects the problems.
pub(crate) struct TomlReader {
    file: Arc<str>,
    lines: LineIndex,
    pub(crate) problems: Problems,
    patterns: usize,
}

impl TomlReader {
    /// Parses a file; the default, if it has another form.
    pub(crate) fn read<T: Default + DeserializeOwned>(file: &Arc<str>, text: &str) -> (Self, T) {
        let mut reader = Self {
            file: file.clone(),
            lines: LineIndex::new(text),
            problems: Problems::new(file.clone()),
            patterns: 0,
        };
        let parsed = toml::from_str(text).unwrap_or_else(|error| {
            reader.add(
                error.span().unwrap_or(0..0),
                with_suggestion(error.message()),
            );
            T::default()
        });
        (reader, parsed)
    }

    pub(crate) fn add(&mut self, span: Range<usize>, message: impl AsRef<str>) {
        self.problems.add(self.lines.position(span.start), message);
    }

    pub(crate) fn required_text(
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

    pub(crate) fn coordinate(
        &mut self,
        value: Option<Spanned<String>>,
        entry: &Range<usize>,
    ) -> Option<Pattern> {
        let value = self.required_text("coordinate", value, entry)?;
        let pattern = Pattern::new(value.get_ref());
        self.patterns += usize::from(!pattern.is_exact());
        if self.patterns > MAX_PATTERNS && !pattern.is_exact() {
            let message = format!(
                "more than {MAX_PATTERNS} coordinates with *: write coordinates without it, of which there can be \
                 any number"
            );
            self.add(value.span(), message);
            return None;
        }
        Some(pattern)
    }

    /// Why an entry is there, and until when.
    pub(crate) fn acceptance(
        &mut self,
        reason: Option<Spanned<String>>,
        until: Option<Spanned<Value>>,
        entry: &Range<usize>,
    ) -> Option<Acceptance> {
        let reason = self.required_text("reason", reason, entry);
        let until = until.map(|until| self.day(&until));
        Some(Acceptance {
            reason: one_line(reason?.get_ref()),
            until: match until {
                Some(day) => Some(day?),
                None => None,
            },
            location: Location {
                file: self.file.clone(),
                position: self.lines.position(entry.start),
            },
        })
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
