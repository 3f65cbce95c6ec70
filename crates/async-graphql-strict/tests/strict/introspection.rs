//! Introspection compared with that of apollo-compiler.

use apollo_compiler::{ExecutableDocument, introspection::partial_execute, response::JsonMap, validation::Valid};
use async_graphql::{EmptyMutation, EmptySubscription, Object};
use async_graphql_strict::{Settings, Strict};
use serde_json::Value;

use crate::support::{data, refused, strict};

/// Every construct that introspection can describe.
const SDL: &str = r#"
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

struct Nothing;

#[Object(name = "Query")]
impl Nothing {
    async fn id(&self) -> &str {
        "1"
    }
}

async fn found(query: &str) -> String {
    let contract = graphql_sdl::Schema::parse("schema.graphql", SDL).expect("it is valid");
    let executor = async_graphql::Schema::new(Nothing, EmptyMutation, EmptySubscription);
    let strict = Strict::new(executor, &contract, Settings::default());
    let prepared = strict.prepare(query).unwrap_or_else(|error| panic!("{:?}", error.errors));
    let response = strict.execute(prepared).await.expect("it is small");
    String::from_utf8(strict.to_json(response)).expect("it is JSON")
}

/// The response of apollo-compiler.
fn expected(query: &str) -> String {
    let contract = graphql_sdl::Schema::parse("schema.graphql", SDL).expect("it is valid");
    let schema = contract.tree();
    let document = ExecutableDocument::parse_and_validate(schema, query, "query");
    let document = document.unwrap_or_else(|error| panic!("{error}"));
    let operation = document.operations.iter().next().expect("there is one");
    let variables = Valid::assume_valid(JsonMap::new());
    let implementers = schema.implementers_map();
    let response = partial_execute(schema, &implementers, &document, operation, &variables);
    serde_json::to_string(&response.expect("it can be executed")).expect("it is JSON")
}

#[tokio::test]
async fn introspection_equals_that_of_apollo_compiler() {
    for query in [
        "{ __schema { description queryType { name } mutationType { name } subscriptionType { name } } }",
        "{ __schema { types { name } } a: __type(name: \"Query\") { ...A } b: __type(name: \"Car\") { ...A }
            c: __type(name: \"Node\") { ...A } d: __type(name: \"Thing\") { ...A } e: __type(name: \"Kind\") { ...A }
            f: __type(name: \"Filter\") { ...A } g: __type(name: \"Date\") { ...A } h: __type(name: \"One\") { ...A }
        }
        fragment A on __Type { kind name description specifiedByURL
            fields { name } all: fields(includeDeprecated: true) {
                description isDeprecated deprecationReason type { ...T } args { name }
                every: args(includeDeprecated: true) { name description type { ...T } defaultValue isDeprecated deprecationReason }
            }
            interfaces { name __typename } possibleTypes { name }
            enumValues { name } values: enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
            inputFields { name } inputs: inputFields(includeDeprecated: true) { name defaultValue isDeprecated }
        }
        fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { name } } } } }",
        "{ __schema { __typename directives { name description locations isRepeatable args(includeDeprecated: true) { name } } } }",
        "{ a: __type(name: \"Car\") { fields { ...F ... { type { fields { name } } } } } b: __type(name: \"None\") { name }
        } fragment F on __Field { name __typename type { possibleTypes { name } } }",
        "{ __type(name: \"Thing\") { possibleTypes { interfaces { fields { type { ofType { name } } } } } } }",
    ] {
        assert_eq!(found(query).await, expected(query), "{query}");
    }
}

#[tokio::test]
async fn is_one_of_is_null_for_other_types_than_input_objects() {
    let query = "{ one: __type(name: \"One\") { isOneOf } any: __type(name: \"Filter\") { isOneOf }
        other: __type(name: \"Car\") { isOneOf ofType { isOneOf } } }";
    let expected =
        r#"{"data":{"one":{"isOneOf":true},"any":{"isOneOf":false},"other":{"isOneOf":null,"ofType":null}}}"#;
    assert_eq!(found(query).await, expected);
}

#[tokio::test]
async fn fields_come_in_the_order_of_the_document() {
    let query = "{ int(v: 1) t: __type(name: \"Kind\") { name } ...F }
        fragment F on Query { __typename s: __schema { queryType { name } } }";
    let text = data(&strict(Settings::default()), query).await.to_string();
    let expected = r#"{"__typename":"Query","int":1,"s":{"queryType":{"name":"Query"}},"t":{"name":"Kind"}}"#;
    let sorted: Value = serde_json::from_str(expected).expect("it is JSON");
    assert_eq!(text, sorted.to_string());
    let query = "{ id a: __type(name: \"Car\") { name } b: id }";
    assert_eq!(found(query).await, r#"{"data":{"id":"1","a":{"name":"Car"},"b":"1"}}"#);
}

#[tokio::test]
async fn introspection_can_be_turned_off() {
    let strict = strict(Settings { introspection: false, ..Settings::default() });
    for query in
        ["{ __schema { queryType { name } } }", "{ ...F } fragment F on Query { t: __type(name: \"Book\") { name } }"]
    {
        let message = "introspection is disabled; the setting introspection enables it";
        assert_eq!(refused(&strict, query).await, message);
    }
    data(&strict, "{ __typename }").await;
}
