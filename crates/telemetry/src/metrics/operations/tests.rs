//! Tests of the limit of operation names.

use std::{sync::atomic::AtomicUsize, time::Duration};

use super::{IDLE_TIMEOUT, Operation, OperationKind, Operations};

const SCRAPE: Duration = Duration::from_secs(15);

/// A query with its cached slot.
struct Query(String, AtomicUsize);

fn query(name: &str) -> Query {
    Query(name.to_owned(), AtomicUsize::new(0))
}

fn record(metrics: &Operations, Query(name, slot): &Query, now: Duration) {
    let operation = Operation {
        kind: OperationKind::Query,
        name: Some(name),
        coordinates: &[],
        slot,
    };
    metrics.record_at(Some(operation), None, Duration::ZERO, || now);
}

/// The names with their counts.
fn counts(metrics: &Operations, now: Duration) -> Vec<(String, u64)> {
    let series = metrics.series(now).into_iter();
    let mut counts: Vec<_> = series
        .map(|([_, (_, name), _], snapshot)| (name, snapshot.count))
        .collect();
    counts.sort();
    counts
}

fn expected(counts: &[(&str, u64)]) -> Vec<(String, u64)> {
    let counts = counts.iter();
    counts
        .map(|(name, count)| ((*name).to_owned(), *count))
        .collect()
}

#[test]
fn a_name_idle_for_an_hour_is_evicted_and_no_counter_decreases() {
    let metrics = Operations::new(2, Vec::new());
    let record = |query: &Query, now: Duration| record(&metrics, query, now);
    let (busy, idle, new) = (query("Busy"), query("Idle"), query("New"));
    let start = Duration::ZERO;
    for operation in [&idle, &busy, &new] {
        record(operation, start);
    }
    let all = [("(other)", 1), ("Busy", 1), ("Idle", 1)];
    assert_eq!(counts(&metrics, start + SCRAPE), expected(&all));

    let soon = start + IDLE_TIMEOUT;
    record(&busy, soon);
    record(&new, soon);
    let all = [("(other)", 2), ("Busy", 2), ("Idle", 1)];
    assert_eq!(counts(&metrics, soon), expected(&all));

    // An hour after the last scan that found it used, the idle name is evicted; the busy one is not.
    let later = soon + SCRAPE;
    record(&new, later);
    record(&new, later);
    record(&busy, later);
    let all = [("(other)", 2), ("Busy", 3), ("New", 2)];
    assert_eq!(counts(&metrics, later), expected(&all));

    // The evicted name is beyond the limit, and its cached slot is invalid.
    record(&idle, later);
    let all = [("(other)", 3), ("Busy", 3), ("New", 2)];
    assert_eq!(counts(&metrics, later), expected(&all));
}
