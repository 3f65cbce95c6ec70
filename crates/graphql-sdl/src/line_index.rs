//! Converts byte offsets to lines and columns.

use std::fmt;

use serde::Serialize;

/// A line and a column, both from 1; columns count characters (Unicode scalar values).
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}

/// The line starts of a text. Lines end with LF, CR or CRLF (GraphQL specification, section 2.1.2), not with the
/// other line terminators of Unicode.
#[derive(Clone, Debug)]
pub struct LineIndex {
    /// The offset of the first byte of each line.
    starts: Box<[usize]>,
    /// The offsets of the bytes that continue a character, and of a byte order mark.
    continuations: Box<[usize]>,
}

impl LineIndex {
    /// Indexes a text.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let is_end = |at: usize| match bytes[at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let ends = (0..bytes.len()).filter(|at| is_end(*at));
        // Editors show no column for a byte order mark.
        let is_mark = text.starts_with('\u{feff}');
        let continuations = (0..bytes.len()).filter(|at| (is_mark && *at == 0) || !text.is_char_boundary(*at));
        Self {
            starts: std::iter::once(0).chain(ends.map(|at| at + 1)).collect(),
            continuations: continuations.collect(),
        }
    }

    /// The position of a byte offset.
    pub fn position(&self, offset: usize) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        let before = |offset| self.continuations.partition_point(|at| *at < offset);
        Position { line, column: offset - start - (before(offset) - before(start)) + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lf_cr_and_crlf_end_lines() {
        for (before, line, column) in [
            ("", 1, 1),
            ("ab", 1, 3),
            ("a\nb", 2, 2),
            ("a\r\nb", 2, 2),
            ("a\rb", 2, 2),
            ("a\n\r\n\r", 4, 1),
            ("é\u{b}\u{c}\u{85}\u{2028}\u{2029}", 1, 7),
            ("é\né🚗b", 2, 4),
            ("\u{feff}", 1, 1),
            ("\u{feff}ab\u{feff}", 1, 4),
            ("\u{feff}a\nb", 2, 2),
        ] {
            let text = format!("{before}x\ny");
            let position = LineIndex::new(&text).position(before.len());
            assert_eq!((position.line, position.column), (line, column), "{before:?}");
        }
    }
}
