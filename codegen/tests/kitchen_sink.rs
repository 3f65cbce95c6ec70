//! A contract that uses every construct, compiled and executed.

#![allow(missing_docs, unreachable_pub, reason = "a test is nobody's library")]

mod kitchen_sink {
    pub mod model;
    pub mod resolvers;
}

use async_graphql::{
    Data, Request, Schema, Variables,
    futures_util::StreamExt,
    parser::{
        parse_query,
        types::{DocumentOperations, OperationType},
    },
    value,
};
use serde_json::{Value, json};

use kitchen_sink::{
    model::contract::{Mutation, Query, Subscription, support::Execution},
    resolvers::Kitchen,
};

pub use kitchen_sink::model::{Bargain, Day, Human, Store};

type Sink = Schema<Query<Kitchen>, Mutation<Kitchen>, Subscription<Kitchen>>;

fn schema() -> Sink {
    Schema::new(Query(Kitchen), Mutation(Kitchen), Subscription(Kitchen))
}

async fn execute(request: impl Into<Request>) -> Value {
    let request = request.into();
    let (query, variables) = (request.query.clone(), request.variables.clone());
    let response = schema().execute(request).await;
    let was_valid = response.errors.iter().all(|error| !error.path.is_empty());
    let response = serde_json::to_value(response).expect("a response is JSON");
    if was_valid {
        let again = execute_as_valid(&query, variables).await;
        assert_eq!(again, response, "{query}");
    }
    response
}

/// The same without validation.
async fn execute_as_valid(query: &str, variables: Variables) -> Value {
    let document = parse_query(query).expect("it was parsed before");
    let fragments = document.fragments;
    let DocumentOperations::Single(operation) = document.operations else {
        panic!("the operation has no name");
    };
    let execution = Execution::new();
    let data = Data::default();
    let response = if operation.node.ty == OperationType::Mutation {
        let root = Mutation(Kitchen);
        let answer = execution.execute(&root, operation, fragments, variables, data);
        answer.await
    } else {
        let root = Query(Kitchen);
        let answer = execution.execute(&root, operation, fragments, variables, data);
        answer.await
    };
    serde_json::to_value(response).expect("a response is JSON")
}

async fn data(query: &str) -> Value {
    let response = execute(query).await;
    assert_eq!(response.get("errors"), None, "{query}");
    response["data"].clone()
}

#[tokio::test]
async fn defaults_of_arguments_apply_when_they_are_omitted() {
    assert_eq!(data("{greeting}").await, json!({"greeting": "hello, you"}));
    let given = data(r#"{greeting(name: "Ada", shout: true)}"#).await;
    assert_eq!(given, json!({"greeting": "HELLO, ADA"}));
    assert_eq!(data("{optional}").await, json!({"optional": "7"}));
    assert_eq!(
        data("{optional(value: null)}").await,
        json!({"optional": "null"})
    );
}

#[tokio::test]
async fn a_variable_without_a_value_is_an_omitted_argument() {
    let query = "query ($value: Int) { optional(value: $value) }";
    assert_eq!(data(query).await, json!({"optional": "7"}));
    let null = Request::new(query).variables(Variables::from_value(value!({"value": null})));
    assert_eq!(execute(null).await["data"], json!({"optional": "null"}));
    let inner =
        "query ($text: String) { echo(input: {type: \"t\", nested: {text: \"x\", type: $text}}) }";
    let echoed = data(inner).await["echo"]
        .as_str()
        .expect("a text")
        .to_owned();
    assert!(echoed.contains("type: None"), "{echoed}");
}

#[tokio::test]
async fn scalars_enums_and_keywords_are_answered() {
    let query = "{everything {int intRequired float string boolean id date kind type match crate \
                 Upper HTTPStatus nested {int kind nested {int}} __typename}}";
    let expected = json!({"everything": {
        "int": -1, "intRequired": 2_147_483_647, "float": 0.5, "string": "text 🚙", "boolean": true,
        "id": "1", "date": "2024-02-29", "kind": "CAR_WITH_WHEELS", "type": "a type", "match": 3,
        "crate": false, "Upper": 4, "HTTPStatus": 200,
        "nested": {"int": null, "kind": "BOOK", "nested": null}, "__typename": "Everything"}});
    assert_eq!(data(query).await, expected);
    let reserved = data("{self {self super}}").await;
    assert_eq!(reserved, json!({"self": {"self": "me", "super": "above"}}));
}

#[tokio::test]
async fn lists_of_lists_are_answered_and_taken() {
    let lists = data("{lists {ints intsRequired grid sparse things {name}}}").await;
    let expected = json!({"lists": {
        "ints": [1, null], "intsRequired": [], "grid": [[1, 2], []],
        "sparse": [[["a", null], null], null], "things": [[{"name": "thing"}, null], null]}});
    assert_eq!(lists, expected);
    let numbers = data("{numbers(grid: [[1, 2], null, [3]])}").await;
    assert_eq!(numbers, json!({"numbers": [[1, 2], [], [3]]}));
    assert_eq!(data("{numbers(grid: 5)}").await, json!({"numbers": [[5]]}));
}

#[tokio::test]
async fn unions_and_interfaces_are_answered_by_their_types() {
    let query = "{search(text: \"x\") {__typename ... on Book {pages related {... on Car {wheels}}} \
                 ... on Node {id} ... on SearchResult {__typename}}}";
    let expected = json!({"search": [
        {"__typename": "Book", "pages": 9, "related": [{"wheels": 4}], "id": "b"},
        {"__typename": "Car", "id": "c"}]});
    assert_eq!(data(query).await, expected);
    let query = "{book: node(id: \"b\") {id ... on Named {name} ...B} car: node(id: \"c\") {...B ... on Car {wheels}}} \
                 fragment B on Book {sequel {id __typename ...B}}";
    // Spreading a fragment within itself is refused by validation.
    assert!(execute(query).await["errors"].is_array());
    let query = query.replace(" ...B}}", "}}");
    let expected = json!({
        "book": {"id": "b", "name": "Book", "sequel": {"id": "c", "__typename": "Car"}},
        "car": {"wheels": 4}});
    assert_eq!(data(&query).await, expected);
}

#[tokio::test]
async fn input_objects_have_defaults_and_are_checked() {
    let echoed = data("{echo}").await["echo"]
        .as_str()
        .expect("a text")
        .to_owned();
    assert!(
        echoed.contains(r#"text: "given""#) && echoed.contains("numbers: Some([1, 2])"),
        "{echoed}"
    );
    let echoed = data("{echo(input: {})}").await["echo"]
        .as_str()
        .expect("a text")
        .to_owned();
    let expected = "Input { text: \"default\", numbers: None, kind: Some(Book), factor: Some(1.5), \
                    nested: None, old: None, type: None }";
    assert_eq!(echoed.replace("r#type", "type"), expected);
    let wrong = execute("{echo(input: {text: 5})}").await;
    assert!(wrong["errors"].is_array(), "{wrong}");
}

#[tokio::test]
async fn a_one_of_input_takes_exactly_one_member() {
    let found = data("{id: lookup(by: {byId: 5}) name: lookup(by: {byName: \"n\"}) date: lookup(by: {byDate: \"2024-02-29\"})}").await;
    let expected = json!({"id": "id 5", "name": "name n", "date": "date 2024-02-29"});
    assert_eq!(found, expected);
    for wrong in ["{}", "{byId: null}", "{byId: 1, byName: \"n\"}"] {
        let response = execute(format!("{{lookup(by: {wrong})}}")).await;
        assert!(response["errors"].is_array(), "{wrong}: {response}");
    }
}

#[tokio::test]
async fn custom_scalars_are_parsed_and_answered_by_the_rust_type() {
    let answer = data(r#"{tomorrow(of: "2024-02-29")}"#).await;
    assert_eq!(answer, json!({"tomorrow": "2024-02-30"}));
    let response = execute(r#"{tomorrow(of: "today")}"#).await;
    assert!(response["errors"].is_array(), "{response}");
}

#[tokio::test]
async fn rust_types_of_the_crate_answer_for_objects() {
    let query = "{person(name: \"Ada\") {name born friends {name friends {name}}}}";
    let expected = json!({"person": {"name": "Ada", "born": "1815-12-10",
        "friends": [{"name": "Charles", "friends": []}]}});
    assert_eq!(data(query).await, expected);
    let query = "{shop {name offers {price usd: price(currency: Usd) product {pages}} one: offers(first: 1) {price} \
                 owner {name} __typename}}";
    let expected = json!({"shop": {"name": "shop",
        "offers": [{"price": 1.5, "usd": 3.0, "product": {"pages": 9}}, {"price": 2.5, "usd": 5.0, "product": {"pages": 9}}],
        "one": [{"price": 1.5}], "owner": {"name": "Ada"}, "__typename": "Shop"}});
    assert_eq!(data(query).await, expected);
}

#[tokio::test]
async fn a_failed_field_is_null_where_that_is_allowed_and_keeps_its_neighbours() {
    let response = execute("{fails greeting}").await;
    assert_eq!(
        response["data"],
        json!({"fails": null, "greeting": "hello, you"})
    );
    let error = &response["errors"][0];
    assert_eq!(error["message"], "public words");
    assert_eq!(
        (&error["path"], &error["locations"]),
        (&json!(["fails"]), &json!([{"line": 1, "column": 2}]))
    );
    let response = execute("{failsHard: fails_hard}").await;
    assert_eq!(response["errors"][0]["path"], json!(["failsHard"]));
}

#[tokio::test]
async fn mutations_run_and_keywords_are_arguments() {
    let added = data("mutation {one: add(number: 1) two: add(number: 2)}").await;
    assert_eq!(added, json!({"one": 2, "two": 3}));
    let awaited = data("mutation {async(await: true, fn: \"f\")}").await;
    assert_eq!(awaited, json!({"async": true}));
}

#[tokio::test]
async fn subscriptions_stream_answers_and_errors() {
    let responses = schema().execute_stream("subscription {left: countdown(from: 2)}");
    let responses: Vec<Value> = responses
        .map(|response| serde_json::to_value(response).expect("a response is JSON"))
        .collect()
        .await;
    let data: Vec<&Value> = responses.iter().map(|response| &response["data"]).collect();
    assert_eq!(data[..2], [&json!({"left": 2}), &json!({"left": 1})]);
    assert_eq!(responses[2]["errors"][0]["message"], "public words");
    assert_eq!(responses[2]["errors"][0]["path"], json!(["left"]));
    let responses = schema().execute_stream("subscription {people {name friends {name}}}");
    let people: Vec<_> = responses.collect().await;
    assert_eq!(people.len(), 1);
    let expected = value!({"people": {"name": "Ada", "friends": [{"name": "Charles"}]}});
    assert_eq!(people[0].data, expected);
}

#[test]
fn what_is_served_is_what_the_file_says() {
    use apollo_compiler::Schema as Contract;
    let one_of = "directive @oneOf on INPUT_OBJECT";
    let read = |sdl: &str| {
        let builder = Contract::builder()
            .ignore_builtin_redefinitions()
            .parse(sdl, "sdl");
        let builder = if sdl.contains(one_of) {
            builder
        } else {
            builder.parse(one_of, "one")
        };
        builder.build().expect("it is SDL")
    };
    let options = async_graphql::SDLExportOptions::new().include_specified_by();
    let (file, served) = (
        read(include_str!("kitchen_sink.graphql")),
        read(&schema().sdl_with_options(options)),
    );
    for (name, definition) in &file.types {
        assert_eq!(served.types.get(name), Some(definition), "{name}");
    }
    assert_eq!(file.types.len(), served.types.len());
}
