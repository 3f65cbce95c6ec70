//! Accepted changes and the three reports.

#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]
#![allow(
    clippy::needless_raw_string_hashes,
    reason = "expect-test writes them so"
)]

use chrono::NaiveDate;
use contract::{
    Review, Schema,
    accepted::Accepted,
    diff,
    report::{self, Colours},
};
use expect_test::{Expect, expect};

const OLD: &str = "type Vehicle { id: ID! brandName: String gone: Int @deprecated }
directive @tag(name: String) on FIELD_DEFINITION
union Found = Vehicle | Query | Other
type Other { a: Int b: Int }
type Query { vehicle(id: ID): Vehicle found: Found }";

const NEW: &str = "type Vehicle { id: ID! }
directive @tag(name: String) on FIELD_DEFINITION
union Found = Vehicle
type Other { a: Int b: Int new: Int }
type Query { vehicle(id: ID, of: Int = 1): Vehicle found: Found @tag(name: \"<b>|`#1`\") }";

const ACCEPTED: &str = r#"
[[accepted]]
coordinate = "Vehicle.brandName"
kind = "FIELD_REMOVED"
reason = "Nobody selects it."
until = 2027-01-31
"#;

fn schemas() -> (Schema, Schema) {
    let parse = |name, sdl| Schema::parse(name, sdl).expect("it is valid");
    (parse("old.graphql", OLD), parse("new.graphql", NEW))
}

fn day(text: &str) -> NaiveDate {
    text.parse().expect("it is a day")
}

fn review(accepted: &str, today: &str) -> Review {
    let (old, new) = schemas();
    let accepted = Accepted::parse("schema.accepted.toml", accepted).expect("it is valid");
    accepted.review(&old, &new, diff(&old, &new), day(today))
}

fn problems(accepted: &str, today: &str, expected: &Expect) {
    let review = review(accepted, today);
    assert!(!review.passes());
    let problems = review.problems.map(|problems| problems.to_string());
    expected.assert_eq(&problems.unwrap_or_default());
}

fn unreadable(accepted: &str, expected: &Expect) {
    let problems = Accepted::parse("schema.accepted.toml", accepted);
    expected.assert_eq(&problems.expect_err("it has problems").to_string());
}

/// The entry of `ACCEPTED` with another text in it.
fn with(from: &str, to: &str) -> String {
    assert!(ACCEPTED.contains(from));
    ACCEPTED.replace(from, to)
}

mod accepted_changes {
    use super::*;

    #[test]
    fn let_exactly_what_they_name_pass() {
        let (old, new) = ("type Query { a: Int b: Int }", "type Query { a: Int }");
        let old = Schema::parse("old.graphql", old).expect("it is valid");
        let new = Schema::parse("new.graphql", new).expect("it is valid");
        let text = with("Vehicle.brandName", "Query.b");
        let accepted = Accepted::parse("schema.accepted.toml", &text).expect("it is valid");
        let review = accepted.review(&old, &new, diff(&old, &new), day("2027-01-31"));
        assert!(review.passes());
        assert_eq!(review.accepted_count(), 1);
        assert!(!Review::of(diff(&old, &new)).passes());
    }

    #[test]
    fn do_not_let_other_breaks_pass() {
        let review = review(ACCEPTED, "2026-11-21");
        assert!(review.problems.is_none());
        assert!(!review.passes());
        assert_eq!(review.accepted_count(), 1);
    }

    #[test]
    fn end_on_their_day() {
        assert!(review(ACCEPTED, "2027-01-31").problems.is_none());
        problems(
            ACCEPTED,
            "2027-02-01",
            &expect![[
                r"schema.accepted.toml:2:1: FIELD_REMOVED of 'Vehicle.brandName' was accepted until 2027-01-31, which has passed: undo the change, or have a later day reviewed"
            ]],
        );
    }

    #[test]
    fn that_happen_no_more_are_refused() {
        problems(
            &with("FIELD_REMOVED", "FIELD_TYPE_CHANGED"),
            "2026-11-21",
            &expect![[
                r"schema.accepted.toml:2:1: there is no change FIELD_TYPE_CHANGED of 'Vehicle.brandName' between old.graphql and new.graphql: remove the entry"
            ]],
        );
        problems(
            &with("brandName", "brandname"),
            "2026-11-21",
            &expect![[
                r#"schema.accepted.toml:2:1: 'Vehicle.brandname' is neither in old.graphql nor in new.graphql: remove the entry if the change was released; did you mean "Vehicle.brandName"?"#
            ]],
        );
    }

    #[test]
    fn that_are_safe_are_refused() {
        let entry = with("Vehicle.brandName", "Other.new");
        problems(
            &entry.replace("FIELD_REMOVED", "FIELD_ADDED"),
            "2026-11-21",
            &expect![[
                r"schema.accepted.toml:2:1: FIELD_ADDED of 'Other.new' is safe and needs no entry: remove it"
            ]],
        );
    }

    #[test]
    fn of_one_coordinate_and_kind_are_told_apart_by_their_messages() {
        let entry = with("Vehicle.brandName", "Found");
        let entry = entry.replace("FIELD_REMOVED", "UNION_MEMBER_REMOVED");
        problems(
            &entry,
            "2026-11-21",
            &expect![[
                r#"schema.accepted.toml:2:1: 2 changes are UNION_MEMBER_REMOVED of 'Found': say which one is accepted with its message, message = "…""#
            ]],
        );
        let message =
            |member| format!("message = \"union 'Found' no longer has the member '{member}'\"");
        let accepted = review(&(entry.clone() + &message("Other")), "2026-11-21");
        assert!(accepted.problems.is_none());
        assert_eq!(accepted.accepted_count(), 1);
        problems(
            &(entry + &message("Car")),
            "2026-11-21",
            &expect![[
                r#"schema.accepted.toml:2:1: the change UNION_MEMBER_REMOVED of 'Found' is another one now: "union 'Found' no longer has the member 'Other'"; have it reviewed, or remove the entry"#
            ]],
        );
    }

    #[test]
    fn are_accepted_once() {
        problems(
            &(ACCEPTED.to_owned() + ACCEPTED),
            "2026-11-21",
            &expect![[
                r"schema.accepted.toml:8:1: FIELD_REMOVED of 'Vehicle.brandName' is accepted at schema.accepted.toml:2:1 already: remove one"
            ]],
        );
    }

    #[test]
    fn are_read_with_every_problem_at_once() {
        unreadable(
            &[
                with("FIELD_REMOVED", "FIELD_REMOVD"),
                with("\"Nobody selects it.\"", "\" \""),
                with("2027-01-31", "\"2027-01-31\""),
                with("coordinate = \"Vehicle.brandName\"", ""),
            ]
            .concat(),
            &expect![[r#"
                schema.accepted.toml:4:8: there is no kind "FIELD_REMOVD"; did you mean "FIELD_REMOVED"?
                schema.accepted.toml:11:10: the reason is empty
                schema.accepted.toml:18:9: until is not a day: write it as 2027-01-31, without quotes and time
                schema.accepted.toml:20:1: the entry has no coordinate"#]],
        );
        unreadable(
            &with("kind", "sort"),
            &expect![[
                r"schema.accepted.toml:4:1: unknown field `sort`, expected one of `coordinate`, `kind`, `message`, `reason`, `until`"
            ]],
        );
        unreadable(
            "accepted",
            &expect!["schema.accepted.toml:1:9: key with no value, expected `=`"],
        );
    }
}

mod reports {
    use super::*;

    #[test]
    fn on_a_terminal_begin_with_the_worst() {
        let text = report::text(&review(ACCEPTED, "2026-11-21"), Colours::None);
        expect![[r#"
            breaking: union 'Found' no longer has the member 'Other' [UNION_MEMBER_REMOVED]
              at old.graphql:3:33
              Fragments that select the type where the union is answered are no longer valid.
            breaking: union 'Found' no longer has the member 'Query' [UNION_MEMBER_REMOVED]
              at old.graphql:3:25
              Fragments that select the type where the union is answered are no longer valid.
            breaking: field 'Vehicle.brandName' was removed [FIELD_REMOVED]
              at old.graphql:1:24
              Operations that select the field are no longer valid, and nothing warned their authors.
              accepted until 2027-01-31: Nobody selects it.
            breaking: deprecated field 'Vehicle.gone' was removed [FIELD_REMOVED]
              at old.graphql:1:42
              Operations that select the field are no longer valid. It was deprecated: look at who still selects it.
            dangerous: @tag(name: "<b>|`#1`") was put on field 'Query.found' [DIRECTIVE_USAGE_FIELD_DEFINITION_ADDED]
              at old.graphql:5:39
              at new.graphql:5:65
              What the directive does is not known here: it can change what is taken or answered.
            dangerous: argument 'Query.vehicle(of:)' was added with the type 'Int' and the default 1 [FIELD_ARGUMENT_ADDED]
              at new.graphql:5:30
              Operations stay valid, but what the field answers when the argument is omitted can differ from before.
            safe: field 'Other.new' was added with the type 'Int' [FIELD_ADDED]
              at new.graphql:4:28
              An operation is answered with the fields that it selects, and none selects this one yet.
            3 breaking, 2 dangerous, 1 safe, 1 accepted
        "#]].assert_eq(&text);
    }

    #[test]
    fn are_coloured_where_the_caller_wants_it() {
        let (old, new) = schemas();
        let review = Review::of(diff(&old, &new));
        let plain = report::text(&review, Colours::None);
        let coloured = report::text(&review, Colours::Ansi);
        assert!(!plain.contains('\u{1b}'));
        assert!(coloured.contains("\u{1b}[1m\u{1b}[31mbreaking\u{1b}[0m: "));
    }

    #[test]
    fn for_programs_are_arrays_of_objects() {
        let (old, new) = ("type Query { a: Int b: Int }", "type Query { a: Int! }");
        let old = Schema::parse("old.graphql", old).expect("it is valid");
        let new = Schema::parse("new.graphql", new).expect("it is valid");
        let text = with("Vehicle.brandName", "Query.b");
        let accepted = Accepted::parse("schema.accepted.toml", &text).expect("it is valid");
        let review = accepted.review(&old, &new, diff(&old, &new), day("2026-11-21"));
        expect![[r#"
            [
              {
                "coordinate": "Query.a",
                "kind": "FIELD_TYPE_CHANGED",
                "level": "safe",
                "message": "field 'Query.a' changed its type from 'Int' to 'Int!'",
                "reason": "Every answer of the new type is an answer of the old one.",
                "old": {
                  "file": "old.graphql",
                  "line": 1,
                  "column": 14
                },
                "new": {
                  "file": "new.graphql",
                  "line": 1,
                  "column": 14
                },
                "accepted": null
              },
              {
                "coordinate": "Query.b",
                "kind": "FIELD_REMOVED",
                "level": "breaking",
                "message": "field 'Query.b' was removed",
                "reason": "Operations that select the field are no longer valid, and nothing warned their authors.",
                "old": {
                  "file": "old.graphql",
                  "line": 1,
                  "column": 21
                },
                "new": null,
                "accepted": {
                  "reason": "Nobody selects it.",
                  "until": "2027-01-31",
                  "place": {
                    "file": "schema.accepted.toml",
                    "line": 2,
                    "column": 1
                  }
                }
              }
            ]
        "#]].assert_eq(&report::json(&review));
    }

    #[test]
    fn for_pull_requests_are_tables_in_which_nothing_is_markup() {
        let markdown = report::markdown(&review(ACCEPTED, "2026-11-21"));
        expect![[r####"
            ### Contract: 3 breaking, 2 dangerous, 1 safe, 1 accepted

            | Level | What changes | Where | Why |
            |---|---|---|---|
            | **breaking** | union 'Found' no longer has the member 'Other' | `old.graphql:3:33` | Fragments that select the type where the union is answered are no longer valid. |
            | **breaking** | union 'Found' no longer has the member 'Query' | `old.graphql:3:25` | Fragments that select the type where the union is answered are no longer valid. |
            | **breaking** | deprecated field 'Vehicle.gone' was removed | `old.graphql:1:42` | Operations that select the field are no longer valid. It was deprecated: look at who still selects it. |
            | dangerous | @<!-- -->tag(name: "&lt;b&gt;\|\`#<!-- -->1\`") was put on field 'Query.found' | `old.graphql:5:39`<br>`new.graphql:5:65` | What the directive does is not known here: it can change what is taken or answered. |
            | dangerous | argument 'Query.vehicle(of:)' was added with the type 'Int' and the default 1 | `new.graphql:5:30` | Operations stay valid, but what the field answers when the argument is omitted can differ from before. |

            <details><summary>2 safe or accepted</summary>

            | Level | What changes | Where | Why |
            |---|---|---|---|
            | **breaking** | field 'Vehicle.brandName' was removed | `old.graphql:1:24` | Operations that select the field are no longer valid, and nothing warned their authors.<br>accepted until 2027-01-31: Nobody selects it. |
            | safe | field 'Other.new' was added with the type 'Int' | `new.graphql:4:28` | An operation is answered with the fields that it selects, and none selects this one yet. |

            </details>
        "####]].assert_eq(&markdown);
    }

    #[test]
    fn for_pull_requests_name_the_entries_that_do_not_hold() {
        let markdown = report::markdown(&review(ACCEPTED, "2027-02-01"));
        assert!(markdown.contains("- schema.accepted.toml:2:1: FIELD\\_REMOVED of"));
    }

    #[test]
    fn of_equal_schemas_say_so() {
        let review = Review::of(Vec::new());
        assert!(review.passes());
        assert_eq!(report::text(&review, Colours::None), "no change\n");
        assert_eq!(report::json(&review), "[]\n");
        assert_eq!(report::markdown(&review), "### Contract: no change\n");
    }

    /// What a service answers to introspection is written by others.
    #[test]
    fn hold_no_control_characters_of_others() {
        let old = Schema::parse("old.graphql", "type Query { a: Int }").expect("it is valid");
        let new = r#"type Query { a: Int @deprecated(reason: "\u001b[2Jgone\nfor good") }"#;
        let new = Schema::parse("new.graphql", new).expect("it is valid");
        let text = report::text(&Review::of(diff(&old, &new)), Colours::None);
        assert!(
            text.contains("deprecated: \u{fffd}[2Jgone for good"),
            "{text}"
        );
    }
}
