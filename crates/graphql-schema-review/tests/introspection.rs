//! What of a schema that was read by introspection is compared.

#![allow(missing_docs, clippy::expect_used, reason = "a test fails by panicking")]

use graphql_schema_review::{
    diff,
    operations::{DocumentSource, Documents, check},
};
use graphql_sdl::Schema;
use serde_json::{Value, json};

/// An input object with two fields, and whether it is `@oneOf`.
fn sdl(one_of: &str) -> Schema {
    let sdl = format!("type Query {{ book(by: Key): Int }} input Key {one_of} {{ id: ID name: ID }}");
    Schema::parse("schema.graphql", &sdl).expect("it is valid")
}

/// The same, by introspection; `isOneOf` is null where a server does not implement it.
fn introspected(is_one_of: &Value) -> Schema {
    let named = |kind, name| json!({ "kind": kind, "name": name });
    let input = |name, ty| json!({ "name": name, "type": ty });
    let (by, id) = (named("INPUT_OBJECT", "Key"), named("SCALAR", "ID"));
    let response = json!({ "data": { "__schema": {
        "queryType": { "name": "Query" }, "directives": [],
        "types": [
            { "kind": "OBJECT", "name": "Query", "fields": [
                { "name": "book", "args": [input("by", by)], "type": named("SCALAR", "Int") }] },
            { "kind": "INPUT_OBJECT", "name": "Key", "isOneOf": is_one_of,
              "inputFields": [input("id", id.clone()), input("name", id)] },
        ],
    } } });
    Schema::from_introspection("response.json", &response).expect("it is complete")
}

#[test]
fn one_of_is_compared_exactly_if_both_schemas_state_it() {
    let (without, one_of) = (sdl(""), sdl("@oneOf"));
    let (no, yes, unknown) = (introspected(&json!(false)), introspected(&json!(true)), introspected(&Value::Null));
    assert_eq!((no.hash(), yes.hash()), (without.hash(), one_of.hash()));
    let added = "breaking DIRECTIVE_USAGE_INPUT_OBJECT_ADDED Key";
    let removed = "safe DIRECTIVE_USAGE_INPUT_OBJECT_REMOVED Key";
    for (old, new, expected) in [
        (&no, &yes, &[added][..]),
        (&yes, &no, &[removed]),
        (&without, &yes, &[added]),
        (&no, &one_of, &[added]),
        (&one_of, &yes, &[]),
        (&yes, &one_of, &[]),
        (&unknown, &one_of, &[]),
        (&one_of, &unknown, &[]),
        (&unknown, &yes, &[]),
        (&unknown, &unknown, &[]),
    ] {
        let changes = diff(old, new).into_iter();
        let changes = changes.map(|one| format!("{} {} {}", one.level, one.kind, one.coordinate));
        assert_eq!(changes.collect::<Vec<_>>(), expected);
    }
}

#[test]
fn no_operation_stops_working_because_the_old_response_omits_one_of() {
    let operation = "{ book(by: {id: 1, name: 2}) }".to_owned();
    let files = DocumentSource::Files(vec![("a.graphql".to_owned(), operation)]);
    let documents = Documents::read([files]).expect("they are valid");
    let new = sdl("@oneOf");
    for (old, broken, invalid_before) in [(Value::Null, 0, 0), (json!(false), 1, 0), (json!(true), 0, 1)] {
        let old = introspected(&old);
        let checked = check(&documents, Some(&old), &new, &diff(&old, &new));
        let counts = (checked.broken.len(), checked.invalid_before.len());
        assert_eq!(counts, (broken, invalid_before), "{checked:#?}");
    }
}
