//! Queries that are sent as their SHA-256: automatic persisted queries, which clients register, and
//! trusted documents, which the operator allows.
//!
//! The protocol is Apollo's: `extensions.persistedQuery` is `{version: 1, sha256Hash}`, in hexadecimal.

use std::{
    collections::HashMap,
    fmt::Write,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use async_graphql::{Request, ServerError, Value};
use quick_cache::{Weighter, sync::Cache};
use sha2::{Digest, Sha256};

use super::{document::Rejected, error_code::ErrorCode};

/// How many registered queries are kept, and how many bytes they may have together.
const KEPT_QUERIES: usize = 1000;
const KEPT_BYTES: u64 = 4 * 1024 * 1024;

/// Whether clients may register queries.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum PersistedQueries {
    /// They may.
    On,
    /// They may not.
    Off,
}

/// What happens to operations that the operator has not allowed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TrustedMode {
    /// They are executed.
    Off,
    /// They are executed and logged.
    Log,
    /// They are refused.
    Enforce,
}

/// The documents that the operator allows.
#[derive(Clone, Debug)]
pub struct TrustedDocuments {
    mode: TrustedMode,
    /// By identifier, and by the hash of the text.
    documents: HashMap<String, Arc<str>>,
}

impl TrustedDocuments {
    /// No documents; everything is executed.
    pub fn none() -> Self {
        Self {
            mode: TrustedMode::Off,
            documents: HashMap::new(),
        }
    }

    /// Documents with their identifiers. Each is known by the hash of its text too, with and without
    /// the white space around it.
    pub fn new(mode: TrustedMode, documents: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut known = HashMap::new();
        for (id, text) in documents {
            let whole: Arc<str> = text.as_str().into();
            let trimmed: Arc<str> = text.trim().into();
            known.insert(hash(&whole), Arc::clone(&whole));
            known.insert(hash(&trimmed), trimmed);
            known.insert(id.to_ascii_lowercase(), whole);
        }
        Self {
            mode,
            documents: known,
        }
    }

    /// Refuses or logs a text that is not among them.
    fn judge(&self, text: &str) -> Result<(), Rejected> {
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
        Err(rejected(
            ErrorCode::BadRequest,
            "this server executes only the operations that its operator has allowed",
        ))
    }
}

/// The queries that can be sent as a hash.
pub(super) struct Persisted {
    registering: PersistedQueries,
    trusted: TrustedDocuments,
    registered: Cache<String, Arc<str>, Bytes>,
    found: AtomicU64,
    not_found: AtomicU64,
}

/// How persisted queries were used since the start.
#[derive(Clone, Copy, Debug)]
pub struct PersistedFigures {
    /// Requests that named a query by a known hash.
    pub found: u64,
    /// Requests that named one by a hash that is not known.
    pub not_found: u64,
    /// Registered queries that are kept now.
    pub registered: usize,
}

#[derive(Clone)]
struct Bytes;

impl Weighter<String, Arc<str>> for Bytes {
    fn weight(&self, _: &String, text: &Arc<str>) -> u64 {
        text.len() as u64
    }
}

/// The text of a request.
pub(super) enum Text<'r> {
    /// It was sent, and is to be registered under this hash, if any.
    Sent(&'r str, Option<String>),
    /// It was named by its hash.
    Kept(Arc<str>),
}

impl Text<'_> {
    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Sent(text, _) => text,
            Self::Kept(text) => text,
        }
    }
}

impl Persisted {
    pub(super) fn new(registering: PersistedQueries, trusted: TrustedDocuments) -> Self {
        Self {
            registering,
            trusted,
            registered: Cache::with_weighter(KEPT_QUERIES, KEPT_BYTES, Bytes),
            found: AtomicU64::new(0),
            not_found: AtomicU64::new(0),
        }
    }

    /// The text that the request sends or names.
    pub(super) fn text<'r>(&self, request: &'r Request) -> Result<Text<'r>, Rejected> {
        let given = request.query.as_str();
        let text = match named(request)? {
            None => Text::Sent(given, None),
            Some(name) if given.is_empty() => Text::Kept(self.find(&name)?),
            Some(name) if hash(given) != name => {
                let message =
                    "`extensions.persistedQuery.sha256Hash` is not the SHA-256 of `query`";
                return Err(rejected(ErrorCode::BadRequest, message));
            }
            Some(name) => {
                let registers = self.registering == PersistedQueries::On;
                Text::Sent(given, registers.then_some(name))
            }
        };
        self.trusted.judge(text.as_str())?;
        Ok(text)
    }

    /// Keeps a text that was found valid, if the client wants that.
    pub(super) fn register(&self, text: Text<'_>) {
        if let Text::Sent(text, Some(hash)) = text {
            self.registered.insert(hash, text.into());
        }
    }

    pub(super) fn figures(&self) -> PersistedFigures {
        PersistedFigures {
            found: self.found.load(Ordering::Relaxed),
            not_found: self.not_found.load(Ordering::Relaxed),
            registered: self.registered.len(),
        }
    }

    /// The texts that the operator allows, for checking them.
    pub(super) fn trusted_texts(&self) -> impl Iterator<Item = &Arc<str>> {
        self.trusted.documents.values()
    }

    /// The words and the code are those that clients know: they send the text then.
    fn find(&self, name: &str) -> Result<Arc<str>, Rejected> {
        let trusted = self.trusted.documents.get(name).cloned();
        let found = trusted.or_else(|| self.registered.get(name));
        let counter = match found {
            Some(_) => &self.found,
            None => &self.not_found,
        };
        counter.fetch_add(1, Ordering::Relaxed);
        found.ok_or_else(|| rejected(ErrorCode::PersistedQueryNotFound, "PersistedQueryNotFound"))
    }
}

/// The hash in `extensions.persistedQuery`, in lower case.
fn named(request: &Request) -> Result<Option<String>, Rejected> {
    let wrong = |message| Err(rejected(ErrorCode::BadRequest, message));
    let persisted = match request.extensions.0.get("persistedQuery") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Object(persisted)) => persisted,
        Some(_) => return wrong("`extensions.persistedQuery` must be an object"),
    };
    match persisted.get("version") {
        Some(Value::Number(version)) if version.as_u64() == Some(1) => {}
        _ => return wrong("`extensions.persistedQuery.version` must be 1"),
    }
    match persisted.get("sha256Hash") {
        Some(Value::String(hash)) if !hash.is_empty() => Ok(Some(hash.to_ascii_lowercase())),
        _ => wrong(
            "`extensions.persistedQuery.sha256Hash` must be a string, the SHA-256 of the query in hexadecimal",
        ),
    }
}

fn rejected(code: ErrorCode, message: &str) -> Rejected {
    Rejected {
        code,
        errors: vec![ServerError::new(message, None)],
    }
}

/// The SHA-256 of a text in hexadecimal, lower case.
fn hash(text: &str) -> String {
    let mut hash = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        // Writing to a String cannot fail.
        let _ = write!(hash, "{byte:02x}");
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_the_sha_256_in_hexadecimal() {
        let expected = "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38";
        assert_eq!(hash("{__typename}"), expected);
    }

    #[test]
    fn a_trusted_document_is_known_by_its_identifier_and_by_its_hash() {
        let text = "{ __typename }\n".to_owned();
        let trusted = TrustedDocuments::new(TrustedMode::Enforce, [("One".to_owned(), text)]);
        assert!(trusted.judge("{ __typename }\n").is_ok());
        assert!(trusted.judge("{ __typename }").is_ok());
        assert!(trusted.judge("{ vehicles { id } }").is_err());
        assert!(trusted.documents.contains_key("one"));
    }
}
