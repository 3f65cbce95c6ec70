//! Finds files in folders.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use graphql_sdl::file_name;

/// The files of a kind in a folder and the folders in it, sorted. Hidden files and folders, `node_modules`, `__generated__` and
/// links to folders are omitted.
pub(super) fn files_in(folder: &Path, is_kind: fn(&Path) -> bool) -> io::Result<Vec<PathBuf>> {
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
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with('.') {
                continue;
            }
            if kind.is_dir() && name != "node_modules" && name != "__generated__" {
                pending.push(path);
            } else if !kind.is_dir() && is_kind(&path) && path.is_file() {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Whether the name is that of a file of SDL or of documents.
pub(super) fn is_graphql(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    let mut known = ["graphql", "graphqls", "gql"].iter();
    known.any(|known| extension == *known)
}
