//! Costs of operations.

use apollo_compiler::Schema;

use super::*;
use crate::testing::SCHEMA;

fn cost(text: &str) -> u64 {
    cost_with_limit(text, 1000)
}

fn cost_with_limit(text: &str, list_limit: u32) -> u64 {
    estimate(text, list_limit, |estimator, operation| {
        estimator.estimates(operation).cost
    })
}

fn estimate<T>(
    text: &str,
    list_limit: u32,
    estimate: impl Fn(&CostEstimator, &Operation) -> T,
) -> T {
    let contract = Schema::parse_and_validate(SCHEMA, "schema.graphql").expect("it is valid");
    let document = ExecutableDocument::parse_and_validate(&contract, text, "query");
    let document = document.expect("the document is valid");
    let operation = document
        .operations
        .get(None)
        .expect("there is one operation");
    let mut variables = Variables::default();
    variables.insert(async_graphql::Name::new("count"), 7.into());
    let three = vec![async_graphql::Value::Null; 3];
    variables.insert(async_graphql::Name::new("books"), three.into());
    let model = CostModel {
        list_limit,
        items: Some(ItemsArgument {
            name: "books",
            limit: 4,
            item_cost: 10,
        }),
        ..CostModel::default()
    };
    let estimator = CostEstimator::new(&document, &variables, model);
    estimate(&estimator, operation)
}

#[test]
fn a_list_costs_its_length_times_its_fields() {
    for (text, expected) in [
        ("{ book(id: 1) { id title } }", 3),
        ("{ books(count: 10) { id title } }", 30),
        ("{ books { id title } }", 3000),
        ("{ books(count: null) { id } }", 2000),
        ("{ books(count: 2000000) { id } }", 2000),
        ("{ books(count: -5) { id } }", 0),
        ("query ($count: Int) { books(count: $count) { id } }", 14),
        (
            "{ a: books { ...F } b: books { ...F ... { title } } } fragment F on Book { id __typename }",
            5000,
        ),
        ("{ __schema { types { fields { name } } } }", 0),
    ] {
        assert_eq!(cost(text), expected, "{text}");
    }
}

#[test]
fn estimates_depend_only_on_variables_that_are_sizes_or_items() {
    for (text, expected) in [
        ("query ($id: ID!) { book(id: $id) { id } }", false),
        ("query ($count: Int) { books(count: $count) { id } }", true),
        (
            "query ($count: Int) { ...F } fragment F on Query { books(count: $count) { id } }",
            true,
        ),
        (
            "mutation ($books: [NewBook!]!) { addBooks(books: $books) { id } }",
            true,
        ),
        (
            r#"mutation { addBooks(books: [{ title: "a" }]) { id } }"#,
            false,
        ),
    ] {
        let reads_variables = estimate(text, 1000, |estimator, operation| {
            estimator.estimates(operation);
            estimator.reads_variables()
        });
        assert_eq!(reads_variables, expected, "{text}");
    }
}

#[test]
fn an_item_costs_its_price_and_the_fields_of_its_result() {
    for (text, expected) in [
        (
            r#"mutation { addBooks(books: [{ title: "a" }, { title: "b" }]) { id title } }"#,
            26,
        ),
        (r#"mutation { addBooks(books: { title: "a" }) { id } }"#, 12),
        ("mutation { addBooks(books: []) { id } }", 0),
        (
            "mutation ($books: [NewBook!]!) { addBooks(books: $books) { id } }",
            36,
        ),
        (
            "mutation ($books: [NewBook!]!) { ...F ...F } fragment F on Mutation { a: addBooks(books: $books) { id } \
             b: addBooks(books: [{ title: \"a\" }]) { id } }",
            96,
        ),
        // More than the limit is refused by the resolver.
        (
            r#"mutation { addBooks(books: [{title:""},{title:""},{title:""},{title:""},{title:""}]) { id } }"#,
            48,
        ),
        (r#"mutation { addBook(title: "a", author: "b") { id } }"#, 2),
    ] {
        assert_eq!(cost(text), expected, "{text}");
    }
}

#[test]
fn the_lists_of_a_page_cost_its_size_times_their_fields() {
    for (text, expected) in [
        ("{ bookPage { edges { node { title } } } }", 1 + 50 * 3),
        (
            "{ bookPage(first: 10) { total edges { node { title } } nodes { id } } }",
            2 + 10 * 5,
        ),
        ("{ bookPage(first: null) { nodes { id } } }", 1 + 50 * 2),
        (
            "query ($count: Int) { bookPage(first: $count) { nodes { id } } }",
            1 + 7 * 2,
        ),
        (
            "query ($absent: Int) { bookPage(first: $absent) { nodes { id } } }",
            1 + 50 * 2,
        ),
        ("{ bookPage(first: 1000) { nodes { id } } }", 1 + 1000 * 2),
        // All of a page is read, whatever is selected of it.
        ("{ bookPage { total } }", 1 + 50),
        ("{ bookPage(first: 30) { __typename total } }", 1 + 30),
        ("{ bookPage(first: 10) { nodes { __typename } } }", 1 + 10),
        (
            "query ($count: Int) { bookPage(first: $count) { total } }",
            1 + 7,
        ),
        (
            "{ bookPage(first: 20) { ...F } } fragment F on BookPage { total }",
            1 + 20,
        ),
        ("{ bookPage(first: 0) { total } }", 1 + 1),
        // The resolver refuses these.
        ("{ bookPage(first: 2147483647) { nodes { id } } }", 1),
        ("{ bookPage(first: -1) { nodes { id } } }", 1),
        (
            "{ a: bookPage(first: 2) { ...F } b: bookPage(first: 3) { ...F } } fragment F on BookPage { nodes { id } }",
            2 + 5 * 2,
        ),
        (
            "{ bookPage(first: 2) { nodes { tags } edges { node { id } } } }",
            1 + 2 * (1 + 1000) + 2 * 3,
        ),
    ] {
        assert_eq!(cost(text), expected, "{text}");
    }
}

#[test]
fn the_default_size_of_a_page_is_at_most_the_list_limit() {
    for text in [
        "{ bookPage { nodes { id } } }",
        "{ bookPage(first: 50) { nodes { id } } }",
        "{ bookPage(first: 20) { nodes { id } } }",
    ] {
        assert_eq!(cost_with_limit(text, 20), 1 + 20 * 2, "{text}");
    }
    let above_limit = "{ bookPage(first: 21) { nodes { id } } }";
    assert_eq!(cost_with_limit(above_limit, 20), 1);
}
