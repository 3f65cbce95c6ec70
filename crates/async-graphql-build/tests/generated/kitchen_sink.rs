//! A contract that uses every construct, compiled and executed.

pub mod model;
mod resolvers;

use std::sync::LazyLock;

use async_graphql::{Executor, Request, Schema, Variables, value};
use async_graphql_strict::{Settings, SkipValidation, Strict};
use expect_test::expect_file;
use futures_util::StreamExt;
use serde_json::{Value, json};

use self::{
    model::{
        Day,
        contract::{
            self, Mutation, Query, Subscription,
            support::{ResponseBytes, default_scalar},
        },
    },
    resolvers::Kitchen,
};
use crate::served::differences;

const CONTRACT: &str = include_str!("kitchen_sink.graphql");

type KitchenSink = Schema<Query<Kitchen>, Mutation<Kitchen>, Subscription<Kitchen>>;

fn schema() -> KitchenSink {
    let schema = contract::build(Query(Kitchen), Mutation(Kitchen), Subscription(Kitchen));
    schema.extension(SkipValidation).finish()
}

fn strict(settings: Settings) -> Strict<KitchenSink> {
    let contract = graphql_sdl::Schema::parse("kitchen_sink.graphql", CONTRACT).expect("it is valid");
    Strict::new(schema(), &contract, settings)
}

static BEHIND_STRICT: LazyLock<Strict<KitchenSink>> = LazyLock::new(|| {
    let mut settings = Settings::default();
    settings.cost_model.list_limit = 10;
    strict(settings)
});

async fn execute(request: impl Into<Request>) -> Value {
    let executed = Executor::execute(&*BEHIND_STRICT, request.into()).await;
    serde_json::to_value(&executed).expect("a response is JSON")
}

/// By async-graphql alone.
async fn alone(request: impl Into<Request>) -> Value {
    let executed = schema().execute(request).await;
    serde_json::to_value(&executed).expect("a response is JSON")
}

fn request(query: &str, variables: async_graphql::Value) -> Request {
    Request::new(query).variables(Variables::from_value(variables))
}

async fn data(query: &str) -> Value {
    let response = execute(query).await;
    assert_eq!(response.get("errors"), None, "{query}");
    response["data"].clone()
}

/// `UPDATE_EXPECT=1` rewrites the golden copy.
#[test]
fn the_generated_code_is_the_golden_copy() {
    let generated = include_str!(concat!(env!("OUT_DIR"), "/kitchen_sink.generated"));
    expect_file!["kitchen_sink/golden.rs"].assert_eq(generated);
}

#[tokio::test]
async fn applies_defaults_to_omitted_arguments() {
    assert_eq!(data("{greeting}").await, json!({"greeting": "hello, you"}));
    let response = data(r#"{greeting(name: "Ada", shout: true)}"#).await;
    assert_eq!(response, json!({"greeting": "HELLO, ADA"}));
    assert_eq!(data("{optional}").await, json!({"optional": "7"}));
    assert_eq!(data("{optional(value: null)}").await, json!({"optional": "null"}));
}

#[tokio::test]
async fn applies_defaults_of_custom_scalars_and_input_objects() {
    let nested = "Changes { required: 3, text: Undefined, numbers: Undefined, kind: Some(Book), nested: Undefined }";
    let changes = format!(
        "Changes {{ required: 1, text: Null, numbers: Value([2]), kind: Some(Book), nested: Value({nested}) }}"
    );
    let days = "Some([Some(Day(2024, 3, 1)), None])";
    let defaults = json!(["2024-02-29", days, "date 2024-03-02", changes]);
    assert_eq!(data("{defaults}").await, json!({"defaults": defaults}));
    let given = r#"{defaults(on: "2025-01-01", days: null, by: {byId: 1}, changes: {required: 3})}"#;
    let given_values = json!(["2025-01-01", "None", "id 1", nested]);
    assert_eq!(data(given).await, json!({"defaults": given_values}));
}

/// The responses to a subscription.
async fn responses(executor: impl Executor, query: &str) -> Vec<Value> {
    let responses = Executor::execute_stream(&executor, query.into(), None);
    let json = responses.map(|response| serde_json::to_value(response).expect("it is JSON"));
    json.collect().await
}

/// The responses to a subscription, which are equal behind `Strict`.
async fn events(query: &str) -> Vec<Value> {
    let alone = responses(schema(), query).await;
    assert_eq!(responses(BEHIND_STRICT.clone(), query).await, alone);
    alone
}

#[tokio::test]
async fn subscriptions_stream_values_of_every_kind() {
    let ticks = events("subscription {ticks}").await;
    let expected = [1, 2, 3].map(|number| json!({"data": {"ticks": number}}));
    assert_eq!(ticks, expected);
    let things = events("subscription {t: things {name __typename}}").await;
    let thing = json!({"name": "thing", "__typename": "Thing"});
    assert_eq!(things, [thing, json!(null)].map(|thing| json!({"data": {"t": thing}})));
    let shops = events("subscription {shops {offers(first: 1) {pages}}}").await;
    assert_eq!(shops.len(), 1);
    assert!(shops[0]["data"]["shops"][0]["offers"].is_array(), "{shops:?}");
}

#[tokio::test]
async fn an_event_that_failed_is_an_error_of_its_response() {
    let query = "subscription {ticks(count: 2, failAfter: 1)}";
    for ticks in [responses(schema(), query).await, responses(BEHIND_STRICT.clone(), query).await] {
        assert_eq!(ticks[0], json!({"data": {"ticks": 1}}));
        assert_eq!(ticks[1]["errors"][0]["message"], "too many");
        assert_eq!(ticks[1]["errors"][0]["path"], json!(["ticks"]));
    }
    let refused = responses(schema(), "subscription {refused}").await;
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0]["errors"][0]["message"], "refused");
}

#[tokio::test]
async fn each_response_of_a_subscription_has_the_maximum_size() {
    let mut settings = Settings { response_budget: Some(ResponseBytes::insert), ..Settings::default() };
    settings.limits.response_bytes = 40;
    let executor = strict(settings);
    let ticks = responses(executor.clone(), "subscription {ticks(count: 100)}").await;
    assert_eq!(ticks.len(), 100);
    assert_eq!(ticks[99], json!({"data": {"ticks": 100}}));
    let things = responses(executor, "subscription {things {name __typename}}").await;
    let message = things[0]["errors"][0]["message"].as_str();
    let message = message.expect("it is too large");
    assert!(message.contains("response-limit-bytes (40 bytes)"), "{message}");
}

#[test]
fn a_default_value_that_its_scalar_refuses_is_found_when_the_schema_is_built() {
    let of_a_number = || default_scalar::<Day>(7.into(), "schema.graphql:4:18");
    let panic = std::panic::catch_unwind(of_a_number).expect_err("it is no date");
    let message = panic.downcast_ref::<String>().expect("a text");
    assert!(message.starts_with("schema.graphql:4:18: the default value is not one of "));
    assert!(message.contains("Day: "), "{message}");
}

#[tokio::test]
async fn treats_a_variable_without_a_value_as_an_omitted_argument_or_field() {
    let echoed = |parts: &str| format!("Input {{ {parts} }}");
    for (query, variables, expected) in [
        ("query ($value: Int) { of: optional(value: $value) }", value!({}), "7".to_owned()),
        ("query ($value: Int) { of: optional(value: $value) }", value!({"value": null}), "null".to_owned()),
        ("query ($name: String) { of: greeting(name: $name) }", value!({}), "hello, you".to_owned()),
        ("query ($name: String) { of: greeting(name: $name) }", value!({"name": "Ada"}), "hello, Ada".to_owned()),
        (
            "query A ($name: String) { ...F } query B ($name: String = \"B\") { ...F } \
             fragment F on Query { of: greeting(name: $name) }",
            value!({}),
            "hello, B".to_owned(),
        ),
        (
            "query ($text: String, $number: Int!, $kind: Kind) \
             { of: echo(input: {text: $text, numbers: [1], nested: {text: \"in\", kind: $kind, numbers: [$number]}}) }",
            value!({"number": 2}),
            echoed(
                "text: \"default\", numbers: Some([1]), kind: Some(Book), factor: Some(1.5), nested: Some(Input { \
                 text: \"in\", numbers: Some([2]), kind: Some(Book), factor: Some(1.5), nested: None, old: None, \
                 type: None }), old: None, type: None",
            ),
        ),
        (
            "query ($not: Boolean = true) { no: fails @skip(if: $not) of: greeting }",
            value!({}),
            "hello, you".to_owned(),
        ),
    ] {
        let request = || {
            let request = request(query, variables.clone());
            let is_named = query.contains("query B");
            if is_named { request.operation_name("B") } else { request }
        };
        for response in [execute(request()).await, alone(request()).await] {
            let of = response["data"]["of"].as_str().map(|of| of.replace("r#type", "type"));
            assert_eq!(of, Some(expected.clone()), "{query}: {response}");
        }
    }
    for invalid in [
        "query ($unused: Int) { greeting }",
        "query ($id: ID) { node(id: $id) { id } }",
        "query ($name: Int) { greeting(name: $name) }",
    ] {
        let refused = alone(request(invalid, value!({"name": 5}))).await;
        assert_eq!(refused["data"], Value::Null, "{invalid}");
    }
}

#[tokio::test]
async fn a_type_condition_can_be_a_type_that_no_field_returns() {
    let query = "{node(id: \"b\") {... on Named {name}} __type(name: \"Named\") {possibleTypes {name}}}";
    let expected = json!({"node": {"name": "Book"}, "__type": {"possibleTypes": [{"name": "Book"}]}});
    assert_eq!(alone(query).await["data"], expected);
}

#[tokio::test]
async fn resolvers_read_the_directives_of_a_field_and_of_its_operation() {
    let query = "query ($in: Kind) @inContext(kind: $in, kinds: BOOK) \
                 {context ...F} fragment F on Query {other: context @inContext @traced}";
    let expected = json!({"context": ["Gone Some([Book])"], "other": ["Book None", "Gone Some([Book])"]});
    let given = || request(query, value!({"in": "GONE"}));
    for response in [execute(given()).await, alone(given()).await] {
        assert_eq!(response["data"], expected, "{response}");
    }
    let omitted = alone(request(query, value!({}))).await;
    assert_eq!(omitted["data"]["context"], json!(["Book Some([Book])"]), "{omitted}");
    let misplaced = alone("query @traced {greeting}").await;
    assert_eq!(misplaced["data"], Value::Null);
}

#[tokio::test]
async fn resolves_scalars_enums_and_keywords() {
    let query = "{everything {int intRequired float string boolean id date kind type crate \
                 HTTPStatus aB a_b nested {int kind nested {int}} __typename}}";
    let expected = json!({"everything": {
        "int": -1, "intRequired": 2_147_483_647, "float": 0.5, "string": "text 🚙", "boolean": true,
        "id": "1", "date": "2024-02-29", "kind": "CAR_WITH_WHEELS", "type": "a type",
        "crate": false, "HTTPStatus": 200, "aB": 3, "a_b": 4,
        "nested": {"int": null, "kind": "BOOK", "nested": null}, "__typename": "Everything"}});
    assert_eq!(data(query).await, expected);
    let reserved = data("{self {self super}}").await;
    assert_eq!(reserved, json!({"self": {"self": "me", "super": "above"}}));
}

#[tokio::test]
async fn resolves_and_accepts_nested_lists() {
    let lists = data("{lists {grid sparse things {name}}}").await;
    let expected = json!({"lists": {
        "grid": [[1, 2], []], "sparse": [[["a", null], null], null], "things": [[{"name": "thing"}, null], null]}});
    assert_eq!(lists, expected);
    let numbers = data("{numbers(grid: [[1, 2], null, [3]])}").await;
    assert_eq!(numbers, json!({"numbers": [[1, 2], [], [3]]}));
    assert_eq!(data("{numbers(grid: 5)}").await, json!({"numbers": [[5]]}));
}

#[tokio::test]
async fn resolves_unions_and_interfaces_to_their_possible_types() {
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
async fn validates_input_objects_and_applies_their_defaults() {
    let echoed = data("{echo}").await["echo"].as_str().expect("a text").to_owned();
    assert!(echoed.contains(r#"text: "given""#) && echoed.contains("numbers: Some([1, 2])"), "{echoed}");
    let echoed = data("{echo(input: {})}").await["echo"].as_str().expect("a text").to_owned();
    let expected = "Input { text: \"default\", numbers: None, kind: Some(Book), factor: Some(1.5), \
                    nested: None, old: None, type: None }";
    assert_eq!(echoed.replace("r#type", "type"), expected);
    let wrong = execute("{echo(input: {text: 5})}").await;
    assert!(wrong["errors"].is_array(), "{wrong}");
}

#[tokio::test]
async fn distinguishes_omitted_fields_from_null_where_build_rs_says_so() {
    let changed = async |changes: &str, value: async_graphql::Value| {
        let variable = if changes.contains('$') { "($v: String)" } else { "" };
        let query = format!("mutation {variable} {{ change(changes: {{required: 1{changes}}}) }}");
        let response = execute(request(&query, value)).await;
        response["data"]["change"].as_str().unwrap_or_else(|| panic!("{response}")).to_owned()
    };
    let none = value!({});
    assert_eq!(
        changed("", none.clone()).await,
        "Changes { required: 1, text: Undefined, numbers: Undefined, kind: Some(Book), nested: Undefined }"
    );
    assert_eq!(
        changed(", text: null, numbers: null, kind: null, nested: null", none.clone()).await,
        "Changes { required: 1, text: Null, numbers: Null, kind: None, nested: Null }"
    );
    assert_eq!(
        changed(", text: \"t\", numbers: 2, nested: {required: 3}", none.clone()).await,
        "Changes { required: 1, text: Value(\"t\"), numbers: Value([2]), kind: Some(Book), nested: \
         Value(Changes { required: 3, text: Undefined, numbers: Undefined, kind: Some(Book), nested: Undefined }) }"
    );
    // A variable without a value is an omitted field.
    for (value, expected) in
        [(none, "text: Undefined"), (value!({"v": null}), "text: Null"), (value!({"v": "t"}), "text: Value(\"t\")")]
    {
        let debug = changed(", text: $v", value).await;
        assert!(debug.contains(expected), "{debug}");
    }
}

#[tokio::test]
async fn a_one_of_input_requires_exactly_one_member() {
    let found = data("{lookups(by: [{byId: 5}, {byName: \"n\"}, {byDate: \"2024-02-29\"}])}").await;
    assert_eq!(found, json!({"lookups": ["id 5", "name n", "date 2024-02-29"]}));
    for wrong in ["{}", "{byId: null}", "{byId: 1, byName: \"n\"}"] {
        let response = execute(format!("{{lookups(by: {wrong})}}")).await;
        assert!(response["errors"].is_array(), "{wrong}: {response}");
    }
}

#[tokio::test]
async fn the_error_of_an_argument_names_the_path_of_its_invalid_part() {
    let lookups = "query ($keys: [LookupKey!]!) { lookups(by: $keys) }";
    let inner = "query ($date: Date!) { lookups(by: [{byId: 1}, {byDate: $date}]) }";
    let good = value!({"byDate": "2024-02-29"});
    for (query, variables, message) in [
        (
            lookups,
            value!({"keys": [(good.clone()), {"byDate": 5}]}),
            "Expected input type \"Date\", found 5. (occurred while parsing \"LookupKey\") (occurred while parsing \"[LookupKey!]\")",
        ),
        (
            lookups,
            value!({"keys": {"byDate": "today"}}),
            "Failed to parse \"Date\": must be a date (occurred while parsing \"LookupKey\") (occurred while parsing \"[LookupKey!]\")",
        ),
        (
            lookups,
            value!({"keys": [(good.clone()), {"byId": 1, "byName": "n"}]}),
            "$keys[1] must have exactly one field, which is not null",
        ),
        ("query ($on: Date!) { defaults(on: $on) }", value!({"on": [1]}), "Expected input type \"Date\", found [1]."),
        (
            inner,
            value!({"date": true}),
            "Expected input type \"Date\", found true. (occurred while parsing \"LookupKey\") (occurred while parsing \"[LookupKey!]\")",
        ),
        ("{ defaults(on: \"today\") }", value!({}), "Failed to parse \"Date\": must be a date"),
    ] {
        let response = execute(request(query, variables)).await;
        assert_eq!(response["errors"][0]["message"], message, "{response}");
    }
}

#[tokio::test]
async fn resolves_objects_with_rust_types_of_the_crate() {
    let query = "{person(name: \"Ada\") {name born friends {name friends {name}}}}";
    let expected = json!({"person": {"name": "Ada", "born": "1815-12-10",
        "friends": [{"name": "Charles", "friends": []}]}});
    assert_eq!(data(query).await, expected);
    let query = "{shop {name offers {id pages} one: offers(first: 1) {id} owner {name} __typename}}";
    let expected = json!({"shop": {"name": "shop", "offers": [{"id": "a", "pages": 9}, {"id": "b", "pages": 9}],
        "one": [{"id": "a"}], "owner": {"name": "Ada"}, "__typename": "Shop"}});
    assert_eq!(data(query).await, expected);
}

#[tokio::test]
async fn a_union_resolves_members_with_and_without_resolvers() {
    let query = "{shop: merchant(name: \"shop\") {...M} ada: merchant(name: \"Ada\") {...M} \
                 none: merchant(name: \"\") {__typename}} \
                 fragment M on Merchant {__typename ... on Shop {owner {name} offers(first: 1) {pages}} \
                 ... on Person {born}}";
    let expected = json!({
        "shop": {"__typename": "Shop", "owner": {"name": "Ada"}, "offers": [{"pages": 9}]},
        "ada": {"__typename": "Person", "born": "1815-12-10"},
        "none": null});
    assert_eq!(data(query).await, expected);
}

#[tokio::test]
async fn introspection_serves_what_no_resolver_returns() {
    let query = "{__schema {description directives {name isRepeatable args {name defaultValue}}} \
                 __type(name: \"Unused\") {description fields {name}}}";
    let served = data(query).await;
    let description = "Everything that a contract can contain.";
    assert_eq!(served["__schema"]["description"], description);
    let directives = served["__schema"]["directives"].as_array();
    let note = directives.and_then(|list| list.iter().find(|directive| directive["name"] == "note"));
    let arguments = json!([{"name": "text", "defaultValue": null}, {"name": "on", "defaultValue": "[BOOK]"}]);
    let expected = json!({"name": "note", "isRepeatable": true, "args": arguments});
    assert_eq!(note, Some(&expected));
    let unused = json!({"description": "Nothing returns it.", "fields": [{"name": "id"}]});
    assert_eq!(served["__type"], unused);
}

#[tokio::test]
async fn introspection_serves_the_contract_with_its_one_of_inputs() {
    let served = json!({"data": data(graphql_sdl::INTROSPECTION).await});
    let served = graphql_sdl::Schema::from_introspection("served", &served).expect("it is complete");
    let file = graphql_sdl::Schema::parse("file", CONTRACT).expect("it is valid");
    assert_eq!(served.coordinates(), file.coordinates());
    for (name, input) in &file.tree().types {
        let served = &served.tree().types[name];
        let is_one_of = input.directives().has("oneOf");
        assert_eq!(served.directives().has("oneOf"), is_one_of, "{name}");
    }
    assert!(!served.omits_directive("oneOf"));
}

#[tokio::test]
async fn a_failed_nullable_field_is_null_and_its_siblings_are_resolved() {
    let response = execute("{fails greeting}").await;
    assert_eq!(response["data"], json!({"fails": null, "greeting": "hello, you"}));
    let error = &response["errors"][0];
    assert_eq!(error["message"], "public words");
    assert_eq!((&error["path"], &error["locations"]), (&json!(["fails"]), &json!([{"line": 1, "column": 2}])));
}

#[tokio::test]
async fn a_float_that_is_not_finite_is_an_error_with_its_path() {
    let response = execute(
        "{measurements {text value margin list: series parts {value}} \
          measured: merchant(name: \"none\") {... on Measurement {value}} greeting}",
    )
    .await;
    let text = "a \"text\": [{,";
    let object = |value: f64, list: Value, parts: Value| json!({"text": text, "value": value, "margin": null, "list": list, "parts": parts});
    let none = Value::Null;
    let expected = json!({
        "measurements": [
            object(1.0, none.clone(), json!([])),
            object(1.0, none.clone(), json!([])),
            object(2.0, none.clone(), none.clone()),
            null,
            object(2.0, none, json!([{"value": 1.0}])),
        ],
        "measured": null,
        "greeting": "hello, you"
    });
    assert_eq!(response["data"], expected);
    let errors = response["errors"].as_array().expect("there are errors");
    let paths: Vec<_> = errors.iter().map(|error| &error["path"]).collect();
    let expected = [
        json!(["measurements", 1, "margin"]),
        json!(["measurements", 1, "list", 1]),
        json!(["measurements", 2, "parts", 1, "value"]),
        json!(["measurements", 3, "value"]),
        json!(["measured", "value"]),
    ];
    assert_eq!(paths, expected.iter().collect::<Vec<_>>());
    for error in errors {
        assert_eq!(error["message"], "a Float must be finite");
        assert_eq!(error["extensions"]["code"], "INTERNAL_SERVER_ERROR");
    }
    let response = execute("{greeting ratio}").await;
    assert_eq!(response["data"], Value::Null);
    assert_eq!(response["errors"][0]["path"], json!(["ratio"]));
}

#[tokio::test]
async fn executes_mutations_with_keyword_arguments() {
    let awaited = data("mutation {async(await: true, fn: \"f\")}").await;
    assert_eq!(awaited, json!({"async": true}));
}

#[tokio::test]
async fn async_graphql_serves_the_contract() {
    let served = differences(CONTRACT, &schema()).await;
    // async-graphql answers `interfaces` for objects only.
    let expected = ["- interface 'Named': {\"Node\"}  None None", "+ interface 'Named': {}  None None"];
    assert_eq!(served, expected);
}
