//! What is served is what `schema.graphql` says: nothing more, nothing less, in the same words.

use std::collections::{BTreeMap, BTreeSet};

use apollo_compiler::ast::{Definition, Document};
use apollo_compiler::collections::HashMap;
use apollo_compiler::introspection::partial_execute;
use apollo_compiler::request::coerce_variable_values;
use apollo_compiler::response::JsonMap;
use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Name, Schema};
use serde_json::{Value, json};
use vehicle_catalogue::graphql::{Engine, EngineSettings};

use crate::support::{TestApp, tests};

tests![
    answers_what_the_contract_says,
    the_schema_itself_is_not_described_by_others,
    the_schema_and_vehicles_are_answered_together,
    the_served_sdl_says_what_the_contract_says,
    the_schema_is_served_word_for_word,
    a_difference_is_named,
];

const CONTRACT: &str = include_str!("../../schema.graphql");

/// Everything that introspection can tell.
const QUERY: &str = "{ __schema {
    queryType { name } mutationType { name } subscriptionType { name }
    types { ...Type }
    directives { name description locations isRepeatable args(includeDeprecated: true) { ...Input } }
} }
fragment Type on __Type {
    kind name description specifiedByURL
    fields(includeDeprecated: true) {
        name description isDeprecated deprecationReason type { ...Reference }
        args(includeDeprecated: true) { ...Input }
    }
    inputFields(includeDeprecated: true) { ...Input }
    interfaces { name } possibleTypes { name }
    enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
}
fragment Input on __InputValue {
    name description defaultValue isDeprecated deprecationReason type { ...Reference }
}
fragment Reference on __Type {
    kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } }
}";

async fn answers_what_the_contract_says(app: TestApp) {
    let served = facts(&app.ask(QUERY, json!({})).await.data());
    assert_same(&served, &facts(&introspect(CONTRACT)));
}

async fn the_schema_itself_is_not_described_by_others(app: TestApp) {
    let answer = app.ask("{ __schema { description } }", json!({})).await;
    let expected = json!({ "__schema": { "description": null } });
    assert_eq!(answer.data(), expected, "{answer}");
}

async fn the_schema_and_vehicles_are_answered_together(app: TestApp) {
    let query = "query ($none: Boolean!) {
        first: __typename
        __schema { description }
        vehicle(id: \"9223372036854775807\") { id }
        skipped: __schema @include(if: $none) { description }
        nothing: __type(name: \"Nothing\") { name }
        ... { vehicles(count: 0) { id } __type(name: \"Query\") { name } }
    }";
    let answer = app.ask(query, json!({ "none": false })).await;
    let expected = r#"{"data":{"first":"Query","__schema":{"description":null},"vehicle":null,"nothing":null,"vehicles":[],"__type":{"name":"Query"}}}"#;
    assert_eq!(answer.text(), expected);
}

async fn the_served_sdl_says_what_the_contract_says(app: TestApp) {
    let engine = Engine::new(app.store().await, EngineSettings::default());
    let served = engine.served_sdl();
    assert_same(&definitions(&served), &definitions(CONTRACT));
    // Once more by the other way, which resolves what a document leaves implicit.
    assert_same(&facts(&introspect(&served)), &facts(&introspect(CONTRACT)));
}

async fn the_schema_is_served_word_for_word(app: TestApp) {
    let answer = app.get("/schema.graphql").await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.text(), CONTRACT);
}

/// The comparison itself: a change of any kind, in either direction, is found and named.
async fn a_difference_is_named(_: TestApp) {
    for (from, to, name) in [
        (
            "launchDate: String\n}",
            "launchDay: String }",
            "Vehicle.launchD",
        ),
        ("id: ID!", "id: ID! wheels: Int", "Vehicle.wheels"),
        ("id: ID!", "id: ID", "Vehicle.id"),
        ("type: String\n", "type: Int\n", "Vehicle.type"),
        ("count: Int", "count: Int = 5", "Query.vehicles"),
        ("count: Int", "count: Int, after: ID", "Query.vehicles"),
        (
            "brandName: String\n",
            "brandName: String @deprecated(reason: \"no\")\n",
            "Vehicle.brandName",
        ),
        ("What can be changed.", "What can change.", "Mutation"),
        ("The `id` of", "An id of", "Query.vehicle"),
        (
            "\"What can be asked",
            "scalar Date \"What can be asked",
            "Date",
        ),
    ] {
        assert!(CONTRACT.contains(from), "{from}");
        let other = CONTRACT.replacen(from, to, 1);
        for (served, contract) in [(other.as_str(), CONTRACT), (CONTRACT, other.as_str())] {
            let by_definition = differences(&definitions(served), &definitions(contract));
            let by_answer = differences(&facts(&introspect(served)), &facts(&introspect(contract)));
            for found in [by_definition, by_answer] {
                assert!(!found.is_empty(), "{to} was not found");
                assert!(found.iter().all(|line| line.contains(name)), "{found:#?}");
            }
        }
    }
}

/// What another implementation of introspection answers for an SDL text.
fn introspect(sdl: &str) -> Value {
    let schema = Schema::parse_and_validate(sdl, "schema.graphql").expect("it is a schema");
    let document = ExecutableDocument::parse_and_validate(&schema, QUERY, "query.graphql");
    let document = document.expect("the query fits every schema");
    let operation = document.operations.get(None).expect("there is one");
    let implementers: HashMap<Name, _> = schema.implementers_map();
    let variables: Valid<JsonMap> =
        coerce_variable_values(&schema, operation, &JsonMap::default()).expect("it has none");
    let answer = partial_execute(&schema, &implementers, &document, operation, &variables);
    let answer = serde_json::to_value(answer.expect("it can be executed"));
    answer.expect("an answer is JSON")["data"].take()
}

type Facts = BTreeMap<String, String>;

/// Every leaf of an introspection answer by its place, with names instead of positions.
fn facts(introspected: &Value) -> Facts {
    let mut facts = Facts::new();
    let types = introspected["__schema"]["types"].as_array();
    assert!(types.is_some_and(|types| types.len() > 3), "{introspected}");
    collect(&introspected["__schema"], "", &mut facts);
    facts
}

fn collect(value: &Value, place: &str, facts: &mut Facts) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let inside = match name.as_str() {
                    // These lists hold what has a name of its own.
                    "types" | "fields" | "args" | "inputFields" | "enumValues" | "directives"
                    | "interfaces" | "possibleTypes" => place.to_owned(),
                    _ => format!("{place} {name}"),
                };
                collect(member, &inside, facts);
            }
        }
        Value::Array(items) => {
            for item in items {
                let name = item["name"].as_str().or(item.as_str()).unwrap_or("?");
                let inside = format!("{place}.{name}").trim_start_matches('.').to_owned();
                if !is_of_graphql_itself(&inside) {
                    facts.insert(format!("{inside} is there"), String::new());
                    collect(item, &inside, facts);
                }
            }
        }
        Value::Null => {}
        leaf => {
            facts.insert(place.to_owned(), leaf.to_string());
        }
    }
}

/// What every GraphQL server has, in words and versions of its own.
fn is_of_graphql_itself(name: &str) -> bool {
    let built_in = [
        "Int",
        "Float",
        "String",
        "Boolean",
        "ID",
        "skip",
        "include",
        "deprecated",
        "specifiedBy",
        "oneOf",
    ];
    name.starts_with("__") || built_in.contains(&name)
}

/// Every definition and every field of an SDL text, each as it is printed.
fn definitions(sdl: &str) -> Facts {
    let document = Document::parse(sdl, "schema.graphql").expect("it is SDL");
    let mut definitions = Facts::new();
    for definition in &document.definitions {
        match definition {
            Definition::ObjectTypeDefinition(object) => {
                let mut head = object.as_ref().clone();
                for field in std::mem::take(&mut head.fields) {
                    let place = format!("{}.{}", object.name, field.name);
                    definitions.insert(place, field.to_string());
                }
                definitions.insert(object.name.to_string(), head.to_string());
            }
            Definition::SchemaDefinition(schema) => {
                for root in &schema.root_operations {
                    let (operation, name) = root.as_ref();
                    definitions.insert(format!("schema {operation}"), name.to_string());
                }
            }
            other => {
                let name = other.name().map_or("?", Name::as_str);
                if !is_of_graphql_itself(name) {
                    definitions.insert(name.to_owned(), other.to_string());
                }
            }
        }
    }
    for (operation, name) in [("query", "Query"), ("mutation", "Mutation")] {
        let place = format!("schema {operation}");
        definitions.entry(place).or_insert_with(|| name.to_owned());
    }
    definitions
}

fn differences(served: &Facts, contract: &Facts) -> Vec<String> {
    let places: BTreeSet<&String> = served.keys().chain(contract.keys()).collect();
    let difference = |place: &String| match (served.get(place), contract.get(place)) {
        (Some(served), Some(contract)) if served == contract => None,
        (Some(served), Some(contract)) => Some(format!(
            "{place}: served is\n{served}\nschema.graphql says\n{contract}"
        )),
        (Some(served), None) => Some(format!("{place}: served, not in schema.graphql {served}")),
        (None, contract) => Some(format!(
            "{place}: in schema.graphql, not served {contract:?}"
        )),
    };
    places.into_iter().filter_map(difference).collect()
}

#[track_caller]
fn assert_same(served: &Facts, contract: &Facts) {
    let differences = differences(served, contract);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
