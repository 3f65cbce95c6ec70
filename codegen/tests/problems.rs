//! What a person is told when a contract can't be translated: every problem at once, each with its
//! place and a way out.

#![allow(
    missing_docs,
    clippy::needless_raw_string_hashes,
    reason = "a test, and how expect-test writes"
)]

use codegen::Contract;
use expect_test::{Expect, expect};

fn check(contract: &Contract, sdl: &str, expected: &Expect) {
    let problems = contract
        .translate(sdl)
        .expect_err("the contract has problems");
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let lines = lines.join("\n") + "\n";
    expected.assert_eq(&lines);
}

fn check_plain(sdl: &str, expected: &Expect) {
    check(&Contract::new("schema.graphql"), sdl, expected);
}

#[test]
fn unknown_types_are_all_reported_with_a_suggestion() {
    let sdl = "type Query {\n  vehicle(id: Id): Vehicel\n  all: [Vehicle!]\n}\n\ntype Vehicle {\n  id: ID!\n  date: Dte\n}\n\nunion Any = Vehicle | Car\n";
    check_plain(
        sdl,
        &expect![[r#"
            schema.graphql:2:15: unknown type "Id"; did you mean "ID"?
            schema.graphql:2:20: unknown type "Vehicel"; did you mean "Vehicle"?
            schema.graphql:8:9: unknown type "Dte"
            schema.graphql:11:23: cannot find type "Car" in this document
        "#]],
    );
}

#[test]
fn syntax_errors_are_located() {
    check_plain(
        "type Query {\n  a Int\n}\n",
        &expect![[r#"
        schema.graphql:2:5: syntax error: expected a type
        schema.graphql:3:1: syntax error: expected a type
    "#]],
    );
    check_plain(
        "",
        &expect![[r#"
        schema.graphql:1:1: syntax error: Unexpected <EOF>.
    "#]],
    );
    check_plain(
        "type Query { a: Int }\nquery { a }\n",
        &expect![[r#"
        schema.graphql:2:1: a schema document must not contain an operation definition
    "#]],
    );
}

#[test]
fn a_message_that_quotes_the_end_of_a_line_has_one_line() {
    check_plain(
        "type Query { a\n---\n: Int }\n",
        &expect![[r#"
            schema.graphql:2:1: syntax error: Unexpected character "-"
            schema.graphql:2:3: syntax error: Unexpected character "\n"
        "#]],
    );
    check_plain(
        "type Query { a: Int } \u{1b}",
        &expect![[r#"
            schema.graphql:1:23: syntax error: Unexpected character "\u{1b}"
        "#]],
    );
}

#[test]
fn rules_of_graphql_are_checked() {
    let sdl = "type Query implements Node { a: Int a: String b(x: Out): In }\ntype Out { c: Int }\ninput In { d: Int }\ninterface Node { id: ID! }\n";
    check_plain(
        sdl,
        &expect![[r#"
            schema.graphql:1:1: type "Query" does not satisfy interface "Node": missing field "id"
            schema.graphql:1:37: duplicate definitions for the "a" field of object type "Query"
            schema.graphql:1:47: "b" field must return an output type
            schema.graphql:1:49: "x" field must be of an input type
        "#]],
    );
    check_plain(
        "type Vehicle { id: ID }",
        &expect![[r#"
        schema.graphql: missing query root operation type in schema definition
    "#]],
    );
}

#[test]
fn what_async_graphql_would_leave_out_is_refused() {
    let sdl = "\"All of it.\"\nschema { query: Query }\ndirective @length(max: Int!) on FIELD_DEFINITION\ntype Query { a: String @length(max: 5) }\ntype Unused { a: Int }\n";
    check_plain(
        sdl,
        &expect![[r#"
        schema.graphql:1:1: the description of the schema can't be served by async-graphql; move it to the root types
        schema.graphql:3:1: the directive "@length" can't be served by async-graphql; remove its definition and its uses
        schema.graphql:5:6: no field of a served type leads to the type "Unused", so async-graphql would leave it out; use it or remove it
    "#]],
    );
}

#[test]
fn scalars_and_objects_need_rust_types() {
    let sdl = "scalar Date\ntype Query { today: Date shop: Shop }\ntype Shop {\n  offers(first: Int): [Int]\n  mother: Shop\n}\n";
    check_plain(
        sdl,
        &expect![[r#"
        schema.graphql:1:8: the scalar "Date" has no Rust type; name one in build.rs: .scalar("Date", "crate::…")
        schema.graphql:4:3: Shop.offers takes arguments, so Shop needs a Rust type that resolves it; name one in build.rs: .object("Shop", "crate::…")
    "#]],
    );
}

#[test]
fn bindings_must_fit_the_contract() {
    let contract = Contract::new("schema.graphql")
        .scalar("Dat", "crate::Date")
        .scalar("Date", "crate::Date")
        .object("Vehicel", "crate::Vehicle")
        .object("Query", "crate::Query")
        .object("Vehicle", "not a path");
    let sdl = "scalar Date\ntype Query { today: Date vehicle: Vehicle }\ntype Vehicle { id: ID }\n";
    check(
        &contract,
        sdl,
        &expect![[r#"
        schema.graphql: build.rs names a Rust type for the scalar "Dat", which this file does not define; did you mean "Date"?
        schema.graphql: build.rs names a Rust type for the root type "Query"; leave it out and implement QueryResolver for it
        schema.graphql: build.rs names a Rust type for the object type "Vehicel", which this file does not define; did you mean "Vehicle"?
        schema.graphql: build.rs names "not a path" for "Vehicle", which is not the path of a Rust type
    "#]],
    );
}

#[test]
fn types_with_resolvers_cannot_be_members() {
    let contract = Contract::new("schema.graphql").object("Shop", "crate::Shop");
    let sdl = "type Query { any: Any }\nunion Any = Shop | Book\ntype Book { id: ID }\ntype Shop { offers(first: Int): [Int] }\n";
    check(
        &contract,
        sdl,
        &expect![[r#"
        schema.graphql:2:7: Any may be Shop, which has fields with arguments (or leads to one): such types can't be part of an interface or union here; move those fields to another type
    "#]],
    );
}

#[test]
fn root_types_are_not_answers() {
    let sdl = "type Query { again: Query }\ntype Mutation implements Node { id: ID node: Node }\ninterface Node { id: ID }\n";
    check_plain(
        sdl,
        &expect![[r#"
        schema.graphql:1:14: Query.again answers the root type Query, which only the service as a whole can answer; use another type
        schema.graphql:2:26: the root type Mutation can't implement the interface Node; let other types implement it
    "#]],
    );
}

#[test]
fn names_that_become_the_same_in_rust_are_refused() {
    let sdl = "type Query {\n  launchDate(a_b: Int, aB: Int): Int\n  launch_date: Int\n  colour: Colour\n}\nenum Colour { DARK_RED DarkRed }\ntype QueryLaunchDateArguments { a: Int }\n";
    check_plain(
        sdl,
        &expect![[r#"
        schema.graphql:2:24: "aB" and "a_b" would both be `a_b` in Rust (in launchDate); rename one
        schema.graphql:3:3: "launch_date" and "launchDate" would both be `launch_date` in Rust (in Query); rename one
        schema.graphql:6:24: "DarkRed" and "DARK_RED" would both be `DarkRed` in Rust (in Colour); rename one
        schema.graphql:7:6: no field of a served type leads to the type "QueryLaunchDateArguments", so async-graphql would leave it out; use it or remove it
        schema.graphql:7:6: "QueryLaunchDateArguments" and "launchDate" would both be `QueryLaunchDateArguments` in Rust (in the crate's module); rename one
    "#]],
    );
}

#[test]
fn default_values_must_fit_their_type() {
    let sdl = "scalar Date\nenum Kind { A B }\ninput In { a: Int! b: Kind = C }\ninput One @oneOf { a: Int b: String }\ntype Query {\n  f(int: Int = \"1\", big: Int = 3000000000, kind: Kind! = null, list: [Int!] = [1, \"2\"], object: In = {b: A, x: 1}, lacks: In = {}, date: Date = \"2024-02-29\", one: One = {a: 1}): Int\n}\n";
    let contract = Contract::new("schema.graphql").scalar("Date", "crate::Date");
    check(
        &contract,
        sdl,
        &expect![[r#"
        schema.graphql:3:30: default of "b": C is not a value of the type Kind!
        schema.graphql:6:16: default of "int": "1" is not a value of the type Int!
        schema.graphql:6:32: default of "big": 3000000000 is not a value of the type Int!
        schema.graphql:6:58: default of "kind": null is not a value of the type Kind!
        schema.graphql:6:79: default of "list": "2" is not a value of the type Int!
        schema.graphql:6:102: default of "object": In has no field "x"
        schema.graphql:6:128: default of "lacks": {} lacks the field "a", which In requires
        schema.graphql:6:145: default of "date": a default value of the custom scalar Date can't be checked here; leave it out and say in the description what is assumed
        schema.graphql:6:170: default of "one": a default value of the @oneOf type One is not supported; leave it out
    "#]],
    );
}

#[test]
fn one_of_fields_are_nullable_and_without_default() {
    let sdl = "type Query { f(by: Key): Int }\ninput Key @oneOf {\n  id: ID!\n  name: String = \"n\"\n}\n";
    check_plain(
        sdl,
        &expect![[r#"
        schema.graphql:3:3: the field "id" of the @oneOf type Key must be nullable and have no default
        schema.graphql:4:3: the field "name" of the @oneOf type Key must be nullable and have no default
    "#]],
    );
}
