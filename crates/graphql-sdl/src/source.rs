//! The files of a schema.

use std::{borrow::Cow, path::Path, sync::Arc};

use apollo_compiler::parser::{FileId, SourceSpan};

use crate::{LineIndex, Location};

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
