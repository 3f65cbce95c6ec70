//! What lint finds, and how a finding is allowed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

use contract::{
    Schema,
    lint::{Finding, Rule, Severity, lint},
};

/// A contract without findings, into which the tests put their parts.
const GOOD: &str = r#""What can be asked."
type Query {
  "The cars in the order of their ids."
  cars("How many at most." count: Int): [Car]
  "The car with this id."
  car("The id of the car." id: ID, "The id of its owner." ownerId: ID, "Other cars." ids: [ID!]): Car
}
"What can be changed."
type Mutation {
  "Removes a car."
  removeCar("The id of the car." id: ID!): Car
}
"A car."
type Car {
  "The id of the car."
  id: ID!
  "How far it is."
  state: State @deprecated(reason: "every car is sold; use nothing instead")
}
"How far a car is."
enum State {
  "Somebody has it."
  SOLD
}
"#;

/// A change to [`GOOD`]: what is replaced, by what, and the one finding that this makes.
const BROKEN: &[(&str, &str, Rule, &str)] = &[
    ("\"A car.\"\n", "", Rule::Described, "Car"),
    ("\"A car.\"\n", "\" \"\n", Rule::Described, "Car"),
    ("\"How far it is.\"", "", Rule::Described, "Car.state"),
    (
        "\"How many at most.\"",
        "",
        Rule::Described,
        "Query.cars(count:)",
    ),
    ("\"Somebody has it.\"", "", Rule::Described, "State.SOLD"),
    (
        "\"A car.\"",
        "directive @d on OBJECT \"A car.\"",
        Rule::Described,
        "@d",
    ),
    (
        "\"A car.\"",
        "\"D.\" directive @d(a: Int) on OBJECT \"A car.\"",
        Rule::Described,
        "@d(a:)",
    ),
    (
        "\"A car.\"",
        "\"A.\" scalar date extend type Car { \"A.\" on: date } \"A car.\"",
        Rule::TypeName,
        "date",
    ),
    ("cars(", "all_cars(", Rule::FieldName, "Query.all_cars"),
    (
        "count: Int",
        "count: Int, \"A.\" After: Int",
        Rule::FieldName,
        "Query.cars(After:)",
    ),
    (
        "\"A car.\"",
        "\"D.\" directive @D on OBJECT \"A car.\"",
        Rule::FieldName,
        "@D",
    ),
    ("SOLD", "Sold", Rule::EnumValueName, "State.Sold"),
    (
        "removeCar(",
        "carRemoval(",
        Rule::MutationVerb,
        "Mutation.carRemoval",
    ),
    (
        "(reason: \"every car is sold; use nothing instead\")",
        "",
        Rule::DeprecationReason,
        "Car.state",
    ),
    (
        "\"every car is sold; use nothing instead\"",
        "\" \"",
        Rule::DeprecationReason,
        "Car.state",
    ),
    (
        "\"A car.\"",
        "\"Unused.\" scalar Date \"A car.\"",
        Rule::UnusedType,
        "Date",
    ),
    (
        "ownerId: ID",
        "owner: ID",
        Rule::IdName,
        "Query.car(owner:)",
    ),
    (
        "ownerId: ID",
        "ownerID: ID",
        Rule::IdName,
        "Query.car(ownerID:)",
    ),
    ("ids: [ID!]", "id2: [ID!]", Rule::IdName, "Query.car(id2:)"),
    ("  id: ID!\n", "  id: Int!\n", Rule::IdName, "Car.id"),
    ("count: Int", "after: Int", Rule::ListBounded, "Query.cars"),
    (
        "count: Int",
        "count: String",
        Rule::ListBounded,
        "Query.cars",
    ),
];

fn findings(sdl: &str) -> Vec<Finding> {
    let schema =
        Schema::parse("cars.graphql", sdl).unwrap_or_else(|wrong| panic!("{wrong}\n{sdl}"));
    lint(&schema)
}

fn found(sdl: &str) -> Vec<(Rule, String)> {
    let findings = findings(sdl).into_iter();
    findings
        .map(|finding| (finding.rule, finding.coordinate))
        .collect()
}

#[track_caller]
fn with(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    GOOD.replacen(from, to, 1)
}

#[test]
fn a_good_contract_has_no_findings() {
    assert_eq!(findings(GOOD), []);
}

#[test]
fn every_rule_finds_what_breaks_it() {
    for (from, to, rule, coordinate) in BROKEN {
        let expected = [(*rule, (*coordinate).to_owned())];
        assert_eq!(found(&with(from, to)), expected, "{from} -> {to}");
    }
    for rule in Rule::ALL
        .into_iter()
        .filter(|rule| *rule != Rule::Allowance)
    {
        assert!(
            BROKEN.iter().any(|(_, _, broken, _)| *broken == rule),
            "{rule} is not tested"
        );
    }
}

#[test]
fn a_finding_says_where_and_what_would_be_right() {
    let finding = findings(&with("cars(", "all_cars(")).remove(0);
    let place = finding.place.expect("it was read from a file");
    assert_eq!(place.to_string(), "cars.graphql:4:3");
    assert_eq!(finding.severity, Severity::Error);
    assert_eq!(
        finding.message,
        "the name of the field is not camelCase: write allCars"
    );
}

#[test]
fn types_are_used_where_an_interface_a_union_or_a_directive_leads_to_them() {
    let sdl = with(
        "state: State",
        "seat: Seat \"A.\" part: Part \"A.\" state: State",
    ) + r#"
        "A." interface Seat { "A." soft: Boolean } "A." type Chair implements Seat { "A." soft: Boolean }
        "A." union Part = Wheel "A." type Wheel { "A." size("A." filter: Filter): Int }
        "A." input Filter { "A." unit: Unit } "A." scalar Unit
        "A." enum Day { "A." MONDAY } "A." directive @on("A." day: Day) on OBJECT
    "#;
    assert_eq!(found(&sdl), []);
}

#[test]
fn a_connection_is_bounded_where_it_is_asked_for() {
    let connection = r#" "A." type CarConnection { "A." nodes: [Car] } "#;
    let sdl = with(
        "cars(\"How many at most.\" count: Int): [Car]",
        "cars: CarConnection",
    );
    assert_eq!(
        found(&(sdl + connection)),
        [(Rule::ListBounded, "Query.cars".to_owned())]
    );
    let sdl = with("count: Int): [Car]", "first: Int): CarConnection");
    assert_eq!(found(&(sdl + connection)), []);
}

#[test]
fn an_allowance_counts_for_the_element_below_it_and_what_is_inside() {
    let two = GOOD.replace("\"How far it is.\"", "");
    let two = two.replace("  \"The id of the car.\"\n  id: ID!", "  id: ID!");
    assert_eq!(found(&two).len(), 2);
    let allow = "# lint:allow described reason: the names say it\n";
    let above_the_type = two.replace("\"A car.\"", &format!("{allow}\"A car.\""));
    assert_eq!(found(&above_the_type), []);
    let above_one_field = two.replace("  id: ID!\n", &format!("  {allow}  # More.\n  id: ID!\n"));
    assert_eq!(
        found(&above_one_field),
        [(Rule::Described, "Car.state".to_owned())]
    );
    let for_the_file = format!("{two}# lint:allow-file described reason: the names say it");
    assert_eq!(found(&for_the_file), []);
    let of_another_rule = two.replace("\"A car.\"", "# lint:allow type-name reason: x\n\"A car.\"");
    assert_eq!(found(&of_another_rule).len(), 3);
}

#[test]
fn an_allowance_counts_for_an_extension() {
    let sdl = format!(
        "{GOOD}# lint:allow described reason: the names say it\nextend type Car {{ size: Int }}"
    );
    assert_eq!(found(&sdl), []);
}

#[test]
fn what_stands_in_a_description_is_no_allowance() {
    let block = "\"\"\"\n# lint:allow nonsense\n\\\"\"\" # lint:allow nonsense\n\"\"\"";
    assert_eq!(found(&with("\"A car.\"", block)), []);
    assert_eq!(
        found(&with("\"A car.\"", "\"\\\"# lint:allow nonsense\"")),
        []
    );
}

#[test]
fn a_wrong_allowance_is_a_finding() {
    for (comment, message) in [
        ("# lint:allow described", "gives no reason"),
        ("# lint:allow described reason:  ", "gives no reason"),
        ("# lint:allow described because it is so", "gives no reason"),
        (
            "# lint:allow decribed reason: x",
            "\"decribed\" is no rule that can be switched off; did you mean \"described\"?",
        ),
        (
            "# lint:allow allowance reason: x",
            "is no rule that can be switched off",
        ),
        (
            "# lint:permit described reason: x",
            "\"lint:permit\" is not known: write # lint:allow RULE reason: WHY",
        ),
        (
            "# lint:allow described reason: x",
            "allows what described does not find here: remove the allowance",
        ),
        (
            "# lint:allow-file described reason: x",
            "allows what described does not find here: remove the allowance",
        ),
    ] {
        let findings = findings(&with("\"A car.\"", &format!("{comment}\n\"A car.\"")));
        assert_eq!(findings.len(), 1, "{comment}: {findings:#?}");
        assert_eq!(
            (findings[0].rule, findings[0].severity),
            (Rule::Allowance, Severity::Error)
        );
        assert_eq!(findings[0].coordinate, "cars.graphql:13");
        assert!(
            findings[0].message.contains(message),
            "{comment}: {}",
            findings[0].message
        );
    }
    let behind = with("type Car {", "type Car { # lint:allow described reason: x");
    assert!(findings(&behind)[0].message.contains("a line of its own"));
    let nothing_below = format!("{GOOD}# lint:allow described reason: x");
    assert!(
        findings(&nothing_below)[0]
            .message
            .contains("remove the allowance")
    );
}

#[test]
fn a_contract_that_came_by_introspection_is_linted_without_places() {
    let answer = serde_json::json!({ "__schema": {
        "queryType": { "name": "Query" }, "mutationType": null, "subscriptionType": null, "directives": [],
        "types": [
            { "kind": "SCALAR", "name": "Int", "description": null },
            { "kind": "OBJECT", "name": "Query", "description": "Asked.", "interfaces": [], "fields": [{
                "name": "The_Answer", "description": "A number.", "args": [],
                "type": { "kind": "SCALAR", "name": "Int", "ofType": null },
                "isDeprecated": false, "deprecationReason": null }] },
        ],
    } });
    let schema = Schema::from_introspection("http://127.0.0.1/graphql", &answer).unwrap();
    let findings = lint(&schema);
    assert_eq!(findings[0].coordinate, "Query.The_Answer");
    assert_eq!(findings[0].place, None);
}
