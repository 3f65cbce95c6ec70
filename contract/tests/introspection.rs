//! A schema that came by introspection is the schema that was served.

#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

use apollo_compiler::{ExecutableDocument, introspection, response::JsonMap, validation::Valid};
use contract::{Schema, diff};
use serde_json::{Value, json};

const SDL: &str = include_str!("peers/kitchen_sink.graphql");

const QUERY: &str = "{ __schema {
  description queryType { name } mutationType { name } subscriptionType { name }
  directives { name description isRepeatable locations args(includeDeprecated: true) { ...input } }
  types {
    kind name description specifiedByURL interfaces { name } possibleTypes { name }
    fields(includeDeprecated: true) {
      name description isDeprecated deprecationReason type { ...ref }
      args(includeDeprecated: true) { ...input }
    }
    enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
    inputFields(includeDeprecated: true) { ...input }
  }
} }
fragment input on __InputValue {
  name description defaultValue isDeprecated deprecationReason type { ...ref }
}
fragment ref on __Type {
  kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } }
}";

/// What a service with this schema answers to the query.
fn introspect(sdl: &str) -> Value {
    let schema = Schema::parse("schema.graphql", sdl).expect("it is valid");
    let document = ExecutableDocument::parse_and_validate(schema.tree(), QUERY, "query.graphql");
    let document = document.expect("the query is valid");
    let operation = document.operations.get(None).expect("there is one");
    let response = introspection::partial_execute(
        schema.tree(),
        &schema.tree().implementers_map(),
        &document,
        operation,
        &Valid::assume_valid(JsonMap::new()),
    );
    let response = response.expect("it is executed");
    serde_json::to_value(response).expect("it is JSON")
}

/// The kitchen sink without what introspection does not tell: where its own directives stand.
fn told() -> String {
    let mut sdl = SDL.to_owned();
    for directive in ["@owner", "@label"] {
        while let Some(start) = sdl.find(&format!(" {directive}")) {
            if sdl[..start].ends_with("directive") {
                sdl.replace_range(start..=start, "\u{0}");
                continue;
            }
            let end = start + 1 + directive.len();
            let rest = &sdl[end..];
            let arguments = rest.strip_prefix('(').and_then(|rest| rest.find(')'));
            let end = end + arguments.map_or(0, |length| length + 2);
            sdl.replace_range(start..end, "");
        }
    }
    // apollo-compiler 1 does not answer `isOneOf`.
    sdl.replace('\u{0}', " ").replace(" @oneOf", "")
}

#[test]
fn what_is_introspected_is_what_is_served() {
    let sdl = told();
    let file = Schema::parse("schema.graphql", &sdl).expect("it is valid");
    let answer = introspect(&sdl);
    let served = Schema::from_introspection("http://localhost", &answer).expect("it is whole");
    assert_eq!(diff(&file, &served), []);
    assert_eq!(served.coordinates(), file.coordinates());
    for part in [&answer["data"], &answer["data"]["__schema"]] {
        let served = Schema::from_introspection("http://localhost", part).expect("it is whole");
        assert_eq!(diff(&file, &served), []);
    }
}

#[test]
fn an_input_of_which_one_field_is_given_stays_one() {
    let sdl = "type Query { a(by: Key): Int }\ninput Key @oneOf { id: ID name: String }";
    let mut answer = introspect(sdl);
    let types = answer["data"]["__schema"]["types"].as_array_mut();
    for found in types.expect("there are types") {
        found["isOneOf"] = json!(found["name"] == "Key");
    }
    let served = Schema::from_introspection("http://localhost", &answer).expect("it is whole");
    let file = Schema::parse("schema.graphql", sdl).expect("it is valid");
    assert_eq!(diff(&file, &served), []);
}

#[test]
fn what_is_introspected_has_no_places() {
    let answer = introspect("type Query { a: Int }");
    let served = Schema::from_introspection("http://localhost", &answer).expect("it is whole");
    let file = Schema::parse("schema.graphql", "type Query { b: Int }").expect("it is valid");
    let changes = diff(&served, &file);
    assert_eq!(changes.len(), 2);
    assert!(changes.iter().all(|change| change.old.is_none()));
}

#[test]
fn an_answer_that_is_no_schema_is_refused_with_what_it_lacks() {
    let mut nameless = introspect("type Query { a: Int }");
    nameless["data"]["__schema"]["types"][0]["name"] = json!("a b");
    let mut unlisted = introspect("type Query { a: Int }");
    unlisted["data"]["__schema"]["directives"] = json!(null);
    let answers = [
        (json!(1), "it has no object at data.__schema or __schema"),
        (
            json!({"data": null, "errors": [{"message": "introspection is off"}]}),
            "answers introspection with an error: \"introspection is off\"",
        ),
        (nameless, "\"a b\" is no name"),
        (unlisted, "has no list \"directives\""),
    ];
    for (answer, lacks) in answers {
        let problems = Schema::from_introspection("http://localhost", &answer);
        let problems = problems.expect_err("it is no schema").to_string();
        assert!(problems.starts_with("http://localhost: "), "{problems}");
        assert!(problems.contains(lacks), "{problems}");
    }
}
