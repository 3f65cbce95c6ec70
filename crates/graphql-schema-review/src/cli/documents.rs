//! Reads the documents of clients from folders and files.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use clap::Args;
use graphql_sdl::is_graphql_file;

use super::{
    failure::Failure,
    files::{Patterns, files_in, folder_of, is_pattern, matching},
    source::Unreadable,
};
use crate::operations::{DocumentSource, Documents, Language, imports, normalized};

/// The maximum size of all documents.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// Tests and stories.
const TESTS: [&str; 5] = [
    "{__fixtures__,__mocks__,__stories__,__tests__,androidTest,cypress,e2e,stories,test,tests,Tests}",
    "*.{cy,e2e,spec,stories,story,test}.*",
    "*{Test,Tests}.{kt,swift}",
    "*_test.{go,py,rs}",
    "test_*.py",
];

/// Which documents are read, and whether each has to be checked.
#[derive(Args, Clone, Debug, Eq, PartialEq)]
pub(super) struct Selection {
    /// Omit the files and folders that match a pattern, such as '**/*.generated.ts' or legacy; can be repeated
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<String>,
    /// Read tests and stories in folders, too, which are omitted by default: files such as a.spec.ts and a.stories.tsx, and
    /// folders such as __tests__
    #[arg(long)]
    include_tests: bool,
    /// Fail if a document or an operation cannot be checked
    #[arg(long)]
    strict: bool,
}

impl Selection {
    /// The operations in folders, files and manifests; at least one. The files of a folder or a pattern share their
    /// fragments, and so do files that are named one by one.
    pub(super) fn read(&self, paths: &[PathBuf]) -> Result<Documents, Unreadable> {
        let invalid = |error| Unreadable::Documents(self.exclude.join(" ").into(), error);
        // As configurations write them: `!**/generated/**`.
        let names: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
        let negated = names.iter().filter_map(|name| name.strip_prefix('!'));
        let excluded = self.exclude.iter().map(String::as_str).chain(negated);
        let excluded = Patterns::parse(excluded).map_err(invalid)?;
        let tests = Patterns::parse(TESTS).map_err(invalid)?;
        let mut omitted = 0;
        let mut remaining_bytes = MAX_BYTES;
        let mut sources = Vec::new();
        let mut single_files = Vec::new();
        for (path, name) in paths.iter().zip(&names) {
            if name.starts_with('!') {
                continue;
            }
            let unreadable = |error| Unreadable::Documents(path.clone(), error);
            let mut folder = &**path;
            let mut files = if is_pattern(name) {
                folder = Path::new(folder_of(name));
                let files = matching(name, is_document).map_err(unreadable)?;
                if files.is_empty() {
                    return Err(Unreadable::NoMatch(name.to_string()));
                }
                files
            } else if fs::metadata(path).map_err(unreadable)?.is_dir() {
                files_in(path, is_document).map_err(unreadable)?
            } else if path.extension().is_some_and(|end| end == "json") {
                let (name, text) = name_and_text(path, &mut remaining_bytes)?;
                sources.push(DocumentSource::Manifest(name, text));
                continue;
            } else if is_document(path) {
                single_files.push(path.clone());
                continue;
            } else {
                return Err(Unreadable::Format(path.clone()));
            };
            files.retain(|file| !excluded.exclude(file));
            let all = files.len();
            // The folder itself can be one of tests.
            let is_test = |file: &PathBuf| tests.exclude(file.strip_prefix(folder).unwrap_or(file));
            files.retain(|file| self.include_tests || !is_test(file));
            omitted += all - files.len();
            let files = with_imports(files, &mut remaining_bytes)?;
            sources.push(DocumentSource::Files(files));
        }
        single_files.retain(|file| !excluded.exclude(file));
        let files = with_imports(single_files, &mut remaining_bytes)?;
        sources.push(DocumentSource::Files(files));
        let mut documents = Documents::read(sources).map_err(Unreadable::Invalid)?;
        documents.omitted_tests = omitted;
        if documents.is_empty() {
            return Err(Unreadable::NoOperations(omitted));
        }
        Ok(documents)
    }

    /// A failure if something cannot be checked and has to be.
    pub(super) fn verdict(&self, documents: &Documents, is_strict: bool) -> Result<(), Failure> {
        match documents.unchecked() {
            [first, ..] if self.strict || is_strict => {
                let count = documents.unchecked().len();
                Err(Failure::Unchecked(count, first.location.to_string()))
            }
            _ => Ok(()),
        }
    }
}

/// The texts of files and of those that they import, by their names.
fn with_imports(mut files: Vec<PathBuf>, remaining_bytes: &mut u64) -> Result<Vec<(String, String)>, Unreadable> {
    let mut known: HashSet<PathBuf> = files.iter().map(|file| normalized(file)).collect();
    let mut texts = Vec::new();
    let mut next = 0;
    while let Some(file) = files.get(next) {
        let (name, text) = name_and_text(file, remaining_bytes)?;
        if Language::of(file).is_none() {
            let imports = imports(file, &text).into_iter();
            let imports: Vec<_> = imports.filter(|import| import.is_file() && known.insert(import.clone())).collect();
            files.extend(imports);
        }
        texts.push((name, text));
        next += 1;
    }
    Ok(texts)
}

fn name_and_text(path: &Path, remaining_bytes: &mut u64) -> Result<(String, String), Unreadable> {
    let unreadable = |error| Unreadable::Documents(path.to_owned(), error);
    let size = fs::metadata(path).map_err(unreadable)?.len();
    *remaining_bytes = remaining_bytes.checked_sub(size).ok_or(Unreadable::TooLarge(MAX_BYTES))?;
    let bytes = fs::read(path).map_err(unreadable)?;
    // A document in another encoding is not checked, unless what it names is ASCII.
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok((path.to_string_lossy().into_owned(), text))
}

fn is_document(path: &Path) -> bool {
    is_graphql_file(path) || Language::of(path).is_some()
}
