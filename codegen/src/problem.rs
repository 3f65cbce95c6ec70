//! Defects of an SDL file, located and collected.

use std::fmt;

/// A place in the SDL file: line and column count characters from 1.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}

/// A defect of an SDL file: what is wrong, where, and what would be right.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Problem {
    /// The path of the file, as it was given.
    pub file: String,
    /// Where in the file; none if it concerns the file as a whole.
    pub place: Option<Place>,
    /// What is wrong and what would be right, in one line.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some(place) => write!(formatter, "{}:{place}: {}", self.file, self.message),
            None => write!(formatter, "{}: {}", self.file, self.message),
        }
    }
}

impl std::error::Error for Problem {}

/// Collects the problems of one file, so that all of them can be reported at once.
pub(crate) struct Problems {
    file: String,
    found: Vec<Problem>,
}

impl Problems {
    pub(crate) fn new(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            found: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, place: impl Into<Option<Place>>, message: impl Into<String>) {
        let (file, place) = (self.file.clone(), place.into());
        self.found.push(Problem {
            file,
            place,
            message: one_line(&message.into()),
        });
    }

    pub(crate) fn none_at(&self, place: Option<Place>) -> bool {
        self.found.iter().all(|problem| problem.place != place)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The problems in the order of the file.
    pub(crate) fn into_sorted(mut self) -> Vec<Problem> {
        self.found.sort_by_key(|problem| problem.place);
        self.found.dedup();
        self.found
    }
}

/// A message can quote the file. Cargo would take its second line for something else, and a terminal
/// would obey its control characters.
fn one_line(message: &str) -> String {
    let mut line = String::with_capacity(message.len());
    for character in message.chars() {
        if character.is_control() {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}

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
