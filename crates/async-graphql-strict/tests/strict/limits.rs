//! The limits of one request: each is accepted at its value and refused above it.

use async_graphql_strict::{CostModel, ItemsArgument, Limits, Settings};
use serde_json::{Value, json};

use crate::support::{answer, data, error_code, limit, refused, strict, with_variables};

fn settings(limits: Limits) -> Settings {
    Settings { limits, ..Settings::default() }
}

/// The limits, with this value for each.
fn all(value: u32) -> Limits {
    Limits {
        query_bytes: 1000,
        tokens: 100,
        depth: value,
        aliases: value,
        root_fields: value,
        directives: value,
        fragments: value,
        ..Limits::default()
    }
}

/// Limits, their values, actual values, and documents.
const EXCEEDED: &str = "\
    depth-limit 1 2 { bookPage { nodes { id } } }
    depth-limit 1 2 { ...F } fragment F on Query { bookPage { nodes { id } } }
    alias-limit 2 3 { a: int b: int c: int }
    root-field-limit 2 3 { int other: int ...F } fragment F on Query { int }
    root-field-limit 2 3 query A { int int } query B { int int int }
    directive-limit 2 3 { int @a @b @c }
    fragment-limit 2 3 { ... { int } ... { int } ... { int } }
    depth-limit 2 3 { __schema { types { fields { name } } } }";

#[tokio::test]
async fn each_limit_is_reported_with_its_name_its_value_and_the_actual_value() {
    let long = format!("query-limit-bytes 1000 1001 {{ int }}#{}", "x".repeat(993));
    let many = format!("token-limit 100 101 {{ {} }}", "a ".repeat(300));
    for case in EXCEEDED.lines().map(str::trim).chain([&*long, &*many]) {
        let parts: Vec<_> = case.splitn(4, ' ').collect();
        let [name, value, actual, text] = parts[..] else { panic!("{case}") };
        let number = |text: &str| text.parse::<u32>().expect("it is a number");
        let limits = all(number(value).min(2));
        let answer = answer(&strict(settings(limits)), text).await;
        assert_eq!(error_code(&answer), "LIMIT_EXCEEDED", "{case}");
        let error = &answer["errors"][0];
        let message = format!("the query exceeds {name} ({actual}, limit {value})");
        assert_eq!(error["message"], message);
        let expected = limit(name, number(value).into(), number(actual).into());
        assert_eq!(error["extensions"]["limit"], expected);
    }
}

#[tokio::test]
async fn a_request_at_its_limits_is_executed() {
    let strict = strict(settings(all(2)));
    let text = "{ a: books(count: 1) { b: id @skip(if: false) @include(if: true) } ... { book { ...F } } }
         fragment F on Book { id }";
    let padded = format!("{text}#{}", "x".repeat(1000 - text.len() - 1));
    let expected = json!({ "a": [{ "b": "1" }], "book": null });
    assert_eq!(data(&strict, padded.as_str()).await, expected);
    data(&strict, "{ __schema { types { name } } }").await;
    data(&strict, "query { int(v: 1) ...F } fragment F on Query { float(v: 1.5) }").await;
}

/// With all fragments expanded, 2^60 selections of costs of zero, and of root fields.
#[tokio::test]
async fn nested_fragments_are_measured_and_collected_in_linear_time() {
    let of = |ty: &str, leaf: &str| {
        let fragments = (0..60).map(|number| format!("fragment F{number} on {ty} {{ ...F{0} ...F{0} }} ", number + 1));
        fragments.collect::<String>() + &format!("fragment F60 on {ty} {{ {leaf} }}")
    };
    let strict = strict(Settings::default());
    let query = format!("{{ book(id: 1) {{ ...F0 ...F0 }} }} {}", of("Book", "__typename"));
    let expected = json!({ "book": { "__typename": "Book" } });
    assert_eq!(data(&strict, query.as_str()).await, expected);
    let query = format!("{{ ...F0 }} {}", of("Query", "int"));
    assert_eq!(data(&strict, query.as_str()).await, json!({ "int": null }));
}

/// A request contains its variables once, whatever its document does with them.
#[tokio::test]
async fn a_large_variable_is_not_multiplied() {
    let strict = strict(Settings::default());
    let text = "a".repeat(100_000);
    let query = |count| {
        let fields = (0..count).map(|index| format!("f{index}: id(v: $v) "));
        let query = format!("query ($v: ID!) {{ {} }}", fields.collect::<String>());
        with_variables(&query, json!({ "v": text }))
    };
    data(&strict, query(1)).await;
    let message = refused(&strict, query(2)).await;
    let start = "the query exceeds query-limit-bytes with its fragments expanded (";
    assert!(message.starts_with(start), "{message}");
}

#[tokio::test]
async fn fragments_are_expanded_up_to_the_limits() {
    let strict = strict(Settings::default());
    let many = |count: usize, field: &str| {
        let fields = (0..count).map(|index| format!("a{index}:{field} "));
        fields.collect::<String>()
    };
    let query = |count: usize, leaf: &str| {
        format!(
            "{{ {} }} fragment A on BookPage {{ {} }} fragment B on Book {{ {leaf} }}",
            many(count, "bookPage(first: 0) { ...A }"),
            many(count, "nodes { ...B }"),
        )
    };
    data(&strict, query(10, "id").as_str()).await;
    let long_key = format!("{}: id", "x".repeat(10_000));
    for (name, query) in
        [("token-limit", query(50, "id title tags __typename")), ("query-limit-bytes", query(5, &long_key))]
    {
        let message = refused(&strict, query.as_str()).await;
        let start = format!("the query exceeds {name} with its fragments expanded (");
        assert!(message.starts_with(&start), "{message}");
    }
}

#[tokio::test]
async fn deep_nesting_does_not_overflow_the_stack() {
    let limits = Limits { query_bytes: u32::MAX, tokens: 1_000_000, ..Limits::default() };
    let strict = strict(settings(limits));
    for text in [
        "{a".repeat(100_000),
        format!("{{ books(count: {}", "[".repeat(100_000)),
        format!("{{ books(count: {}", "{a:".repeat(100_000)),
        format!("query ($a: {}", "[".repeat(100_000)),
    ] {
        refused(&strict, text.as_str()).await;
    }
}

/// The cost of a request, from its refusal.
async fn cost(text: &str, list_limit: u32) -> u64 {
    let strict = strict(Settings {
        limits: Limits { cost: 0, ..Limits::default() },
        cost_model: CostModel {
            list_limit,
            items: Some(ItemsArgument { name: "books", limit: 4, item_cost: 10 }),
            ..CostModel::default()
        },
        ..Settings::default()
    });
    let books = json!([{ "title": "a" }, { "title": "b" }, { "title": "c" }]);
    let variables = json!({ "count": 7, "books": books });
    let answer = answer(&strict, with_variables(text, variables)).await;
    let limit = &answer["errors"][0]["extensions"]["limit"];
    assert!(limit["name"] == "cost-limit" || limit.is_null(), "{answer}");
    limit["actual"].as_u64().unwrap_or(0)
}

/// Costs: of fields and lists, of the items of an argument, of pages, and of sizes that a resolver refuses.
const COSTS: &str = r#"3 { book(id: 1) { id title } }
    30 { books(count: 10) { id title } }
    3000 { books { id title } }
    2000 { books(count: null) { id } }
    2000 { books(count: 2000000) { id } }
    0 { books(count: -5) { id } }
    14 query ($count: Int) { books(count: $count) { id } }
    4000 { a: books { ...F } b: books { ...F } } fragment F on Book { id __typename }
    2000 { books { id id } ... { books { id } } }
    26 mutation { addBooks(books: [{ title: "a" }, { title: "b" }]) { id title } }
    12 mutation { addBooks(books: { title: "a" }) { id } }
    0 mutation { addBooks(books: []) { id } }
    36 mutation ($books: [NewBook!]!) { addBooks(books: $books) { id } }
    48 mutation { addBooks(books: [{title:""},{title:""},{title:""},{title:""},{title:""}]) { id } }
    2 mutation { addBook(title: "a") { id } }
    101 { bookPage { nodes { id } } }
    32 { bookPage(first: 10) { total nodes { id title } } }
    101 { bookPage(first: null) { nodes { id } } }
    15 query ($count: Int) { bookPage(first: $count) { nodes { id } } }
    101 query ($absent: Int) { bookPage(first: $absent) { nodes { id } } }
    31 { bookPage(first: 30) { __typename total } }
    11 { bookPage(first: 10) { nodes { __typename } } }
    2 { bookPage(first: 0) { total } }
    2003 { bookPage(first: 2) { nodes { tags } } }
    1 { bookPage(first: 2147483647) { nodes { id } } }
    1 { bookPage(first: -1) { nodes { id } } }"#;

#[tokio::test]
async fn the_cost_is_the_number_of_fields_times_the_length_of_their_lists() {
    for line in COSTS.lines() {
        let (expected, text) = line.trim().split_once(' ').expect("it has two parts");
        let expected: u64 = expected.parse().expect("it is a number");
        assert_eq!(cost(text, 1000).await, expected, "{text}");
    }
    for text in ["{ bookPage { nodes { id } } }", "{ bookPage(first: 50) { nodes { id } } }"] {
        assert_eq!(cost(text, 20).await, 1 + 20 * 2, "{text}");
    }
}

#[tokio::test]
async fn introspection_counts_towards_the_cost() {
    let text = "{ book { id title } __type(name: \"Kind\") { name kind enumValues { name } } }";
    let cost = 3 + 3 + 2;
    let limits = |cost| Limits { cost, ..Limits::default() };
    data(&strict(settings(limits(cost))), text).await;
    let answer = answer(&strict(settings(limits(cost - 1))), text).await;
    let expected = limit("cost-limit", u64::from(cost) - 1, cost.into());
    assert_eq!(answer["errors"][0]["extensions"]["limit"], expected);
}

#[tokio::test]
async fn a_response_has_at_most_the_limit() {
    let strict = strict(settings(Limits { response_bytes: 2000, ..Limits::default() }));
    let small = data(&strict, "{ text(size: 1900) }").await;
    assert_eq!(small["text"].as_str().map(str::len), Some(1900));
    let message = "the response exceeds response-limit-bytes (2000 bytes); request fewer items or fields";
    let large = answer(&strict, "{ text(size: 2000) }").await;
    assert_eq!(large["errors"][0]["message"], message);
    assert_eq!(large["errors"][0]["extensions"]["limit"], json!({ "name": "response-limit-bytes", "value": 2000 }));
    let introspection = "{ __schema { types { name description fields { name type { name } } } } }";
    assert_eq!(refused(&strict, introspection).await, message);
    assert_eq!(large.get("data"), None::<&Value>);
}

#[tokio::test]
async fn a_mutation_whose_response_could_exceed_the_limit_is_not_executed() {
    let strict = strict(settings(Limits { response_bytes: 13_000, ..Limits::default() }));
    data(&strict, r#"mutation { addBook(title: "a") { id } }"#).await;
    let message = "the response could exceed response-limit-bytes (13000 bytes), so the mutation was not executed; \
         request fewer items or fields";
    let mutation = r#"mutation { addBook(title: "a") { id title } }"#;
    assert_eq!(refused(&strict, mutation).await, message);
}
