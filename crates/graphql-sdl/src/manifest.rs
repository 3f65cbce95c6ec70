//! Reads manifests: documents by identifier, the persisted query manifest of Apollo, or the operation output of Apollo
//! Kotlin.

use std::{collections::HashMap, fmt, sync::Arc};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

use crate::{DocumentText, LineIndex, Position, Problems, excerpt};

const EXPECTED: &str = "is not a manifest; use a JSON object of documents by identifier, an \
     Apollo persisted query manifest, or the operation output of Apollo Kotlin";

/// A document of a manifest.
pub struct ManifestEntry {
    /// The identifier of the document.
    pub id: Arc<str>,
    /// The document.
    pub document: String,
    /// Its positions in the manifest.
    pub text: DocumentText,
}

/// An entry of the list of Apollo.
#[derive(Deserialize)]
struct Listed<'a> {
    id: String,
    #[serde(borrow)]
    body: &'a RawValue,
}

/// An operation in the output of Apollo Kotlin.
#[derive(Deserialize)]
struct Output<'a> {
    #[serde(borrow)]
    source: &'a RawValue,
}

/// The members of a JSON object in their order, also those with the same name.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// The documents of a manifest, which is the text of a file of this name. Different documents with the same identifier
/// are a problem.
pub fn read_manifest(file: &Arc<str>, json: &str, problems: &mut Problems) -> Vec<ManifestEntry> {
    let lines = Arc::new(LineIndex::new(json));
    // A parser may ignore a byte order mark (RFC 8259, section 8.1).
    let members = match serde_json::from_str(json.strip_prefix('\u{feff}').unwrap_or(json)) {
        Ok(Members(members)) => members,
        Err(error) => {
            let position = Position { line: error.line().max(1), column: error.column().max(1) };
            problems.add_in(file.clone(), position, format!("{EXPECTED} ({error})"));
            return Vec::new();
        }
    };
    // A borrowed value is a part of the text.
    let offset = |value: &RawValue| value.get().as_ptr() as usize - json.as_ptr() as usize;
    let is_list = |(name, value): &(String, &RawValue)| name == "operations" && !value.get().starts_with('"');
    let (lists, mut bodies): (Vec<_>, Vec<_>) = members.into_iter().partition(is_list);
    if !lists.is_empty() {
        bodies.clear();
    }
    for (_, list) in lists {
        match serde_json::from_str::<Vec<Listed>>(list.get()) {
            Ok(entries) => bodies.extend(entries.into_iter().map(|one| (one.id, one.body))),
            Err(error) => {
                let position = lines.position(offset(list));
                let message = format!("{EXPECTED}: operations: {error}");
                problems.add_in(file.clone(), position, message);
            }
        }
    }
    let mut entries: Vec<ManifestEntry> = Vec::new();
    let mut by_id: HashMap<Arc<str>, usize> = HashMap::new();
    for (id, mut body) in bodies {
        if let Ok(Output { source }) = serde_json::from_str(body.get()) {
            body = source;
        }
        let offset = offset(body);
        let Ok(document) = serde_json::from_str::<String>(body.get()) else {
            problems.add_in(file.clone(), lines.position(offset), EXPECTED);
            continue;
        };
        let id = Arc::from(id);
        let text = DocumentText::of_json_string(file.clone(), lines.clone(), body.get(), offset, &document);
        if let Some(first) = by_id.get(&id).map(|index| &entries[*index]) {
            if first.document != document {
                let message = format!(
                    "the identifier {:?} is that of another document, at {}; change one",
                    excerpt(&id),
                    first.text.start()
                );
                problems.add_in(file.clone(), text.start().position, message);
            }
            continue;
        }
        by_id.insert(Arc::clone(&id), entries.len());
        entries.push(ManifestEntry { id, document, text });
    }
    entries
}
