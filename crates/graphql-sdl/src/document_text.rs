//! The text of a document, and the positions of its parts in the file that contains it.

use std::sync::Arc;

use crate::{LineIndex, Location};

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
