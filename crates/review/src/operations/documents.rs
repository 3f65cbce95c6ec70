//! Reads the documents of clients, and finds the fragments that each operation uses.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use apollo_compiler::{
    Name, Node,
    ast::{Definition, Document, FragmentDefinition, OperationDefinition, Selection},
    parser::{FileId, Parser, SourceMap, SourceSpan},
};
use schema::{
    DocumentText, Location, MAX_NESTING, Problems, document_diagnostic, excerpt, executable,
    read_manifest, suggestion,
};
use serde::Serialize;

/// The maximum size of a document.
const MAX_DOCUMENT_BYTES: usize = 1024 * 1024;

/// The number of unknown fragments that have a suggestion: the time of each grows with the number of fragments.
const MAX_SUGGESTIONS: usize = 20;

/// Documents of clients, as a text with the name of its file.
#[derive(Clone, Debug)]
pub enum DocumentSource {
    /// `.graphql` files. A file can use the fragments of the others.
    Files(Vec<(String, String)>),
    /// A manifest: a JSON object of documents by identifier, or an Apollo persisted query manifest.
    Manifest(String, String),
}

/// The operations of clients, each with the fragments that it uses.
pub struct Documents {
    pub(super) operations: Vec<Operation>,
    /// The fragments that no operation uses.
    pub(super) unused: Vec<UnusedFragment>,
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

/// An operation, and the document of this operation and the fragments that it uses.
pub(super) struct Operation {
    pub(super) definition: Node<OperationDefinition>,
    pub(super) id: Option<Arc<str>>,
    pub(super) document: Document,
}

/// The definitions of one document.
struct Definitions {
    operations: Vec<Node<OperationDefinition>>,
    fragments: HashMap<Name, Node<FragmentDefinition>>,
}

impl Documents {
    /// Reads the documents, or returns every problem.
    pub fn read(sources: impl IntoIterator<Item = DocumentSource>) -> Result<Self, Problems> {
        let mut reader = Reader {
            documents: Self {
                operations: Vec::new(),
                unused: Vec::new(),
                texts: HashMap::new(),
            },
            problems: Problems::new("the documents"),
        };
        for source in sources {
            match source {
                DocumentSource::Files(files) => {
                    let files = files.into_iter().filter_map(|(file, text)| {
                        let position = DocumentText::of_file(file.into(), &text);
                        reader.definitions(position, &text)
                    });
                    let files: Vec<Definitions> = files.collect();
                    reader.link(&files, None);
                }
                DocumentSource::Manifest(file, json) => {
                    for entry in read_manifest(&file.into(), &json, &mut reader.problems) {
                        let file = reader.definitions(entry.text, &entry.document);
                        reader.link(file.as_slice(), Some(&entry.id));
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

/// Collects the documents and their problems.
struct Reader {
    documents: Documents,
    problems: Problems,
}

impl Reader {
    fn add(&mut self, span: Option<SourceSpan>, message: impl AsRef<str>) {
        match span.and_then(|span| self.documents.location(span)) {
            Some(Location { file, position }) => self.problems.add_in(file, position, message),
            None => self.problems.add(None, message),
        }
    }

    fn definitions(&mut self, text: DocumentText, document: &str) -> Option<Definitions> {
        let Location { file, position } = text.start();
        if document.len() > MAX_DOCUMENT_BYTES {
            let message = format!(
                "the document has {} bytes, the limit is {MAX_DOCUMENT_BYTES}",
                document.len()
            );
            self.problems.add_in(file, position, message);
            return None;
        }
        let mut parser = Parser::new().recursion_limit(MAX_NESTING);
        let parsed = parser.parse_ast(executable(document), &*file);
        let tree = parsed.as_ref().unwrap_or_else(|failed| &failed.partial);
        let file_id = tree.sources.keys().next();
        let file_id = *file_id.expect("the parser adds the file that it reads");
        self.documents.texts.insert(file_id, text);
        let tree = match parsed {
            Ok(tree) => tree,
            Err(failed) => {
                for error in failed.errors.iter() {
                    use apollo_compiler::diagnostic::ToCliReport as _;
                    let message = document_diagnostic(&error.error.to_string());
                    self.add(error.error.location(), message);
                }
                return None;
            }
        };
        let mut found = Definitions {
            operations: Vec::new(),
            fragments: HashMap::new(),
        };
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
        if types.is_some() && !(found.operations.is_empty() && found.fragments.is_empty()) {
            let message = "a document with operations or fragments defines no types; remove the \
                 definition";
            self.add(types, message);
        }
        Some(found)
    }

    /// Finds the fragments of each operation, in documents that share their fragments. `id` is that of
    /// the only document in a manifest.
    fn link(&mut self, files: &[Definitions], id: Option<&Arc<str>>) {
        let mut shared: HashMap<&Name, Vec<usize>> = HashMap::new();
        for (index, file) in files.iter().enumerate() {
            for name in file.fragments.keys() {
                shared.entry(name).or_default().push(index);
            }
        }
        let mut linker = Linker {
            files,
            shared,
            used: HashSet::new(),
            reported: HashSet::new(),
        };
        for (index, file) in files.iter().enumerate() {
            for definition in &file.operations {
                let fragments = linker.fragments(index, definition, self);
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
                if linker.used.contains(&(index, name)) {
                    continue;
                }
                let location = fragment.name.location();
                let location = location.and_then(|span| self.documents.location(span));
                let name = name.to_string();
                let unused = location.map(|location| UnusedFragment { name, location });
                self.documents.unused.extend(unused);
            }
        }
        let unused = &mut self.documents.unused;
        unused.sort_by(|one, other| one.location.cmp(&other.location));
    }
}

/// Finds fragments by name.
struct Linker<'a> {
    files: &'a [Definitions],
    /// The files that define a fragment of a name.
    shared: HashMap<&'a Name, Vec<usize>>,
    used: HashSet<(usize, &'a Name)>,
    /// The spreads whose fragment was not found, by file and name.
    reported: HashSet<(usize, Name)>,
}

impl<'a> Linker<'a> {
    /// The fragments that an operation of a file uses, directly and through other fragments.
    fn fragments(
        &mut self,
        file: usize,
        operation: &OperationDefinition,
        reader: &mut Reader,
    ) -> Vec<Node<FragmentDefinition>> {
        let mut found: HashMap<&Name, &'a Node<FragmentDefinition>> = HashMap::new();
        let mut fragments = Vec::new();
        let spread_in = |file, selections| {
            let spreads = spreads(selections).into_iter();
            spreads.map(move |name| (file, name))
        };
        let mut pending: Vec<(usize, Name)> = spread_in(file, &operation.selection_set).collect();
        while let Some((file, name)) = pending.pop() {
            if self.reported.contains(&(file, name.clone())) {
                continue;
            }
            let resolved = match self.resolve(file, &name) {
                Ok(resolved) => resolved,
                Err(message) => {
                    reader.add(name.location(), message);
                    self.reported.insert((file, name));
                    continue;
                }
            };
            let (name, fragment) = self.files[resolved]
                .fragments
                .get_key_value(&name)
                .expect("it was resolved to this file");
            self.used.insert((resolved, name));
            if let Some(other) = found.insert(name, fragment) {
                if other != fragment {
                    let operation = operation.name.as_ref().map_or("", |name| name.as_str());
                    let message = format!(
                        "the operation {:?} uses two fragments with the name {:?}; rename one",
                        excerpt(operation),
                        excerpt(name)
                    );
                    reader.add(fragment.name.location(), message);
                }
                continue;
            }
            fragments.push(fragment.clone());
            pending.extend(spread_in(resolved, &fragment.selection_set));
        }
        fragments
    }

    /// The file that defines the fragment of a name for a document: itself, or the only other one.
    fn resolve(&self, file: usize, name: &Name) -> Result<usize, String> {
        if self.files[file].fragments.contains_key(name) {
            return Ok(file);
        }
        let fragment = |file: usize| &self.files[file].fragments[name];
        let Some([first, others @ ..]) = self.shared.get(name).map(Vec::as_slice) else {
            let known = self.shared.keys().map(|name| name.as_str());
            let has_suggestion = self.reported.len() < MAX_SUGGESTIONS;
            let suggestion = suggestion(name, known.filter(|_| has_suggestion));
            return Err(format!("unknown fragment {:?}{suggestion}", excerpt(name)));
        };
        let is_first = |other: &usize| fragment(*other) == fragment(*first);
        if others.iter().all(is_first) {
            return Ok(*first);
        }
        Err(format!(
            "the fragment {:?} is defined in {} files; rename all but one",
            excerpt(name),
            others.len() + 1
        ))
    }
}

/// The names of the fragments that are spread in a selection set, at any depth.
fn spreads(selections: &[Selection]) -> Vec<Name> {
    let mut spreads = Vec::new();
    let mut pending = vec![selections];
    while let Some(selections) = pending.pop() {
        for selection in selections {
            match selection {
                Selection::Field(field) => pending.push(&field.selection_set),
                Selection::InlineFragment(inline) => pending.push(&inline.selection_set),
                Selection::FragmentSpread(spread) => spreads.push(spread.fragment_name.clone()),
            }
        }
    }
    spreads
}
