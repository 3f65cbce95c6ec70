//! Finds files in folders and by patterns.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use glob::{MatchOptions, Pattern};
use graphql_sdl::file_name;

/// The characters of patterns.
pub(super) const WILDCARDS: [char; 4] = ['*', '?', '[', '{'];

/// Patterns of files: `*`, `**`, `?`, `[…]` and `{a,b}`.
pub(super) struct Patterns(Vec<Pattern>);

impl Patterns {
    pub(super) fn parse<'p>(patterns: impl IntoIterator<Item = &'p str>) -> io::Result<Self> {
        let patterns = patterns.into_iter().flat_map(alternatives).map(|pattern| Pattern::new(&pattern));
        let patterns: Result<_, _> = patterns.collect();
        let invalid = |error| io::Error::new(io::ErrorKind::InvalidInput, error);
        patterns.map(Self).map_err(invalid)
    }

    pub(super) fn match_path(&self, path: &Path) -> bool {
        let options = MatchOptions { require_literal_separator: true, ..MatchOptions::default() };
        self.0.iter().any(|pattern| pattern.matches_path_with(path, options))
    }

    /// Whether they match a file or a folder that contains it: its path, or its name.
    pub(super) fn exclude(&self, file: &Path) -> bool {
        file.ancestors().any(|path| {
            let name = path.file_name().unwrap_or_default();
            self.match_path(path) || self.match_path(name.as_ref())
        })
    }
}

/// The patterns without braces that a pattern with `{a,b}` stands for.
fn alternatives(pattern: &str) -> Vec<String> {
    let braces = pattern.rsplit_once('{').and_then(|(before, rest)| {
        let (inside, after) = rest.split_once('}')?;
        Some((before, inside, after))
    });
    let Some((before, inside, after)) = braces else {
        return vec![pattern.to_owned()];
    };
    inside.split(',').flat_map(|word| alternatives(&format!("{before}{word}{after}"))).collect()
}

/// Whether a text is a pattern, and not the name of a file that has such characters.
pub(super) fn is_pattern(path: &str) -> bool {
    path.contains(WILDCARDS) && !Path::new(path).exists()
}

/// The folder in which a pattern matches files.
pub(super) fn folder_of(pattern: &str) -> &str {
    let literal = pattern.split(WILDCARDS).next().unwrap_or_default();
    match literal.rsplit_once('/') {
        Some(("", _)) => "/",
        Some((folder, _)) => folder,
        None => ".",
    }
}

/// The files of a kind that match a pattern, of those that [`files_in`] finds.
pub(super) fn matching(pattern: &str, is_kind: fn(&Path) -> bool) -> io::Result<Vec<PathBuf>> {
    let patterns = Patterns::parse([pattern])?;
    let folder = folder_of(pattern);
    let named = |file: PathBuf| match file.strip_prefix("./") {
        Ok(below) if !pattern.starts_with(folder) => below.to_owned(),
        _ => file,
    };
    let files = files_in(Path::new(folder), is_kind)?.into_iter().map(named);
    Ok(files.filter(|file| patterns.match_path(file)).collect())
}

/// Whether a file or folder of this name is omitted: hidden ones, `node_modules` and `__generated__`.
fn is_omitted(name: &str, is_folder: bool) -> bool {
    name.starts_with('.') || (is_folder && matches!(name, "node_modules" | "__generated__"))
}

/// Whether [`files_in`] omits a file, whose path is that below the folder.
pub(super) fn is_omitted_below(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    is_omitted(name, false) || folders.split('/').any(|folder| is_omitted(folder, true))
}

/// The files of a kind in a folder and the folders in it, sorted, without omitted ones and links to folders.
pub(super) fn files_in(folder: &Path, is_kind: impl Fn(&Path) -> bool) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        let unreadable = |error: io::Error| {
            let folder = folder.to_string_lossy();
            io::Error::new(error.kind(), format!("{}: {error}", file_name(&folder)))
        };
        for entry in fs::read_dir(&folder).map_err(unreadable)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if is_omitted(&entry.file_name().to_string_lossy(), kind.is_dir()) {
                continue;
            }
            if kind.is_dir() {
                pending.push(path);
            } else if is_kind(&path) && path.is_file() {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
