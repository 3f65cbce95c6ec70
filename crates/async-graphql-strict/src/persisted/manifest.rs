//! Reads trusted documents from Apollo's persisted query manifest.

use std::{collections::HashMap, fs, path::Path};

use graphql_sdl::excerpt;
use serde::Deserialize;

const FORMAT: &str = "apollo-persisted-query-manifest";

/// Why a manifest cannot be read: its path, and the reason.
#[derive(Debug, thiserror::Error)]
#[error("{0}: {1}")]
pub struct UnreadableManifest(String, String);

#[derive(Deserialize)]
struct Manifest {
    format: String,
    version: u32,
    operations: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    id: String,
    body: String,
}

/// The documents of a manifest with their identifiers.
pub fn read_manifest(path: &Path) -> Result<Vec<(String, String)>, UnreadableManifest> {
    read(path).map_err(|reason| UnreadableManifest(path.display().to_string(), reason))
}

fn read(path: &Path) -> Result<Vec<(String, String)>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("cannot be read ({error})"))?;
    // A parser may ignore a byte order mark (RFC 8259, section 8.1).
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let manifest: Manifest =
        serde_json::from_str(text).map_err(|error| format!("is not a persisted query manifest of Apollo ({error})"))?;
    if (manifest.format.as_str(), manifest.version) != (FORMAT, 1) {
        let (format, version) = (excerpt(&manifest.format), manifest.version);
        return Err(format!("the format must be {FORMAT:?} of version 1, it is {format:?} of version {version}"));
    }
    let mut bodies: HashMap<&str, &str> = HashMap::new();
    for Entry { id, body } in &manifest.operations {
        if bodies.insert(id, body).is_some_and(|first| first != body) {
            let id = excerpt(id);
            return Err(format!("the identifier {id:?} is that of two documents; change one"));
        }
    }
    let documents = manifest.operations.into_iter();
    Ok(documents.map(|Entry { id, body }| (id, body)).collect())
}
