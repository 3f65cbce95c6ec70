//! Recorded use: windows that are covered, changes that affect nobody, reports.

#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]
#![allow(
    clippy::needless_raw_string_hashes,
    reason = "expect-test generates them"
)]

use chrono::{DateTime, TimeDelta, Utc};
use expect_test::{Expect, expect};
use proptest::{collection::vec, prelude::*};
use review::{
    Level, Review, diff,
    report::{self, Colours},
    usage::{Evidence, Usage, report as usage_report},
};
use schema::{Gap, Schema, UsageSnapshot, Use, UseFact};

const OLD: &str = "
type Query {
  books(first: Int, filter: Filter, order: Order = NEW): [Book]
  old: Int @deprecated(reason: \"Use `books`.\")
}
type Book { id: ID title: String @deprecated notes: Note }
type Note { text: String }
input Filter { title: String pages: Int }
enum Order { NEW OLD @deprecated(reason: \"Slow.\") }
union Found = Book | Note
";

fn schema(sdl: &str) -> Schema {
    Schema::parse("schema.graphql", sdl).expect("it is valid")
}

/// A time in days after the begin of the tests.
fn day(day: i64) -> DateTime<Utc> {
    let begin: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().expect("it is a time");
    begin + TimeDelta::days(day)
}

/// What an instance recorded from one day to another.
fn snapshot(instance: &str, since: i64, until: i64) -> UsageSnapshot {
    let mut snapshot = UsageSnapshot::new(&schema(OLD), instance.to_owned(), day(since));
    snapshot.until = day(until);
    snapshot
}

/// It was stopped in order.
fn stopped(mut snapshot: UsageSnapshot) -> UsageSnapshot {
    snapshot.stopped = true;
    snapshot
}

fn with_gap(mut snapshot: UsageSnapshot, from: i64, until: i64) -> UsageSnapshot {
    snapshot.gaps.push(Gap {
        from: day(from),
        until: day(until),
    });
    snapshot
}

/// A fact about a coordinate on a day.
type Recorded<'a> = (&'a str, UseFact, &'a str, i64, u64);

fn with_use(mut snapshot: UsageSnapshot, facts: &[Recorded]) -> UsageSnapshot {
    for (coordinate, fact, caller, on, count) in facts {
        let recorded = snapshot.coordinates.get_mut(*coordinate);
        let recorded = recorded.unwrap_or_else(|| panic!("{coordinate} is not listed"));
        recorded.record(*fact, caller, &Use::on(day(*on).date_naive(), *count));
    }
    snapshot
}

/// The review of a change with 90 days of use, at the end of day 100.
fn review(sdl: &str, snapshots: Vec<UsageSnapshot>) -> Review {
    let (old, new) = (schema(OLD), schema(sdl));
    let usage = Usage::new(snapshots);
    let window = usage.window(90, day(100));
    let mut review = Review::new(diff(&old, &new));
    review.add_usage(&usage, &window, &old, &new);
    review
}

/// The coordinates, levels and evidence of the changes with evidence.
fn evidence(review: &Review) -> String {
    let changes = review.changes.iter();
    let lines = changes.filter_map(|reviewed| {
        let evidence = reviewed.usage.as_ref()?;
        let change = &reviewed.change;
        Some(format!(
            "{} {} {}: {evidence}\n",
            change.level, change.kind, change.coordinate
        ))
    });
    lines.collect()
}

/// Replaces a text of the old schema.
fn changed(from: &str, to: &str) -> String {
    assert!(OLD.contains(from), "{from}");
    OLD.replace(from, to)
}

#[track_caller]
fn check(from: &str, to: &str, facts: &[Recorded], expected: &Expect) {
    let used = with_use(snapshot("one", 0, 100), facts);
    expected.assert_eq(&evidence(&review(&changed(from, to), vec![used])));
}

const NO_TITLE: (&str, &str) = ("title: String @deprecated ", "");

mod windows {
    use super::*;

    prop_compose! {
        fn recording()(
            instance in 0..4_u8,
            since in 0..30_i64,
            length in 0..30_i64,
            gaps in vec((0..30_i64, 1..4_i64), 0..2),
        ) -> (u8, i64, i64, Vec<(i64, i64)>) {
            let until = since + length;
            let mut begin = since;
            let mut inside = vec![];
            for (after, length) in gaps {
                let from = begin + after;
                if from + length <= until {
                    inside.push((from, from + length));
                    begin = from + length;
                }
            }
            (instance, since, until, inside)
        }
    }

    proptest! {
        #[test]
        fn are_covered_exactly_if_every_moment_is_recorded_and_no_instance_has_a_gap(
            recordings in vec(recording(), 1..5),
            stops in vec(any::<bool>(), 5),
            days in 1..20_u32,
            age in 0..3_i64,
        ) {
            let snapshots = recordings.iter().enumerate().map(|(index, (_, since, until, gaps))| {
                let mut recorded = snapshot(&index.to_string(), *since, *until);
                recorded.stopped = stops[index];
                gaps.iter().fold(recorded, |recorded, (from, until)| with_gap(recorded, *from, *until))
            });
            let usage = Usage::new(snapshots);
            let to = recordings.iter().map(|(_, _, until, _)| *until).max().expect("there is one");
            let window = usage.window(days, day(to + age));
            let from = to - i64::from(days);
            let is_recorded = |moment| recordings.iter().any(|(_, since, until, _)| {
                (*since..*until).contains(&moment)
            });
            let mut gaps = recordings.iter().flat_map(|(_, _, _, gaps)| gaps);
            let has_gap = gaps.any(|(begin, end)| *end > from && *begin < to);
            let mut ends = recordings.iter().zip(&stops);
            let all_end = ends.all(|((_, _, until, _), stopped)| *stopped || *until >= to - 1);
            let expected = age <= 1 && !has_gap && all_end && (from..to).all(is_recorded);
            prop_assert_eq!(window.uncovered.is_none(), expected, "{:?}", window);
            prop_assert_eq!((window.from, window.to), (day(from), day(to)));
        }

        #[test]
        fn of_several_snapshots_of_an_instance_the_newest_counts(
            recordings in vec(recording(), 1..6),
        ) {
            let snapshots = recordings.iter().map(|(instance, since, until, _)| {
                let count = u64::try_from(*until).expect("it is not negative") + 1;
                let facts = [("Book.id", UseFact::Used, "web", *since, count)];
                with_use(snapshot(&instance.to_string(), *since, *until), &facts)
            });
            let mut newest = [0; 4];
            for (instance, _, until, _) in &recordings {
                let count = &mut newest[usize::from(*instance)];
                *count = (until + 1).max(*count);
            }
            let usage = Usage::new(snapshots);
            let window = usage.window(1000, day(60));
            let (old, new) = (schema(OLD), schema(&changed("id: ID ", "")));
            let mut review = Review::new(diff(&old, &new));
            review.add_usage(&usage, &window, &old, &new);
            let Some(Evidence::Used { facts }) = &review.changes[0].usage else {
                panic!("{review:?}");
            };
            let sum = u64::try_from(newest.iter().sum::<i64>()).expect("it is not negative");
            prop_assert_eq!(facts[0].callers[0].used.count, sum);
        }
    }

    #[test]
    fn that_are_not_covered_decide_nothing() {
        let one = || snapshot("one", 0, 100);
        let cases = [
            (
                vec![snapshot("one", 0, 98)],
                "the newest snapshot ends on 2026-04-09 00:00 UTC",
            ),
            (
                vec![one(), with_gap(snapshot("two", 0, 100), 50, 51)],
                "the instance two did not record from 2026-02-20 00:00 UTC to 2026-02-21 00:00 UTC",
            ),
            (
                vec![stopped(snapshot("one", 0, 40)), snapshot("two", 41, 100)],
                "no instance recorded from 2026-02-10 00:00 UTC to 2026-02-11 00:00 UTC",
            ),
            (
                vec![snapshot("one", 11, 100)],
                "no instance recorded from 2026-01-11 00:00 UTC to 2026-01-12 00:00 UTC",
            ),
            (
                vec![one(), snapshot("two", 0, 98)],
                "the instance two did not stop, and its snapshot ends on 2026-04-09 00:00 UTC",
            ),
            (
                vec![one(), snapshot("two", 0, 5)],
                "the instance two did not stop, and its snapshot ends on 2026-01-06 00:00 UTC",
            ),
        ];
        for (snapshots, expected) in cases {
            let review = review(&changed(NO_TITLE.0, NO_TITLE.1), snapshots);
            let expected = format!(
                "breaking FIELD_REMOVED Book.title: recorded use is no evidence: no use was seen, but {expected}\n"
            );
            assert_eq!(evidence(&review), expected);
            assert_eq!(review.count(Level::Breaking), 1);
        }
    }

    #[test]
    fn with_a_snapshot_from_the_future_decide_nothing() {
        let future = "recorded use is no evidence: no use was seen, but the snapshot of the instance two ends in the \
             future, on 2027-04-11 00:00 UTC, so a clock is wrong";
        let ahead = || snapshot("two", 0, 465);
        for snapshots in [
            vec![ahead()],
            vec![stopped(ahead())],
            vec![snapshot("one", 0, 100), ahead()],
        ] {
            let review = review(&changed(NO_TITLE.0, NO_TITLE.1), snapshots);
            let expected = format!("breaking FIELD_REMOVED Book.title: {future}\n");
            assert_eq!(evidence(&review), expected);
            assert!(!review.passes());
        }
        // The use is that before the present.
        let used = with_use(ahead(), &[("Book.title", UseFact::Used, "web", 99, 5)]);
        let review = review(&changed(NO_TITLE.0, NO_TITLE.1), vec![used]);
        let expected =
            "breaking FIELD_REMOVED Book.title: used by web (5 requests on 2026-04-10)\n";
        assert_eq!(evidence(&review), expected);
    }

    #[test]
    fn allow_that_two_clocks_differ() {
        let mut ahead = snapshot("one", 0, 100);
        ahead.until += TimeDelta::minutes(4);
        let review = review(&changed(NO_TITLE.0, NO_TITLE.1), vec![ahead]);
        assert!(review.passes(), "{}", evidence(&review));
    }

    #[test]
    fn need_no_instance_that_recorded_all_of_the_time() {
        let snapshots = vec![
            stopped(with_gap(snapshot("one", 0, 50), 3, 4)),
            stopped(snapshot("two", 45, 80)),
            snapshot("three", 80, 99),
            snapshot("four", 80, 100),
        ];
        let review = review(&changed(NO_TITLE.0, NO_TITLE.1), snapshots);
        let expected = expect![[r#"
            dangerous FIELD_REMOVED Book.title: no use seen in 90 days by 4 instances, from 2026-01-11 to 2026-04-11
        "#]];
        expected.assert_eq(&evidence(&review));
        assert!(review.passes());
    }
}

mod changes {
    use super::*;

    #[test]
    fn of_what_was_used_name_the_callers() {
        check(
            NO_TITLE.0,
            NO_TITLE.1,
            &[
                ("Book.title", UseFact::Used, "web", 20, 7),
                ("Book.title", UseFact::Used, "web", 99, 1200),
                ("Book.title", UseFact::Used, "(anonymous)", 60, 1),
                ("Book.title", UseFact::Used, "long ago", 5, 5000),
                ("Book.id", UseFact::Used, "other", 99, 3),
            ],
            &expect![[r#"
                breaking FIELD_REMOVED Book.title: used by web (1207 requests from 2026-01-21 to 2026-04-10), (anonymous) (1 request on 2026-03-02)
            "#]],
        );
    }

    #[test]
    fn from_optional_to_required_depend_on_requests_that_omit_it_or_can_give_null() {
        let (from, to) = ("first: Int,", "first: Int!,");
        let used = ("Query.books(first:)", UseFact::Used, "web", 99, 5);
        check(
            from,
            to,
            &[used],
            &expect![[r#"
            dangerous FIELD_ARGUMENT_TYPE_CHANGED Query.books(first:): no use seen in 90 days by 1 instance, from 2026-01-11 to 2026-04-11
        "#]],
        );
        let omitted = ("Query.books(first:)", UseFact::Omitted, "ios", 99, 2);
        let null = ("Query.books(first:)", UseFact::Null, "web", 99, 3);
        check(
            from,
            to,
            &[used, omitted, null],
            &expect![[r#"
            breaking FIELD_ARGUMENT_TYPE_CHANGED Query.books(first:): null or a nullable variable by web (3 requests on 2026-04-10); omitted by ios (2 requests on 2026-04-10)
        "#]],
        );
        // With a default value it may be omitted.
        check(
            from,
            "first: Int! = 5,",
            &[used, omitted],
            &expect![[r#"
            dangerous FIELD_ARGUMENT_TYPE_CHANGED Query.books(first:): no use seen in 90 days by 1 instance, from 2026-01-11 to 2026-04-11
        "#]],
        );
    }

    #[test]
    fn to_another_type_depend_on_every_use() {
        let used = ("Query.books(first:)", UseFact::Used, "web", 99, 5);
        check(
            "first: Int,",
            "first: Float!,",
            &[used],
            &expect![[r#"
            breaking FIELD_ARGUMENT_TYPE_CHANGED Query.books(first:): used by web (5 requests on 2026-04-10)
        "#]],
        );
    }

    #[test]
    fn that_add_required_inputs_depend_on_the_use_of_the_field_or_type() {
        check(
            "first: Int,",
            "first: Int, by: Int!,",
            &[("Query.books", UseFact::Used, "web", 99, 5)],
            &expect![[r#"
            breaking FIELD_ARGUMENT_ADDED Query.books(by:): used by web (5 requests on 2026-04-10)
        "#]],
        );
        let empty = [
            ("Filter.title", UseFact::Omitted, "web", 99, 5),
            ("Filter.pages", UseFact::Omitted, "web", 98, 4),
        ];
        check(
            "pages: Int",
            "pages: Int by: Int!",
            &empty,
            &expect![[r#"
            breaking INPUT_FIELD_ADDED Filter.by: used by web (5 requests from 2026-04-09 to 2026-04-10)
        "#]],
        );
        check(
            "pages: Int",
            "pages: Int by: Int!",
            &[],
            &expect![[r#"
            dangerous INPUT_FIELD_ADDED Filter.by: no use seen in 90 days by 1 instance, from 2026-01-11 to 2026-04-11
        "#]],
        );
    }

    #[test]
    fn of_types_depend_on_their_members_and_on_their_names() {
        let sdl = changed("notes: Note", "").replace("type Note { text: String }", "");
        let sdl = sdl.replace(" | Note", "");
        let by_name = with_use(
            snapshot("one", 0, 100),
            &[("Note", UseFact::Used, "web", 99, 1)],
        );
        expect![[r#"
            dangerous FIELD_REMOVED Book.notes: no use seen in 90 days by 1 instance, from 2026-01-11 to 2026-04-11
            breaking TYPE_REMOVED Note: used by web (1 request on 2026-04-10)
        "#]].assert_eq(&evidence(&review(&sdl, vec![by_name])));
    }

    #[test]
    fn of_enum_values_depend_on_their_use() {
        check(
            " OLD @deprecated(reason: \"Slow.\")",
            "",
            &[("Order.NEW", UseFact::Used, "web", 99, 1)],
            &expect![[r#"
            dangerous ENUM_VALUE_REMOVED Order.OLD: no use seen in 90 days by 1 instance, from 2026-01-11 to 2026-04-11
        "#]],
        );
    }

    #[test]
    fn of_what_an_instance_did_not_know_are_not_decided() {
        let mut older = snapshot("older", 0, 100);
        older.coordinates.remove("Book.title");
        let sdl = changed(NO_TITLE.0, NO_TITLE.1);
        expect![[r#"
            breaking FIELD_REMOVED Book.title: recorded use is no evidence: 'Book.title' is not in the schema of the instance older
        "#]].assert_eq(&evidence(&review(&sdl, vec![snapshot("one", 0, 100), older])));
    }

    #[test]
    fn that_are_not_breaking_have_no_evidence() {
        let review = review(
            &changed("pages: Int", "pages: Int more: Int"),
            vec![snapshot("one", 0, 100)],
        );
        assert_eq!(
            (evidence(&review), review.changes.len()),
            (String::new(), 1)
        );
    }
}

mod reports {
    use super::*;

    fn recorded() -> Vec<UsageSnapshot> {
        let one = with_use(
            snapshot("one", 0, 100),
            &[
                ("Book.title", UseFact::Used, "web", 99, 5),
                ("Query.old", UseFact::Used, "<b>|`#1`\u{1b}", 3, 40),
                ("Query.old", UseFact::Used, "web", 4, 50),
            ],
        );
        let two = with_use(
            snapshot("two", 0, 99),
            &[("Book.title", UseFact::Used, "web", 10, 1)],
        );
        vec![one, with_gap(two, 5, 6)]
    }

    #[test]
    fn list_the_callers_of_what_is_deprecated() {
        let usage = Usage::new(recorded());
        expect![[r#"
            deprecated: field 'Query.old': Use `books`.
              at schema.graphql:4:3
              web (50 requests on 2026-01-05)
              <b>|`#1`\u{1b} (40 requests on 2026-01-04)
            deprecated: field 'Book.title'
              at schema.graphql:6:20
              web (6 requests from 2026-01-11 to 2026-04-10)
            deprecated: enum value 'Order.OLD': Slow.
              at schema.graphql:9:18
              no use was recorded
            2 of 3 deprecated elements are used; recorded by 2 instances from 2026-01-01 to 2026-04-11, with 1 gap
        "#]].assert_eq(&usage_report::text(&usage, &schema(OLD), Colours::None));
        expect![[r#"
            ### Deprecated: 2 of 3 deprecated elements are used; recorded by 2 instances from 2026-01-01 to 2026-04-11, with 1 gap

            | Element | Location | Reason | Callers |
            |---|---|---|---|
            | `Query.old` | `schema.graphql:4:3` | Use \`books\`. | web (50 requests on 2026-01-05)<br>&lt;b&gt;\|\`#<!-- -->1\`\\u{1b} (40 requests on 2026-01-04) |
            | `Book.title` | `schema.graphql:6:20` |  | web (6 requests from 2026-01-11 to 2026-04-10) |
            | `Order.OLD` | `schema.graphql:9:18` | Slow. | no use was recorded |
        "#]].assert_eq(&usage_report::markdown(&usage, &schema(OLD)));
    }

    #[test]
    fn are_json_for_programs() {
        let usage = Usage::new(recorded());
        let json: serde_json::Value =
            serde_json::from_str(&usage_report::json(&usage, &schema(OLD))).expect("it is JSON");
        assert_eq!(
            json["instances"][1]["gaps"][0]["from"],
            "2026-01-06T00:00:00Z"
        );
        let callers = &json["deprecated"][0]["callers"];
        let web = serde_json::json!({ "caller": "web", "first": "2026-01-05", "last": "2026-01-05", "count": 50 });
        assert_eq!(callers[0], web);
        assert_eq!(json["deprecated"][2]["callers"], serde_json::json!([]));
    }

    #[test]
    fn of_changes_have_the_evidence() {
        let review = review(&changed(NO_TITLE.0, NO_TITLE.1), recorded());
        let text = report::text(&review, Colours::None);
        assert!(text.contains("\n  used by web (6 requests"), "{text}");
        let markdown = report::markdown(&review);
        assert!(
            markdown.contains("<br>used by web (6 requests from 2026-01-11 to 2026-04-10) |"),
            "{markdown}"
        );
        let json: serde_json::Value =
            serde_json::from_str(&report::json(&review)).expect("it is JSON");
        let usage = &json[0]["usage"];
        assert_eq!(
            (&usage["verdict"], &usage["facts"][0]["fact"]),
            (&"used".into(), &"used".into())
        );
    }
}
