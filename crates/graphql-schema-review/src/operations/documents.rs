//! Reads the documents of clients, and finds the fragments that each operation uses.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
    sync::Arc,
};

use apollo_compiler::{
    Node,
    ast::{Definition, Document, OperationDefinition},
    parser::{FileId, Parser, SourceMap, SourceSpan},
};
use graphql_sdl::{
    DocumentText, LineIndex, Location, MAX_NESTING, Problems, document_diagnostic, excerpt,
    executable, read_manifest,
};
use serde::Serialize;

use super::{
    embedded::{Embedded, Language},
    fragments::{Definitions, Linker, Unresolved},
};

/// The maximum size of a document.
const MAX_DOCUMENT_BYTES: usize = 1024 * 1024;

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
    /// What source code contains and cannot be checked.
    pub(super) unchecked: Vec<Unchecked>,
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

/// A document in source code that is not checked, or not completely.
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
    /// Reads the documents, or returns every problem.
    pub fn read(sources: impl IntoIterator<Item = DocumentSource>) -> Result<Self, Problems> {
        let mut reader = Reader {
            documents: Self {
                operations: Vec::new(),
                unused: Vec::new(),
                unchecked: Vec::new(),
                texts: HashMap::new(),
            },
            problems: Problems::new("the documents"),
            uncertain: HashSet::new(),
        };
        for source in sources {
            match source {
                DocumentSource::Files(files) => {
                    let files = files.into_iter();
                    let files = files.flat_map(|(file, text)| reader.file(&file.into(), &text));
                    let files: Vec<Definitions> = files.collect();
                    reader.link(&files, None);
                }
                DocumentSource::Manifest(file, json) => {
                    for entry in read_manifest(&file.into(), &json, &mut reader.problems) {
                        let mut found = Definitions::new("", "");
                        reader.document(&mut found, entry.text, &entry.document, Source::Document);
                        reader.link(&[found], Some(&entry.id));
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

    /// Whether there is no operation.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// The location of a part of a document.
    pub(super) fn location(&self, span: SourceSpan) -> Option<Location> {
        let text = self.texts.get(&span.file_id())?;
        Some(text.location(span.offset()))
    }
}

/// What a document was read from.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Source {
    /// A file or an entry of a manifest, or code that states that it is a document.
    Document,
    /// Code with expressions that only the program evaluates.
    Expressions,
    /// Code that begins like a document.
    Similar,
}

/// Collects the documents and their problems.
struct Reader {
    documents: Documents,
    problems: Problems,
    /// The documents with expressions, which can contain fragments, and what begins like a document.
    uncertain: HashSet<FileId>,
}

impl Reader {
    fn add(&mut self, span: Option<SourceSpan>, message: impl AsRef<str>) {
        let is_uncertain = |span: SourceSpan| self.uncertain.contains(&span.file_id());
        match span.and_then(|span| self.documents.location(span)) {
            // The program can add what is missing, or it is no document.
            Some(location) if span.is_some_and(is_uncertain) => {
                self.add_unchecked(location, format!("a document ({})", message.as_ref()));
            }
            Some(Location { file, position }) => self.problems.add_in(file, position, message),
            None => self.problems.add(None, message),
        }
    }

    fn add_unchecked(&mut self, location: Location, reason: impl Into<String>) {
        let reason = reason.into();
        self.documents
            .unchecked
            .push(Unchecked { location, reason });
    }

    /// Reads a file, or each document in source code: literals can have fragments of the same name.
    fn file(&mut self, file: &Arc<str>, text: &str) -> Vec<Definitions> {
        let Some(language) = Language::of(Path::new(&**file)) else {
            let mut found = Definitions::new(file, text);
            let position = DocumentText::of_file(file.clone(), text);
            self.document(&mut found, position, text, Source::Document);
            return vec![found];
        };
        let embedded = language.documents(text);
        if embedded.is_empty() {
            return Vec::new();
        }
        let lines = Arc::new(LineIndex::new(text));
        let mut all = Vec::new();
        for Embedded { text, is_marked } in embedded {
            if text.document.trim().is_empty() {
                continue;
            }
            let source = match (text.has_expressions, is_marked) {
                (true, _) => Source::Expressions,
                (false, true) => Source::Document,
                (false, false) => Source::Similar,
            };
            let position = DocumentText::of_parts(file.clone(), lines.clone(), text.offsets);
            let start = position.start();
            let mut found = Definitions::new(file, "");
            let is_read = self.document(&mut found, position, &text.document, source);
            if is_read && text.is_incomplete {
                self.add_unchecked(start, "the expressions in a document");
            }
            all.push(found);
        }
        all
    }

    /// Reads a document into the definitions of its file, or returns `false`.
    fn document(
        &mut self,
        found: &mut Definitions,
        text: DocumentText,
        document: &str,
        source: Source,
    ) -> bool {
        let start = text.start();
        if document.len() > MAX_DOCUMENT_BYTES {
            let message = format!(
                "the document has {} bytes, the limit is {MAX_DOCUMENT_BYTES}",
                document.len()
            );
            self.problems.add_in(start.file, start.position, message);
            return false;
        }
        let mut parser = Parser::new().recursion_limit(MAX_NESTING);
        let parsed = parser.parse_ast(executable(document), &*start.file);
        let tree = parsed.as_ref().unwrap_or_else(|failed| &failed.partial);
        let file_id = tree.sources.keys().next();
        let file_id = *file_id.expect("the parser adds the file that it reads");
        self.documents.texts.insert(file_id, text);
        if source != Source::Document {
            self.uncertain.insert(file_id);
        }
        let tree = match (parsed, source) {
            (Ok(tree), _) => tree,
            (Err(failed), Source::Document) => {
                for error in failed.errors.iter() {
                    use apollo_compiler::diagnostic::ToCliReport as _;
                    let message = document_diagnostic(&error.error.to_string());
                    self.add(error.error.location(), message);
                }
                return false;
            }
            (Err(_), Source::Expressions) => {
                self.add_unchecked(
                    start,
                    "a document that cannot be read without the values of its expressions",
                );
                return false;
            }
            (Err(_), Source::Similar) => {
                self.add_unchecked(
                    start,
                    "a literal that begins like a document and cannot be read",
                );
                return false;
            }
        };
        let (operations, fragments) = (found.operations.len(), found.fragments.len());
        let mut types = None;
        for definition in tree.definitions {
            match definition {
                Definition::OperationDefinition(operation) => found.operations.push(operation),
                Definition::FragmentDefinition(definition) => {
                    let name = definition.name.clone();
                    if found.fragments.contains_key(&name) {
                        let name = excerpt(&name);
                        let message = format!("the fragment {name:?} is defined twice; rename one");
                        self.add(definition.name.location(), message);
                        continue;
                    }
                    found.fragments.insert(name, definition);
                }
                other => types = types.or(other.location()),
            }
        }
        // A file of types alone is a copy of the schema, which many clients have.
        let is_schema = (found.operations.len(), found.fragments.len()) == (operations, fragments);
        if types.is_some() && !is_schema {
            let message = "a document with operations or fragments defines no types; remove the \
                 definition";
            self.add(types, message);
        }
        true
    }

    /// Finds the fragments of each operation, in documents that share their fragments. `id` is that of
    /// the only document in a manifest.
    fn link(&mut self, files: &[Definitions], id: Option<&Arc<str>>) {
        let mut linker = Linker::new(files);
        for (index, file) in files.iter().enumerate() {
            for definition in &file.operations {
                let fragments = linker.fragments(index, definition);
                for Unresolved { span, message } in linker.unresolved.drain(..) {
                    self.add(span, message);
                }
                let Some(fragments) = fragments else { continue };
                let fragments = fragments.into_iter().map(Definition::FragmentDefinition);
                let mut definitions = vec![Definition::OperationDefinition(definition.clone())];
                definitions.extend(fragments);
                self.documents.operations.push(Operation {
                    definition: definition.clone(),
                    id: id.cloned(),
                    document: Document {
                        sources: SourceMap::default(),
                        definitions,
                    },
                });
            }
        }
        for (index, file) in files.iter().enumerate() {
            for (name, fragment) in &file.fragments {
                if linker.is_used(index, name) {
                    continue;
                }
                let location = fragment.name.location();
                let location = location.and_then(|span| self.documents.location(span));
                let name = name.to_string();
                let unused = location.map(|location| UnusedFragment { name, location });
                self.documents.unused.extend(unused);
            }
        }
        self.documents.unchecked.sort();
        let unused = &mut self.documents.unused;
        unused.sort_by(|one, other| one.location.cmp(&other.location));
    }
}
