//! Reads manifests: documents by identifier, or the persisted query manifest of Apollo.

use std::{collections::BTreeMap, sync::Arc};

use schema::{LineIndex, Position, Problems};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::text::Text;

const EXPECTED: &str = "is not a manifest; use a JSON object of documents by identifier, or an \
     Apollo persisted query manifest";

/// A document of a manifest.
pub(super) struct Entry {
    pub(super) id: Arc<str>,
    pub(super) document: String,
    pub(super) text: Text,
}

/// An entry of the list of Apollo.
#[derive(Deserialize)]
struct Listed<'a> {
    id: String,
    #[serde(borrow)]
    body: &'a RawValue,
}

/// The documents of a manifest.
pub(super) fn read(file: &Arc<str>, json: &str, problems: &mut Problems) -> Vec<Entry> {
    let lines = Arc::new(LineIndex::new(json));
    let members = match serde_json::from_str::<BTreeMap<String, &RawValue>>(json) {
        Ok(members) => members,
        Err(error) => {
            let position = Position {
                line: error.line().max(1),
                column: error.column().max(1),
            };
            problems.add_in(file.clone(), position, format!("{EXPECTED} ({error})"));
            return Vec::new();
        }
    };
    // A borrowed value is a part of the text.
    let offset = |value: &RawValue| value.get().as_ptr() as usize - json.as_ptr() as usize;
    let bodies: Vec<(String, &RawValue)> = match members.get("operations") {
        Some(list) if !list.get().starts_with('"') => {
            match serde_json::from_str::<Vec<Listed>>(list.get()) {
                Ok(entries) => entries.into_iter().map(|one| (one.id, one.body)).collect(),
                Err(error) => {
                    let position = lines.position(offset(list));
                    let message = format!("{EXPECTED}: operations: {error}");
                    problems.add_in(file.clone(), position, message);
                    return Vec::new();
                }
            }
        }
        _ => members.into_iter().collect(),
    };
    let mut entries = Vec::new();
    for (id, body) in bodies {
        let offset = offset(body);
        match serde_json::from_str::<String>(body.get()) {
            Ok(document) => {
                let (file, lines) = (file.clone(), lines.clone());
                entries.push(Entry {
                    text: Text::of_json_string(file, lines, body.get(), offset, &document),
                    id: id.into(),
                    document,
                });
            }
            Err(_) => problems.add_in(file.clone(), lines.position(offset), EXPECTED),
        }
    }
    entries
}
