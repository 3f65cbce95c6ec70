//! The problems of contracts that can't be translated: all of them together, each with its location and a
//! suggestion.

#![allow(missing_docs, clippy::needless_raw_string_hashes, reason = "a test, and how expect-test writes")]

use async_graphql_build::Contract;
use expect_test::{Expect, expect};

fn check(contract: &Contract, sdl: &str, expected: &Expect) {
    let problems = contract.translate(sdl).err().expect("the contract has problems");
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let lines = lines.join("\n") + "\n";
    expected.assert_eq(&lines);
}

fn check_plain(sdl: &str, expected: &Expect) {
    check(&Contract::new("schema.graphql"), sdl, expected);
}

#[test]
fn reports_all_unknown_types_with_a_suggestion() {
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
fn reports_the_first_syntax_error_of_each_definition() {
    check_plain(
        "type Query {\n  a Int\n  b Int\n}\ntype A {\n  a: = 3 b: [Int }\nenum B { A: 1 }\nunion C = |\ndirective d on FIELD\ntpye E { a: Int }\nextend type\n",
        &expect![[r#"
            schema.graphql:2:5: syntax error: expected ":" and a type
            schema.graphql:6:6: syntax error: expected a type
            schema.graphql:7:11: syntax error: expected "}", found :
            schema.graphql:9:11: syntax error: expected a definition (schema, scalar, type, interface, union, enum, input, directive, extend)
            schema.graphql:12:1: syntax error: expected a name
        "#]],
    );
    check_plain(
        "",
        &expect![[r#"
            schema.graphql:1:1: the file is empty; define the type Query
        "#]],
    );
}

#[test]
fn escapes_line_ends_in_messages() {
    check_plain(
        "type Query { a\n---\n: Int }\n",
        &expect![[r#"
            schema.graphql:2:1: syntax error: Unexpected character "-"
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
fn validates_the_rules_of_graphql() {
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
fn requires_rust_types_for_scalars_and_resolved_objects() {
    let sdl = "scalar Date\ntype Query { today: Date shop: Shop }\ntype Shop {\n  offers(first: Int): [Int]\n  mother: Shop\n}\ntype Street { shops: [Building] }\nunion Building = Shop\n";
    check_plain(
        sdl,
        &expect![[r#"
            schema.graphql:1:8: the scalar "Date" has no Rust type; name one in the build script: .scalar("Date", "crate::…")
            schema.graphql:3:6: Shop needs a Rust type with resolvers, because offers has arguments; name one in the build script: .object("Shop", "crate::…")
            schema.graphql:7:6: Street needs a Rust type with resolvers, because shops returns Building, which has resolvers; name one in the build script: .object("Street", "crate::…")
        "#]],
    );
}

#[test]
fn modules_bind_scalars_and_resolved_objects_by_their_names() {
    let sdl = "scalar Date\nscalar URL\ntype Query { today: Date shop: Shop url: URL plain: Plain }\ntype Shop {\n  offers(first: Int): [Int]\n  street: street\n}\ntype street { shops: [Shop] plain: Plain }\ntype Plain { a: Int }\n";
    let contract = Contract::new("schema.graphql")
        .scalar("URL", "url::Url")
        .scalars_in("crate::scalars")
        .object("Shop", "crate::shop::Shop")
        .objects_in("crate::types");
    declared(
        &contract,
        sdl,
        &[
            "use crate::scalars::Date;",
            "use url::Url as URL;",
            "use crate::shop::Shop;",
            "use crate::types::Street;",
            "pub struct Plain {",
        ],
    );
}

#[test]
fn reports_a_module_that_is_no_path_once() {
    check(
        &Contract::new("schema.graphql").objects_in("not a path"),
        "type Query { shop: Shop }\ntype Shop { offers(first: Int): [Int] }\n",
        &expect![[r#"
            schema.graphql: the build script names "not a path", which is not the path of a Rust module
            schema.graphql:2:6: Shop needs a Rust type with resolvers, because offers has arguments; name one in the build script: .object("Shop", "crate::…")
        "#]],
    );
}

#[test]
fn refuses_bindings_that_do_not_match_the_contract() {
    let contract = Contract::new("schema.graphql")
        .scalar("Dat", "crate::Date")
        .scalar("Date", "crate::Date")
        .object("Vehicel", "crate::Vehicle")
        .object("Subscription", "crate::Events")
        .object("Vehicle", "not a path");
    let sdl = "scalar Date\ntype Query { today: Date vehicle: Vehicle }\ntype Subscription { today: Date }\ntype Vehicle { id: ID }\n";
    check(
        &contract,
        sdl,
        &expect![[r#"
            schema.graphql: the build script names "not a path", which is not the path of a Rust type
            schema.graphql: the build script names a Rust type for the object type "Vehicel", which this file does not define; did you mean "Vehicle"?
            schema.graphql: the build script names a Rust type for the root type "Subscription"; remove it and implement SubscriptionResolver for it
            schema.graphql: the build script names a Rust type for the scalar "Dat", which this file does not define; did you mean "Date"?
        "#]],
    );
}

#[test]
fn refuses_to_distinguish_omitted_fields_where_there_are_none() {
    let contract = Contract::new("schema.graphql")
        .distinguish_omitted("Change")
        .distinguish_omitted("Vehicle")
        .distinguish_omitted("Key")
        .distinguish_omitted("Changes");
    let sdl = "type Query { find(key: Key, changes: Changes = {a: 1}): Vehicle }\ntype Vehicle { id: ID }\ninput Changes { a: Int }\ninput Key @oneOf { a: Int }\n";
    check(
        &contract,
        sdl,
        &expect![[r#"
            schema.graphql: the build script distinguishes omitted fields of "Key", but the only field of a @oneOf type is never null; remove it there
            schema.graphql: the build script distinguishes omitted fields of the input object "Change", which this file does not define; did you mean "Changes"?
            schema.graphql: the build script distinguishes omitted fields of the input object "Vehicle", which this file does not define
        "#]],
    );
}

#[test]
fn refuses_root_types_as_values_without_a_rust_type_and_those_of_subscriptions() {
    let sdl = "type Query { again: Query }\ntype Mutation implements Node { id: ID node: Node }\ninterface Node { id: ID }\ntype Subscription { of: Subscription }\nschema { query: Query mutation: Mutation subscription: Subscription }\n";
    check_plain(
        sdl,
        &expect![[r#"
            schema.graphql:1:6: Query needs a Rust type with resolvers, because it is a root type and also the type of a field, a member of a union, or has interfaces; name one in the build script: .object("Query", "crate::…")
            schema.graphql:2:6: Mutation needs a Rust type with resolvers, because it is a root type and also the type of a field, a member of a union, or has interfaces; name one in the build script: .object("Mutation", "crate::…")
            schema.graphql:4:6: Subscription is the root type of subscriptions, whose fields have no values, so it cannot be the type of a field, a member of a union or implement an interface; use another type there
        "#]],
    );
}

#[test]
fn refuses_guards_and_complexities_of_no_field_and_those_that_are_no_expressions() {
    let contract = Contract::new("schema.graphql")
        .guard("Query.vehicle", "crate::Guard")
        .guard("Vehicle.id", "crate::Guard")
        .guard("Query.vehicles", "crate::Guard +")
        .complexity("Vehicle.id", "2 * child_complexity // of the list")
        .complexity("Vehicle.idd", "1")
        .object("Vehicle", "crate::Vehicle // of the catalogue");
    let sdl = "type Query { vehicles: [Vehicle] }\ntype Vehicle { id: ID }\n";
    check(
        &contract,
        sdl,
        &expect![[r#"
            schema.graphql: the build script names "crate::Vehicle // of the catalogue", which is not the path of a Rust type
            schema.graphql: the build script states a complexity for "Vehicle.idd", which is not a field that can have one; did you mean "Vehicle.id"?
            schema.graphql: the build script states a guard for "Query.vehicle", which is not a field that can have one; did you mean "Query.vehicles"?
            schema.graphql: the build script states a guard for "Vehicle.id", which is not a field that can have one
            schema.graphql: the build script states the complexity "2 * child_complexity // of the list" of Vehicle.id, which is not a Rust expression
            schema.graphql: the build script states the guard "crate::Guard +" of Query.vehicles, which is not a Rust expression
        "#]],
    );
}

/// The lines of the generated code that declare these names.
fn declared(contract: &Contract, sdl: &str, names: &[&str]) {
    let source = contract.translate(sdl).expect("the contract has no problems").source();
    for name in names {
        assert!(source.contains(name), "{name} is missing in\n{source}");
    }
}

#[test]
fn names_that_would_become_equal_stay_as_they_are() {
    declared(
        &Contract::new("schema.graphql"),
        "type Query {\n  launchDate(a_b: Int, aB: Int): Int\n  launch_date(foo1: Int, foo_1: Int): Int\n  colour: Colour\n  type: Int\n  TYPE: Int\n  isNew(by: Key): Int\n}\nenum Colour { DARK_RED DarkRed RED }\ninput Key @oneOf { foo1: Int foo_1: Int fooBar: Int }\ntype book { a: Int }\ntype Book { a: Int }\n",
        &[
            "fn launchDate(",
            "fn launch_date(",
            "struct QuerylaunchDateArguments<TypeOfa_b, TypeOfaB>",
            "struct Querylaunch_dateArguments<TypeOffoo1, TypeOffoo_1>",
            "fn r#type(",
            "fn TYPE(",
            "fn is_new(",
            " DARK_RED,",
            " DarkRed,",
            " Red,",
            " foo1(i32)",
            " foo_1(i32)",
            " FooBar(i32)",
            "pub struct book {",
            "pub struct Book {",
        ],
    );
}

#[test]
fn types_that_would_become_equal_hide_no_name_of_rust() {
    declared(
        &Contract::new("schema.graphql").objects_in("crate::types"),
        "type Query { a: type b: Type c: option d: Option }\ntype type { a(b: Int): Int }\ntype Type { a: Int }\ntype option { a: Int }\ntype Option { a: Int }\n",
        &[
            "pub trait typeResolver",
            "use crate::types::r#type;",
            "pub struct Type {",
            "pub struct option {",
            "pub struct Option_ {",
        ],
    );
}

#[test]
fn the_build_script_renames_elements() {
    let contract = Contract::new("schema.graphql")
        .rename("Query.launch_date", "launch_day")
        .rename("Query.launchDate(aB:)", "second")
        .rename("Colour.DARK_RED", "VeryDarkRed")
        .rename("book", "Novel")
        .objects_in("crate::types");
    declared(
        &contract,
        "type Query {\n  launchDate(a_b: Int, aB: Int): Int\n  launch_date(a: Int): Int\n  colour: Colour\n  book: book\n}\nenum Colour { DARK_RED DarkRed RED }\ntype book { a(b: Int): Int }\ntype Book { a: Int }\n",
        &[
            "fn launch_date(",
            "fn launch_day(",
            "struct QueryLaunchDateArguments<TypeOfAB, TypeOfSecond>",
            "struct QueryLaunchDayArguments<TypeOfA>",
            " VeryDarkRed,",
            " DarkRed,",
            "pub trait NovelResolver",
            "use crate::types::Novel;",
            "pub struct Book {",
        ],
    );
}

#[test]
fn refuses_renames_of_nothing_and_names_in_another_case() {
    let contract = Contract::new("schema.graphql")
        .rename("Query.lunchDate", "day")
        .rename("Query.launchDate", "launchDay")
        .rename("Colour.RED", "red colour")
        .rename("Colour", "colour");
    check(
        &contract,
        "type Query { launchDate: Int colour: Colour }\nenum Colour { RED }\n",
        &expect![[r#"
            schema.graphql: the build script renames "Colour" to "colour", which must be "Colour" in Rust
            schema.graphql: the build script renames "Colour.RED" to "red colour", which is not a name
            schema.graphql: the build script renames "Query.launchDate" to "launchDay", which must be "launch_day" in Rust
            schema.graphql: the build script renames "Query.lunchDate", which this file does not define; did you mean "Query.launchDate"?
        "#]],
    );
}

#[test]
fn refuses_directives_that_would_have_no_effect() {
    let contract = Contract::new("schema.graphql")
        .guard_directive("auth", "crate::Guard")
        .guard_directive("oauth", "not a path")
        .documentation("doc");
    check(
        &contract,
        "directive @auth(role: String) on OBJECT | FIELD_DEFINITION | ENUM\ndirective @doc on FIELD_DEFINITION\ndirective @cost(of: Int = 1) on FIELD_DEFINITION | ENUM\ntype Query @auth {\n  a: Book @auth(role: \"x\") @doc\n  b: Kind @cost @deprecated\n}\ntype Book {\n  title: String @auth\n}\nenum Kind @auth @cost { A }\n",
        &expect![[r#"
            schema.graphql: the build script binds @oauth, which this file does not define; did you mean "auth"?
            schema.graphql: the build script names "not a path", which is not the path of a Rust function
            schema.graphql:6:11: @cost on field 'Query.b' and 1 more has no effect; name a guard in the build script: .guard_directive("cost", "crate::…"), or say that it is documentation: .documentation("cost")
            schema.graphql:9:17: @auth on field 'Book.title' guards nothing, because Book has no resolvers; give it some in the build script: .resolved_object("Book", "crate::…")
            schema.graphql:11:11: @auth on enum 'Kind' guards nothing; apply it to object types and their fields
        "#]],
    );
}

#[test]
fn refuses_subgraphs_of_federation_in_one_message() {
    check_plain(
        "extend schema @link(url: \"https://specs.apollo.dev/federation/v2.5\", import: [\"@key\"])\ntype Query { book: Book }\ntype Book @key(fields: \"id\") { id: ID! @shareable }\n",
        &expect![[r#"
            schema.graphql:1:15: a subgraph of Apollo Federation (@key, @link, @shareable) is not supported: nothing resolves its entities; remove these directives
        "#]],
    );
    check_plain(
        "extend type Query { book: Book }\ntype Book @key(fields: \"id\") { id: ID! }\n",
        &expect![[r#"
            schema.graphql:2:11: a subgraph of Apollo Federation (@key) is not supported: nothing resolves its entities; remove these directives
        "#]],
    );
}

#[test]
fn refuses_names_that_are_equal_to_generated_ones() {
    check_plain(
        "type Query {\n  launchDate(queryLaunchDateArguments: Int): Int\n  book: BookResolver\n}\ntype QueryLaunchDateArguments { a: Int }\ntype BookResolver { a: Int }\ntype Book { a: Int }\n",
        &expect![[r#"
            schema.graphql:5:6: "QueryLaunchDateArguments" and "launchDate" would both be `QueryLaunchDateArguments` in Rust (in the crate's module); name one in the build script: .rename("…", "…")
            schema.graphql:7:6: "Book" and "BookResolver" would both be `BookResolver` in Rust (in the crate's module); name one in the build script: .rename("…", "…")
        "#]],
    );
}

#[test]
fn refuses_numbers_that_are_too_large_and_types_of_introspection() {
    check(
        &Contract::new("schema.graphql").scalar("Size", "crate::Size"),
        "type Query { a(size: Size = [1e400], id: ID = 1): __EnumValue b(kind: __TypeKind): Int }\nscalar Size\n",
        &expect![[r#"
            schema.graphql:1:29: the default value of "size" has a number that is too large (limit 1.7e308); use a string
            schema.graphql:1:51: Query.a has the type __EnumValue, which is one of introspection; define a type for it
            schema.graphql:1:71: Query.b(kind:) has the type __TypeKind, which is one of introspection; define a type for it
        "#]],
    );
}

#[test]
fn refuses_default_values_of_another_type() {
    let sdl = "enum Kind { A B }\ninput In { a: Int! b: Kind = C }\ntype Query {\n  f(int: Int = \"1\", big: Int = 3000000000, kind: Kind! = null, list: [Int!] = [1, \"2\"], object: In = {b: A, x: 1}, lacks: In = {}): Int\n}\n";
    check_plain(
        sdl,
        &expect![[r#"
        schema.graphql:2:30: the default value of "b" is not valid: C is not a value of the type Kind
        schema.graphql:4:16: the default value of "int" is not valid: "1" is not a value of the type Int
        schema.graphql:4:32: the default value of "big" is not valid: 3000000000 is not a value of the type Int
        schema.graphql:4:58: the default value of "kind" is not valid: null is not a value of the type Kind!
        schema.graphql:4:79: the default value of "list" is not valid: "2" is not a value of the type Int!
        schema.graphql:4:102: the default value of "object" is not valid: In has no field "x"
        schema.graphql:4:128: the default value of "lacks" is not valid: In requires the field "a"
    "#]],
    );
}

/// The directive of the contracts below.
const CONSTRAINT: &str = "directive @constraint(minLength: Int, maxLength: Int, pattern: String, format: String, min: Float, max: Float, minItems: Int, maxItems: Int) on ARGUMENT_DEFINITION | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | SCALAR\n";

fn check_constraints(contract: &Contract, sdl: &str, expected: &Expect) {
    check(contract, &(sdl.to_owned() + CONSTRAINT), expected);
}

#[test]
fn refuses_unknown_directives_and_arguments() {
    check_plain(
        "type Query {\n  a: Int @constrained(min: 1)\n  b: Int @constraint(least: 1)\n}\ndirective @constraint(min: Int) on FIELD_DEFINITION\n",
        &expect![[r#"
            schema.graphql:2:10: cannot find directive "@constrained" in this document
            schema.graphql:3:22: the argument "least" is not supported by "@constraint"
        "#]],
    );
    check_plain(
        "type Query { a: Int }\ndirective @constraint(maxlength: Int, multipleOf: Int) repeatable on FIELD_DEFINITION\n",
        &expect![[r#"
            schema.graphql:2:12: @constraint must not be repeatable; state all limits in one
            schema.graphql:2:23: @constraint(maxlength:) is not supported; did you mean "maxLength"?
            schema.graphql:2:39: @constraint(multipleOf:) is not supported
        "#]],
    );
}

#[test]
fn refuses_constraints_that_nothing_checks() {
    let contract = Contract::new("schema.graphql").format("date", "crate::parse_date");
    check_constraints(
        &contract,
        "type Query {\n  b(on: String @constraint(format: \"dates\")): Int\n  c(text: String @constraint(pattern: \"^a\")): Size\n  d(on: String = \"2024-02-29\" @constraint(format: \"date\")): Int\n}\nscalar Size @constraint(max: 1)\n",
        &expect![[r#"
            schema.graphql:2:16: Query.b(on:) has the format "dates", which nothing checks; name the function in the build script: .format("dates", "crate::…"); did you mean "date"?
            schema.graphql:3:18: Query.c(text:) has the pattern "^a", which nothing checks; name the function in the build script: .pattern("^a", "crate::…")
            schema.graphql:4:18: a default value with a format is not supported; remove the default value
            schema.graphql:6:8: the scalar "Size" has no Rust type; name one in the build script: .scalar("Size", "crate::…")
            schema.graphql:6:13: @constraint on the scalar is not enforced; move it to fields and arguments
        "#]],
    );
}

#[test]
fn refuses_functions_that_no_constraint_uses() {
    let contract = Contract::new("schema.graphql")
        .format("dates", "crate::parse_date")
        .format("date", "also not")
        .pattern("^a", "crate::parse_a");
    check_constraints(
        &contract,
        "type Query {\n  a(title: String @constraint(maxLength: 9), on: String @constraint(format: \"date\")): Int\n}\n",
        &expect![[r#"
            schema.graphql: the build script names "also not", which is not the path of a Rust function
            schema.graphql: the build script names a function for the format "dates", which no @constraint of an argument or input field states; did you mean "date"?
            schema.graphql: the build script names a function for the pattern "^a", which no @constraint of an argument or input field states
        "#]],
    );
}
