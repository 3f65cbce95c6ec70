//! Defects of a file that is read here: located, collected, all reported at once.

use std::{fmt, sync::Arc};

use serde::Serialize;

/// Where something stands: a file, and the line and the column in it.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Place {
    /// The name of the file, as it was given.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A defect of a file: what is wrong, where, and what would be right.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Problem {
    /// The name of the file, as it was given.
    pub file: Arc<str>,
    /// Where in the file; none if it concerns the file as a whole.
    pub place: Option<Place>,
    /// What is wrong and what would be right, in one line.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(formatter, "{place}: {}", self.message),
            None => write!(formatter, "{}: {}", self.file, self.message),
        }
    }
}

/// Every defect of one file, in the order of the file; at least one. Shown as one line each.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// The defects, if there are any.
    pub(crate) fn of(mut found: Vec<Problem>) -> Option<Self> {
        found.sort();
        found.dedup();
        (!found.is_empty()).then_some(Self(found))
    }

    /// The defects in the order of the file.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            if index > 0 {
                formatter.write_str("\n")?;
            }
            problem.fmt(formatter)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// `; did you mean "…"?` with the most similar of the known names, or nothing.
pub(crate) fn suggestion<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let likeness =
        |candidate: &str| strsim::jaro_winkler(&name.to_lowercase(), &candidate.to_lowercase());
    known
        .into_iter()
        .map(|candidate| (likeness(candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map_or_else(String::new, |(_, candidate)| {
            format!("; did you mean {candidate:?}?")
        })
}
