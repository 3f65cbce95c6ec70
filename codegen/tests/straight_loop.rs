//! Straight-line resolving answers what async-graphql's derives answer, whatever is selected.

#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

#[path = "straight_loop/mod.rs"]
mod served;

use std::{fmt::Write, sync::Arc};

use async_graphql::{
    Data, EmptyMutation, EmptySubscription, Executor, Name, Positioned, Request, Response, Schema,
    ValidationMode, Value, Variables,
    parser::{parse_query, types},
    value,
};
use futures_util::FutureExt;
use proptest::{prelude::*, sample::select};

use served::{
    Vehicles,
    contract::{
        self,
        support::{Execution, Plans, write_text, write_value},
    },
};

/// A selection set as text, for a type with these fields.
type Text = BoxedStrategy<String>;

const VEHICLE: [&str; 8] = [
    "id",
    "type",
    "modelCode",
    "launchDate",
    "tags",
    "wheels",
    "weight",
    "electric",
];
const DIRECTIVES: [&str; 6] = [
    "",
    "",
    "",
    "@include(if: $yes)",
    "@skip(if: $yes)",
    "@skip(if: false) @include(if: $no)",
];

/// A field with an alias that always means this field, so that merging is always allowed.
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
    select(names)
        .prop_flat_map(|name| field(name, None))
        .boxed()
}

/// Several selections in braces; `__typename` and fragments are among them.
fn set(of: &'static str, selections: Text, depth: u32) -> Text {
    let typename = prop_oneof![
        Just("__typename".to_owned()),
        Just("kind: __typename".to_owned())
    ];
    let selection = prop_oneof![8 => selections.clone(), 1 => typename];
    let fragment = if depth == 0 {
        selection.clone().boxed()
    } else {
        let condition = match of {
            "Vehicle" => vec!["", "on Vehicle", "on Node"],
            "Owner" => vec!["", "on Owner", "on Node"],
            _ => vec![""],
        };
        (
            select(condition),
            select(&DIRECTIVES[..]),
            set(of, selections, depth - 1),
        )
            // Below an interface only its own fields can be selected.
            .prop_map(|(condition, directive, inner)| match condition {
                "on Node" => format!("... on Node {directive} {{ id __typename }}"),
                condition => format!("... {condition} {directive} {inner}"),
            })
            .boxed()
    };
    // Something is always selected: the derives answer null for an object with nothing in it.
    prop::collection::vec(prop_oneof![3 => selection, 1 => fragment], 0..6)
        .prop_map(|selections| format!("{{ {} __typename }}", selections.join(" ")))
        .boxed()
}

fn vehicle(depth: u32) -> Text {
    let spread = Just("...Vehicle".to_owned());
    if depth == 0 {
        return set(
            "Vehicle",
            prop_oneof![9 => leaf(&VEHICLE), 1 => spread].boxed(),
            1,
        );
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
    let of_node = if of == "Node" {
        leaf(&["id"])
    } else {
        Just("__typename".to_owned()).boxed()
    };
    let vehicle = vehicle(1).prop_map(|inner| format!("... on Vehicle {inner}"));
    let owner = owner(1).prop_map(|inner| format!("... on Owner {inner}"));
    let node = Just("... on Node { id id_2: id }".to_owned());
    set(
        of,
        prop_oneof![1 => of_node, 3 => vehicle, 3 => owner, 1 => node].boxed(),
        0,
    )
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
        query.push_str(
            "u1: vehicle @skip(if: $yes) { id } u2: vehicle @skip(if: $no) { id ...Vehicle } ",
        );
        for root in roots {
            write!(query, "{root} ").expect("a text can be written to");
        }
        query + "} fragment Vehicle on Vehicle { type owner { name first { id } } tags }"
    })
}

/// The names of each object in their order, which `Value`'s equality leaves out.
fn in_order(value: &Value) -> String {
    serde_json::to_string(value).expect("a value is JSON")
}

fn answer(served: &impl Executor, query: &str) -> (String, Vec<String>) {
    let variables = Variables::from_value(value!({"yes": true, "no": false}));
    let request = Request::new(query).variables(variables);
    let response = served
        .execute(request)
        .now_or_never()
        .expect("nothing waits");
    let errors = response.errors.iter().map(|error| error.message.clone());
    (in_order(&response.data), errors.collect())
}

/// A document whose root fields have different response keys and in which nothing is to be left out
/// any more: what plans are made for.
fn reduced(query: &str) -> types::ExecutableDocument {
    let mut document = parse_query(query).expect("the query is valid");
    for fragment in document.fragments.values_mut() {
        leave_out(&mut fragment.node.selection_set.node);
    }
    let selected = root_fields(&mut document);
    leave_out(selected);
    for (place, selection) in selected.items.iter_mut().enumerate() {
        if let types::Selection::Field(field) = &mut selection.node {
            let key = Name::new(format!("root{place}"));
            field.node.alias = Some(Positioned::new(key, field.pos));
        }
    }
    document
}

fn root_fields(document: &mut types::ExecutableDocument) -> &mut types::SelectionSet {
    match &mut document.operations {
        types::DocumentOperations::Single(operation) => &mut operation.node.selection_set.node,
        types::DocumentOperations::Multiple(_) => panic!("the query has no name"),
    }
}

/// `$yes` is true and `$no` is false.
fn leave_out(set: &mut types::SelectionSet) {
    let holds = |directive: &Positioned<types::Directive>| {
        let condition = directive.node.get_argument("if").map(|value| &value.node);
        let text = condition.expect("it is required").to_string();
        let skips = directive.node.name.node == "skip";
        skips != matches!(text.as_str(), "$yes" | "true")
    };
    set.items
        .retain(|selection| selection.node.directives().iter().all(holds));
    for selection in &mut set.items {
        match &mut selection.node {
            types::Selection::Field(field) => {
                field.node.directives.clear();
                leave_out(&mut field.node.selection_set.node);
            }
            types::Selection::FragmentSpread(spread) => spread.node.directives.clear(),
            types::Selection::InlineFragment(fragment) => {
                fragment.node.directives.clear();
                leave_out(&mut fragment.node.selection_set.node);
            }
        }
    }
}

fn execute(document: types::ExecutableDocument, plans: Plans) -> Response {
    let mut request = Request::new("").data(Arc::new(plans));
    request.set_parsed_query(document);
    // Strict validation would miss the selection sets that are planned.
    let schema = Schema::build(
        contract::Query(Vehicles(3)),
        EmptyMutation,
        EmptySubscription,
    )
    .validation_mode(ValidationMode::Fast)
    .finish();
    let response = schema.execute(request).now_or_never();
    response.expect("nothing waits")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_straight_loop_answers_what_the_derives_answer(query in query()) {
        let (straight, errors) = answer(&served::straight(3), &query);
        prop_assert_eq!(errors, Vec::<String>::new(), "{}", query);
        let (derived, _) = answer(&served::derived(3), &query);
        prop_assert_eq!(straight, derived, "{}", query);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_planned_answer_is_the_same_as_text(query in query()) {
        let mut document = reduced(&query);
        let as_values = execute(document.clone(), Plans::default());
        let fragments = document.fragments.clone();
        let fields = &mut root_fields(&mut document).items;
        let plans = Plans::take::<contract::Query<Vehicles>>(fields, &fragments);
        let planned = execute(document, plans.expect("the query is valid"));
        prop_assert_eq!(&planned.errors, &Vec::new(), "{}", query);
        let mut text = Vec::new();
        write_value(&planned.data, &mut text);
        prop_assert_eq!(String::from_utf8_lossy(&text), in_order(&as_values.data), "{}", query);
    }

    #[test]
    fn an_operation_is_answered_the_same_without_validating_it_again(query in query()) {
        let document = reduced(&query);
        let validated = execute(document.clone(), Plans::default());
        let fragments = document.fragments;
        let types::DocumentOperations::Single(operation) = document.operations else {
            panic!("the query has no name");
        };
        let root = contract::Query(Vehicles(3));
        let answer = Execution::new()
            .execute(&root, operation, fragments, Variables::default(), Data::default())
            .now_or_never()
            .expect("nothing waits");
        prop_assert_eq!(&answer.errors, &Vec::new(), "{}", query);
        prop_assert_eq!(in_order(&answer.data), in_order(&validated.data), "{}", query);
    }

    #[test]
    fn a_text_is_written_as_serde_writes_it(text in any::<String>()) {
        let mut json = Vec::new();
        write_text(&text, &mut json);
        let expected = serde_json::to_string(&text).expect("a text is JSON");
        prop_assert_eq!(String::from_utf8_lossy(&json), expected);
    }
}

#[test]
fn a_text_is_escaped_as_serde_escapes_it() {
    let text: String = (0..=0x9f_u8).map(char::from).collect();
    let mut json = Vec::new();
    write_text(&text, &mut json);
    let expected = serde_json::to_string(&text).expect("a text is JSON");
    assert_eq!(String::from_utf8_lossy(&json), expected);
}

/// Written out, this one has 2^60 selections.
#[test]
fn fragments_in_fragments_take_no_exponential_time() {
    let mut query = String::from("{ vehicle { ...F0 } } ");
    for number in 0..60 {
        let next = number + 1;
        write!(
            query,
            "fragment F{number} on Vehicle {{ ...F{next} ...F{next} }} "
        )
        .expect("a text can be written to");
    }
    query.push_str("fragment F60 on Vehicle { __typename }");
    // async-graphql itself would follow them.
    let mut document = parse_query(query).expect("the query is valid");
    let fragments = std::mem::take(&mut document.fragments);
    let fields = &mut root_fields(&mut document).items;
    let plans = Plans::take::<contract::Query<Vehicles>>(fields, &fragments);
    let response = execute(document, plans.expect("the query is valid"));
    let mut text = Vec::new();
    write_value(&response.data, &mut text);
    let expected = r#"{"vehicle":{"__typename":"Vehicle"}}"#;
    assert_eq!(String::from_utf8_lossy(&text), expected);
}

/// Unlike the derives of async-graphql 7.2, which answer null.
#[test]
fn an_object_of_which_everything_is_left_out_is_empty() {
    let query =
        "query ($yes: Boolean!) { vehicle { id @skip(if: $yes) ... @skip(if: $yes) { type } } }";
    let (straight, errors) = answer(&served::straight(1), query);
    assert_eq!(
        (straight.as_str(), errors),
        (r#"{"vehicle":{}}"#, Vec::new())
    );
}

/// Unlike by the derives of async-graphql 7.2, which keep only those of the first selection.
#[test]
fn fields_are_merged_below_lists_of_lists() {
    let query = "{ vehicle { seats { id } seats { name } } }";
    let (straight, _) = answer(&served::straight(1), query);
    let expected = r#"{"vehicle":{"seats":[[{"id":"1","name":"Owner 1"},null],null]}}"#;
    assert_eq!(straight, expected);
}
