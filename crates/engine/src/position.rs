//! Positions in a document.

use apollo_compiler::parser::SourceSpan;
use async_graphql::Pos;
use schema::{LineIndex, Position};

/// The position of a span in the text with this line index.
pub(crate) fn position(lines: &LineIndex, span: SourceSpan) -> Pos {
    let Position { line, column } = lines.position(span.offset());
    Pos { line, column }
}
