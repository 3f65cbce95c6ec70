//! Finds the fragments of each operation, in the files that share them.

use std::{
    collections::{HashMap, HashSet},
    path::{Component, Path, PathBuf},
};

use apollo_compiler::{
    Name, Node,
    ast::{FragmentDefinition, OperationDefinition, Selection},
    parser::SourceSpan,
};
use graphql_sdl::{excerpt, suggestion};

/// The number of unknown fragments that have a suggestion: the time of each grows with the number of fragments.
const MAX_SUGGESTIONS: usize = 20;

/// The definitions of one document.
pub(super) struct Definitions {
    /// Its file.
    path: PathBuf,
    /// The files that it imports.
    imports: Vec<PathBuf>,
    pub(super) operations: Vec<Node<OperationDefinition>>,
    pub(super) fragments: HashMap<Name, Node<FragmentDefinition>>,
}

impl Definitions {
    pub(super) fn new(file: &str, text: &str) -> Self {
        let path = Path::new(file);
        Self {
            path: normalized(path),
            imports: imports(path, text),
            operations: Vec::new(),
            fragments: HashMap::new(),
        }
    }

    /// How near a document is that defines a fragment: in the same file, imported, or in a folder of which more parents are
    /// the same.
    fn nearness(&self, other: &Self) -> usize {
        if self.path == other.path || self.imports.contains(&other.path) {
            return usize::MAX;
        }
        let folders = |path: &Self| path.path.parent().map(Path::to_owned).unwrap_or_default();
        let (folder, other) = (folders(self), folders(other));
        let pairs = folder.components().zip(other.components());
        pairs.take_while(|(one, other)| one == other).count()
    }
}

/// The files that a file imports by comments such as `#import "./book.graphql"`.
pub(crate) fn imports(file: &Path, text: &str) -> Vec<PathBuf> {
    let comments = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix('#'));
    let paths = comments.filter_map(|comment| {
        let import = comment.trim_start().strip_prefix("import ")?;
        let (_, path) = import
            .trim_end_matches([';', ' ', '\r'])
            .split_once(['"', '\''])?;
        // Another one is resolved by the bundler of the client.
        let is_relative = path.starts_with("./") || path.starts_with("../");
        is_relative.then(|| path.trim_end_matches(['"', '\'']))
    });
    let folder = file.parent().unwrap_or(Path::new(""));
    paths.map(|path| normalized(&folder.join(path))).collect()
}

/// A path without `.`, and without `..` after another component.
pub(crate) fn normalized(path: &Path) -> PathBuf {
    let mut normalized = PathBuf::new();
    for component in path.components() {
        let is_after_name = matches!(
            normalized.components().next_back(),
            Some(Component::Normal(_))
        );
        match component {
            Component::CurDir => {}
            Component::ParentDir if is_after_name => {
                normalized.pop();
            }
            other => normalized.push(other),
        }
    }
    normalized
}

/// A spread whose fragment is not found, or a fragment that is not the only one of its name.
pub(super) struct Unresolved {
    pub(super) span: Option<SourceSpan>,
    pub(super) message: String,
}

/// Finds fragments by name.
pub(super) struct Linker<'a> {
    files: &'a [Definitions],
    /// The files that define a fragment of a name.
    shared: HashMap<&'a Name, Vec<usize>>,
    used: HashSet<(usize, &'a Name)>,
    /// The spreads whose fragment was not found, by file and name.
    reported: HashSet<(usize, Name)>,
    pub(super) unresolved: Vec<Unresolved>,
}

impl<'a> Linker<'a> {
    pub(super) fn new(files: &'a [Definitions]) -> Self {
        let mut shared: HashMap<&Name, Vec<usize>> = HashMap::new();
        for (index, file) in files.iter().enumerate() {
            for name in file.fragments.keys() {
                shared.entry(name).or_default().push(index);
            }
        }
        Self {
            files,
            shared,
            used: HashSet::new(),
            reported: HashSet::new(),
            unresolved: Vec::new(),
        }
    }

    /// Whether an operation uses a fragment of a file.
    pub(super) fn is_used(&self, file: usize, name: &'a Name) -> bool {
        self.used.contains(&(file, name))
    }

    /// The fragments that an operation of a file uses, directly and through other fragments; `None` if one is not found.
    pub(super) fn fragments(
        &mut self,
        file: usize,
        operation: &OperationDefinition,
    ) -> Option<Vec<Node<FragmentDefinition>>> {
        let mut is_complete = true;
        let mut found: HashMap<&Name, &'a Node<FragmentDefinition>> = HashMap::new();
        let mut fragments = Vec::new();
        let spread_in = |file, selections| {
            let spreads = spreads(selections).into_iter();
            spreads.map(move |name| (file, name))
        };
        let mut pending: Vec<(usize, Name)> = spread_in(file, &operation.selection_set).collect();
        while let Some((file, name)) = pending.pop() {
            if self.reported.contains(&(file, name.clone())) {
                is_complete = false;
                continue;
            }
            let resolved = match self.resolve(file, &name) {
                Ok(resolved) => resolved,
                Err(message) => {
                    let span = name.location();
                    self.unresolved.push(Unresolved { span, message });
                    is_complete = false;
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
                    let span = fragment.name.location();
                    self.unresolved.push(Unresolved { span, message });
                }
                continue;
            }
            fragments.push(fragment.clone());
            pending.extend(spread_in(resolved, &fragment.selection_set));
        }
        is_complete.then_some(fragments)
    }

    /// The file that defines the fragment of a name for a document: itself, one that it imports, or the nearest.
    fn resolve(&self, file: usize, name: &Name) -> Result<usize, String> {
        if self.files[file].fragments.contains_key(name) {
            return Ok(file);
        }
        let Some(candidates) = self.shared.get(name) else {
            let known = self.shared.keys().map(|name| name.as_str());
            let has_suggestion = self.reported.len() < MAX_SUGGESTIONS;
            let suggestion = suggestion(name, known.filter(|_| has_suggestion));
            return Err(format!("unknown fragment {:?}{suggestion}", excerpt(name)));
        };
        let nearness = |other: &usize| self.files[file].nearness(&self.files[*other]);
        let mut nearest = candidates.clone();
        if candidates.len() > 1 {
            let most = candidates.iter().map(nearness).max();
            nearest.retain(|other| Some(nearness(other)) == most);
        }
        let fragment = |file: usize| &self.files[file].fragments[name];
        let first = nearest[0];
        if nearest
            .iter()
            .all(|other| fragment(*other) == fragment(first))
        {
            return Ok(first);
        }
        Err(format!(
            "the fragment {:?} is defined in {} documents; rename all but one",
            excerpt(name),
            nearest.len()
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
