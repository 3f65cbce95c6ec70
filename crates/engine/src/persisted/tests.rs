//! Persisted documents are found, and others refused.

use async_graphql::{Name, value};

use super::*;
use crate::error_facts::ErrorFacts;

#[test]
fn hashes_with_sha_256_in_hexadecimal() {
    let expected = "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38";
    assert_eq!(hash("{__typename}"), expected);
}

const TEXT: &str = "{ __typename }\n";

/// The text of the document that a request refers to, or the code of the refusal.
fn found(documents: &PersistedDocuments, request: &Request) -> Result<String, ErrorCode> {
    let text = documents.text(request).map_err(|refused| {
        let facts = ErrorFacts::of(&refused.errors[0]);
        facts.expect("the engine gives facts to each error").code
    })?;
    Ok(text.as_str().to_owned())
}

fn trusted(mode: TrustedMode) -> PersistedDocuments {
    let trusted = TrustedDocuments::new(mode, [("One".to_owned(), TEXT.to_owned())]);
    PersistedDocuments::new(PersistedQueries::Off, trusted)
}

#[test]
fn finds_a_trusted_document_by_identifier_and_by_hash() {
    let documents = trusted(TrustedMode::Enforce);
    let by_id = |id: &str| Request {
        document_id: Some(id.to_owned()),
        ..Request::default()
    };
    let by_extension = |hash: &str| Request {
        extensions: [(
            Name::new("persistedQuery"),
            value!({ "version": 1, "sha256Hash": hash }),
        )]
        .into(),
        ..Request::default()
    };
    let (whole, trimmed) = (hash(TEXT), hash(TEXT.trim()));
    for (request, text) in [
        (by_id("One"), TEXT),
        (by_id(&format!("sha256:{whole}")), TEXT),
        (by_id(&format!("sha256:{}", whole.to_uppercase())), TEXT),
        (by_id(&format!("sha256:{trimmed}")), TEXT.trim()),
        (by_extension(&whole), TEXT),
        (by_extension(&trimmed.to_uppercase()), TEXT.trim()),
    ] {
        assert_eq!(
            found(&documents, &request).as_deref(),
            Ok(text),
            "{request:?}"
        );
    }
    for request in [
        by_id("one"),
        by_id("Two"),
        by_extension(&hash("{ books { id } }")),
    ] {
        let refused = Err(ErrorCode::PersistedQueryNotFound);
        assert_eq!(found(&documents, &request), refused, "{request:?}");
    }
    let stats = documents.stats();
    assert_eq!((stats.found, stats.not_found), (6, 3));
}

#[test]
fn executes_other_documents_unless_trusted_ones_are_enforced() {
    for mode in [TrustedMode::Off, TrustedMode::Log, TrustedMode::Enforce] {
        for (text, is_trusted) in [
            (TEXT, true),
            (TEXT.trim(), true),
            ("{ books { id } }", false),
        ] {
            let expected = if is_trusted || mode != TrustedMode::Enforce {
                Ok(text.to_owned())
            } else {
                Err(ErrorCode::BadRequest)
            };
            assert_eq!(
                found(&trusted(mode), &text.into()),
                expected,
                "{mode:?} {text}"
            );
        }
    }
}
