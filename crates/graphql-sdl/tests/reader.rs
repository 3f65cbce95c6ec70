//! Problems of SDL files: all of them, each with its location and a suggestion.

#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::needless_raw_string_hashes,
    reason = "a test fails by panicking, and expect-test writes raw strings"
)]

use std::time::{Duration, Instant};

use expect_test::expect;
use graphql_sdl::Schema;
use proptest::prelude::*;

#[test]
fn rejects_a_default_that_is_not_of_its_type() {
    let sdl = "type Query {
  a(kind: Kind = SMAL, by: Filter = {limit: 1}, ids: [ID!] = 1, text: String = 1): Int
}
enum Kind { SMALL }
input Filter { limit: Int = \"1\", text: String! more: Key = {id: 1, name: null} }
input Key @oneOf { id: ID name: String }
directive @tag(max: Int! = null, weight: Float = 1) on FIELD";
    let problems = Schema::parse("schema.graphql", sdl).expect_err("it has defects");
    expect![[r#"
        schema.graphql:2:18: the default value of "kind" is not valid: SMAL is not a value of the type Kind
        schema.graphql:2:37: the default value of "by" is not valid: Filter requires the field "text"
        schema.graphql:2:80: the default value of "text" is not valid: 1 is not a value of the type String
        schema.graphql:5:29: the default value of "limit" is not valid: "1" is not a value of the type Int
        schema.graphql:5:60: the default value of "more" is not valid: Key requires exactly one field, which is not null
        schema.graphql:7:28: the default value of "max" is not valid: null is not a value of the type Int!"#]]
    .assert_eq(&problems.to_string());
}

#[test]
fn states_the_limits_of_nesting() {
    let list = format!("type Query {{ a: {}Int{} }}", "[".repeat(201), "]".repeat(201));
    let inputs = (0..40).map(|at| format!("input I{at} {{ of: I{}! }}\n", at + 1));
    let inputs: String = inputs.collect();
    let chain = format!("{inputs}input I40 {{ a: Int }} type Query {{ a(i: I0): Int }}");
    for (sdl, expected) in [
        (list, "a.graphql:1:218: nested too deeply (limit 200)"),
        (chain, "a.graphql:1:1: \"I0\" is nested too deeply (limit 32 definitions)"),
    ] {
        let problems = Schema::parse("a.graphql", &sdl).expect_err("it is nested too deeply");
        let problem = problems.iter().next().expect("there is one");
        assert_eq!(problem.to_string(), expected);
    }
}

#[test]
fn a_message_quotes_at_most_64_characters() {
    let text = "Q ".repeat(900);
    for sdl in [
        format!("type Query {{ a: Int }} type \"\"\"{text}\"\"\""),
        format!("type Query {{ a(b: Int = \"{text}\"): Int }}"),
        format!("type Query {{ a: {} }}", "Q".repeat(900)),
        format!("type Query {{ a: Int }} union U = {}", "Q".repeat(900)),
    ] {
        for problem in &Schema::parse("a.graphql", &sdl).expect_err("it is wrong") {
            assert!(problem.message.matches('Q').count() <= 64, "{problem}");
        }
    }
}

#[test]
fn rejects_a_default_value_that_contains_itself() {
    let sdl = "type Query { a(by: A = {}): Int }
input A { b: B = {} c: A = {b: null c: null} }
input B { d: [A] = [{}, {b: null}] e: B = {e: null} }";
    let problems = Schema::parse("schema.graphql", sdl).expect_err("it has defects");
    expect![[r#"
        schema.graphql:2:18: the default value of "b" is not valid: it contains itself
        schema.graphql:3:20: the default value of "d" is not valid: it contains itself
        schema.graphql:3:43: the default value of "e" is not valid: it contains itself"#]]
    .assert_eq(&problems.to_string());
}

/// Sections 3.13.3 and 5.6.3 of the specification.
#[test]
fn rejects_a_deprecated_required_input_and_a_repeated_field() {
    let sdl = "type Query { a(x: Int! @deprecated y: Int! = 1 @deprecated z: Int @deprecated): Int }
input A { b: Int! @deprecated(reason: \"Gone.\") c: A = {c: null, b: 1, c: null} }";
    let problems = Schema::parse("schema.graphql", sdl).expect_err("it has defects");
    expect![[r#"
        schema.graphql:1:16: the argument "x" is required and must not be deprecated
        schema.graphql:2:11: the input field "b" is required and must not be deprecated
        schema.graphql:2:55: the default value of "c" is not valid: the field "c" is given more than once"#]]
    .assert_eq(&problems.to_string());
}

#[test]
fn rejects_one_of_fields_that_are_required_or_have_a_default_value() {
    let sdl = "type Query { f(by: Key): Int }\ninput Key @oneOf {\n  id: ID!\n  name: String = \"n\"\n}\n";
    let problems = Schema::parse("schema.graphql", sdl).expect_err("it has defects");
    expect![[r#"
        schema.graphql:3:3: the field "id" of the @oneOf type Key must be nullable and have no default value
        schema.graphql:4:3: the field "name" of the @oneOf type Key must be nullable and have no default value"#]]
    .assert_eq(&problems.to_string());
}

/// As graphql-js does.
#[test]
fn operations_and_fragments_in_a_schema_are_ignored() {
    let sdl = "type Query { a: Int }";
    let more = format!("{sdl}\nfragment F on Query {{ a }}\nquery Q {{ a ...F }}");
    let (one, other) = (Schema::parse("a", sdl), Schema::parse("b", &more));
    let (one, other) = (one.expect("it is valid"), other.expect("it is valid"));
    assert_eq!(one.canonical(), other.canonical());
}

/// As graphql-js does.
#[test]
fn a_root_type_by_its_name_is_an_object_type() {
    let sdl = "type Query { a(b: Mutation): Int }\ninput Mutation { c: Int }\n";
    let problems = Schema::parse("a.graphql", sdl).expect_err("it has a defect");
    expect![[r#"
        a.graphql:2:7: the type Mutation is the mutation root type by its name, but not an object type; rename it, or define the schema"#]]
    .assert_eq(&problems.to_string());
    let defined = format!("schema {{ query: Query }}\n{sdl}");
    assert!(Schema::parse("a.graphql", &defined).is_ok());
}

#[test]
fn many_unknown_types_are_found_quickly() {
    let count = 10_000;
    let fields = (0..count).map(|at| format!("f{at}: Unknown{at} g{at}: Known{at}\n"));
    let fields: String = fields.collect();
    let types = (0..count).map(|at| format!("type Known{at} {{ a: Int }}\n"));
    let types: String = types.collect();
    let begin = Instant::now();
    let problems = Schema::parse("a.graphql", &format!("type Query {{\n{fields}}}\n{types}"));
    let problems = problems.expect_err("it has defects");
    assert_eq!(problems.iter().count(), count);
    assert!(problems.to_string().contains("did you mean \"Known0\"?"), "{problems}");
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 128,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// The parser returns a schema or problems, and never panics.
    #[test]
    fn parses_any_text_without_a_panic(text in "[a-zA-Z{}()\\[\\]!@&|=:\"$. \n#0-9-]{0,80}") {
        let _ = Schema::parse("schema.graphql", &text);
        let _ = Schema::parse("schema.graphql", &format!("type Query {{ a: Int }} {text}"));
    }
}
