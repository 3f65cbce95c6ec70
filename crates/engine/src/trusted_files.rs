//! Reads trusted documents from a folder or a manifest.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use schema::{Problems, read_manifest};

/// Why the trusted documents cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum UnreadableDocuments {
    /// The file or folder cannot be read.
    #[error("cannot read {}", .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// The file is not a manifest.
    #[error(transparent)]
    Manifest(Problems),
}

/// The documents in a folder (one per `.graphql` file, identified by its name) or in a manifest.
pub fn read_trusted_documents(path: &Path) -> Result<Vec<(String, String)>, UnreadableDocuments> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        |error| UnreadableDocuments::Io(path, error)
    };
    if !path.is_dir() {
        let text = fs::read_to_string(path).map_err(unreadable(path))?;
        let file: Arc<str> = path.display().to_string().into();
        let mut problems = Problems::new(file.clone());
        let entries = read_manifest(&file, &text, &mut problems).into_iter();
        let documents = entries.map(|entry| (entry.id.to_string(), entry.document));
        let documents = documents.collect();
        return problems
            .into_result(documents)
            .map_err(UnreadableDocuments::Manifest);
    }
    let mut documents = Vec::new();
    for entry in fs::read_dir(path).map_err(unreadable(path))? {
        let file = entry.map_err(unreadable(path))?.path();
        if file
            .extension()
            .is_some_and(|extension| extension == "graphql")
        {
            let text = fs::read_to_string(&file).map_err(unreadable(&file))?;
            let name = file
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            documents.push((name, text));
        }
    }
    Ok(documents)
}
