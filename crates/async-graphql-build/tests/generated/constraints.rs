//! `@constraint` is enforced: no resolver sees a value that violates it.

use async_graphql::{
    Context, EmptyMutation, Error, ID, Schema,
    futures_util::{Stream, StreamExt, stream},
};
use contract::{
    Changes, Color, One, Plain, Query, QueryCheckArguments, QueryFreeArguments, QueryResolver, Subscription,
    SubscriptionNumbersArguments, SubscriptionResolver, Tree, constraint,
    support::{Constraint, Unchecked},
};

include!(concat!(env!("OUT_DIR"), "/constraints.rs"));

/// Parses even numbers.
fn even(text: &str) -> Result<u32, Box<dyn std::error::Error + Send + Sync>> {
    let number: u32 = text.parse()?;
    if number.is_multiple_of(2) { Ok(number) } else { Err("must be even".into()) }
}

fn lower_case(text: &str) -> Result<(), &'static str> {
    if text.chars().all(|letter| letter.is_ascii_lowercase()) { Ok(()) } else { Err("must be lower case") }
}

struct Resolvers;

type Checked = QueryCheckArguments<
    String,
    Option<Vec<ID>>,
    Option<i32>,
    Option<f64>,
    Option<Vec<Color>>,
    Option<Vec<Vec<i32>>>,
    Option<String>,
    Option<String>,
    Option<Tree>,
    Option<One>,
    Option<Changes>,
>;

impl QueryResolver for Resolvers {
    type Error = Error;

    async fn check(&self, _: &Context<'_>, arguments: Unchecked<Checked>) -> Result<String, Error> {
        arguments.check()?;
        Ok("valid".to_owned())
    }

    async fn free(
        &self,
        _: &Context<'_>,
        arguments: QueryFreeArguments<Option<String>, Option<Plain>>,
    ) -> Result<String, Error> {
        Ok(arguments.text.unwrap_or_default())
    }
}

impl SubscriptionResolver for Resolvers {
    type Error = Error;

    async fn numbers(
        &self,
        _: &Context<'_>,
        arguments: Unchecked<SubscriptionNumbersArguments<i32>>,
    ) -> Result<impl Stream<Item = Result<i32, Error>> + Send, Error> {
        let from = arguments.check()?.from;
        Ok(stream::iter([Ok(from)]))
    }
}

fn schema() -> Schema<Query<Resolvers>, EmptyMutation, Subscription<Resolvers>> {
    contract::build(Query(Resolvers), EmptyMutation, Subscription(Resolvers)).finish()
}

/// The violations of a call with these arguments beside `name`, unless there is a name in them.
async fn violations(arguments: &str) -> Vec<String> {
    let name = if arguments.starts_with("name") { "" } else { "name: \"abc\", " };
    let response = schema().execute(format!("{{ check({name}{arguments}) }}")).await;
    let messages = response.errors.into_iter().map(|error| error.message);
    messages.flat_map(|message| message.split("; ").map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[tokio::test]
async fn values_at_the_limits_are_valid_and_those_beyond_them_are_named() {
    let cases = [
        ("name: \"ab\"", "name: \"a\"", "name must have at least 2 characters, it has 1"),
        ("name: \"äöü\"", "name: \"äöüß\"", "name must have at most 3 characters, it has 4"),
        ("ids: [1, 2]", "ids: [1, 2, 3]", "ids must have at most 2 items, it has 3"),
        ("ids: null", "ids: [\"a\", \"\"]", "ids[1] must have at least 1 characters, it has 0"),
        ("count: 1", "count: 0", "count must be at least 1"),
        ("count: 10", "count: 11", "count must be at most 10"),
        ("ratio: 0.5", "ratio: 0.25", "ratio must be at least 0.5"),
        ("colors: RED", "colors: []", "colors must have at least 1 items, it has 0"),
        ("matrix: [[1, 9]]", "matrix: [[1, 10]]", "matrix[0][1] must be at most 9"),
        ("number: \"4\"", "number: \"5\"", "number must be even"),
        ("number: \"0\"", "number: \"x\"", "number invalid digit found in string"),
        ("word: \"\"", "word: \"A\"", "word must be lower case"),
        ("tree: {}", "tree: {label: \"ab\"}", "tree.label must have at most 1 characters, it has 2"),
        (
            "tree: {children: {children: {label: \"a\"}}}",
            "tree: {children: [{}, {children: {label: \"ab\"}}]}",
            "tree.children[1].children[0].label must have at most 1 characters, it has 2",
        ),
        ("one: {flag: true}", "one: {text: \"ab\"}", "one.text must have at most 1 characters, it has 2"),
        (
            "one: {tree: null}",
            "one: {tree: {label: \"ab\"}}",
            "one.tree.label must have at most 1 characters, it has 2",
        ),
        ("changes: {name: null}", "changes: {name: \"ab\"}", "changes.name must have at most 1 characters, it has 2"),
        ("changes: {}", "changes: {colors: [RED, RED]}", "changes.colors must have at most 1 items, it has 2"),
    ];
    for (valid, invalid, violation) in cases {
        if valid != "one: {tree: null}" {
            assert_eq!(violations(valid).await, [""; 0], "{valid}");
        }
        assert_eq!(violations(invalid).await, [violation], "{invalid}");
    }
    let response = schema().execute("{ free(text: \"any\", plain: {text: \"any\"}) }").await;
    assert_eq!(response.data.into_json().expect("it is JSON")["free"], "any");
}

#[tokio::test]
async fn all_violations_are_reported_in_the_order_of_the_arguments() {
    let found =
        violations("changes: {name: \"ab\"}, tree: {label: \"ab\", children: [{}, {}, {}]}, count: 0, name2: 1");
    assert_eq!(found.await.len(), 1, "an unknown argument is refused before");
    let found = violations("changes: {name: \"ab\"}, tree: {label: \"ab\", children: [{}, {}, {}]}, count: 0");
    let found = found.await;
    let paths = found.iter().map(|violation| violation.split(' ').next().unwrap_or_default());
    assert_eq!(paths.collect::<Vec<_>>(), ["count", "tree.label", "tree.children", "changes.name"]);
}

#[tokio::test]
async fn ten_thousand_violations_are_collected() {
    let ids = "\"\", ".repeat(10_100);
    assert_eq!(violations(&format!("ids: [{ids}]")).await.len(), 10_000);
}

#[tokio::test]
async fn subscriptions_are_checked() {
    let first = async |document| schema().execute_stream(document).next().await.expect("it has an event");
    let event = first("subscription { numbers(from: 0) }").await;
    assert_eq!(event.data.into_json().expect("it is JSON")["numbers"], 0);
    let refused = first("subscription { numbers(from: -1) }").await;
    assert_eq!(refused.errors[0].message, "from must be at least 0");
}

#[test]
fn constants_of_a_crate_can_be_those_of_the_contract() {
    const MAX: Option<usize> = constraint("Query.check").max_length;
    const NAME: Constraint = constraint("Query.check(name:)");
    assert_eq!((MAX, NAME.min_length, NAME.max_length, NAME.max_items), (Some(7), Some(2), Some(3), None));
}
