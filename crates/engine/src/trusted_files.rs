//! Reads trusted documents from a folder or a manifest.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use serde::Deserialize;

/// Why the trusted documents cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum UnreadableDocuments {
    /// The file or folder cannot be read.
    #[error("cannot read {}", .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// The file is not a manifest.
    #[error(
        "{} is not a manifest of trusted documents; use a JSON object of documents by identifier, \
         or an Apollo persisted query manifest", .0.display()
    )]
    Manifest(PathBuf, #[source] serde_json::Error),
}

/// A manifest: documents by identifier, or the list format of Apollo.
#[derive(Deserialize)]
#[serde(untagged)]
enum Manifest {
    List { operations: Vec<Entry> },
    Map(BTreeMap<String, String>),
}

#[derive(Deserialize)]
struct Entry {
    id: String,
    body: String,
}

/// The documents in a folder (one per `.graphql` file, identified by its name) or in a manifest.
pub fn read_trusted_documents(path: &Path) -> Result<Vec<(String, String)>, UnreadableDocuments> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        |error| UnreadableDocuments::Io(path, error)
    };
    if !path.is_dir() {
        let text = fs::read_to_string(path).map_err(unreadable(path))?;
        let manifest = serde_json::from_str(&text);
        return match manifest
            .map_err(|error| UnreadableDocuments::Manifest(path.to_owned(), error))?
        {
            Manifest::Map(documents) => Ok(documents.into_iter().collect()),
            Manifest::List { operations } => {
                let operations = operations.into_iter();
                Ok(operations.map(|entry| (entry.id, entry.body)).collect())
            }
        };
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
