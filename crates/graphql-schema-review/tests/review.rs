//! Accepted changes and the three reports.

#![allow(missing_docs, clippy::expect_used, reason = "a test fails by panicking")]
#![allow(clippy::needless_raw_string_hashes, reason = "expect-test generates them")]

use chrono::NaiveDate;
use expect_test::{Expect, expect};
use graphql_schema_review::{
    Policy, Review, diff,
    report::{self, Colours},
};
use graphql_sdl::Schema;

const OLD: &str = "type Book { id: ID! title: String gone: Int @deprecated }
directive @tag(name: String) on FIELD_DEFINITION
union Found = Book | Query | Other
type Other { a: Int b: Int }
type Query { book(id: ID): Book found: Found }";

const NEW: &str = "type Book { id: ID! }
directive @tag(name: String) on FIELD_DEFINITION
union Found = Book
type Other { a: Int b: Int new: Int }
type Query { book(id: ID, of: Int = 1): Book found: Found @tag(name: \"<b>|`#1`\") }";

const ACCEPTED: &str = r#"
[[accepted]]
coordinate = "Book.title"
kind = "FIELD_REMOVED"
reason = "No client selects it."
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
    let accepted = Policy::parse("schema.toml", accepted).expect("it is valid");
    accepted.review(&old, &new, diff(&old, &new), day(today))
}

fn problems(accepted: &str, today: &str, expected: &Expect) {
    let review = review(accepted, today);
    assert!(!review.passes());
    let problems = review.problems.map(|problems| problems.to_string());
    expected.assert_eq(&problems.unwrap_or_default());
}

/// The entry of `ACCEPTED` with a replaced text.
fn with(from: &str, to: &str) -> String {
    assert!(ACCEPTED.contains(from));
    ACCEPTED.replace(from, to)
}

mod accepted_changes {
    use super::*;

    #[test]
    fn permit_exactly_the_named_change() {
        let (old, new) = ("type Query { a: Int b: Int }", "type Query { a: Int }");
        let old = Schema::parse("old.graphql", old).expect("it is valid");
        let new = Schema::parse("new.graphql", new).expect("it is valid");
        let text = with("Book.title", "Query.b");
        let accepted = Policy::parse("schema.toml", &text).expect("it is valid");
        let review = accepted.review(&old, &new, diff(&old, &new), day("2027-01-31"));
        assert!(review.passes());
        assert_eq!(review.accepted_count(), 1);
        assert!(!Review::new(diff(&old, &new)).passes());
    }

    #[test]
    fn do_not_permit_other_breaking_changes() {
        let review = review(ACCEPTED, "2026-11-21");
        assert!(review.problems.is_none());
        assert!(!review.passes());
        assert_eq!(review.accepted_count(), 1);
    }

    #[test]
    fn expire_after_their_last_day() {
        assert!(review(ACCEPTED, "2027-01-31").problems.is_none());
        problems(
            ACCEPTED,
            "2027-02-01",
            &expect![
                "schema.toml:2:1: the acceptance of FIELD_REMOVED of 'Book.title' expired on 2027-01-31: revert the change, or set a later date after a review"
            ],
        );
    }

    #[test]
    fn are_rejected_if_the_change_does_not_exist() {
        problems(
            &with("FIELD_REMOVED", "FIELD_TYPE_CHANGED"),
            "2026-11-21",
            &expect![
                "schema.toml:2:1: there is no change FIELD_TYPE_CHANGED of 'Book.title' between old.graphql and new.graphql: remove the entry if it was released; the change of 'Book.title' is FIELD_REMOVED"
            ],
        );
        problems(
            &with("title", "titel"),
            "2026-11-21",
            &expect![[
                r#"schema.toml:2:1: there is no change FIELD_REMOVED of 'Book.titel' between old.graphql and new.graphql: remove the entry if it was released; did you mean "Book.title"?"#
            ]],
        );
    }

    #[test]
    fn are_rejected_if_the_change_is_safe() {
        let entry = with("Book.title", "Other.new");
        problems(
            &entry.replace("FIELD_REMOVED", "FIELD_ADDED"),
            "2026-11-21",
            &expect![
                "schema.toml:2:1: every change FIELD_ADDED of 'Other.new' is safe or accepted by another entry: remove the entry"
            ],
        );
    }

    #[test]
    fn of_one_coordinate_and_kind_are_distinguished_by_their_messages() {
        let entry = with("Book.title", "Found");
        let entry = entry.replace("FIELD_REMOVED", "UNION_MEMBER_REMOVED");
        problems(
            &entry,
            "2026-11-21",
            &expect![[
                r#"schema.toml:2:1: 2 changes are UNION_MEMBER_REMOVED of 'Found': select one by its message, message = "…""#
            ]],
        );
        let message = |member| format!("message = \"union 'Found' no longer has the member '{member}'\"");
        let accepted = review(&(entry.clone() + &message("Other")), "2026-11-21");
        assert!(accepted.problems.is_none());
        assert_eq!(accepted.accepted_count(), 1);
        problems(
            &(entry + &message("Car")),
            "2026-11-21",
            &expect![
                "schema.toml:2:1: no change UNION_MEMBER_REMOVED of 'Found' has this message: copy it from the report after a review"
            ],
        );
    }

    #[test]
    fn of_a_pattern_are_those_that_no_other_entry_accepts() {
        let pattern = "[[accepted]]\ncoordinate = \"B*\"\nkind = \"FIELD_REMOVED\"\nreason = \"Old.\"\n";
        let reasons = |text: &str| {
            let review = review(text, "2026-11-21");
            assert!(review.problems.is_none(), "{:?}", review.problems);
            let accepted = review.changes.into_iter().filter_map(|one| {
                let acceptance = one.accepted?;
                Some(format!("{} {}", one.change.coordinate, acceptance.reason))
            });
            accepted.collect::<Vec<_>>()
        };
        assert_eq!(reasons(pattern), ["Book.gone Old.", "Book.title Old."]);
        assert_eq!(reasons(&(pattern.to_owned() + ACCEPTED)), ["Book.gone Old.", "Book.title No client selects it."]);
        let message = "message = \"field 'Book.title' was removed\"";
        assert_eq!(reasons(&(pattern.to_owned() + message)), ["Book.title Old."]);
        problems(
            &(pattern.to_owned() + pattern),
            "2026-11-21",
            &expect![
                "schema.toml:5:1: every change FIELD_REMOVED of 'B*' is safe or accepted by another entry: remove the entry"
            ],
        );
    }

    #[test]
    fn have_a_coordinate_a_kind_and_a_reason() {
        for (from, to, expected) in [
            (
                "FIELD_REMOVED",
                "FIELD_REMOVD",
                expect![[r#"schema.toml:4:8: unknown variant `FIELD_REMOVD`; did you mean "FIELD_REMOVED"?"#]],
            ),
            ("\"No client selects it.\"", "\" \"", expect!["schema.toml:5:10: the reason is empty"]),
            (
                "2027-01-31",
                "\"2027-01-31\"",
                expect![
                    "schema.toml:6:9: until is not a date: write it as 2027-01-31, without quotes and without a time"
                ],
            ),
            (
                "2027-01-31",
                "2027-01-31T10:00:00",
                expect![
                    "schema.toml:6:9: until is not a date: write it as 2027-01-31, without quotes and without a time"
                ],
            ),
            ("coordinate = \"Book.title\"", "", expect!["schema.toml:2:1: missing field `coordinate`"]),
            (
                "kind",
                "sort",
                expect![
                    "schema.toml:4:1: unknown field `sort`, expected one of `kind`, `coordinate`, `message`, `reason`, `until`"
                ],
            ),
            ("[[accepted]]", "accepted", expect!["schema.toml:2:9: key with no value, expected `=`"]),
        ] {
            let problems = Policy::parse("schema.toml", &with(from, to));
            expected.assert_eq(&problems.expect_err("it has problems").to_string());
        }
    }
}

mod reports {
    use super::*;

    #[test]
    fn as_text_begin_with_the_worst_change() {
        let text = review(ACCEPTED, "2026-11-21").report().text(Colours::None);
        expect![[r#"
            breaking: deprecated field 'Book.gone' was removed [FIELD_REMOVED]
              at old.graphql:1:35
              Operations that select the field become invalid. It was deprecated: check whether clients still select it.
            breaking: field 'Book.title' was removed [FIELD_REMOVED]
              at old.graphql:1:21
              Operations that select the field become invalid, and it was not deprecated first.
              accepted until 2027-01-31: No client selects it.
            breaking: union 'Found' no longer has the member 'Other' [UNION_MEMBER_REMOVED]
              at old.graphql:3:30
              Fragments on the type in selections of the union become invalid.
            breaking: union 'Found' no longer has the member 'Query' [UNION_MEMBER_REMOVED]
              at old.graphql:3:22
              Fragments on the type in selections of the union become invalid.
            dangerous: argument 'Query.book(of:)' was added with the type 'Int' and the default value 1 [FIELD_ARGUMENT_ADDED]
              at new.graphql:5:27
              Existing operations stay valid, but the result of the field without the argument can differ.
            dangerous: @tag(name: "<b>|`#1`") was added to field 'Query.found' [DIRECTIVE_USAGE_FIELD_DEFINITION_ADDED]
              at old.graphql:5:33
              at new.graphql:5:59
              The effect of the directive is unknown: it can change accepted values or results.
            safe: field 'Other.new' was added with the type 'Int' [FIELD_ADDED]
              at new.graphql:4:28
              A response contains only selected fields, and no existing operation selects this one.
            3 breaking, 2 dangerous, 1 safe, 1 accepted
        "#]].assert_eq(&text);
    }

    #[test]
    fn are_coloured_on_request() {
        let (old, new) = schemas();
        let review = Review::new(diff(&old, &new));
        let plain = review.report().text(Colours::None);
        let coloured = review.report().text(Colours::Ansi);
        assert!(!plain.contains('\u{1b}'));
        assert!(coloured.contains("\u{1b}[1m\u{1b}[31mbreaking\u{1b}[0m: "));
    }

    #[test]
    fn as_json_are_arrays_of_objects() {
        let (old, new) = ("type Query { a: Int b: Int }", "type Query { a: Int! }");
        let old = Schema::parse("old.graphql", old).expect("it is valid");
        let new = Schema::parse("new.graphql", new).expect("it is valid");
        let text = with("Book.title", "Query.b");
        let accepted = Policy::parse("schema.toml", &text).expect("it is valid");
        let review = accepted.review(&old, &new, diff(&old, &new), day("2026-11-21"));
        expect![[r#"
            [
              {
                "coordinate": "Query.a",
                "kind": "FIELD_TYPE_CHANGED",
                "level": "safe",
                "message": "field 'Query.a' changed its type from 'Int' to 'Int!'",
                "reason": "Every value of the new type is a value of the old type.",
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
                "reason": "Operations that select the field become invalid, and it was not deprecated first.",
                "old": {
                  "file": "old.graphql",
                  "line": 1,
                  "column": 21
                },
                "new": null,
                "accepted": {
                  "reason": "No client selects it.",
                  "until": "2027-01-31",
                  "place": {
                    "file": "schema.toml",
                    "line": 2,
                    "column": 1
                  }
                }
              }
            ]
        "#]]
        .assert_eq(&report::json(&review.changes));
    }

    #[test]
    fn as_markdown_are_tables_with_escaped_markup() {
        let markdown = review(ACCEPTED, "2026-11-21").report().markdown();
        expect![[r####"
            ### Contract: 3 breaking, 2 dangerous, 1 safe, 1 accepted

            | Level | What | Where | Details |
            |---|---|---|---|
            | breaking | deprecated field 'Book.gone' was removed `FIELD_REMOVED` | old.graphql:1:35 | Operations that select the field become invalid. It was deprecated: check whether clients still select it. |
            | breaking | union 'Found' no longer has the member 'Other' `UNION_MEMBER_REMOVED` | old.graphql:3:30 | Fragments on the type in selections of the union become invalid. |
            | breaking | union 'Found' no longer has the member 'Query' `UNION_MEMBER_REMOVED` | old.graphql:3:22 | Fragments on the type in selections of the union become invalid. |
            | dangerous | argument 'Query.book(of:)' was added with the type 'Int' and the default value 1 `FIELD_ARGUMENT_ADDED` | new.graphql:5:27 | Existing operations stay valid, but the result of the field without the argument can differ. |
            | dangerous | @<!-- -->tag(name: "&lt;b&gt;\|\`#<!-- -->1\`") was added to field 'Query.found' `DIRECTIVE_USAGE_FIELD_DEFINITION_ADDED` | old.graphql:5:33<br>new.graphql:5:59 | The effect of the directive is unknown: it can change accepted values or results. |

            <details><summary>2 safe or accepted</summary>

            | Level | What | Where | Details |
            |---|---|---|---|
            | breaking | field 'Book.title' was removed `FIELD_REMOVED` | old.graphql:1:21 | Operations that select the field become invalid, and it was not deprecated first.<br>accepted until 2027-01-31: No client selects it. |
            | safe | field 'Other.new' was added with the type 'Int' `FIELD_ADDED` | new.graphql:4:28 | A response contains only selected fields, and no existing operation selects this one. |

            </details>
        "####]].assert_eq(&markdown);
    }

    #[test]
    fn as_markdown_list_the_invalid_entries() {
        let markdown = review(ACCEPTED, "2027-02-01").report().markdown();
        assert!(markdown.contains("- schema.toml:2:1: the acceptance of FIELD\\_REMOVED"));
    }

    #[test]
    fn of_equal_schemas_are_empty() {
        let review = Review::new(Vec::new());
        assert!(review.passes());
        assert_eq!(review.report().text(Colours::None), "no changes\n");
        assert_eq!(report::json(&review.changes), "[]\n");
        assert_eq!(review.report().markdown(), "### Contract: no changes\n");
    }
}
