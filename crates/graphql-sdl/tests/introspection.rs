//! A schema that is read by introspection equals the schema that is served.

#![allow(missing_docs, clippy::expect_used, reason = "a test fails by panicking")]

use apollo_compiler::{ExecutableDocument, introspection, response::JsonMap, validation::Valid};
use graphql_sdl::{INTROSPECTION, Problems, Schema};
use serde_json::{Value, json};

const SDL: &str = include_str!("../../graphql-schema-review/tests/peers/kitchen_sink.graphql");

/// The response of a service with this schema to the query without `isOneOf`, which apollo-compiler 1 does not
/// implement.
fn introspect(sdl: &str) -> Value {
    let schema = Schema::parse("schema.graphql", sdl).expect("it is valid");
    let query = INTROSPECTION.replace("isOneOf", "");
    let document = ExecutableDocument::parse_and_validate(schema.tree(), query, "query.graphql");
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

/// The kitchen sink without applied custom directives, which introspection does not contain.
fn introspectable_sdl() -> String {
    let mut sdl = SDL.to_owned();
    for directive in ["@owner", "@label"] {
        while let Some(start) = sdl.find(&format!(" {directive}")) {
            if sdl[..start].ends_with("directive") {
                sdl.replace_range(start..=start, "\u{0}");
                continue;
            }
            let end = start + 1 + directive.len();
            let tail = sdl[end..].strip_prefix('(');
            let arguments = tail.and_then(|tail| tail.find(')'));
            let end = end + arguments.map_or(0, |length| length + 2);
            sdl.replace_range(start..end, "");
        }
    }
    // The responses omit it.
    sdl.replace('\u{0}', " ").replace(" @oneOf", "")
}

#[test]
fn the_introspected_schema_equals_the_served_schema() {
    let sdl = introspectable_sdl();
    let file = Schema::parse("schema.graphql", &sdl).expect("it is valid");
    let response = introspect(&sdl);
    let served = Schema::from_introspection("http://localhost", &response).expect("it is complete");
    assert_eq!(served.canonical(), file.canonical());
    assert_eq!(served.coordinates(), file.coordinates());
    for part in [&response["data"], &response["data"]["__schema"]] {
        let served = Schema::from_introspection("http://localhost", part).expect("it is complete");
        assert_eq!(served.canonical(), file.canonical());
    }
}

#[test]
fn reads_one_of_inputs() {
    let sdl = "type Query { a(by: Key): Int }\ninput Key @oneOf { id: ID name: String }";
    let mut response = introspect(sdl);
    let old = Schema::from_introspection("http://localhost", &response).expect("it is complete");
    assert!(old.omits_directive("oneOf"));
    let types = response["data"]["__schema"]["types"].as_array_mut();
    for found in types.expect("there are types") {
        found["isOneOf"] = json!(found["name"] == "Key");
    }
    let served = Schema::from_introspection("http://localhost", &response).expect("it is complete");
    let file = Schema::parse("schema.graphql", sdl).expect("it is valid");
    assert_eq!(served.canonical(), file.canonical());
    assert!(!served.omits_directive("oneOf"));
    assert!(served.omits_directive("owner"));
    assert!(!file.omits_directive("owner"));
}

#[test]
fn an_introspected_schema_has_no_locations() {
    let response = introspect("type Query { a: Int }");
    let served = Schema::from_introspection("http://localhost", &response).expect("it is complete");
    let query = served.tree().get_object("Query").expect("it has the type");
    assert!(query.location().is_some());
    assert_eq!(served.location(query.location()), None);
}

#[test]
fn rejects_a_response_without_a_schema() {
    let mut nameless = introspect("type Query { a: Int }");
    nameless["data"]["__schema"]["types"][0]["name"] = json!("a b");
    let mut unlisted = introspect("type Query { a: Int }");
    unlisted["data"]["__schema"]["directives"] = json!(null);
    let mut without_query = introspect("type Query { a: Int }");
    without_query["data"]["__schema"]["queryType"] = json!(null);
    let responses = [
        (json!(1), "it has no object at data.__schema or __schema"),
        (
            json!({"data": null, "errors": [{"message": "introspection is off"}]}),
            "has an error: \"introspection is off\"",
        ),
        (nameless, "\"a b\" is not a name"),
        (without_query, "the schema has no \"queryType\""),
        (unlisted, "has no list \"directives\""),
    ];
    for (response, lacks) in responses {
        let problems = Schema::from_introspection("http://localhost", &response);
        let problems = problems.expect_err("it is not a schema").to_string();
        assert!(problems.starts_with("http://localhost: "), "{problems}");
        assert!(problems.contains(lacks), "{problems}");
    }
}

/// Reads a response in which the type `Query`, with a field and an argument, is edited.
fn with_query(edit: impl FnOnce(&mut Value)) -> Result<Schema, Problems> {
    let mut response = introspect("type Query { a(b: String = \"x\"): Int }");
    let types = response["data"]["__schema"]["types"].as_array_mut();
    let mut types = types.expect("there are types").iter_mut();
    edit(types.find(|found| found["name"] == "Query").expect("it has the type"));
    Schema::from_introspection("http://localhost", &response)
}

#[test]
fn a_member_of_another_kind_is_an_error() {
    for (part, member, value, expected) in [
        ("/fields/0/args/0", "defaultValue", json!(1), "\"defaultValue\" of \"b\" is 1, which is not a text"),
        (
            "/fields/0/args/0",
            "isDeprecated",
            json!("no"),
            "\"isDeprecated\" of \"b\" is \"no\", which is not a Boolean",
        ),
        ("/fields/0", "description", json!([]), "\"description\" of \"a\" is [], which is not a text"),
        ("/fields/0", "deprecationReason", json!(true), "\"deprecationReason\" of \"a\" is true, which is not a text"),
        ("", "interfaces", json!({}), "\"Query\" has no list \"interfaces\""),
    ] {
        let problems = with_query(|query| {
            query.pointer_mut(part).expect("it has the part")[member] = value;
        });
        let problems = problems.expect_err(member).to_string();
        assert!(problems.contains(expected), "{problems}");
    }
}

/// Another text than one value could inject SDL.
#[test]
fn a_default_value_is_one_value() {
    let with_default =
        |default: &str| with_query(|query| query["fields"][0]["args"][0]["defaultValue"] = json!(default));
    for default in [
        "\"x\"): Int } type Evil { b: Int } type More { c(d: Int = 1",
        "\"x\", c: Int",
        "\"x\" @deprecated",
        "\"x\") { b } }  { a(b: 1",
        "\"x\"): Int c",
        "\"x\" \"y\"",
        "",
        "# x",
    ] {
        let problems = with_default(default).expect_err(default).to_string();
        assert!(problems.contains("which is not a value"), "{problems}");
    }
    for default in ["\"x\"", "\"\"\"x\"\"\"", "\"x\" # a comment", " \"\\u0078\" "] {
        let read = with_default(default).unwrap_or_else(|problems| panic!("{problems}"));
        let file = Schema::parse("a", "type Query { a(b: String = \"x\"): Int }");
        assert_eq!(read.canonical(), file.expect("it is valid").canonical(), "{default}");
    }
}
