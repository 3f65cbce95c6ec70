//! Reads the documents of clients from folders and files.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    files::{files_in, is_graphql},
    source::Unreadable,
};
use crate::operations::{DocumentSource, Documents, Language, imports, normalized};

/// The maximum size of all documents.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// The operations in folders, files and manifests; at least one. The files of a folder share their
/// fragments, and so do files that are named one by one.
pub(super) fn read(paths: &[PathBuf]) -> Result<Documents, Unreadable> {
    let mut remaining_bytes = MAX_BYTES;
    let mut sources = Vec::new();
    let mut single_files = Vec::new();
    for path in paths {
        let unreadable = |error| Unreadable::Documents(path.clone(), error);
        if fs::metadata(path).map_err(unreadable)?.is_dir() {
            let files = with_imports(
                files_in(path, is_document).map_err(unreadable)?,
                &mut remaining_bytes,
            )?;
            sources.push(DocumentSource::Files(files));
            continue;
        }
        let is_manifest = path
            .extension()
            .is_some_and(|extension| extension == "json");
        if !is_manifest && !is_document(path) {
            return Err(Unreadable::Format(path.clone()));
        }
        if is_manifest {
            let (name, text) = name_and_text(path, &mut remaining_bytes)?;
            sources.push(DocumentSource::Manifest(name, text));
        } else {
            single_files.push(path.clone());
        }
    }
    let files = with_imports(single_files, &mut remaining_bytes)?;
    sources.push(DocumentSource::Files(files));
    let documents = Documents::read(sources).map_err(Unreadable::Invalid)?;
    if documents.is_empty() {
        return Err(Unreadable::NoOperations);
    }
    Ok(documents)
}

/// The texts of files and of those that they import, by their names.
fn with_imports(
    mut files: Vec<PathBuf>,
    remaining_bytes: &mut u64,
) -> Result<Vec<(String, String)>, Unreadable> {
    let mut known: HashSet<PathBuf> = files.iter().map(|file| normalized(file)).collect();
    let mut texts = Vec::new();
    let mut next = 0;
    while let Some(file) = files.get(next) {
        let (name, text) = name_and_text(file, remaining_bytes)?;
        if Language::of(file).is_none() {
            let imports = imports(file, &text).into_iter();
            let imports: Vec<_> = imports
                .filter(|import| known.insert(import.clone()))
                .collect();
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
    *remaining_bytes = remaining_bytes
        .checked_sub(size)
        .ok_or(Unreadable::TooLarge(MAX_BYTES))?;
    let bytes = fs::read(path).map_err(unreadable)?;
    let text = match String::from_utf8(bytes) {
        // Source code can have another encoding, in which documents are ASCII.
        Err(error) if Language::of(path).is_some() => {
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        }
        text => {
            text.map_err(|error| unreadable(io::Error::new(io::ErrorKind::InvalidData, error)))?
        }
    };
    Ok((path.to_string_lossy().into_owned(), text))
}

fn is_document(path: &Path) -> bool {
    is_graphql(path) || Language::of(path).is_some()
}
