//! Constraints: what they state, and the problems of those that are wrong.

#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::needless_raw_string_hashes,
    reason = "a test fails by panicking, and expect-test writes raw strings"
)]

use expect_test::expect;
use graphql_sdl::{Constraint, Limit, Problems, Schema};

const DIRECTIVE: &str = "directive @constraint(minLength: Int, maxLength: Int = 99, pattern: String, format: String, min: Float, max: Float, minItems: Int, maxItems: Int) on ARGUMENT_DEFINITION | FIELD_DEFINITION | INPUT_FIELD_DEFINITION\n";

fn parse(sdl: &str) -> Schema {
    Schema::parse("schema.graphql", &(sdl.to_owned() + DIRECTIVE)).expect("it is a schema")
}

/// Every problem of every constraint, in the order of the file.
fn problems(sdl: &str) -> String {
    let schema = parse(sdl);
    let mut problems = Problems::new(schema.name());
    for element in schema.elements() {
        for (span, message) in Constraint::of(&schema, element).err().unwrap_or_default() {
            problems.add(schema.position(span), message);
        }
    }
    let problems = problems.into_result(()).expect_err("there are problems");
    problems.to_string()
}

#[test]
fn an_argument_that_is_omitted_has_its_default_value_and_null_is_no_limit() {
    let schema =
        parse("type Query { a(b: String @constraint(minLength: 1), c: String @constraint(maxLength: null)): Int }");
    let limits = schema.elements().into_iter().filter_map(|element| {
        let constraint = Constraint::of(&schema, element).expect("it is valid")?;
        Some(constraint.limits)
    });
    assert_eq!(limits.collect::<Vec<_>>(), [vec![(Limit::MinLength, 1.0), (Limit::MaxLength, 99.0)], vec![]]);
}

#[test]
fn reports_limits_that_the_type_does_not_have() {
    let sdl = "type Query {
  a(b: Int @constraint(minLength: 1, maxLength: null)): Int
  c(d: [String!] @constraint(min: 1, minItems: 1)): Int
  e: ID @constraint(maxItems: 1)
  f: Boolean @constraint(maxLength: null, format: \"date\")
}
";
    expect![[r#"
        schema.graphql:2:35: @constraint(minLength:) needs String or ID, not Int; remove it
        schema.graphql:3:35: @constraint(min:) needs Int or Float, not [String!]; remove it
        schema.graphql:4:31: @constraint(maxItems:) needs a list, not ID; remove it
        schema.graphql:5:51: @constraint(format:) needs String or ID, not Boolean; remove it"#]]
    .assert_eq(&problems(sdl));
}

#[test]
fn reports_numbers_that_no_value_can_meet() {
    let sdl = "type Query {
  a(b: String @constraint(minLength: -1, maxLength: null)): Int
  c(d: Int @constraint(min: 0.5, max: 2147483648, maxLength: null)): Int
  e(f: Float @constraint(min: 1.5, max: 1.25, maxLength: null)): Int
  g(h: [Int] @constraint(minItems: 2, maxItems: 1, maxLength: null)): Int
}
";
    expect![[r#"
        schema.graphql:2:38: @constraint(minLength: -1) needs a 32-bit integer from 0; correct it
        schema.graphql:3:29: @constraint(min: 0.5) needs a 32-bit integer; correct it
        schema.graphql:3:39: @constraint(max: 2147483648) needs a 32-bit integer; correct it
        schema.graphql:4:14: @constraint(min: 1.5, max: 1.25) has no valid value; correct one of the limits
        schema.graphql:5:14: @constraint(minItems: 2, maxItems: 1) has no valid value; correct one of the limits"#]]
    .assert_eq(&problems(sdl));
}

#[test]
fn reports_default_values_that_violate_the_constraint() {
    let sdl = "type Query {
  a(b: Int = 0 @constraint(min: 1, maxLength: null)): Int
  c(d: String = \"🚗🚗\" @constraint(maxLength: 1), e: String = \"🚗\" @constraint(maxLength: 1)): Int
  f(g: [ID!] = 123 @constraint(minItems: 2, maxLength: 2)): Int
  h(i: In = {j: [{k: 3.5}]}, l: In = {}, m: Float = null @constraint(min: 1, maxLength: null)): Int
}
input In { j: [In!], k: Float = 2 @constraint(max: 3, maxLength: null) }
";
    expect![[r#"
        schema.graphql:2:14: the default value of "b" violates @constraint(min: 1)
        schema.graphql:3:17: the default value of "d" violates @constraint(maxLength: 1)
        schema.graphql:4:16: the default value of "g" violates @constraint(maxLength: 2)
        schema.graphql:4:16: the default value of "g" violates @constraint(minItems: 2)
        schema.graphql:5:13: the default value of "i" violates @constraint(max: 3)"#]]
    .assert_eq(&problems(sdl));
}
