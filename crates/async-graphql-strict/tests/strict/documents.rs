//! Documents: what is valid, what the messages say, and what is known of an operation.

use async_graphql_strict::{AllowedOperations, OperationType, Request, RequestErrorKind, Scopes, Settings};
use serde_json::json;

use crate::support::{answer, data, error_code, refused, strict, with_variables};

#[tokio::test]
async fn an_invalid_document_is_refused_with_all_its_errors_and_suggestions() {
    let strict = strict(Settings::default());
    for (text, messages) in [
        ("{ boks { id } }", "type \"Query\" does not have a field \"boks\"; did you mean \"books\"?"),
        (
            "{ books(cont: 1) { id } }",
            "the argument \"cont\" is not supported by \"Query.books\"; did you mean \"count\"?",
        ),
        (
            "{ int @skip(iff: true) }",
            "the required argument \"@skip(if:)\" is not provided; \
             the argument \"iff\" is not supported by \"@skip\"; did you mean \"if\"?",
        ),
        ("{ int @skipp(if: true) }", "cannot find directive \"@skipp\" in the schema; did you mean \"skip\"?"),
        (
            "mutation { addBooks(books: [{ titel: \"\" }]) { id } }",
            "the required field \"NewBook.title\" is not provided; \
             field \"titel\" does not exist on \"NewBook\"; did you mean \"title\"?",
        ),
        ("query ($id: Id) { book(id: $id) { id } }", "cannot find type \"Id\" in the schema; did you mean \"ID\"?"),
        (
            "{ __type(name: \"Book\") { kind { id } publisher } }",
            "field selection of enum type \"__TypeKind\" must not have subselections; \
             type \"__Type\" does not have a field \"publisher\"",
        ),
        ("{ int(v: 2.5) }", "expected a value of the type Int, found 2.5"),
        ("{ int(v: 2147483648) }", "expected a value of the type Int (32 bits), found 2147483648"),
        ("{ int(v: [1,2] ,) }", "expected a value of the type Int, found [1,2]"),
        ("{ some(v: { ids: [1, true] }) }", "expected a value of the type ID!, found true"),
        ("{ required(v: null) }", "expected a value of the type Int!, found null"),
        ("query ($v: Int = \"1\") { int(v: $v) }", "expected a value of the type Int, found \"1\""),
        (
            "{ ...F } fragment F on Query { int(v: 1) @skip(if: YES) }",
            "expected a value of the type Boolean!, found YES",
        ),
        ("", "syntax error: the document is empty"),
        ("{ books { id }", "syntax error: expected \"}\", found the end of the document"),
        ("{ books(count: 1 { id } }", "syntax error: expected \")\", found {"),
        ("query ($v: [ID { __typename }", "syntax error: expected \"]\", found {"),
        (
            "query ($v: [Int!]) { some(v: { count: $v }) }",
            "the variable \"$v\" of the type [Int!] cannot be used where Int is expected",
        ),
        (
            "mutation ($v: String) { addBooks(books: [{ title: $v }]) { id } }",
            "the variable \"$v\" of the type String cannot be used where String! is expected",
        ),
        (
            "mutation ($v: String = null) { addBooks(books: [{ title: $v }]) { id } }",
            "the variable \"$v\" of the type String cannot be used where String! is expected",
        ),
        ("{ some(v: { count: 1, count: 2 }) }", "the field \"count\" is given more than once"),
    ] {
        assert_eq!(refused(&strict, text).await, messages, "{text}");
    }
    let long = format!("{{ {} }}", "x".repeat(60_000));
    let message = refused(&strict, long.as_str()).await;
    assert!(message.len() < 200 && !message.contains("did you mean"), "{message}");
}

#[tokio::test]
async fn a_document_that_violates_a_rule_is_refused_with_a_location() {
    let strict = strict(Settings::default());
    for text in [
        "{ book(id: 1) { ...Missing } }",
        "{ book(id: 1) { ...F } } fragment F on Query { __typename }",
        "{ book(id: 1) { ...F } } fragment F on Book { ...F }",
        "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }",
        "{ __typename } fragment Unused on Book { id }",
        "{ book(id: 1) { ... on Nothing { id } } }",
        "{ book(id: 1) { id @nothing } }",
        "query @skip(if: true) { __typename }",
        "{ __typename @skip(if: true, unless: true) }",
        "{ __typename { name } }",
        "{ book(id: 1) }",
        "{ book(id: 1, id: 2) { id } }",
        "{ book(id: 1) { id } book(id: 2) { id } }",
        "{ book(id: $id) { id } }",
        "query A { a: __typename } query A { b: __typename }",
        "fragment F on Book { id }",
        "{ __typename } extend type Book { x: Int }",
        "mutation { book(id: 1) { id } }",
        "{ int(v: 01) }",
        "{ int(v: 1.0) }",
        "{ id(v: 1.5) }",
        "{ id(v: \"1) }",
        "{ id(v: \"\\uD83D\") }",
        "{ id(v: \"\\u{110000}\") }",
        "{ id(v: \"\\x41\") }",
        "{}",
        "SELECT * FROM book",
    ] {
        let answer = answer(&strict, text).await;
        assert_eq!(answer.get("data"), None, "{text}: {answer}");
        let code = error_code(&answer);
        let is_invalid = ["GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED"].contains(&code);
        assert!(is_invalid, "{text}: {answer}");
        let line = &answer["errors"][0]["locations"][0]["line"];
        assert!(line.is_u64(), "{text}: {answer}");
    }
}

/// Columns count characters, and lines end with LF, CR or CRLF.
#[tokio::test]
async fn errors_have_positions() {
    let strict = strict(Settings::default());
    for (text, line, column) in [
        ("{ a: int é }", 1, 10),
        ("{ text(size: 1)\r\n # é\n\r  boks }", 4, 3),
        ("{ text(size: \"é\") }", 1, 14),
        ("{\n fails(how: \"é\") }", 2, 2),
        ("\"é\" query,{ boks }", 1, 13),
        ("\"\"\"\né\r\n\"\"\" query { boks }", 3, 13),
        ("query ($a: ID,, = \"é\", \"ü\" $b: ID) { book(id: $a) { id } x: book(id: $b) { id } boks }", 1, 81),
        ("# \u{b}\u{c}\u{85}\u{2028}\u{2029}\n{ boks }", 2, 3),
    ] {
        let answer = answer(&strict, text).await;
        let expected = json!([{ "line": line, "column": column }]);
        assert_eq!(answer["errors"][0]["locations"], expected, "{answer}");
    }
    let null = with_variables("query ($v: Int) {\n required(v: $v) }", json!({ "v": null }));
    let answer = answer(&strict, null).await;
    let expected = json!([{ "line": 2, "column": 14 }]);
    assert_eq!(answer["errors"][0]["locations"], expected, "{answer}");
    assert_eq!(error_code(&answer), "BAD_USER_INPUT", "{answer}");
}

#[tokio::test]
async fn commas_descriptions_and_escapes_are_read_as_specified() {
    let strict = strict(Settings::default());
    for (text, expected) in [
        (",{,,int(,v,:,1,),,},", json!({ "int": 1 })),
        ("\"\"\"a, b\"\"\" query (\"c\" $v: Int = 2) { int(v: $v) }", json!({ "int": 2 })),
        (r#"{ a: id(v: "\u{1F600}\uD83D\uDE00,#") }"#, json!({ "a": "😀😀,#" })),
        (r#"{ id(v: """a \""" b""") }"#, json!({ "id": "a \"\"\" b" })),
        ("{ id(v: 123456789012345678901234567890) }", json!({ "id": "123456789012345678901234567890" })),
    ] {
        assert_eq!(data(&strict, text).await, expected, "{text}");
    }
}

#[tokio::test]
async fn the_operation_is_selected_by_name() {
    let strict = strict(Settings::default());
    let of = |text: &str, name: Option<&str>| {
        let mut request = async_graphql::Request::new(text);
        request.operation_name = name.map(str::to_owned);
        request
    };
    let two = "query A { int(v: 1) } query B { int(v: 2) }";
    for (text, name, value) in [(two, Some("A"), 1), (two, Some("B"), 2), ("{ int(v: 3) }", None, 3)] {
        assert_eq!(data(&strict, of(text, name)).await, json!({ "int": value }));
    }
    for (text, name, message) in [
        (two, None, "the document has several operations; set operationName"),
        (two, Some("C"), "the document has no operation named \"C\""),
        ("{ int }", Some(""), "the document has no operation named \"\""),
        ("fragment F on Query { int }", None, "the document has no operation"),
    ] {
        let request = of(text, name);
        let answer = answer(&strict, request).await;
        let messages = answer["errors"].to_string();
        if error_code(&answer) == "OPERATION_RESOLUTION_FAILURE" {
            assert_eq!(answer["errors"][0]["message"], message);
        } else {
            assert!(text.starts_with("fragment"), "{messages}");
        }
    }
    let error = strict.prepare(of(two, Some("C"))).err().expect("it is refused");
    assert_eq!(error.requested_name.as_deref(), Some("C"));
}

#[tokio::test]
async fn an_operation_tells_what_it_names() {
    let strict = strict(Settings::default());
    let text = "query Find($id: ID, $v: Details, $k: Kind) {
        book(id: $id) { ...F }
        some(v: $v) other: some(v: { inner: { count: 1 } }) kind(v: $k) again: kind(v: AUDIO)
        __typename __type(name: \"Book\") { name }
    } fragment F on Book { title ... { __typename } }";
    let prepared = strict.prepare(text).expect("it is valid");
    let operation = prepared.operation();
    assert_eq!(operation.kind, OperationType::Query);
    assert_eq!(operation.name.as_deref(), Some("Find"));
    let expected = [
        "Book.title",
        "Details",
        "Details.count",
        "Details.inner",
        "Kind",
        "Kind.AUDIO",
        "Query.book",
        "Query.book(id:)",
        "Query.kind",
        "Query.kind(v:)",
        "Query.some",
        "Query.some(v:)",
    ];
    assert_eq!(*operation.coordinates, expected);
}

#[tokio::test]
async fn an_operation_that_is_not_allowed_is_refused_before_its_variables_are_read() {
    let strict = strict(Settings::default());
    let scopes = |read, write| Some(Scopes { read, write });
    let mutation = "mutation ($t: String!) { addBook(title: $t) { id } }";
    for (text, allowed, scopes, kind, message) in [
        (
            mutation,
            AllowedOperations::QUERIES,
            scopes(true, true),
            RequestErrorKind::MutationNotAllowed,
            "mutations require the method POST",
        ),
        (
            mutation,
            AllowedOperations::ALL,
            scopes(true, false),
            RequestErrorKind::ScopeMissing("write"),
            "a mutation requires a token with the scope write",
        ),
        (
            "query ($v: Int!) { int(v: $v) }",
            AllowedOperations::ALL,
            scopes(false, true),
            RequestErrorKind::ScopeMissing("read"),
            "a query requires a token with the scope read",
        ),
        (
            "subscription { count }",
            AllowedOperations::ALL,
            scopes(false, true),
            RequestErrorKind::ScopeMissing("read"),
            "a subscription requires a token with the scope read",
        ),
    ] {
        let request = Request { allowed: allowed.within(scopes), ..text.into() };
        let error = strict.prepare(request).err().expect("it is refused");
        assert_eq!((error.kind, error.errors[0].message.as_str()), (kind, message));
        assert!(error.operation.is_some());
    }
}

#[tokio::test]
async fn documents_are_cached_up_to_a_weight() {
    let strict = strict(Settings { document_cache_bytes: 1 << 17, ..Settings::default() });
    for number in 0..100 {
        let text = format!("{{ int(v: {number}) }}");
        data(&strict, text.as_str()).await;
        data(&strict, text.as_str()).await;
        refused(&strict, "{ boks }").await;
    }
    let stats = strict.document_stats();
    assert_eq!((stats.hits, stats.misses), (100, 200));
    assert!(stats.documents > 10 && stats.bytes <= 1 << 17, "{stats:?}");
}
