//! The file of a schema.

use std::sync::Arc;

use apollo_compiler::parser::{FileId, SourceSpan};

use crate::{LineIndex, Position};

/// The file of a schema and its line index.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) file: FileId,
    pub(crate) lines: Arc<LineIndex>,
}

impl Source {
    /// The position of a span; `None` if it is in another file.
    pub(crate) fn position(&self, span: SourceSpan) -> Option<Position> {
        (span.file_id() == self.file).then(|| self.lines.position(span.offset()))
    }
}
