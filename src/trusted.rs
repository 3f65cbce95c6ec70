//! The files in which an operator lists the trusted documents.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use serde::Deserialize;

/// Why the documents can't be read.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The file or folder can't be read.
    #[error("cannot read {}", .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// The file is no manifest.
    #[error(
        "{} is no manifest of trusted documents: it must be an object of documents by identifier, \
         or an Apollo persisted query manifest", .0.display()
    )]
    Manifest(PathBuf, #[source] serde_json::Error),
}

/// A manifest: documents by identifier, or the list that Apollo's tools write.
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

/// The documents in a folder (each `.graphql` file is one, known by its name) or in a manifest.
pub fn read(path: &Path) -> Result<Vec<(String, String)>, Unreadable> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        |error| Unreadable::Io(path, error)
    };
    if !path.is_dir() {
        let text = fs::read_to_string(path).map_err(unreadable(path))?;
        let manifest = serde_json::from_str(&text);
        return match manifest.map_err(|error| Unreadable::Manifest(path.to_owned(), error))? {
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
