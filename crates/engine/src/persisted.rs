//! Persisted documents: automatic persisted queries, which clients register, and trusted documents, which
//! the operator allows.
//!
//! There are two protocols: `documentId` of GraphQL over HTTP (appendix "Persisted Documents"), which is
//! `sha256:` and the SHA-256 of the document in hexadecimal, or an identifier that the operator has
//! configured; and Apollo's `extensions.persistedQuery`, which is `{version: 1, sha256Hash}`.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use async_graphql::Value;
use quick_cache::{Weighter, sync::Cache};
use schema::excerpt;

use super::{
    error_code::ErrorCode,
    request::Request,
    response::{Refused, refused},
};

/// The expected number of registered queries, and the maximum weight of their cache in bytes.
const EXPECTED_QUERIES: usize = 1000;
const MAX_CACHE_BYTES: u64 = 4 * 1024 * 1024;

/// Heap memory of a registered query without its text: the hash and the cache entry.
/// `tests/memory/caches.rs` measures 195 bytes for each, with texts of 20 bytes.
const QUERY_BYTES: u64 = 256;

/// Whether clients may register queries (automatic persisted queries).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum PersistedQueries {
    /// Clients may register queries.
    On,
    /// Clients may not register queries.
    Off,
}

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
    documents: HashMap<String, Arc<str>>,
    /// The identifiers, as they are.
    identifiers: Vec<String>,
}

impl TrustedDocuments {
    /// No trusted documents; every document is executed.
    pub fn none() -> Self {
        Self::new(TrustedMode::Off, [])
    }

    /// Documents with their identifiers. Each can also be found by the hash of its text, with and without
    /// surrounding white space.
    pub fn new(mode: TrustedMode, documents: impl IntoIterator<Item = (String, String)>) -> Self {
        let (mut by_key, mut identifiers) = (HashMap::new(), Vec::new());
        for (id, text) in documents {
            let whole: Arc<str> = text.as_str().into();
            let trimmed: Arc<str> = text.trim().into();
            by_key.insert(hash(&whole), Arc::clone(&whole));
            by_key.insert(hash(&trimmed), trimmed);
            by_key.insert(id.clone(), whole);
            identifiers.push(id);
        }
        Self {
            mode,
            documents: by_key,
            identifiers,
        }
    }

    /// Refuses or logs a document that is not trusted.
    fn check(&self, text: &str) -> Result<(), Refused> {
        if self.mode == TrustedMode::Off {
            return Ok(());
        }
        let hash = hash(text);
        if self.documents.contains_key(&hash) {
            return Ok(());
        }
        tracing::warn!(
            sha256 = hash,
            "an operation is not among the trusted documents"
        );
        if self.mode == TrustedMode::Log {
            return Ok(());
        }
        Err(refused(
            ErrorCode::BadRequest,
            "the operation is not a trusted document; this server executes only trusted documents",
        ))
    }
}

/// The registered queries and the trusted documents.
pub(super) struct PersistedDocuments {
    registration: PersistedQueries,
    trusted: TrustedDocuments,
    registered: Cache<String, Arc<str>, TextWeighter>,
    found: AtomicU64,
    not_found: AtomicU64,
}

/// Statistics of the persisted queries since the start.
#[derive(Clone, Copy, Debug)]
pub struct PersistedStats {
    /// Requests with the hash of a registered query or a trusted document.
    pub found: u64,
    /// Requests with an unknown hash.
    pub not_found: u64,
    /// Cached registered queries.
    pub registered: usize,
}

#[derive(Clone)]
struct TextWeighter;

impl Weighter<String, Arc<str>> for TextWeighter {
    fn weight(&self, _: &String, text: &Arc<str>) -> u64 {
        QUERY_BYTES + text.len() as u64
    }
}

/// The document of a request.
pub(super) enum DocumentText<'r> {
    /// The request contains it; it is registered under this hash, if any.
    Sent(&'r str, Option<String>),
    /// The request contains its hash or identifier.
    Persisted(Arc<str>),
}

impl DocumentText<'_> {
    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Sent(text, _) => text,
            Self::Persisted(text) => text,
        }
    }
}

impl PersistedDocuments {
    pub(super) fn new(registration: PersistedQueries, trusted: TrustedDocuments) -> Self {
        Self {
            registration,
            trusted,
            registered: Cache::with_weighter(EXPECTED_QUERIES, MAX_CACHE_BYTES, TextWeighter),
            found: AtomicU64::new(0),
            not_found: AtomicU64::new(0),
        }
    }

    /// The document that the request contains or refers to.
    pub(super) fn text<'r>(&self, request: &'r Request) -> Result<DocumentText<'r>, Refused> {
        let query = request.query.as_str();
        let text = match identifier(request)? {
            None => DocumentText::Sent(query, None),
            Some(identifier) if query.is_empty() => {
                DocumentText::Persisted(self.find(&identifier)?)
            }
            Some(identifier) => {
                let hash = hash(query);
                if !identifier.hash().eq_ignore_ascii_case(&hash) {
                    let message = identifier.mismatch_message();
                    return Err(refused(ErrorCode::BadRequest, message));
                }
                let may_register = self.registration == PersistedQueries::On;
                DocumentText::Sent(query, may_register.then_some(hash))
            }
        };
        self.trusted.check(text.as_str())?;
        Ok(text)
    }

    /// Registers a valid document, if the client requested it.
    pub(super) fn register(&self, text: DocumentText<'_>) {
        if let DocumentText::Sent(text, Some(hash)) = text {
            self.registered.insert(hash, text.into());
        }
    }

    pub(super) fn stats(&self) -> PersistedStats {
        PersistedStats {
            found: self.found.load(Ordering::Relaxed),
            not_found: self.not_found.load(Ordering::Relaxed),
            registered: self.registered.len(),
        }
    }

    /// The trusted documents with their identifiers, to be validated at start.
    pub(super) fn trusted_texts(&self) -> impl Iterator<Item = (&String, &Arc<str>)> {
        let identifiers = self.trusted.identifiers.iter();
        identifiers.map(|id| (id, &self.trusted.documents[id]))
    }

    fn find(&self, identifier: &Identifier<'_>) -> Result<Arc<str>, Refused> {
        let trusted = |key: &str| self.trusted.documents.get(key).cloned();
        let found = trusted(identifier.text()).or_else(|| {
            // Hashes are case-insensitive.
            let hash = identifier.hash().to_ascii_lowercase();
            trusted(&hash).or_else(|| self.registered.get(&hash))
        });
        let counter = match found {
            Some(_) => &self.found,
            None => &self.not_found,
        };
        counter.fetch_add(1, Ordering::Relaxed);
        found.ok_or_else(|| {
            refused(
                ErrorCode::PersistedQueryNotFound,
                identifier.not_found_message(self.trusted.mode),
            )
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
    fn text(&self) -> &'r str {
        match self {
            Self::DocumentId(text) | Self::Sha256Hash(text) => text,
        }
    }

    /// The hash, or the identifier itself if it is not a hash.
    fn hash(&self) -> &'r str {
        match self {
            Self::DocumentId(id) => id.strip_prefix("sha256:").unwrap_or(id),
            Self::Sha256Hash(hash) => hash,
        }
    }

    fn mismatch_message(&self) -> &'static str {
        match self {
            Self::DocumentId(_) => {
                "`documentId` is not `sha256:` and the SHA-256 of `query`; omit one of them"
            }
            Self::Sha256Hash(_) => {
                "`extensions.persistedQuery.sha256Hash` is not the SHA-256 of `query`"
            }
        }
    }

    /// Apollo's clients recognize the message `PersistedQueryNotFound` and retry with the query.
    fn not_found_message(&self, mode: TrustedMode) -> String {
        match self {
            Self::DocumentId(id) => {
                let id = excerpt(id);
                let advice = match mode {
                    TrustedMode::Enforce => "this server executes only trusted documents",
                    TrustedMode::Off | TrustedMode::Log => "send the document in `query`",
                };
                format!("unknown documentId {id:?}; {advice}")
            }
            Self::Sha256Hash(_) => "PersistedQueryNotFound".to_owned(),
        }
    }
}

fn identifier(request: &Request) -> Result<Option<Identifier<'_>>, Refused> {
    let invalid = |message| Err(refused(ErrorCode::BadRequest, message));
    if let Some(id) = &request.document_id {
        return match id.as_str() {
            "" => invalid("`documentId` is empty; it must be the identifier of a document"),
            id => Ok(Some(Identifier::DocumentId(id))),
        };
    }
    let persisted = match request.extensions.get("persistedQuery") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Object(persisted)) => persisted,
        Some(_) => return invalid("`extensions.persistedQuery` must be an object"),
    };
    match persisted.get("version") {
        Some(Value::Number(version)) if version.as_u64() == Some(1) => {}
        _ => return invalid("`extensions.persistedQuery.version` must be 1"),
    }
    match persisted.get("sha256Hash") {
        Some(Value::String(hash)) if !hash.is_empty() => Ok(Some(Identifier::Sha256Hash(hash))),
        _ => invalid(
            "`extensions.persistedQuery.sha256Hash` must be a string, the SHA-256 of the query in hexadecimal",
        ),
    }
}

/// The SHA-256 of a text in hexadecimal, lower case.
fn hash(text: &str) -> String {
    schema::Hash::of(text).to_string()
}
