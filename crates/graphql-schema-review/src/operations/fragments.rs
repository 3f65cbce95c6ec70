//! Finds the fragments of each operation, in the files that share them or import each other.

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

use super::embedded::Language;

/// The number of unknown fragments that have a suggestion: the time of each grows with the number of fragments.
const MAX_SUGGESTIONS: usize = 20;

/// The maximum number of files that are searched for a fragment.
const MAX_SEARCHED: usize = 1000;

/// The definitions of one document.
#[derive(Default)]
pub(super) struct Definitions {
    /// Its file.
    path: PathBuf,
    /// The name that source code gives it.
    pub(super) declared: String,
    /// The code that names the fragments that it uses.
    pub(super) uses: String,
    pub(super) operations: Vec<Node<OperationDefinition>>,
    /// More than one of a name is a mistake.
    pub(super) fragments: HashMap<Name, Vec<Node<FragmentDefinition>>>,
}

impl Definitions {
    pub(super) fn new(file: &str) -> Self {
        Self { path: normalized(Path::new(file)), ..Self::default() }
    }

    /// The number of parent folders that it has in common with another document.
    fn common_folders(&self, other: &Self) -> usize {
        let folders = |path: &Self| path.path.parent().map(Path::to_owned).unwrap_or_default();
        let (folder, other) = (folders(self), folders(other));
        let pairs = folder.components().zip(other.components());
        pairs.take_while(|(one, other)| one == other).count()
    }

    /// Whether the code of a document names this one.
    fn is_named_by(&self, other: &Self) -> bool {
        let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
        let mut names = other.uses.split(|letter| !is_name(letter));
        !self.declared.is_empty() && names.any(|name| name == self.declared)
    }
}

/// Why the fragments of an operation are not known.
pub(super) struct Unresolved {
    pub(super) span: Option<SourceSpan>,
    pub(super) message: String,
}

/// Finds fragments by name.
pub(super) struct Linker<'a> {
    files: &'a [Definitions],
    imports: &'a Imports,
    /// The documents that define a fragment of a name.
    shared: HashMap<&'a Name, Vec<usize>>,
    used: HashSet<(usize, &'a Name)>,
    suggestions: usize,
}

impl<'a> Linker<'a> {
    pub(super) fn new(files: &'a [Definitions], imports: &'a Imports) -> Self {
        let mut shared: HashMap<&Name, Vec<usize>> = HashMap::new();
        for (index, file) in files.iter().enumerate() {
            for name in file.fragments.keys() {
                shared.entry(name).or_default().push(index);
            }
        }
        Self { files, imports, shared, used: HashSet::new(), suggestions: 0 }
    }

    /// Whether an operation uses a fragment of a document.
    pub(super) fn is_used(&self, file: usize, name: &'a Name) -> bool {
        self.used.contains(&(file, name))
    }

    /// The fragments that an operation of a document uses, directly and through other fragments, or the first that is not
    /// found.
    pub(super) fn fragments(
        &mut self,
        file: usize,
        operation: &'a OperationDefinition,
    ) -> Result<Vec<Node<FragmentDefinition>>, Unresolved> {
        let mut unresolved = None;
        let mut found: HashMap<&Name, &'a Node<FragmentDefinition>> = HashMap::new();
        let mut fragments = Vec::new();
        let mut pending = vec![(file, spreads(&operation.selection_set))];
        while let Some((file, spreads)) = pending.pop() {
            for name in spreads {
                let (resolved, fragment) = match self.resolve(file, name) {
                    Ok(resolved) => resolved,
                    Err(message) => {
                        let span = name.location();
                        unresolved.get_or_insert(Unresolved { span, message });
                        continue;
                    }
                };
                match found.insert(name, fragment) {
                    None => {
                        fragments.push(fragment.clone());
                        pending.push((resolved, self::spreads(&fragment.selection_set)));
                    }
                    Some(other) if other != fragment => {
                        let name = excerpt(name);
                        let message = format!("it uses two fragments with the name {name:?}; rename one");
                        let span = fragment.name.location();
                        unresolved.get_or_insert(Unresolved { span, message });
                    }
                    Some(_) => {}
                }
            }
        }
        unresolved.map_or(Ok(fragments), Err)
    }

    /// The fragment of a name for a document, and the document that defines it: itself, the one that its code names, that of
    /// the file that it imports, or the nearest.
    fn resolve(&mut self, file: usize, name: &'a Name) -> Result<(usize, &'a Node<FragmentDefinition>), String> {
        let Some(candidates) = self.shared.get(name) else {
            let known = self.shared.keys().map(|name| name.as_str());
            self.suggestions += 1;
            let has_suggestion = self.suggestions <= MAX_SUGGESTIONS;
            let suggestion = suggestion(name, known.filter(|_| has_suggestion));
            return Err(format!("unknown fragment {:?}{suggestion}", excerpt(name)));
        };
        let nearest = match &candidates[..] {
            [only] => vec![*only],
            candidates => self.nearest(file, candidates),
        };
        for document in &nearest {
            self.used.insert((*document, name));
        }
        let fragments = |document: &usize| self.files[*document].fragments[name].iter();
        let mut all = nearest.iter().flat_map(fragments);
        let first = all.next().expect("a candidate has the fragment");
        if all.all(|other| other == first) {
            return Ok((nearest[0], first));
        }
        let (name, rename) = (excerpt(name), "rename all but one");
        Err(match nearest.len() {
            1 => format!("the fragment {name:?} is defined more than once in a document; {rename}"),
            count => format!("the fragment {name:?} is defined in {count} documents; {rename}"),
        })
    }

    fn nearest(&self, file: usize, candidates: &[usize]) -> Vec<usize> {
        if candidates.contains(&file) {
            return vec![file];
        }
        let document = &self.files[file];
        let is_named = |other: &&usize| self.files[**other].is_named_by(document);
        let mut nearest: Vec<usize> = candidates.iter().filter(is_named).copied().collect();
        if nearest.is_empty() {
            nearest = candidates.to_vec();
        }
        let paths: Vec<&Path> = nearest.iter().map(|other| &*self.files[*other].path).collect();
        let imported = self.imports.nearest(&document.path, &paths);
        let nearness = |other: &usize| {
            let other = &self.files[*other];
            let is_imported = imported.contains(&&*other.path);
            if is_imported { usize::MAX } else { document.common_folders(other) }
        };
        let most = nearest.iter().map(nearness).max();
        nearest.retain(|other| Some(nearness(other)) == most);
        nearest
    }
}

/// The names of the fragments that are spread in a selection set, at any depth.
pub(super) fn spreads(selections: &[Selection]) -> Vec<&Name> {
    let mut spreads = Vec::new();
    let mut pending = vec![selections];
    while let Some(selections) = pending.pop() {
        for selection in selections {
            match selection {
                Selection::Field(field) => pending.push(&field.selection_set),
                Selection::InlineFragment(inline) => pending.push(&inline.selection_set),
                Selection::FragmentSpread(spread) => spreads.push(&spread.fragment_name),
            }
        }
    }
    spreads
}

/// The files that each file imports.
#[derive(Default)]
pub(super) struct Imports {
    of: HashMap<PathBuf, Vec<PathBuf>>,
    /// The files of source code by what an import calls them: without the extension, or by the folder of an `index`.
    modules: HashMap<PathBuf, PathBuf>,
}

impl Imports {
    pub(super) fn new(files: &[(String, String)]) -> Self {
        let mut all = Self::default();
        for (file, text) in files {
            let (file, found) = (normalized(Path::new(file)), imports(Path::new(file), text));
            if Language::of(&file).is_some() {
                let mut module = file.with_extension("");
                if module.ends_with("index") {
                    module.pop();
                }
                all.modules.entry(module).or_insert(file.clone());
            }
            all.of.insert(file, found);
        }
        all
    }

    /// Those of the files that a file imports by the fewest steps; itself by none.
    pub(super) fn nearest<'a>(&'a self, file: &'a Path, files: &[&'a Path]) -> Vec<&'a Path> {
        let mut step = vec![file];
        let mut visited = HashSet::from([file]);
        while !step.is_empty() && visited.len() < MAX_SEARCHED {
            let found: Vec<&Path> = files.iter().copied().filter(|file| visited.contains(file)).collect();
            if !found.is_empty() {
                return found;
            }
            let imports = step.iter().filter_map(|file| self.of.get(*file)).flatten();
            step = imports.map(|import| self.file(import)).filter(|file| visited.insert(file)).collect();
        }
        Vec::new()
    }

    /// The file that an import names, in TypeScript also as the JavaScript that it becomes.
    fn file<'a>(&'a self, import: &'a Path) -> &'a Path {
        let module = || self.modules.get(&import.with_extension(""));
        match self.modules.get(import) {
            Some(file) => file,
            None if self.of.contains_key(import) => import,
            None => module().map_or(import, PathBuf::as_path),
        }
    }
}

/// The files that a file imports, by comments such as `#import "book.graphql"`, or by relative paths in source code, such as
/// `import { BOOK } from "./book"`. Other paths are resolved by the bundler of the client.
pub(crate) fn imports(file: &Path, text: &str) -> Vec<PathBuf> {
    let is_code = Language::of(file).is_some();
    let folder = file.parent().unwrap_or(Path::new(""));
    let paths = text.match_indices(['"', '\'']).filter_map(|(at, quote)| {
        let path = &text[at + 1..];
        if is_code && !path.starts_with("./") && !path.starts_with("../") {
            return None;
        }
        let before = text[..at].trim_end_matches([' ', '(']);
        let is_import = ["import", "from", "require"].iter().any(|word| before.ends_with(word));
        is_import.then(|| path.split(quote).next())?
    });
    paths.map(|path| normalized(&folder.join(path))).collect()
}

/// A path without `.`, and without `..` after another component.
pub(crate) fn normalized(path: &Path) -> PathBuf {
    let mut normalized = PathBuf::new();
    for component in path.components() {
        let is_after_name = matches!(normalized.components().next_back(), Some(Component::Normal(_)));
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
