//! Introspection matches `schema.graphql` exactly.

use std::collections::{BTreeMap, BTreeSet};

use apollo_compiler::collections::HashMap;
use apollo_compiler::introspection::partial_execute;
use apollo_compiler::request::coerce_variable_values;
use apollo_compiler::response::JsonMap;
use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Name, Schema};
use serde_json::{Value, json};

use crate::support::{TestApp, tests};

tests![
    introspection_matches_the_contract,
    the_schema_has_a_description,
    introspection_and_vehicles_are_selected_together,
    introspection_queries_of_tools_are_executed,
    a_null_type_name_is_that_of_no_type,
];

const CONTRACT: &str = include_str!("../../schema.graphql");

/// Selects every introspection field.
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

async fn introspection_matches_the_contract(app: TestApp) {
    let served = facts(&app.query(QUERY, json!({})).await.data());
    assert_no_differences(&served, &facts(&introspect(CONTRACT)));
}

async fn the_schema_has_a_description(app: TestApp) {
    let response = app.query("{ __schema { description } }", json!({})).await;
    let description = response.data()["__schema"]["description"].clone();
    let description = description.as_str().unwrap_or_else(|| panic!("{response}"));
    let (_, expected) = CONTRACT.split_once("\"\"\"\n").unwrap();
    assert!(expected.starts_with(description), "{response}");
}

async fn introspection_and_vehicles_are_selected_together(app: TestApp) {
    let query = "query ($none: Boolean!) {
        first: __typename
        __schema { queryType { name } }
        vehicle(id: \"9223372036854775807\") { id }
        skipped: __schema @include(if: $none) { description }
        nothing: __type(name: \"Nothing\") { name }
        ... { vehicles(count: 0) { id } __type(name: \"Query\") { name } }
    }";
    let response = app.query(query, json!({ "none": false })).await;
    let expected = r#"{"data":{"first":"Query","__schema":{"queryType":{"name":"Query"}},"vehicle":null,"nothing":null,"vehicles":[],"__type":{"name":"Query"}}}"#;
    assert_eq!(response.text(), expected);
}

/// The introspection query of graphql-js, which GraphiQL, Apollo's tools and code generators also send.
fn introspection_query(type_depth: usize, optional: bool) -> String {
    let option = |text: &'static str| if optional { text } else { "" };
    let of_type = "ofType { kind name ".repeat(type_depth) + &"}".repeat(type_depth);
    let (description, schema_description) = (option("description"), option("description"));
    let (deprecated, all) = (
        option("isDeprecated deprecationReason"),
        option("(includeDeprecated: true)"),
    );
    let (repeatable, specified) = (option("isRepeatable"), option("specifiedByURL"));
    format!(
        "query IntrospectionQuery {{
          __schema {{
            {schema_description}
            queryType {{ name kind }} mutationType {{ name kind }} subscriptionType {{ name kind }}
            types {{ ...FullType }}
            directives {{ name {description} {repeatable} locations args{all} {{ ...InputValue }} }}
          }}
        }}
        fragment FullType on __Type {{
          kind name {description} {specified}
          fields(includeDeprecated: true) {{
            name {description}
            args{all} {{ ...InputValue }}
            type {{ ...TypeRef }}
            isDeprecated deprecationReason
          }}
          inputFields{all} {{ ...InputValue }}
          interfaces {{ ...TypeRef }}
          enumValues(includeDeprecated: true) {{ name {description} isDeprecated deprecationReason }}
          possibleTypes {{ ...TypeRef }}
        }}
        fragment InputValue on __InputValue {{
          name {description} type {{ ...TypeRef }} defaultValue {deprecated}
        }}
        fragment TypeRef on __Type {{ kind name {of_type} }}"
    )
}

async fn introspection_queries_of_tools_are_executed(app: TestApp) {
    // A short list limit lowers the cost limit.
    let app = app.restart_with(&["--list-limit=1"]).await;
    for (type_depth, optional) in [(7, false), (7, true), (9, true)] {
        let query = introspection_query(type_depth, optional);
        let response = app.query(&query, json!({})).await;
        let types = response.data()["__schema"]["types"].clone();
        let types = types.as_array().expect("types are a list");
        let vehicle = types.iter().find(|ty| ty["name"] == "Vehicle");
        let vehicle = vehicle.expect("the contract has vehicles");
        let fields = vehicle["fields"].as_array();
        assert!(fields.is_some_and(|fields| fields.len() >= 5), "{response}");
    }
    let response = app.query(graphql_sdl::INTROSPECTION, json!({})).await;
    assert!(response.data()["__schema"].is_object(), "{response}");
}

/// A nullable variable with a default value can be null (GraphQL specification, section 5.8.5).
async fn a_null_type_name_is_that_of_no_type(app: TestApp) {
    let query = "query ($name: String = \"Query\") {
        a: __type(name: $name) { name }
        c: __type(name: \"Vehicle\") { name }
    }";
    let response = app.query(query, json!({ "name": null })).await;
    let expected = json!({ "a": null, "c": { "name": "Vehicle" } });
    assert_eq!(response.data(), expected, "{response}");
}

/// The introspection result of another implementation for an SDL text.
fn introspect(sdl: &str) -> Value {
    let schema = Schema::parse_and_validate(sdl, "schema.graphql").expect("it is a schema");
    let document = ExecutableDocument::parse_and_validate(&schema, QUERY, "query.graphql");
    let document = document.expect("the query fits every schema");
    let operation = document.operations.get(None).expect("there is one");
    let implementers: HashMap<Name, _> = schema.implementers_map();
    let variables: Valid<JsonMap> =
        coerce_variable_values(&schema, operation, &JsonMap::default()).expect("it has none");
    let response = partial_execute(&schema, &implementers, &document, operation, &variables);
    let response = serde_json::to_value(response.expect("it can be executed"));
    response.expect("an answer is JSON")["data"].take()
}

type Facts = BTreeMap<String, String>;

/// Every leaf of an introspection result by its path, with names instead of indices.
fn facts(introspected: &Value) -> Facts {
    let mut facts = Facts::new();
    let types = introspected["__schema"]["types"].as_array();
    assert!(types.is_some_and(|types| types.len() > 3), "{introspected}");
    collect(&introspected["__schema"], "", &mut facts);
    facts
}

fn collect(value: &Value, path: &str, facts: &mut Facts) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let inner_path = match name.as_str() {
                    // The items of these lists have names.
                    "types" | "fields" | "args" | "inputFields" | "enumValues" | "directives"
                    | "interfaces" | "possibleTypes" => path.to_owned(),
                    _ => format!("{path} {name}"),
                };
                collect(member, &inner_path, facts);
            }
        }
        Value::Array(items) => {
            for item in items {
                let name = item["name"].as_str().or(item.as_str()).unwrap_or("?");
                let inner_path = format!("{path}.{name}").trim_start_matches('.').to_owned();
                if !is_built_in(&inner_path) {
                    facts.insert(format!("{inner_path} is there"), String::new());
                    collect(item, &inner_path, facts);
                }
            }
        }
        Value::Null => {}
        leaf => {
            facts.insert(path.to_owned(), leaf.to_string());
        }
    }
}

/// Built-in types and directives, which differ between implementations.
fn is_built_in(name: &str) -> bool {
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

fn differences(served: &Facts, contract: &Facts) -> Vec<String> {
    let paths: BTreeSet<&String> = served.keys().chain(contract.keys()).collect();
    let difference = |path: &String| match (served.get(path), contract.get(path)) {
        (Some(served), Some(contract)) if served == contract => None,
        (Some(served), Some(contract)) => Some(format!(
            "{path}: served is\n{served}\nschema.graphql says\n{contract}"
        )),
        (Some(served), None) => Some(format!("{path}: served, not in schema.graphql {served}")),
        (None, contract) => Some(format!(
            "{path}: in schema.graphql, not served {contract:?}"
        )),
    };
    paths.into_iter().filter_map(difference).collect()
}

#[track_caller]
fn assert_no_differences(served: &Facts, contract: &Facts) {
    let differences = differences(served, contract);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
