//! What the canonical form contains, and what it omits.

use crate::Schema;

fn schema(sdl: &str) -> Schema {
    Schema::parse("test.graphql", sdl).expect("it is valid")
}

const ONE: &str = r#"
    "Words"
    type Query implements B & A {
      a(y: [I!] = [{ y: 2, x: 1 }], x: String = "é\n\"" @deprecated): Int
      "More words" b: Int @deprecated(reason: "old")
    }
    interface A { b: Int } interface B { a(x: String, y: [I!]): Int }
    input I { x: Int = 1, y: Int }
    enum E { ONE TWO @deprecated } union U = Query | M type M { e: E u: U }
    directive @d(z: Int, a: Int) repeatable on FIELD_DEFINITION | ENUM
    scalar Date @specifiedBy(url: "https://a.example")
"#;

/// Equivalent to [`ONE`] for every client.
const OTHER: &str = r#"
    schema { query: Query }
    # A comment.
    scalar Date
    extend scalar Date @specifiedBy(url: "https://a.example")
    directive @d(a: Int z: Int) repeatable on | ENUM | FIELD_DEFINITION
    type M { u: U e: E } union U = M | Query enum E { TWO @deprecated(reason: "No longer supported") ONE }
    input I { y: Int x: Int = 1 }
    interface B { a(y: [I!], x: String): Int } interface A { b: Int }
    """
      Words
    """
    type Query implements A & B { """More words""" b: Int @deprecated(reason: """old""") }
    extend type Query { a(x: String = "\u00e9\u000a\"" @deprecated, y: [I!] = [{ x: 1 y: 2 }]): Int }
    directive @skip(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
"#;

#[test]
fn layout_order_extensions_and_implied_parts_do_not_change_the_hash() {
    assert_eq!(schema(ONE).canonical(), schema(OTHER).canonical());
    assert_eq!(schema(ONE).hash(), schema(OTHER).hash());
}

#[test]
fn the_canonical_form_is_sdl_and_its_own_canonical_form() {
    let form = schema(ONE).canonical();
    assert_eq!(schema(&form).canonical(), form);
}

#[test]
fn every_part_that_a_client_can_see_changes_the_hash() {
    for (from, to) in [
        ("\"Words\"", "\"words\""),
        ("\"Words\"", ""),
        ("reason: \"old\"", "reason: \"ancient\""),
        (" b: Int @deprecated(reason: \"old\")", " b: Int"),
        ("y: 2", "y: 3"),
        ("e: E", "e: E!"),
        ("scalar Date @specifiedBy", "scalar Day @specifiedBy"),
        ("a.example", "b.example"),
        ("repeatable ", ""),
        ("| ENUM", "| ENUM | SCALAR"),
        ("ONE TWO", "ONE TWO THREE"),
        ("= Query | M", "= M"),
        ("implements B & A", "implements A"),
    ] {
        let changed = ONE.replacen(from, to, 1);
        assert_ne!(changed, ONE, "{from}");
        assert_ne!(schema(&changed).hash(), schema(ONE).hash(), "{from}: {to}");
    }
}

/// A different hash in a new version of this library would report a changed schema to every client.
#[test]
fn the_hash_of_a_schema_stays_the_same() {
    let sdl = "\"Asked.\" type Query { a(x: Int = 1): Int! @deprecated }";
    assert_eq!(schema(sdl).hash().to_string(), "dbe131998d32e4de1db328eb399ca733894c2d76991d64285a5dbf7b0140a684");
}
