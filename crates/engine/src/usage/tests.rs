//! The recorded use of documents and of values of variables.

use std::{thread, time::Duration};

use schema::Gap;
use serde_json::{Value as Json, json};

use super::*;
use crate::{
    Contract,
    document::{DocumentCache, DocumentLimits},
    introspection::Introspection,
};

static CONTRACT: Contract = Contract::new(
    "schema.graphql",
    "
    type Query { books(filter: Filter, order: Order = NEWEST, first: Int! = 5): [Book] node(id: ID!): Node }
    type Mutation { add(book: NewBook!): Book addAll(books: [NewBook!]!): Int }
    interface Node { id: ID! }
    type Book implements Node { id: ID! title(length: Int): String }
    input Filter { title: String = \"\" orders: [Order!] not: Filter }
    input NewBook { title: String! pages: Int }
    enum Order { NEWEST OLDEST }
    ",
);

fn documents(cache_bytes: u32) -> DocumentCache {
    let contract = CONTRACT.schema();
    let snapshot = UsageSnapshot::new(contract, "test".to_owned(), day(1));
    let recorder = UsageRecorder::new(contract, snapshot);
    DocumentCache::new(
        &CONTRACT,
        DocumentLimits::default(),
        cache_bytes,
        Introspection::On,
        Some(recorder),
    )
}

fn day(day: u8) -> DateTime<Utc> {
    let time = format!("2026-01-{day:02}T12:00:00Z");
    time.parse().expect("it is a time")
}

/// A request of this caller, whose first operation is executed.
fn request(documents: &DocumentCache, caller: Option<&str>, text: &str, variables: Json) {
    let recorder = documents.usage.as_ref().expect("use is recorded");
    let document = documents.get_or_parse(text);
    let document = document.unwrap_or_else(|refused| panic!("{text}: {:?}", refused.errors));
    let mut operations = document.validated.operations.iter();
    let first = operations.next().expect("there is one");
    let operation = document.operation(first.name.as_deref());
    let operation = operation.expect("it is there");
    let variables = Variables::from_json(variables);
    let facts = recorder.variable_facts(&operation.used_variables, &variables);
    recorder.record(caller, &document.usage, &facts);
}

fn snapshot(documents: &DocumentCache, now: DateTime<Utc>) -> UsageSnapshot {
    let recorder = documents.usage.as_ref().expect("use is recorded");
    recorder.snapshot(now, Instant::now())
}

/// The coordinates with this fact after one request.
fn recorded(fact: UseFact, text: &str, variables: Json) -> Vec<String> {
    let documents = documents(1 << 18);
    request(&documents, None, text, variables);
    let coordinates = snapshot(&documents, day(1)).coordinates;
    let recorded = coordinates
        .into_iter()
        .filter(|(_, recorded)| !recorded.callers(fact).is_empty());
    recorded.map(|(coordinate, _)| coordinate).collect()
}

#[test]
fn a_document_uses_the_coordinates_that_it_names() {
    let cases: [(&str, &[&str]); 6] = [
        ("{ __typename __schema { types { name } } }", &[]),
        (
            "{ a: books { id } books { id } }",
            &["Book.id", "Query.books"],
        ),
        (
            "{ node(id: 1) { id ...F ... on Book { title } } } fragment F on Book { id }",
            &[
                "Book",
                "Book.id",
                "Book.title",
                "Node.id",
                "Query.node",
                "Query.node(id:)",
            ],
        ),
        (
            "{ books(filter: {orders: [OLDEST], not: {title: \"a\"}}) { id } }",
            &[
                "Book.id",
                "Filter.not",
                "Filter.orders",
                "Filter.title",
                "Order.OLDEST",
                "Query.books",
                "Query.books(filter:)",
            ],
        ),
        // What another operation of the document needs is necessary for the document to be valid.
        (
            "query A { __typename } query B($o: Order = OLDEST) { books(order: $o) { id @skip(if: true) } }",
            &[
                "Book.id",
                "Order",
                "Order.OLDEST",
                "Query.books",
                "Query.books(order:)",
            ],
        ),
        (
            "mutation { add(book: {title: \"a\"}) { id } }",
            &[
                "Book.id",
                "Mutation.add",
                "Mutation.add(book:)",
                "NewBook.title",
            ],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(recorded(UseFact::Used, text, json!({})), expected, "{text}");
    }
}

#[test]
fn values_of_variables_use_input_fields_and_enum_values() {
    let query = "query ($f: Filter) { books(filter: $f) { id } }";
    let base = ["Book.id", "Filter", "Query.books", "Query.books(filter:)"];
    let cases: [(Json, &[&str]); 6] = [
        (json!({}), &[]),
        (json!({ "f": null }), &[]),
        (json!({ "f": {} }), &[]),
        (json!({ "f": { "title": null } }), &["Filter.title"]),
        // A list can be given as its only item.
        (
            json!({ "f": { "orders": "NEWEST" } }),
            &["Filter.orders", "Order.NEWEST"],
        ),
        (
            json!({ "f": { "not": { "orders": ["NEWEST", "OLDEST"] }, "unknown": 1 } }),
            &[
                "Filter.not",
                "Filter.orders",
                "Order.NEWEST",
                "Order.OLDEST",
            ],
        ),
    ];
    for (variables, expected) in cases {
        let mut expected = [&base[..], expected].concat();
        expected.sort_unstable();
        let actual = recorded(UseFact::Used, query, variables.clone());
        assert_eq!(actual, expected, "{variables}");
    }
}

#[test]
fn an_argument_or_input_field_is_omitted_in_the_document_or_in_the_variables() {
    let all = [
        "Query.books(filter:)",
        "Query.books(first:)",
        "Query.books(order:)",
    ];
    let by_variable = "query ($n: Int = 3, $f: Filter) { books(first: $n, filter: $f) { id } }";
    let list = "mutation ($books: [NewBook!]!) { addAll(books: $books) }";
    let cases: [(&str, Json, &[&str]); 6] = [
        ("{ books { id } }", json!({}), &all),
        (
            "{ books(order: OLDEST, filter: {title: \"\"}) { id } }",
            json!({}),
            &["Filter.not", "Filter.orders", "Query.books(first:)"],
        ),
        // A default value of a variable is given, one of the contract is not.
        (
            by_variable,
            json!({}),
            &["Query.books(filter:)", "Query.books(order:)"],
        ),
        (
            by_variable,
            json!({ "f": { "orders": [] } }),
            &["Filter.not", "Filter.title", "Query.books(order:)"],
        ),
        (
            list,
            json!({ "books": [{ "title": "a", "pages": 1 }, { "title": "b" }] }),
            &["NewBook.pages"],
        ),
        (list, json!({ "books": { "title": "a", "pages": 1 } }), &[]),
    ];
    for (text, variables, expected) in cases {
        let actual = recorded(UseFact::Omitted, text, variables.clone());
        assert_eq!(actual, expected, "{text} {variables}");
    }
}

#[test]
fn an_argument_or_input_field_can_be_null_in_the_document_or_in_the_variables() {
    let nullable = "query ($f: Filter) { books(filter: $f) { id } }";
    let default = "query ($f: Filter = {}, $n: Int = 3) { books(filter: $f, first: $n) { id } }";
    let non_null = "query ($f: Filter!) { books(filter: $f) { id } }";
    let cases: [(&str, Json, &[&str]); 6] = [
        (
            "{ books(filter: null) { id } }",
            json!({}),
            &["Query.books(filter:)"],
        ),
        (
            "{ books(filter: {not: null}) { id } }",
            json!({}),
            &["Filter.not"],
        ),
        // Such a variable is not allowed where null is not, whatever its value.
        (nullable, json!({ "f": {} }), &["Query.books(filter:)"]),
        (default, json!({}), &[]),
        (default, json!({ "f": null }), &["Query.books(filter:)"]),
        (
            non_null,
            json!({ "f": { "title": null } }),
            &["Filter.title"],
        ),
    ];
    for (text, variables, expected) in cases {
        let actual = recorded(UseFact::Null, text, variables.clone());
        assert_eq!(actual, expected, "{text} {variables}");
    }
}

#[test]
fn counts_requests_by_caller_and_day_of_the_snapshot() {
    let documents = documents(1 << 18);
    let requests = |caller, count| {
        for _ in 0..count {
            request(&documents, caller, "{ books { id } }", json!({}));
        }
    };
    requests(Some("web"), 2);
    requests(None, 1);
    snapshot(&documents, day(2));
    requests(Some("web"), 3);
    let used = snapshot(&documents, day(4)).coordinates["Book.id"]
        .callers(UseFact::Used)
        .clone();
    let (first, last) = (day(2).date_naive(), day(4).date_naive());
    let web = Use {
        first,
        last,
        count: 5,
    };
    assert_eq!(used["web"], web);
    assert_eq!(used["(anonymous)"], Use::on(first, 1));
    assert_eq!(used.len(), 2);
}

#[test]
fn a_request_counts_once_whatever_its_values() {
    let documents = documents(1 << 18);
    let books: Vec<_> = (0..100).map(|_| json!({ "title": "a" })).collect();
    let text = "mutation ($books: [NewBook!]!) { addAll(books: $books) }";
    request(&documents, None, text, json!({ "books": books }));
    let coordinates = snapshot(&documents, day(1)).coordinates;
    assert_eq!(
        coordinates["NewBook.title"].callers(UseFact::Used)["(anonymous)"].count,
        1
    );
    assert_eq!(
        coordinates["NewBook.pages"].callers(UseFact::Omitted)["(anonymous)"].count,
        1
    );
}

#[test]
fn counts_every_request_also_of_documents_that_are_not_cached() {
    // 0 disables the cache; the other one has space for a few of the documents.
    for cache_bytes in [0, 1 << 16] {
        let documents = documents(cache_bytes);
        thread::scope(|scope| {
            for thread in 0..4 {
                let documents = &documents;
                scope.spawn(move || {
                    for number in 0..250 {
                        let caller = format!("caller {}", number % 10);
                        let text = format!("{{ books {{ a{}: id }} }}", (number + thread) % 50);
                        request(documents, Some(&caller), &text, json!({}));
                    }
                });
            }
        });
        let used = snapshot(&documents, day(1)).coordinates["Book.id"]
            .callers(UseFact::Used)
            .clone();
        let counts: Vec<_> = used.values().map(|used| used.count).collect();
        assert_eq!(counts, [100; 10], "cache of {cache_bytes} bytes");
    }
}

#[test]
fn callers_beyond_the_maximum_and_with_invalid_names_are_others() {
    let documents = documents(1 << 18);
    let long = "x".repeat(65);
    let mut names: Vec<_> = (0..100).map(|number| format!("caller {number}")).collect();
    names.extend(["", "(anonymous)", "a\nb", &long].map(str::to_owned));
    for name in &names {
        request(&documents, Some(name), "{ books { id } }", json!({}));
    }
    let before = snapshot(&documents, day(1));
    let used = before.coordinates["Book.id"].callers(UseFact::Used);
    // One of the 64 is that of the anonymous callers.
    assert_eq!(used.len(), 63);
    assert_eq!(used["(others)"].count, 42);
    assert!(used.contains_key("caller 61") && !used.contains_key("caller 62"));
    assert!(UsageSnapshot::parse(&before.to_json()).is_ok());
}

#[test]
fn a_continued_recording_keeps_its_callers_and_counts() {
    let first = documents(1 << 18);
    for number in 0..62 {
        let caller = format!("caller {number}");
        request(&first, Some(&caller), "{ books { id } }", json!({}));
    }
    let recorder = UsageRecorder::new(CONTRACT.schema(), snapshot(&first, day(1)));
    let coordinate = recorder.coordinate("Book.id").expect("it is listed");
    let facts = FactSet::from([fact(coordinate, UseFact::Used)]);
    for caller in ["caller 61", "caller 61", "new"] {
        recorder.record(Some(caller), &facts, &FactSet::new());
    }
    let used = recorder.snapshot(day(3), Instant::now()).coordinates["Book.id"]
        .callers(UseFact::Used)
        .clone();
    assert_eq!(used["caller 61"].count, 3);
    assert_eq!(used["(others)"].count, 1);
    assert_eq!(used["caller 61"].last, day(3).date_naive());
}

#[test]
fn a_clock_that_is_set_forward_and_back_leaves_a_gap() {
    let documents = documents(1 << 18);
    let recorder = documents.usage.as_ref().expect("use is recorded");
    let began = Instant::now();
    let at = |day_of_month, hours: u64| {
        recorder.snapshot(day(day_of_month), began + Duration::from_hours(hours))
    };
    assert_eq!(at(2, 24).gaps, []);
    request(&documents, Some("web"), "{ books { id } }", json!({}));
    let gap = |from, until| Gap {
        from: day(from),
        until,
    };
    let forward = at(20, 25);
    assert_eq!(forward.gaps, [gap(2, day(20) - TimeDelta::hours(1))]);
    let back = at(3, 49);
    assert_eq!((back.until, back.gaps), (day(3), vec![gap(2, day(3))]));
    let used = back.coordinates["Book.id"].callers(UseFact::Used)["web"];
    assert_eq!(used, Use::on(day(3).date_naive(), 1));
    let later = at(4, 73);
    assert_eq!((later.until, later.gaps), (day(4), vec![gap(2, day(3))]));
}
