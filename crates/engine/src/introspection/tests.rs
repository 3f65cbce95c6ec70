//! Introspection compared with that of apollo-compiler, and its limits.

mod query;

use std::sync::LazyLock;

use apollo_compiler::{
    ExecutableDocument, introspection::partial_execute, request::coerce_variable_values,
};
use async_graphql::Variables;
use proptest::prelude::*;

use self::query::query;
use super::*;
use crate::{
    contract::Contract,
    document::{DocumentCache, DocumentLimits},
};

/// Every construct that introspection can describe.
const SCHEMA: &str = r#"
"A schema" schema { query: Query mutation: Change }
"Roots \"and\" escapes:	\\" type Query implements Node & Parent {
    id: ID!
    old: [[Int!]!] @deprecated(reason: "none")
    gone(old: Int = 3 @deprecated, new: Filter = {text: "a", list: [1, 2]}): Thing @deprecated
    things(kinds: [Kind!]! = [CAR]): [Thing!]!
    parents: [Parent]
}
type Change { touch: Boolean }
interface Parent { id: ID! }
interface Node implements Parent { id: ID! }
type Car implements Node & Parent { id: ID! date: Date }
union Thing = Car | Query
enum Kind { CAR "More" TRUCK @deprecated(reason: "no roads") }
input Filter { text: String = "x" old: Boolean @deprecated list: [Int!] }
input One @oneOf { a: Int b: String }
scalar Date @specifiedBy(url: "https://example.org/date")
directive @note(text: String!, old: Int @deprecated) repeatable on FIELD | OBJECT
"#;

static DOCUMENTS: LazyLock<DocumentCache> = LazyLock::new(|| documents(SCHEMA));

/// The documents of a contract, without limits.
fn documents(sdl: &'static str) -> DocumentCache {
    let limits = DocumentLimits {
        query_bytes: u32::MAX,
        tokens: u32::MAX,
        depth: u32::MAX,
        aliases: u32::MAX,
        root_fields: u32::MAX,
        directives: u32::MAX,
        fragments: u32::MAX,
        introspection_depth: u32::MAX,
        cost: u32::MAX,
        ..DocumentLimits::default()
    };
    let contract = Contract::new("schema.graphql", sdl);
    DocumentCache::new(&contract, limits, 0, Introspection::On)
}

/// The result with these limits, and its cost.
fn execute(text: &str, cost: u64, bytes: usize) -> (Option<String>, u64) {
    let mut variables = Variables::default();
    for (name, value) in [
        ("yes", true.into()),
        ("no", false.into()),
        ("name", "Kind".into()),
    ] {
        variables.insert(Name::new(name), value);
    }
    let limits = Limits { cost, bytes };
    let (introspected, cost) = executed(text, &variables, limits);
    let members = introspected.map(|introspected| {
        assert_eq!(introspected.errors.len(), 0);
        members(&introspected)
    });
    (members, cost)
}

fn executed(text: &str, variables: &Variables, limits: Limits) -> (Option<Introspected>, u64) {
    let document = DOCUMENTS.get_or_parse(text);
    let document = document.unwrap_or_else(|refused| panic!("{:?}", refused.errors));
    let operation = document.operation(None).expect("there is one");
    let merged = document.merged(&DOCUMENTS, operation, variables);
    let merged = merged.expect("there is no limit");
    introspect(DOCUMENTS.description(), &merged, variables, limits)
}

fn members(introspected: &Introspected) -> String {
    let members = introspected.members.iter();
    let members =
        members.map(|(key, value)| format!("\"{key}\":{}", String::from_utf8_lossy(value)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// The result of apollo-compiler.
fn expected(text: &str) -> String {
    let schema = &DOCUMENTS.contract;
    let document = ExecutableDocument::parse_and_validate(schema, text, "query");
    let document = document.unwrap_or_else(|error| panic!("{error}"));
    let operation = document.operations.iter().next().expect("there is one");
    let mut variables = JsonMap::new();
    variables.insert("yes", true.into());
    variables.insert("name", "Kind".into());
    if operation.variables.is_empty() {
        variables.clear();
    }
    let variables = coerce_variable_values(schema, operation, &variables).expect("they are right");
    let implementers = schema.implementers_map();
    let response = partial_execute(schema, &implementers, &document, operation, &variables);
    let response = response.expect("it can be executed");
    assert!(response.errors.is_empty(), "{:?}", response.errors);
    serde_json::to_string(&response.data).expect("a response is JSON")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn introspection_equals_that_of_apollo_compiler(query in query()) {
        let (response, ..) = execute(&query, u64::MAX, usize::MAX);
        prop_assert_eq!(response.expect("there is no limit"), expected(&query), "{}", query);
    }
}

#[test]
fn execution_stops_at_the_limits_of_cost_and_size() {
    let text = "{ __schema { types { name fields { name } } } __type(name: \"Car\") { name } }";
    let (response, cost) = execute(text, u64::MAX, usize::MAX);
    let response = response.expect("there is no limit");
    assert_eq!(response, expected(text));
    let bytes = response.len() - r#"{"__schema":,"__type":}"#.len();
    assert!(execute(text, cost, bytes).0.is_some());
    assert!(execute(text, cost - 1, bytes).0.is_none());
    assert!(execute(text, cost, bytes - 1).0.is_none());
}

#[test]
fn every_field_of_every_object_costs_one() {
    for (text, expected) in [
        ("{ __type(name: \"Car\") { name } }", 1),
        (
            "{ __type(name: \"Car\") { fields { name type { kind } } } }",
            1 + 2 * 2 + 2,
        ),
        ("{ __type(name: \"Car\") { name name name } }", 1),
        ("{ __type(name: \"None\") { name } }", 0),
    ] {
        assert_eq!(execute(text, u64::MAX, usize::MAX).1, expected, "{text}");
    }
}

#[test]
fn deeply_nested_types_are_described() {
    let depth = 30;
    let ty = "[".repeat(depth) + "Int!" + &"]!".repeat(depth);
    let documents = documents(format!("type Query {{ field: {ty} }}").leak());
    let query = &documents.description().types["Query"];
    let mut ty = &query["fields"][0]["type"];
    let mut kinds = Vec::new();
    while let Some(kind) = ty["kind"].as_str() {
        kinds.push(kind);
        ty = &ty["ofType"];
    }
    let mut expected = ["NON_NULL", "LIST"].repeat(depth);
    expected.extend(["NON_NULL", "SCALAR"]);
    assert_eq!(kinds, expected);
}
