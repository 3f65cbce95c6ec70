//! Problems of an input file: located, collected, and reported together.

use std::{fmt, sync::Arc};

use crate::{
    Location, Position,
    message::{file_name, printable},
};

/// A defect of a file: what is wrong, where, and how to fix it.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Problem {
    /// The name of the file, as passed by the caller.
    pub file: Arc<str>,
    /// The position in the file; `None` if the problem concerns the whole file.
    pub position: Option<Position>,
    /// What is wrong and how to fix it, in one line.
    pub message: String,
}

impl Problem {
    /// Its location; `None` if it concerns the whole file.
    pub fn location(&self) -> Option<Location> {
        let file = self.file.clone();
        self.position.map(|position| Location { file, position })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = file_name(&self.file);
        match self.position {
            Some(position) => write!(formatter, "{file}:{position}: {}", self.message),
            None => write!(formatter, "{file}: {}", self.message),
        }
    }
}

/// The maximum number of displayed problems.
const MAX_DISPLAYED: usize = 10;

/// The problems of one file, or of several, to be reported together. Displayed as one line each, up to the tenth, and the
/// number of the others.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Problems {
    file: Arc<str>,
    found: Vec<Problem>,
}

impl Problems {
    /// No problems yet in the file of this name.
    pub fn new(file: impl Into<Arc<str>>) -> Self {
        Self { file: file.into(), found: Vec::new() }
    }

    /// Adds a problem at a position, or one that concerns the whole file. Control characters in the message,
    /// which can quote the file, are escaped.
    pub fn add(&mut self, position: impl Into<Option<Position>>, message: impl AsRef<str>) {
        self.add_in(self.file.clone(), position, message);
    }

    /// Adds a problem of another file; the problems of several files are reported together.
    pub fn add_in(&mut self, file: Arc<str>, position: impl Into<Option<Position>>, message: impl AsRef<str>) {
        self.found.push(Problem { file, position: position.into(), message: printable(message.as_ref()).into_owned() });
    }

    /// The value if there are no problems, otherwise the problems in the order of the file.
    pub fn into_result<T>(mut self, value: T) -> Result<T, Self> {
        if self.found.is_empty() {
            return Ok(value);
        }
        self.found.sort();
        self.found.dedup();
        Err(self)
    }

    /// The problems without their positions.
    pub(crate) fn without_positions(mut self) -> Self {
        for problem in &mut self.found {
            problem.position = None;
        }
        self
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The problems.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.found.iter()
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
        for (index, problem) in self.iter().take(MAX_DISPLAYED).enumerate() {
            if index > 0 {
                formatter.write_str("\n")?;
            }
            problem.fmt(formatter)?;
        }
        match self.found.len().saturating_sub(MAX_DISPLAYED) {
            0 => Ok(()),
            more => write!(formatter, "\nand {more} more"),
        }
    }
}

impl std::error::Error for Problems {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displays_ten_problems_and_the_number_of_the_others() {
        let displayed = |count| {
            let mut problems = Problems::new("a.graphql");
            for line in (1..=count).rev() {
                problems.add(Position { line, column: 1 }, "wrong\n");
            }
            let problems = problems.into_result(()).expect_err("there are some");
            assert_eq!(problems.iter().len(), count);
            problems.to_string()
        };
        let text = displayed(12);
        assert_eq!(text.lines().count(), 11);
        assert_eq!(text.lines().nth(9), Some("a.graphql:10:1: wrong\\n"));
        assert!(text.ends_with("\nand 2 more"), "{text}");
        assert_eq!(displayed(10).lines().count(), 10);
    }
}
