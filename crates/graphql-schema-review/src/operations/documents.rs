//! Reads the documents of clients, and finds the fragments that each operation uses.

use std::{collections::HashMap, path::Path, sync::Arc};

use apollo_compiler::{
    Node,
    ast::{Definition, Document, OperationDefinition},
    parser::{FileId, Parser, SourceMap, SourceSpan},
};
use graphql_sdl::{
    DocumentText, LineIndex, Location, MAX_NESTING, Problems, document_diagnostic, executable, read_manifest,
};
use serde::Serialize;

use super::{
    embedded::{Embedded, Language},
    fragments::{Definitions, Imports, Linker},
};

/// The maximum size of a document.
const MAX_DOCUMENT_BYTES: usize = 1024 * 1024;

/// An operation of a client, and its location.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct OperationName {
    /// The name; `None` if it is anonymous.
    pub name: Option<String>,
    /// `query`, `mutation` or `subscription`.
    pub kind: &'static str,
    /// The identifier of its document in a manifest.
    pub id: Option<Arc<str>>,
    /// The location of its definition.
    pub location: Option<Location>,
}

/// Documents of clients, as a text with the name of its file.
#[derive(Clone, Debug)]
pub enum DocumentSource {
    /// `.graphql` files, and files of source code that contain documents. A file can use the fragments of the others.
    Files(Vec<(String, String)>),
    /// A manifest: a JSON object of documents by identifier, an Apollo persisted query manifest, or the operation output of
    /// Apollo Kotlin.
    Manifest(String, String),
}

/// The operations of clients, each with the fragments that it uses.
pub struct Documents {
    pub(super) operations: Vec<Operation>,
    /// The fragments that no operation uses.
    pub(super) unused: Vec<UnusedFragment>,
    /// What cannot be checked.
    pub(super) unchecked: Vec<Unchecked>,
    /// The number of files of tests that the caller omitted.
    pub(crate) omitted_tests: usize,
    texts: HashMap<FileId, DocumentText>,
}

/// A fragment that no operation uses.
#[derive(Clone, Debug, Serialize)]
pub struct UnusedFragment {
    /// The name.
    pub name: String,
    /// The location of its name.
    pub location: Location,
}

/// A document or an operation that is not checked, or not completely.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Unchecked {
    /// Where.
    pub location: Location,
    /// Why.
    pub reason: String,
}

/// An operation, and the document of this operation and the fragments that it uses.
pub(super) struct Operation {
    pub(super) definition: Node<OperationDefinition>,
    pub(super) id: Option<Arc<str>>,
    pub(super) document: Document,
}

impl Documents {
    /// Reads the documents, or returns the problems of manifests that are none. A document that cannot be read and an operation
    /// whose fragments are not found are not checked.
    pub fn read(sources: impl IntoIterator<Item = DocumentSource>) -> Result<Self, Problems> {
        let mut reader = Reader {
            documents: Self {
                operations: Vec::new(),
                unused: Vec::new(),
                unchecked: Vec::new(),
                omitted_tests: 0,
                texts: HashMap::new(),
            },
            problems: Problems::new("the documents"),
        };
        for source in sources {
            match source {
                DocumentSource::Files(files) => {
                    let imports = Imports::new(&files);
                    let files = files.into_iter().flat_map(|(file, text)| reader.file(&file.into(), &text));
                    let files: Vec<Definitions> = files.collect();
                    reader.link(&files, &imports, None);
                }
                DocumentSource::Manifest(file, json) => {
                    for entry in read_manifest(&file.into(), &json, &mut reader.problems) {
                        let mut found = Definitions::default();
                        let read = reader.document(&mut found, entry.text, &entry.document);
                        reader.documents.unchecked.extend(read.err());
                        reader.link(&[found], &Imports::default(), Some(&entry.id));
                    }
                }
            }
        }
        reader.problems.into_result(reader.documents)
    }

    /// The number of operations.
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// Whether there is neither an operation nor something that cannot be checked.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty() && self.unchecked.is_empty()
    }

    /// What cannot be checked.
    pub fn unchecked(&self) -> &[Unchecked] {
        &self.unchecked
    }

    /// Which operation it is; `id` is the identifier of its document.
    pub(super) fn name(
        &self,
        one: &OperationDefinition,
        id: Option<&Arc<str>>,
        span: Option<SourceSpan>,
    ) -> OperationName {
        OperationName {
            name: one.name.as_ref().map(ToString::to_string),
            kind: one.operation_type.name(),
            id: id.cloned(),
            location: span.and_then(|span| self.location(span)),
        }
    }

    /// The location of a part of a document.
    pub(super) fn location(&self, span: SourceSpan) -> Option<Location> {
        let text = self.texts.get(&span.file_id())?;
        Some(text.location(span.offset()))
    }
}

/// Collects the documents and their problems.
struct Reader {
    documents: Documents,
    problems: Problems,
}

impl Reader {
    fn add_unchecked(&mut self, location: Location, reason: impl Into<String>) {
        let reason = reason.into();
        self.documents.unchecked.push(Unchecked { location, reason });
    }

    /// Reads a file, or each document in source code: literals can have fragments of the same name.
    fn file(&mut self, file: &Arc<str>, text: &str) -> Vec<Definitions> {
        let Some(language) = Language::of(Path::new(&**file)) else {
            let position = DocumentText::of_file(file.clone(), text);
            let mut found = Definitions::new(file);
            let read = self.document(&mut found, position, text);
            self.documents.unchecked.extend(read.err());
            return vec![found];
        };
        let embedded = language.documents(text);
        if embedded.is_empty() {
            return Vec::new();
        }
        let lines = Arc::new(LineIndex::new(text));
        let mut all = Vec::new();
        for Embedded { text, declared, uses } in embedded {
            if text.document.trim().is_empty() {
                continue;
            }
            let position = DocumentText::of_parts(file.clone(), lines.clone(), text.offsets);
            let start = position.start();
            let mut found = Definitions::new(file);
            (found.declared, found.uses) = (declared, uses);
            let is_constant = text.expressions.is_empty();
            match self.document(&mut found, position, &text.document) {
                Ok(()) if text.is_incomplete => {
                    self.add_unchecked(start, "the expressions in a document");
                }
                Ok(()) => {}
                Err(unchecked) if is_constant => self.documents.unchecked.push(unchecked),
                Err(_) => {
                    self.add_unchecked(start, "a document that cannot be read without the values of its expressions");
                }
            }
            all.push(found);
        }
        all
    }

    /// Reads a document into the definitions of its file.
    fn document(&mut self, found: &mut Definitions, text: DocumentText, document: &str) -> Result<(), Unchecked> {
        let (start, size) = (text.start(), document.len());
        if size > MAX_DOCUMENT_BYTES {
            let reason = format!("a document ({size} bytes, the limit is {MAX_DOCUMENT_BYTES})");
            return Err(Unchecked { location: start, reason });
        }
        let mut parser = Parser::new().recursion_limit(MAX_NESTING);
        let tree = parser.parse_ast(executable(document), &*start.file).map_err(|failed| {
            use apollo_compiler::diagnostic::ToCliReport;
            let first = failed.errors.iter().next().map(|found| found.error);
            let at = first.and_then(ToCliReport::location);
            let message = first.map(|error| document_diagnostic(&error.to_string()));
            Unchecked {
                location: at.map_or(start, |span| text.location(span.offset())),
                reason: format!("a document ({})", message.unwrap_or_default()),
            }
        })?;
        let file_id = *tree.sources.keys().next().expect("the parser adds the file that it reads");
        self.documents.texts.insert(file_id, text);
        for definition in tree.definitions {
            match definition {
                Definition::OperationDefinition(operation) => found.operations.push(operation),
                Definition::FragmentDefinition(definition) => {
                    let named = found.fragments.entry(definition.name.clone());
                    named.or_default().push(definition);
                }
                // A file of types is a copy of the schema, or an addition of the client's.
                _ => {}
            }
        }
        Ok(())
    }

    /// Finds the fragments of each operation, in documents that share their fragments. `id` is that of
    /// the only document in a manifest.
    fn link(&mut self, files: &[Definitions], imports: &Imports, id: Option<&Arc<str>>) {
        let mut linker = Linker::new(files, imports);
        for (index, file) in files.iter().enumerate() {
            for definition in &file.operations {
                let span = definition.location();
                let fragments = match linker.fragments(index, definition) {
                    Ok(fragments) => fragments,
                    Err(unresolved) => {
                        let name = self.documents.name(definition, id, span);
                        let at = unresolved.span.and_then(|span| self.documents.location(span));
                        if let Some(at) = at.or_else(|| name.location.clone()) {
                            self.add_unchecked(at, format!("{name} ({})", unresolved.message));
                        }
                        continue;
                    }
                };
                let fragments = fragments.into_iter().map(Definition::FragmentDefinition);
                let mut definitions = vec![Definition::OperationDefinition(definition.clone())];
                definitions.extend(fragments);
                self.documents.operations.push(Operation {
                    definition: definition.clone(),
                    id: id.cloned(),
                    document: Document { sources: SourceMap::default(), definitions },
                });
            }
        }
        for (index, file) in files.iter().enumerate() {
            for (name, fragments) in &file.fragments {
                if linker.is_used(index, name) {
                    continue;
                }
                for fragment in fragments {
                    let location = fragment.name.location().and_then(|span| self.documents.location(span));
                    let name = name.to_string();
                    let unused = location.map(|location| UnusedFragment { name, location });
                    self.documents.unused.extend(unused);
                }
            }
        }
        self.documents.unchecked.sort();
        let unused = &mut self.documents.unused;
        unused.sort_by(|one, other| one.location.cmp(&other.location));
    }
}
