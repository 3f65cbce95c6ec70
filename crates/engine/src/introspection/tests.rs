//! Introspection compared with that of apollo-compiler, and its limits.

use ::schema::LineIndex;
use apollo_compiler::{
    ExecutableDocument, Schema, introspection::partial_execute, request::coerce_variable_values,
    response::JsonMap, validation::Valid,
};
use async_graphql::Variables;
use proptest::{prelude::*, sample::select};
use tokio::runtime::Builder;

use super::*;

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

/// The fields of a type: those without fields of their own, and the others with their types.
fn fields(
    ty: &str,
) -> (
    &'static [&'static str],
    &'static [(&'static str, &'static str)],
) {
    match ty {
        "__Schema" => (
            &["description"],
            &[
                ("types", "__Type"),
                ("queryType", "__Type"),
                ("mutationType", "__Type"),
                ("subscriptionType", "__Type"),
                ("directives", "__Directive"),
            ],
        ),
        "__Type" => (
            &["kind", "name", "description", "specifiedByURL"],
            &[
                ("fields", "__Field"),
                ("interfaces", "__Type"),
                ("possibleTypes", "__Type"),
                ("enumValues", "__EnumValue"),
                ("inputFields", "__InputValue"),
                ("ofType", "__Type"),
            ],
        ),
        "__Field" => (
            &["name", "description", "isDeprecated", "deprecationReason"],
            &[("args", "__InputValue"), ("type", "__Type")],
        ),
        "__InputValue" => (
            &[
                "name",
                "description",
                "defaultValue",
                "isDeprecated",
                "deprecationReason",
            ],
            &[("type", "__Type")],
        ),
        "__EnumValue" => (
            &["name", "description", "isDeprecated", "deprecationReason"],
            &[],
        ),
        _ => (
            &["name", "description", "locations", "isRepeatable"],
            &[("args", "__InputValue")],
        ),
    }
}

/// Argument lists. Their index is part of the alias, so that fields with the same response key can be merged.
fn arguments(field: &str) -> &'static [&'static str] {
    match field {
        "fields" | "enumValues" | "inputFields" | "args" => &[
            "",
            "(includeDeprecated: true)",
            "(includeDeprecated: $yes)",
            "(includeDeprecated: $no)",
            "(includeDeprecated: $absent)",
        ],
        _ => &["", ""],
    }
}

const DIRECTIVES: [&str; 5] = [
    "",
    "",
    "",
    "@include(if: $no)",
    "@skip(if: $no) @include(if: $yes)",
];

fn set(ty: &'static str, depth: u32) -> BoxedStrategy<String> {
    let (leaves, objects) = fields(ty);
    let leaf = (select(leaves), any::<bool>(), select(&DIRECTIVES[..]));
    let leaf = leaf.prop_map(|(name, alias, directive)| {
        let alias = if alias {
            format!("{name}_: ")
        } else {
            String::new()
        };
        format!("{alias}{name} {directive}")
    });
    let leaf = prop_oneof![6 => leaf, 1 => Just("__typename".to_owned())].boxed();
    let mut selection = leaf.clone();
    if depth > 0 {
        let inline = (select(&DIRECTIVES[..]), set(ty, depth - 1));
        let inline =
            inline.prop_map(move |(directive, set)| format!("... on {ty} {directive} {set}"));
        let spread = Just(format!("...F{ty}")).boxed();
        selection = prop_oneof![6 => leaf, 1 => inline, 1 => spread].boxed();
        if !objects.is_empty() {
            let object = select(objects).prop_flat_map(move |(name, of)| {
                let arguments = arguments(name);
                (0..arguments.len(), set(of, depth - 1)).prop_map(move |(number, set)| {
                    format!("{name}_{number}: {name}{} {set}", arguments[number])
                })
            });
            selection = prop_oneof![1 => selection, 1 => object].boxed();
        }
    }
    let selections = prop::collection::vec(selection, 1..5);
    selections
        .prop_map(|selections| format!("{{ {} }}", selections.join(" ")))
        .boxed()
}

fn query() -> impl Strategy<Value = String> {
    let fragments = [
        "__Schema",
        "__Type",
        "__Field",
        "__InputValue",
        "__EnumValue",
        "__Directive",
    ];
    let fragments =
        fragments.map(|ty| set(ty, 0).prop_map(move |set| format!("fragment F{ty} on {ty} {set}")));
    let names = [
        "Query", "Car", "Kind", "Filter", "One", "Thing", "Node", "Parent", "Date", "No", "__Type",
    ];
    let roots = (
        set("__Schema", 3),
        select(names.to_vec()),
        set("__Type", 3),
        set("__Type", 2),
    );
    (roots, fragments).prop_map(|((schema, name, ty, named), fragments)| {
        format!(
            "query ($yes: Boolean!, $no: Boolean = false, $absent: Boolean, $name: String!) {{
                __schema {schema} id ...Roots t: __type(name: \"{name}\") {ty} __type(name: $name) {named}
             }} fragment Roots on Query {{ __schema @include(if: $yes) @skip(if: $no) {{ ...F__Schema }} }}
             fragment Used on Query {{ __schema {{ types {{ ...F__Type u: fields(includeDeprecated: $absent) {{ name }} fields {{ ...F__Field }}
             inputFields {{ ...F__InputValue }} enumValues {{ ...F__EnumValue }} }} directives {{ ...F__Directive }} }} }}
             {}",
            fragments.join("\n")
        )
        .replace("...Roots", "...Roots ...Used")
    })
}

fn contract() -> Valid<Schema> {
    let contract = ::schema::Schema::parse("schema.graphql", SCHEMA);
    definitions::schema(&contract.expect("it is valid"))
}

/// The result with these limits, its cost and its size.
fn execute(text: &str, cost: u64, bytes: usize) -> (Result<String, LimitExceeded>, u64, usize) {
    let schema = contract();
    let document = ExecutableDocument::parse_and_validate(&schema, text, "query");
    let document = document.unwrap_or_else(|error| panic!("{error}"));
    let operation = document.operations.iter().next().expect("there is one");
    let implementers = schema.implementers_map();
    let mut variables = Variables::default();
    for (name, value) in [
        ("yes", true.into()),
        ("no", false.into()),
        ("name", "Kind".into()),
    ] {
        variables.insert(Name::new(name), value);
    }
    let limits = Limits { cost, bytes };
    let lines = LineIndex::new(text);
    let planner = Planner::new(&schema, &document, &lines, &variables);
    let mut execution = IntrospectionExecution::new(planner, &implementers, limits);
    let runtime = Builder::new_current_thread()
        .build()
        .expect("it needs nothing");
    let members = runtime.block_on(execution.execute(operation));
    assert_eq!(execution.errors.len(), 0);
    let members = members.map(|members| {
        let members = members
            .iter()
            .map(|(key, value)| format!("\"{key}\":{}", String::from_utf8_lossy(value)));
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    });
    (members, execution.cost, execution.rendered_bytes)
}

/// The result of apollo-compiler.
fn expected(text: &str) -> String {
    let schema = contract();
    let document = ExecutableDocument::parse_and_validate(&schema, text, "query");
    let document = document.unwrap_or_else(|error| panic!("{error}"));
    let operation = document.operations.iter().next().expect("there is one");
    let mut variables = JsonMap::new();
    variables.insert("yes", true.into());
    variables.insert("name", "Kind".into());
    if operation.variables.is_empty() {
        variables.clear();
    }
    let variables = coerce_variable_values(&schema, operation, &variables).expect("they are right");
    let implementers = schema.implementers_map();
    let response = partial_execute(&schema, &implementers, &document, operation, &variables);
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
fn is_one_of_is_null_for_other_types_than_input_objects() {
    let text = "{ one: __type(name: \"One\") { isOneOf } any: __type(name: \"Filter\") { isOneOf }
        other: __type(name: \"Car\") { isOneOf ofType { isOneOf } } }";
    let (response, ..) = execute(text, u64::MAX, usize::MAX);
    let expected = r#"{"one":{"isOneOf":true},"any":{"isOneOf":false},"other":{"isOneOf":null,"ofType":null}}"#;
    assert_eq!(response.expect("there is no limit"), expected);
}

#[test]
fn execution_stops_at_the_limits_of_cost_and_size() {
    let text = "{ __schema { types { name fields { name } } } __type(name: \"Car\") { name } }";
    let (response, cost, bytes) = execute(text, u64::MAX, usize::MAX);
    assert_eq!(response.expect("there is no limit"), expected(text));
    assert!(execute(text, cost, bytes).0.is_ok());
    assert!(execute(text, cost - 1, bytes).0.is_err());
    assert!(execute(text, cost, bytes - 1).0.is_err());
}

#[test]
fn every_field_of_every_object_costs_one() {
    for (text, expected) in [
        ("{ __type(name: \"Car\") { name } }", 1),
        (
            "{ __type(name: \"Car\") { fields { name type { kind } } } }",
            1 + 2 * 2 + 2,
        ),
        // Merged selections and spreads have a cost too, because they take time.
        ("{ __type(name: \"Car\") { name name name } }", 3),
        (
            "{ __type(name: \"Car\") { ...F ...F } } fragment F on __Type { name }",
            3,
        ),
        ("{ __type(name: \"None\") { name } }", 0),
    ] {
        assert_eq!(execute(text, u64::MAX, usize::MAX).1, expected, "{text}");
    }
}

/// 10 aliases in each of 30 nested fragments select 10^30 fields.
#[test]
fn an_exponential_query_stops_at_the_limits() {
    let mut text = "{ __type(name: \"__Type\") { ...F0 } }".to_owned();
    for number in 0..30 {
        let nested = format!("fields {{ type {{ ...F{} }} }}", number + 1);
        let aliases = (0..10).map(|alias| format!("a{alias}: {nested}"));
        let aliases: Vec<_> = aliases.collect();
        let aliases = aliases.join(" ");
        text = format!("{text} fragment F{number} on __Type {{ {aliases} }}");
    }
    text += " fragment F30 on __Type { name }";
    let (response, cost, _) = execute(&text, 100_000, usize::MAX);
    assert!(response.is_err());
    assert_eq!(cost, 100_001);
    let (response, _, bytes) = execute(&text, u64::MAX, 100_000);
    assert!(response.is_err());
    assert_eq!(bytes, 0, "nothing is buffered");
}
