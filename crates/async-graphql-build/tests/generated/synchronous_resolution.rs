//! Synchronous resolution returns the same as async-graphql's derives, for random selections.

mod served;

use std::fmt::Write;

use async_graphql::{Executor, Request, Variables, value};
use proptest::{prelude::*, sample::select};

/// A selection set as text, for a type with these fields.
type Text = BoxedStrategy<String>;

const VEHICLE: [&str; 8] = ["id", "type", "modelCode", "launchDate", "tags", "wheels", "weight", "electric"];
const DIRECTIVES: [&str; 6] =
    ["", "", "", "@include(if: $yes)", "@skip(if: $yes)", "@skip(if: false) @include(if: $no)"];

/// A field with an alias that is unique to it, so that fields with the same key can always be merged.
fn field(name: &'static str, inner: Option<Text>) -> Text {
    let inner = inner.unwrap_or_else(|| Just(String::new()).boxed());
    (0..4_u8, select(&DIRECTIVES[..]), inner)
        .prop_map(move |(alias, directive, inner)| match alias {
            0 | 1 => format!("{name} {directive} {inner}"),
            alias => format!("{name}_{alias}: {name} {directive} {inner}"),
        })
        .boxed()
}

fn leaf(names: &'static [&'static str]) -> Text {
    select(names).prop_flat_map(|name| field(name, None)).boxed()
}

/// Several selections in braces, including `__typename` and fragments.
fn set(of: &'static str, selections: Text, depth: u32) -> Text {
    let typename = prop_oneof![Just("__typename".to_owned()), Just("kind: __typename".to_owned())];
    let selection = prop_oneof![8 => selections.clone(), 1 => typename];
    let fragment = if depth == 0 {
        selection.clone().boxed()
    } else {
        let condition = match of {
            "Vehicle" => vec!["", "on Vehicle", "on Node"],
            "Owner" => vec!["", "on Owner", "on Node"],
            _ => vec![""],
        };
        (select(condition), select(&DIRECTIVES[..]), set(of, selections, depth - 1))
            // On an interface only its own fields can be selected.
            .prop_map(|(condition, directive, inner)| match condition {
                "on Node" => format!("... on Node {directive} {{ id __typename }}"),
                condition => format!("... {condition} {directive} {inner}"),
            })
            .boxed()
    };
    // `__typename` is always selected: the derives return null for an object without fields.
    prop::collection::vec(prop_oneof![3 => selection, 1 => fragment], 0..6)
        .prop_map(|selections| format!("{{ {} __typename }}", selections.join(" ")))
        .boxed()
}

fn vehicle(depth: u32) -> Text {
    let spread = Just("...Vehicle".to_owned());
    if depth == 0 {
        return set("Vehicle", prop_oneof![9 => leaf(&VEHICLE), 1 => spread].boxed(), 1);
    }
    let selections = prop_oneof![
        5 => leaf(&VEHICLE),
        1 => spread,
        1 => field("owner", Some(owner(depth - 1))),
        // Always the same: the derives lose fields that are merged below a list of lists.
        1 => field("seats", Some(Just("{ id name }".to_owned()).boxed())),
    ];
    set("Vehicle", selections.boxed(), 2)
}

fn owner(depth: u32) -> Text {
    let leaves = leaf(&["id", "name"]);
    if depth == 0 {
        return set("Owner", leaves, 1);
    }
    let selections = prop_oneof![3 => leaves, 1 => field("first", Some(vehicle(depth - 1)))];
    set("Owner", selections.boxed(), 2)
}

fn either(of: &'static str) -> Text {
    let of_node = if of == "Node" { leaf(&["id"]) } else { Just("__typename".to_owned()).boxed() };
    let vehicle = vehicle(1).prop_map(|inner| format!("... on Vehicle {inner}"));
    let owner = owner(1).prop_map(|inner| format!("... on Owner {inner}"));
    let node = Just("... on Node { id id_2: id }".to_owned());
    set(of, prop_oneof![1 => of_node, 3 => vehicle, 3 => owner, 1 => node].boxed(), 0)
}

fn query() -> impl Strategy<Value = String> {
    let root = prop_oneof![
        field("vehicles", Some(vehicle(2))),
        field("vehicle", Some(vehicle(2))),
        field("things", Some(either("Thing"))),
        field("nodes", Some(either("Node"))),
    ];
    prop::collection::vec(root, 1..4).prop_map(|roots| {
        let mut query = String::from("query ($yes: Boolean!, $no: Boolean!) { ");
        query.push_str("u1: vehicle @skip(if: $yes) { id } u2: vehicle @skip(if: $no) { id ...Vehicle } ");
        for root in roots {
            write!(query, "{root} ").expect("a text can be written to");
        }
        query + "} fragment Vehicle on Vehicle { type owner { name first { id } } tags }"
    })
}

fn variables() -> Variables {
    Variables::from_value(value!({"yes": true, "no": false}))
}

/// The response as JSON.
fn execute(schema: &impl Executor, query: &str) -> String {
    let request = Request::new(query).variables(variables());
    let response = served::runtime().block_on(schema.execute(request));
    serde_json::to_string(&response).expect("a response is JSON")
}

fn execute_derived(query: &str) -> String {
    execute(&served::derived(3), query)
}

fn execute_generated(query: &str) -> String {
    execute(&served::generated(3), query)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn returns_the_same_as_the_derives(query in query()) {
        prop_assert_eq!(execute_generated(&query), execute_derived(&query), "{}", query);
    }
}

/// Unlike the derives of async-graphql 7.2, which return null.
#[test]
fn an_object_whose_fields_are_all_skipped_is_empty() {
    let query = "query ($yes: Boolean!) { vehicle { id @skip(if: $yes) ... @skip(if: $yes) { type } } }";
    let expected = r#"{"data":{"vehicle":{}}}"#;
    assert_eq!(execute_generated(query), expected);
}

/// Unlike the derives of async-graphql 7.2, which resolve only the fields of the first selection.
#[test]
fn merges_fields_below_lists_of_lists() {
    let query = "{ vehicle { seats { id } seats { name } } }";
    let expected = r#"{"data":{"vehicle":{"seats":[[{"id":"1","name":"Owner 1"},null],null]}}}"#;
    assert_eq!(execute_generated(query), expected);
}
