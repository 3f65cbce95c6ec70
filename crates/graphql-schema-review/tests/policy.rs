//! The policy file: what it changes in lint and diff, and its problems.

#![allow(missing_docs, clippy::expect_used, reason = "a test fails by panicking")]
#![allow(clippy::needless_raw_string_hashes, reason = "expect-test generates them")]

use chrono::NaiveDate;
use expect_test::{Expect, expect};
use graphql_schema_review::{
    Policy,
    lint::{Finding, Severity},
};
use graphql_sdl::Schema;

const OLD: &str = r#"
"The queries."
type Query {
  "A book."
  book: Book @tag(name: "a")
  "Gone." gone: Int
  "Gone, too." legacy: Int @deprecated(reason: "It is empty.")
}
type Book { id: ID! }
"Not used." type Unused { "A." a: Int  "B." b: Int }
"A tag." directive @tag("A name." name: String) on FIELD_DEFINITION
"#;

const NEW: &str = r#"
"The questions."
type Query {
  "A book."
  book: Book @tag(name: "b")
}
type Book { id: ID! }
"Not used." type Unused { "A." a: Int }
"A tag." directive @tag("A name." name: String) on FIELD_DEFINITION
"#;

fn schema(sdl: &str) -> Schema {
    Schema::parse("schema.graphql", sdl).expect("it is valid")
}

fn policy(text: &str) -> Policy {
    Policy::parse("schema.toml", text).unwrap_or_else(|problems| panic!("{problems}"))
}

fn today() -> NaiveDate {
    "2026-11-27".parse().expect("it is a day")
}

fn lint(policy_text: &str, sdl: &str) -> Vec<Finding> {
    policy(policy_text).lint(&schema(sdl), today())
}

/// The rule, coordinate and message of each finding.
fn findings(policy_text: &str, sdl: &str) -> Vec<String> {
    let findings = lint(policy_text, sdl).into_iter();
    let lines = findings.map(|one| format!("{} {} {}", one.rule, one.coordinate, one.message));
    lines.collect()
}

/// The level, kind and coordinate of each change.
fn changes(policy_text: &str) -> Vec<String> {
    let changes = policy(policy_text).diff(&schema(OLD), &schema(NEW));
    let lines = changes.iter().map(|one| format!("{} {} {}", one.level, one.kind, one.coordinate));
    lines.collect()
}

fn problems(text: &str, expected: &Expect) {
    let problems = Policy::parse("schema.toml", text).expect_err("it has problems");
    expected.assert_eq(&problems.to_string());
}

mod the_file {
    use super::*;

    #[test]
    fn of_the_documentation_is_valid() {
        let page = include_str!("../docs/contract-review.md");
        let blocks = page.split("```toml\n").skip(1);
        let blocks = blocks.filter_map(|rest| rest.split("```").next());
        let policies: Vec<_> = blocks.filter(|block| block.contains("[lint.levels]")).collect();
        assert_eq!(policies.len(), 1);
        policy(policies[0]);
    }

    #[test]
    fn is_strict_and_suggests_names() {
        for (text, expected) in [
            (
                "\n[lnt]",
                expect![[
                    r#"schema.toml:2:2: unknown field `lnt`, expected one of `schema`, `documents`, `presets`, `lint`, `allowed`, `diff`, `accepted`, `operations`; did you mean "lint"?"#
                ]],
            ),
            (
                "[lint]\nverbs = \"enroll\"",
                expect![[r#"schema.toml:2:9: invalid type: string "enroll", expected a sequence"#]],
            ),
            (
                "[diff.levels]\n\nFIELD_REMOVD = \"safe\"",
                expect![[r#"schema.toml:3:1: unknown variant `FIELD_REMOVD`; did you mean "FIELD_REMOVED"?"#]],
            ),
            (
                "[operations]\nclient-directives = [\n  \"track\",\n  \"@de bounce\",\n]",
                expect![[r#"schema.toml:2:21: "@de bounce" is not the name of a directive"#]],
            ),
            (
                "[[allowed]]\nrule = \"described\"\ncoordinate = \"Query\"\n",
                expect!["schema.toml:1:1: missing field `reason`"],
            ),
        ] {
            problems(text, &expected);
        }
    }
}

mod lint_options {
    use super::*;

    #[test]
    fn levels_replace_those_of_the_rules() {
        let levels = "[lint.levels]\nunused-type = \"warning\"\ndescribed = \"off\"";
        let findings = lint(levels, OLD);
        assert_eq!(findings.len(), 1, "{findings:#?}");
        assert_eq!(findings[0].coordinate, "Unused");
        assert_eq!(findings[0].severity, Severity::Warning);
    }

    #[test]
    fn names_follow_the_conventions_of_the_policy() {
        let sdl = r#"
"A." type Query { "A." URLPath: Int "A." book_url: Int "A." _count: Int "A." x_Count: Int "A." day: Day }
"A." type Mutation { "A." enrollBook: Int "A." userCount: Int }
"A." enum Day { "A." Monday "A." TUESDAY }
extend type Query { "A." days("A." in_week: InWeek, "A." inYear: Int): Day }
"A." input InWeek { "A." first_day: Int "A." lastDay: Int "A." NOT: InWeek }
"#;
        let names = r#"
[lint]
abbreviations = ["URL"]
styles = { values = "PascalCase", inputs = "snake_case", arguments = "snake_case" }
prefixes = ["_", "x_"]
verbs = ["enroll"]
"#;
        assert_eq!(
            findings(names, sdl),
            [
                "field-name Query.book_url is not camelCase: rename the field to bookURL",
                "field-name Query.x_Count is not camelCase: rename the field to x_count",
                "mutation-verb Mutation.userCount has no known verb: say what it does, as in createBook or bookCreate",
                "field-name Query.days(inYear:) is not snake_case: rename the argument to in_year",
                "field-name InWeek.lastDay is not snake_case: rename the input field to last_day",
            ]
        );
    }

    #[test]
    fn a_list_is_bounded_by_an_argument_of_the_policy() {
        let sdl = r#""A." type Query { "A." books("A." top: Int): [Query] }"#;
        assert_eq!(findings("", sdl).len(), 1);
        assert_eq!(findings("[lint]\nlimits = [\"top\"]", sdl), [""; 0]);
    }

    #[test]
    fn a_field_does_not_repeat_the_name_of_its_type() {
        let sdl = r#""A." type Query { "A." queryBooks: Int "A." query_all: Int "A." query: Int "A." queryable: Int }"#;
        assert_eq!(
            findings("[lint.levels]\nfield-prefix = \"error\"\nfield-name = \"off\"", sdl),
            [
                "field-prefix Query.queryBooks repeats the name of its type: rename the field to books",
                "field-prefix Query.query_all repeats the name of its type: rename the field to all",
            ]
        );
    }

    #[test]
    fn a_deprecation_has_the_date_of_the_removal() {
        let sdl = r#"
"A." type Query {
  "A." a: Int @deprecated(reason: "Use b. Removal on 2026-11-26 UTC.")
  "A." b: Int @deprecated(reason: "Use c, since 2020-01-01; removed on 2026-11-27.")
  "A." c: Int @deprecated(reason: "Use a. Build 2026-13-01")
}
"#;
        assert_eq!(findings("", sdl), [""; 0]);
        assert_eq!(
            findings("[lint.levels]\ndeprecation-date = \"error\"", sdl),
            [
                "deprecation-date Query.a should have been removed on 2026-11-26: remove it, or set a later date",
                "deprecation-date Query.c is deprecated without a date: add that of the removal to the reason, as in 2027-01-31",
            ]
        );
    }
}

mod allowed_findings {
    use super::*;

    const ALLOWED: &str = r#"
[[allowed]]
rule = "described"
coordinate = "B*k"
reason = "The names say it."
until = 2026-11-27
"#;

    #[test]
    fn are_those_of_an_element_and_its_parts() {
        let unused = "unused-type Unused is not reachable from the root types: use it or remove it";
        assert_eq!(findings(ALLOWED, OLD), [unused]);
        assert_eq!(findings(&ALLOWED.replace("B*k", "Book.id"), OLD).len(), 2);
    }

    #[test]
    fn expire_after_their_last_day() {
        let expired = lint(&ALLOWED.replace("2026-11-27", "2026-11-26"), OLD);
        assert_eq!(expired.len(), 4, "{expired:#?}");
        let expired = &expired[3];
        assert_eq!(expired.coordinate, "schema.toml:2");
        let location = expired.location.as_ref().map(ToString::to_string);
        assert_eq!(location.as_deref(), Some("schema.toml:2:1"));
        assert_eq!(
            expired.message,
            "the allowance of described for 'B*k' expired on 2026-11-26: correct the findings, or set a later date after a review"
        );
    }

    #[test]
    fn are_many() {
        let entry = |coordinate: &str| {
            format!("[[allowed]]\nrule = \"described\"\ncoordinate = {coordinate:?}\nreason = \"x\"\n")
        };
        let fields: Vec<_> = (0..5000).map(|n| format!("field{n}: Int")).collect();
        let sdl = format!("\"A.\" type Query {{ {} }}", fields.join(" "));
        let entries = (0..500).map(|n| entry(&format!("Query.field{n}")));
        let entries: String = entries.chain([entry("*f*ld1*5")]).collect();
        // The first 500, and those that begin with 1 and end with 5.
        assert_eq!(findings(&entries, &sdl).len(), 5000 - 500 - 100);
    }

    #[test]
    fn are_found() {
        let other = ALLOWED.replace("B*k", "Bok");
        let unused = "allowance schema.toml:2 the rule described has no finding for 'Bok': remove the allowance";
        assert!(findings(&other, OLD).contains(&unused.to_owned()));
        // Without the rule, it is kept for later.
        let off = other + "[lint.levels]\ndescribed = \"off\"\nunused-type = \"off\"";
        assert_eq!(findings(&off, OLD), [""; 0]);
        let comment = format!("# lint:allow-file described reason: x\n{OLD}");
        let off = "[lint.levels]\ndescribed = \"off\"\nunused-type = \"off\"";
        assert_eq!(findings(off, &comment), [""; 0]);
    }
}

mod presets {
    use super::*;

    #[test]
    fn are_overridden_by_the_file() {
        let sdl = r#"
"A." type Query { "A." books(first: Int): BookConnection "A." _count: Int "A." mode: Mode }
"A." type BookConnection { edges: [BookEdge] pageInfo: PageInfo! } type BookEdge { node: Query cursor: String }
type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
"A." type Other { "A." a: Int }
"A." enum Mode { "A." default }
"#;
        let levels = |policy| {
            let findings = lint(policy, sdl).into_iter();
            let lines = findings.map(|one| format!("{} {}", one.severity, one.rule));
            lines.collect::<Vec<_>>()
        };
        assert_eq!(
            levels(""),
            ["warning relay-arguments", "error field-name", "error unused-type", "error enum-value-name"]
        );
        assert_eq!(levels("presets = [\"relay\", \"federation\", \"prisma-like\"]"), ["error relay-arguments"]);
        assert_eq!(
            levels("presets = [\"relay\", \"federation\"]\n[lint.levels]\nrelay-arguments = \"off\""),
            ["error field-name", "error enum-value-name"]
        );
    }
}

mod changes {
    use super::*;

    #[test]
    fn have_the_levels_of_their_groups_and_kinds() {
        assert_eq!(
            changes(""),
            [
                "safe TYPE_DESCRIPTION_CHANGED Query",
                "dangerous DIRECTIVE_USAGE_ARGUMENT_CHANGED Query.book",
                "breaking FIELD_REMOVED Query.gone",
                "breaking FIELD_REMOVED Query.legacy",
                "safe FIELD_REMOVED Unused.b",
            ]
        );
        let levels = r#"
[diff]
documentation-directives = ["@tag"]
descriptions = "off"
deprecated-removed = "dangerous"
unreachable = "breaking"
[diff.levels]
FIELD_REMOVED = "breaking"
"#;
        assert_eq!(
            changes(levels),
            [
                "safe DIRECTIVE_USAGE_ARGUMENT_CHANGED Query.book",
                "breaking FIELD_REMOVED Query.gone",
                "dangerous FIELD_REMOVED Query.legacy",
                "breaking FIELD_REMOVED Unused.b",
            ]
        );
        let kinds = "[diff]\nunknown-directives = \"breaking\"\n[diff.levels]\nFIELD_REMOVED = \"safe\"";
        assert_eq!(
            changes(kinds),
            [
                "safe TYPE_DESCRIPTION_CHANGED Query",
                "breaking DIRECTIVE_USAGE_ARGUMENT_CHANGED Query.book",
                "safe FIELD_REMOVED Query.gone",
                "safe FIELD_REMOVED Query.legacy",
                "safe FIELD_REMOVED Unused.b",
            ]
        );
    }

    #[test]
    fn fail_the_review_from_a_level_on() {
        for (fail_on, count) in [("breaking", 2), ("dangerous", 3), ("off", 0)] {
            let policy = policy(&format!("[diff]\nfail-on = {fail_on:?}"));
            let (old, new) = (schema(OLD), schema(NEW));
            let review = policy.review(&old, &new, policy.diff(&old, &new), today());
            assert_eq!(review.failing_count(), count, "{fail_on}");
            assert_eq!(review.passes(), count == 0, "{fail_on}");
        }
    }
}
