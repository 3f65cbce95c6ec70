//! Registered and trusted documents.

use async_graphql::Value;
use async_graphql_strict::{Request, Settings, TrustedDocuments, TrustedMode};
use serde_json::json;

use crate::support::{answer, data, error_code, strict};

const TEXT: &str = "{ __typename }\n";

fn hash(text: &str) -> String {
    graphql_sdl::Hash::of(text).to_string()
}

fn by_id(id: &str, query: &str) -> Request {
    Request { document_id: Some(id.to_owned()), ..query.into() }
}

fn by_extension(persisted: serde_json::Value, query: &str) -> Request {
    let mut request = async_graphql::Request::new(query);
    let value = Value::from_json(persisted).expect("it is JSON");
    request.extensions.insert("persistedQuery".to_owned(), value);
    request.into()
}

fn by_hash(hash: &str, query: &str) -> Request {
    by_extension(json!({ "version": 1, "sha256Hash": hash }), query)
}

fn trusted(mode: TrustedMode) -> Settings {
    Settings {
        trusted_documents: TrustedDocuments::new(mode, [("One".to_owned(), TEXT.to_owned())]),
        ..Settings::default()
    }
}

#[tokio::test]
async fn a_registered_document_is_found_by_both_protocols() {
    let strict = strict(Settings::default());
    let hash = hash(TEXT);
    let id = format!("sha256:{hash}");
    let not_found = [by_hash(&hash, ""), by_id(&id, "")];
    for request in not_found {
        assert_eq!(error_code(&answer(&strict, request).await), "PERSISTED_QUERY_NOT_FOUND");
    }
    for request in
        [by_hash(&hash, TEXT), by_hash(&hash, ""), by_hash(&hash.to_uppercase(), ""), by_id(&id, ""), by_id(&id, TEXT)]
    {
        assert_eq!(data(&strict, request).await, json!({ "__typename": "Query" }));
    }
    assert_eq!(strict.registered_documents(), 1);
    let invalid = "{ boks }";
    answer(&strict, by_hash(&self::hash(invalid), invalid)).await;
    assert_eq!(strict.registered_documents(), 1);
}

#[tokio::test]
async fn a_wrong_reference_is_refused() {
    let strict = strict(Settings::default());
    let mismatch = "the identifier of the document is not the SHA-256 of `query`; omit one of them";
    let no_version = "`extensions.persistedQuery.version` must be 1";
    for (request, message) in [
        (by_hash(&hash(TEXT), "{ int }"), mismatch),
        (by_id("One", TEXT), mismatch),
        (by_id("", TEXT), mismatch),
        (by_extension(json!(5), TEXT), "`extensions.persistedQuery` must be an object"),
        (by_extension(json!({ "version": 2, "sha256Hash": "" }), TEXT), no_version),
        (
            by_extension(json!({ "version": 1, "sha256Hash": 7 }), TEXT),
            "`extensions.persistedQuery.sha256Hash` must be a string, the SHA-256 of the query in hexadecimal",
        ),
        (by_hash("0", ""), "PersistedQueryNotFound"),
        (by_id("one", ""), "unknown documentId \"one\"; send the document in `query` instead"),
        (by_id("", ""), "unknown documentId \"\"; send the document in `query` instead"),
    ] {
        let answer = answer(&strict, request).await;
        assert_eq!(answer["errors"][0]["message"], message);
    }
}

#[tokio::test]
async fn only_trusted_documents_are_executed_where_they_are_enforced() {
    for mode in [TrustedMode::Off, TrustedMode::Log, TrustedMode::Enforce] {
        let strict = strict(trusted(mode));
        for request in [
            TEXT.into(),
            TEXT.trim().into(),
            by_id("One", ""),
            by_hash("One", ""),
            by_id(&format!("sha256:{}", hash(TEXT.trim())), ""),
            by_hash(&hash(TEXT).to_uppercase(), ""),
        ] {
            assert_eq!(data(&strict, request).await, json!({ "__typename": "Query" }));
        }
        let other = answer(&strict, "{ int }").await;
        let message = "the operation is not a trusted document; this server executes only trusted documents";
        if mode == TrustedMode::Enforce {
            assert_eq!(other["errors"][0]["message"], message);
            let unknown = answer(&strict, by_id("one", "")).await;
            assert_eq!(error_code(&unknown), "PERSISTED_QUERY_NOT_FOUND");
            let message = "unknown documentId \"one\"; this server executes only trusted documents";
            assert_eq!(unknown["errors"][0]["message"], message);
        } else {
            assert_eq!(other, json!({ "data": { "int": null } }));
        }
        answer(&strict, by_hash(&hash("{ int }"), "{ int }")).await;
        let registered = usize::from(mode != TrustedMode::Enforce);
        assert_eq!(strict.registered_documents(), registered, "{mode:?}");
    }
}

#[tokio::test]
async fn trusted_documents_that_are_not_valid_are_found() {
    let documents = [("a", "{ boks }"), ("b", TEXT)].map(|(id, text)| (id.into(), text.into()));
    let strict = strict(Settings {
        trusted_documents: TrustedDocuments::new(TrustedMode::Enforce, documents),
        ..Settings::default()
    });
    let message = "\"a\" (\"{ boks }\"): type \"Query\" does not have a field \"boks\"; did you mean \"books\"?";
    assert_eq!(strict.invalid_trusted_documents(), [message]);
}
