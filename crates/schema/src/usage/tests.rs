//! Snapshots are added, continued and refused.

use proptest::{collection::vec, prelude::*};

use super::*;

const SDL: &str = "directive @tag on FIELD type Query { books(first: Int): [Int] old: Int }";

fn contract(sdl: &str) -> Schema {
    Schema::parse("schema.graphql", sdl).expect("it is valid")
}

/// A time in minutes after the begin of the tests.
fn minute(minute: i64) -> DateTime<Utc> {
    let begin: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().expect("it is a time");
    begin + TimeDelta::minutes(minute)
}

fn day(day: i64) -> NaiveDate {
    minute(day * 24 * 60).date_naive()
}

fn snapshot() -> UsageSnapshot {
    UsageSnapshot::new(&contract(SDL), "one".to_owned(), minute(0))
}

prop_compose! {
    fn coordinate_use()(
        uses in vec((0..3_usize, 0..4_u8, 0..100_i64, 0..100_i64, 1..1000_u64), 0..8),
    ) -> CoordinateUse {
        let mut recorded = CoordinateUse::default();
        for (fact, caller, one, other, count) in uses {
            let (first, last) = (day(one.min(other)), day(one.max(other)));
            let used = Use { first, last, count };
            recorded.record(UseFact::ALL[fact], &format!("caller {caller}"), &used);
        }
        recorded
    }
}

fn sum(uses: &[CoordinateUse]) -> CoordinateUse {
    uses.iter().fold(CoordinateUse::default(), |mut sum, next| {
        sum.add(next);
        sum
    })
}

fn total(recorded: &CoordinateUse) -> u64 {
    let facts = UseFact::ALL.into_iter();
    let uses = facts.flat_map(|fact| recorded.callers(fact).values());
    uses.map(|used| used.count).sum()
}

proptest! {
    #[test]
    fn a_sum_does_not_depend_on_the_order_and_keeps_every_count(
        uses in vec(coordinate_use(), 0..6),
        split in 0..7_usize,
    ) {
        let whole = sum(&uses);
        prop_assert_eq!(total(&whole), uses.iter().map(total).sum::<u64>());
        let reversed: Vec<_> = uses.iter().rev().cloned().collect();
        prop_assert_eq!(&sum(&reversed), &whole);
        let (head, tail) = uses.split_at(split.min(uses.len()));
        prop_assert_eq!(&sum(&[sum(head), sum(tail)]), &whole);
    }

    #[test]
    fn a_sum_has_the_first_and_the_last_day_of_its_parts(
        uses in vec((0..100_i64, 1..1000_u64), 1..20),
    ) {
        let mut recorded = CoordinateUse::default();
        for (on, count) in &uses {
            recorded.record(UseFact::Used, "web", &Use::on(day(*on), *count));
        }
        let days = uses.iter().map(|(on, _)| day(*on));
        let used = recorded.callers(UseFact::Used)["web"];
        prop_assert_eq!(Some(used.first), days.clone().min());
        prop_assert_eq!(Some(used.last), days.max());
    }

    /// Runs of a server, each with a pause before it, a duration in minutes, and whether it stops in order.
    #[test]
    fn every_minute_is_recorded_or_in_a_gap_or_in_a_restart(
        runs in vec((0..20_i64, 0..20_i64, any::<bool>()), 1..12),
    ) {
        let mut snapshot = snapshot();
        let (mut now, mut recorded) = (0, vec![]);
        let mut clean = None;
        for (pause, duration, stops) in runs {
            if let Some(clean) = clean {
                snapshot.stopped = clean;
                snapshot.resume(&contract(SDL), minute(now + pause));
                let is_gap = pause > 0 && !(clean && pause <= 5);
                recorded.extend((0..pause).map(|_| !is_gap));
                now += pause;
            }
            recorded.extend((0..duration).map(|_| true));
            now += duration;
            snapshot.extend(TimeDelta::minutes(duration), minute(now));
            clean = Some(stops);
        }
        prop_assert_eq!(snapshot.until, minute(now));
        for (at, is_recorded) in (0_i64..).zip(recorded) {
            let mut gaps = snapshot.gaps.iter();
            let is_gap = gaps.any(|gap| (gap.from..gap.until).contains(&minute(at)));
            prop_assert_eq!(!is_gap, is_recorded, "minute {}", at);
        }
        prop_assert_eq!(UsageSnapshot::parse(&snapshot.to_json()).ok(), Some(snapshot));
    }
}

#[test]
fn lists_every_coordinate_of_clients() {
    let coordinates: Vec<_> = snapshot().coordinates.into_keys().collect();
    assert_eq!(
        coordinates,
        ["Query", "Query.books", "Query.books(first:)", "Query.old"]
    );
}

#[test]
fn a_new_contract_keeps_the_use_of_what_it_still_has() {
    let mut snapshot = snapshot();
    let used = Use::on(day(0), 7);
    for coordinate in ["Query.books", "Query.old"] {
        let recorded = snapshot.coordinates.get_mut(coordinate);
        recorded
            .expect("it is listed")
            .record(UseFact::Used, "web", &used);
    }
    let next = contract("type Query { books(first: Int): [Int] new: Int }");
    snapshot.resume(&next, minute(1));
    assert_eq!(snapshot.contract, next.hash().to_string());
    assert_eq!(
        snapshot.coordinates["Query.books"].callers(UseFact::Used)["web"],
        used
    );
    assert_eq!(snapshot.coordinates["Query.new"], CoordinateUse::default());
    assert!(!snapshot.coordinates.contains_key("Query.old"));
}

#[test]
fn many_gaps_are_merged_into_longer_ones() {
    let mut snapshot = snapshot();
    for restart in 1..=250 {
        snapshot.resume(&contract(SDL), minute(restart));
    }
    assert_eq!(snapshot.gaps.len(), MAX_GAPS);
    let (first, last) = (snapshot.gaps[0], snapshot.gaps[MAX_GAPS - 1]);
    assert_eq!((first.from, last.until), (minute(0), minute(250)));
}

#[test]
fn a_small_step_of_the_clock_is_no_gap() {
    let mut snapshot = snapshot();
    snapshot.extend(TimeDelta::minutes(5), minute(10));
    snapshot.extend(TimeDelta::minutes(1), minute(6));
    snapshot.resume(&contract(SDL), minute(5));
    assert_eq!((snapshot.until, snapshot.gaps.len()), (minute(10), 0));
}

const YEAR: i64 = 365 * 24 * 60;

/// The gaps in minutes, and the end.
fn recorded(snapshot: &UsageSnapshot) -> (Vec<(i64, i64)>, i64) {
    let minutes = |time: DateTime<Utc>| (time - minute(0)).num_minutes();
    let gaps = snapshot.gaps.iter();
    let gaps = gaps.map(|gap| (minutes(gap.from), minutes(gap.until)));
    let parsed = UsageSnapshot::parse(&snapshot.to_json()).ok();
    assert_eq!(parsed.as_ref(), Some(snapshot));
    (gaps.collect(), minutes(snapshot.until))
}

#[test]
fn a_clock_that_is_set_forward_and_back_leaves_a_gap() {
    let one = TimeDelta::minutes(1);
    let used = |snapshot: &mut UsageSnapshot, on| {
        let used = Use::on(minute(on).date_naive(), 1);
        let books = snapshot.coordinates.get_mut("Query.books");
        books
            .expect("it is listed")
            .record(UseFact::Used, "web", &used);
    };
    // While the server runs.
    let mut running = snapshot();
    running.extend(TimeDelta::minutes(20), minute(20));
    used(&mut running, YEAR);
    running.extend(one, minute(YEAR));
    assert_eq!(recorded(&running), (vec![(20, YEAR - 1)], YEAR));
    let mut restarted = running.clone();
    running.extend(one, minute(22));
    assert_eq!(recorded(&running), (vec![(20, 22)], 22));
    let callers = running.coordinates["Query.books"].callers(UseFact::Used);
    assert_eq!(callers["web"], Use::on(day(0), 1));
    running.extend(one, minute(23));
    assert_eq!(recorded(&running), (vec![(20, 22)], 23));
    // While it is stopped for a week, however it stopped.
    let week = 7 * 24 * 60;
    for stopped in [true, false] {
        restarted.stopped = stopped;
        restarted.resume(&contract(SDL), minute(week));
        assert_eq!(recorded(&restarted), (vec![(20, week)], week));
    }
}

#[test]
fn the_time_before_an_end_in_the_future_is_unknown() {
    let mut snapshot = snapshot();
    snapshot.extend(TimeDelta::minutes(20), minute(20));
    snapshot.resume(&contract(SDL), minute(30));
    snapshot.until = minute(YEAR);
    let mut before_its_begin = snapshot.clone();
    snapshot.resume(&contract(SDL), minute(100));
    assert_eq!(recorded(&snapshot), (vec![(20, 30), (30, 100)], 100));
    before_its_begin.resume(&contract(SDL), minute(-YEAR));
    assert_eq!(recorded(&before_its_begin), (vec![], -YEAR));
    assert_eq!(before_its_begin.since, minute(-YEAR));
}

#[test]
fn refuses_what_contradicts_itself() {
    let mut used = snapshot();
    let recorded = used.coordinates.get_mut("Query.old").expect("it is listed");
    recorded.record(UseFact::Used, "web", &Use::on(day(3), 2));
    let valid = used.to_json();
    assert!(UsageSnapshot::parse(&valid).is_ok());
    let gap =
        "\"gaps\": [{\"from\": \"2025-01-01T00:00:00Z\", \"until\": \"2026-01-01T00:00:00Z\"}]";
    for (before, after, expected) in [
        (
            "\"version\": 1",
            "\"version\": 2",
            "its version is 2, not 1",
        ),
        ("\"since\": \"2026", "\"since\": \"2027", "before its begin"),
        ("\"gaps\": []", gap, "the gap from 2025-01-01 00:00:00 UTC"),
        (
            "\"first\": \"2026-01-04\"",
            "\"first\": \"2026-01-05\"",
            "first day after its last",
        ),
        ("\"count\": 2", "\"count\": 0", "or the count 0"),
        (
            "\"count\": 2",
            "\"count\": 2, \"more\": 1",
            "unknown field `more`",
        ),
        ("\"count\": 2", "\"count\": -1", "invalid value"),
        ("2026-01-04", "2026-02-30", "out of range"),
        ("\n}\n", "\n", "EOF"),
    ] {
        assert!(valid.contains(before), "{before}");
        let error = UsageSnapshot::parse(&valid.replace(before, after));
        let error = error.expect_err(after).to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn refuses_more_callers_than_a_server_records() {
    let mut snapshot = snapshot();
    let recorded = snapshot
        .coordinates
        .get_mut("Query.old")
        .expect("it is listed");
    for caller in 0..=MAX_CALLERS {
        recorded.record(
            UseFact::Used,
            &format!("caller {caller}"),
            &Use::on(day(0), 1),
        );
    }
    let error = UsageSnapshot::parse(&snapshot.to_json()).expect_err("there are too many");
    assert!(
        error
            .to_string()
            .contains("it has 63 callers, more than 62"),
        "{error}"
    );
}
