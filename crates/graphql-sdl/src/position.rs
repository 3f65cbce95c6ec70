//! Lines and columns: of byte offsets in a text, in the files of a schema, and in a document that is a part of a file.

use std::{borrow::Cow, fmt, path::Path, sync::Arc};

use apollo_compiler::parser::{FileId, SourceSpan};
use serde::Serialize;

use crate::file_name;

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

/// A location in a file: line and column.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Location {
    /// The name of the file, as passed by the caller.
    pub file: Arc<str>,
    /// The position in the file.
    #[serde(flatten)]
    pub position: Position,
}

impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", file_name(&self.file), self.position)
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

/// Whether the name is that of a file of SDL or of documents: `.graphql`, `.graphqls` or `.gql`.
pub fn is_graphql_file(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    ["graphql", "graphqls", "gql"].iter().any(|known| extension == *known)
}

/// The files of a schema, which are read as one text, and their line indices.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) file: FileId,
    files: Arc<[(usize, Arc<str>, LineIndex)]>,
}

impl Source {
    /// The text of files, each a name and a text.
    pub(crate) fn text<'t>(files: &[(Arc<str>, &'t str)]) -> Cow<'t, str> {
        match files {
            [(_, text)] => Cow::Borrowed(text),
            files => {
                let texts: Vec<&str> = files.iter().map(|(_, text)| *text).collect();
                texts.join("\n").into()
            }
        }
    }

    /// The source of the text of files, which the parser has read as one.
    pub(crate) fn new(file: FileId, files: &[(Arc<str>, &str)]) -> Self {
        let mut begin = 0;
        let files = files.iter().map(|(name, text)| {
            let indexed = (begin, name.clone(), LineIndex::new(text));
            begin += text.len() + 1;
            indexed
        });
        let files = files.collect();
        Self { file, files }
    }

    pub(crate) fn names(&self) -> Vec<Arc<str>> {
        self.files.iter().map(|(_, name, _)| name.clone()).collect()
    }

    /// The location of a span; `None` if it is in another text.
    pub(crate) fn location(&self, span: SourceSpan) -> Option<Location> {
        (span.file_id() == self.file).then(|| self.location_of_offset(span.offset()))
    }

    /// The location of an offset in the text.
    pub(crate) fn location_of_offset(&self, offset: usize) -> Location {
        let after = self.files.partition_point(|(begin, _, _)| *begin <= offset);
        let (begin, name, lines) = &self.files[after - 1];
        Location { file: name.clone(), position: lines.position(offset - begin) }
    }
}

/// Where a document is in its file.
pub struct DocumentText {
    file: Arc<str>,
    lines: Arc<LineIndex>,
    /// Pairs of an offset in the document and the same offset in the file, ascending. Between two
    /// of them both advance alike.
    offsets: Vec<(usize, usize)>,
}

impl DocumentText {
    /// A document that is a whole file.
    pub fn of_file(file: Arc<str>, text: &str) -> Self {
        Self { file, lines: LineIndex::new(text).into(), offsets: vec![(0, 0)] }
    }

    /// A document whose parts are parts of a file: pairs of an offset in the document and the same offset in the file,
    /// ascending, of which the first is that of the begin of the document.
    pub fn of_parts(file: Arc<str>, lines: Arc<LineIndex>, offsets: impl IntoIterator<Item = (usize, usize)>) -> Self {
        Self { file, lines, offsets: offsets.into_iter().collect() }
    }

    /// A document that is a JSON string at an offset of a file; `document` is its value.
    pub(crate) fn of_json_string(
        file: Arc<str>,
        lines: Arc<LineIndex>,
        json: &str,
        offset: usize,
        document: &str,
    ) -> Self {
        let json = json.as_bytes();
        // The opening quote.
        let mut at = 1;
        let mut offsets = vec![(0, offset + at)];
        for (start, character) in document.char_indices() {
            let length = character.len_utf8();
            let escaped = match (json.get(at), json.get(at + 1)) {
                // A character beyond U+FFFF is escaped as two surrogates.
                (Some(b'\\'), Some(b'u')) if character > '\u{ffff}' => 12,
                (Some(b'\\'), Some(b'u')) => 6,
                (Some(b'\\'), _) => 2,
                _ => length,
            };
            at += escaped;
            if escaped != length {
                offsets.push((start + length, offset + at));
            }
        }
        Self { file, lines, offsets }
    }

    /// The location of an offset in the document.
    pub fn location(&self, offset: usize) -> Location {
        let after = self.offsets.partition_point(|(start, _)| *start <= offset);
        let (start, in_file) = self.offsets[after - 1];
        Location { file: self.file.clone(), position: self.lines.position(in_file + offset - start) }
    }

    /// The location of the whole document.
    pub fn start(&self) -> Location {
        self.location(0)
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
