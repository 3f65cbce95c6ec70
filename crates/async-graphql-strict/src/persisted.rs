//! Persisted documents: automatic persisted queries, which clients register, and trusted documents, which the operator
//! allows.
//!
//! There are two protocols: `documentId` of GraphQL over HTTP (appendix "Persisted Documents"), which is `sha256:` and the
//! SHA-256 of the document in hexadecimal, or the identifier of a trusted document; and Apollo's `extensions.persistedQuery`,
//! which is `{version: 1, sha256Hash}`.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use async_graphql::{Request, Value};
use graphql_sdl::{Hash, excerpt};
use quick_cache::{Weighter, sync::Cache};

use crate::error::{ErrorCode, RequestError};

/// The expected number of registered documents, and the maximum weight of their cache in bytes.
const EXPECTED_DOCUMENTS: usize = 1000;
const MAX_CACHE_BYTES: u64 = 4 * 1024 * 1024;

/// Heap memory of a registered document without its text: the hash and the cache entry.
const ENTRY_BYTES: u64 = 256;

/// How documents that are not trusted are handled.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TrustedMode {
    /// Execute them.
    Off,
    /// Execute and log them.
    Log,
    /// Refuse them.
    Enforce,
}

/// The documents that the operator allows.
#[derive(Clone, Debug)]
pub struct TrustedDocuments {
    mode: TrustedMode,
    /// Keyed by identifier and by the lowercase hash of the text.
    by_key: HashMap<String, Arc<str>>,
    /// The documents with their identifiers, as they were given.
    pub(crate) documents: Vec<(String, Arc<str>)>,
}

impl TrustedDocuments {
    /// Documents with their identifiers, such as those that [`graphql_sdl::read_manifest`] reads. Each can also be found by
    /// the hash of its text, with and without surrounding white space.
    pub fn new(mode: TrustedMode, documents: impl IntoIterator<Item = (String, String)>) -> Self {
        let documents = documents.into_iter();
        let documents: Vec<(_, Arc<str>)> = documents.map(|(id, text)| (id, text.into())).collect();
        let mut by_key = HashMap::new();
        for (id, text) in &documents {
            by_key.insert(hash(text), Arc::clone(text));
            by_key.insert(hash(text.trim()), text.trim().into());
            by_key.insert(id.clone(), Arc::clone(text));
        }
        Self { mode, by_key, documents }
    }

    /// Refuses or logs a document that is not trusted.
    fn check(&self, text: &str) -> Result<(), RequestError> {
        if self.mode == TrustedMode::Off {
            return Ok(());
        }
        let sha256 = hash(text);
        if self.by_key.contains_key(&sha256) {
            return Ok(());
        }
        tracing::warn!(sha256, "an operation is not among the trusted documents");
        if self.mode == TrustedMode::Log {
            return Ok(());
        }
        let message = "the operation is not a trusted document; this server executes only trusted documents";
        Err(RequestError::new(ErrorCode::BadRequest, message))
    }
}

/// The registered documents, by hash.
pub(crate) struct RegisteredDocuments(Cache<String, Arc<str>, TextWeighter>);

#[derive(Clone)]
struct TextWeighter;

impl Weighter<String, Arc<str>> for TextWeighter {
    fn weight(&self, _: &String, text: &Arc<str>) -> u64 {
        ENTRY_BYTES + text.len() as u64
    }
}

impl RegisteredDocuments {
    pub(crate) fn new() -> Self {
        let max = MAX_CACHE_BYTES;
        Self(Cache::with_weighter(EXPECTED_DOCUMENTS, max, TextWeighter))
    }

    /// Registers a valid document under its hash.
    pub(crate) fn insert(&self, hash: String, text: &str) {
        self.0.insert(hash, text.into());
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The document that the request contains or refers to, and the hash with which the request registers it, if it does.
    pub(crate) fn text<'r>(
        &self,
        request: &'r Request,
        document_id: Option<&str>,
        trusted: &TrustedDocuments,
    ) -> Result<(Cow<'r, str>, Option<String>), RequestError> {
        let query = request.query.as_str();
        let (text, registers) = match Identifier::of(request, document_id)? {
            None => (Cow::Borrowed(query), None),
            Some(identifier) if query.is_empty() => {
                let text = self.find(&identifier, trusted)?;
                (Cow::Owned(text.as_ref().to_owned()), None)
            }
            Some(identifier) => {
                let hash = hash(query);
                if !identifier.hash().eq_ignore_ascii_case(&hash) {
                    return Err(invalid(
                        "the identifier of the document is not the SHA-256 of `query`; omit one of them",
                    ));
                }
                (Cow::Borrowed(query), Some(hash))
            }
        };
        trusted.check(&text)?;
        Ok((text, registers))
    }

    fn find(&self, identifier: &Identifier<'_>, trusted: &TrustedDocuments) -> Result<Arc<str>, RequestError> {
        let (Identifier::DocumentId(id) | Identifier::Sha256Hash(id)) = identifier;
        // Hashes are case-insensitive.
        let hash = identifier.hash().to_ascii_lowercase();
        let of_operator = trusted.by_key.get(*id).or_else(|| trusted.by_key.get(&hash));
        let found = of_operator.cloned().or_else(|| self.0.get(&hash));
        found.ok_or_else(|| {
            let message = match identifier {
                // Apollo's clients recognize the message and retry with the document.
                Identifier::Sha256Hash(_) => "PersistedQueryNotFound".to_owned(),
                Identifier::DocumentId(id) => {
                    let advice = match trusted.mode {
                        TrustedMode::Enforce => "this server executes only trusted documents",
                        TrustedMode::Off | TrustedMode::Log => "send the document in `query` instead",
                    };
                    format!("unknown documentId {:?}; {advice}", excerpt(id))
                }
            };
            RequestError::new(ErrorCode::PersistedQueryNotFound, message)
        })
    }
}

/// The reference of a request to a persisted document.
enum Identifier<'r> {
    DocumentId(&'r str),
    /// `extensions.persistedQuery.sha256Hash`.
    Sha256Hash(&'r str),
}

impl<'r> Identifier<'r> {
    fn of(request: &'r Request, id: Option<&'r str>) -> Result<Option<Self>, RequestError> {
        if let Some(id) = id {
            return Ok(Some(Self::DocumentId(id)));
        }
        let persisted = match request.extensions.get("persistedQuery") {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::Object(persisted)) => persisted,
            Some(_) => return Err(invalid("`extensions.persistedQuery` must be an object")),
        };
        if persisted.get("version") != Some(&1.into()) {
            return Err(invalid("`extensions.persistedQuery.version` must be 1"));
        }
        match persisted.get("sha256Hash") {
            Some(Value::String(hash)) if !hash.is_empty() => Ok(Some(Self::Sha256Hash(hash))),
            _ => Err(invalid(
                "`extensions.persistedQuery.sha256Hash` must be a string, the SHA-256 of the query in hexadecimal",
            )),
        }
    }

    /// The hash, or the identifier itself if it is not a hash.
    fn hash(&self) -> &'r str {
        match self {
            Self::DocumentId(id) => id.strip_prefix("sha256:").unwrap_or(id),
            Self::Sha256Hash(hash) => hash,
        }
    }
}

fn invalid(message: &str) -> RequestError {
    RequestError::new(ErrorCode::BadRequest, message)
}

/// The SHA-256 of a text in hexadecimal, lower case.
fn hash(text: &str) -> String {
    Hash::of(text).to_string()
}
