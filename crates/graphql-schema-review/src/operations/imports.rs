//! The files that files of clients import.

use std::{
    collections::{HashMap, HashSet},
    path::{Component, Path, PathBuf},
};

use super::embedded::Language;

/// The maximum number of files that are searched for a fragment.
const MAX_SEARCHED: usize = 1000;

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
            let found = files.iter().copied();
            let found: Vec<&Path> = found.filter(|file| visited.contains(file)).collect();
            if !found.is_empty() {
                return found;
            }
            let imports = step.iter().filter_map(|file| self.of.get(*file)).flatten();
            let imports = imports.map(|import| self.file(import));
            step = imports.filter(|file| visited.insert(file)).collect();
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
        let mut words = ["import", "from", "require"].iter();
        let is_import = words.any(|word| before.ends_with(word));
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
