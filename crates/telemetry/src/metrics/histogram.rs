//! A lock-free histogram of durations.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// The upper bounds of the buckets in microseconds: from a lookup in the database cache to the default
/// timeout of an operation.
const BOUNDS_US: [u64; 16] = [
    100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
    2_500_000, 10_000_000, 30_000_000,
];

/// A histogram of durations.
#[derive(Debug, Default)]
pub(super) struct Histogram {
    /// The last bucket has no bound.
    buckets: [AtomicU64; BOUNDS_US.len() + 1],
    sum_ns: AtomicU64,
}

/// The values of a histogram at one time.
pub(super) struct HistogramSnapshot {
    pub(super) sum_seconds: f64,
    pub(super) count: u64,
    /// Upper bound in seconds and count of each bucket, not cumulative.
    pub(super) buckets: Vec<(f64, u64)>,
}

impl Histogram {
    pub(super) fn record(&self, elapsed: Duration) {
        let bucket = BOUNDS_US.partition_point(|bound| Duration::from_micros(*bound) < elapsed);
        self.buckets[bucket].fetch_add(1, Relaxed);
        let elapsed_ns = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
        self.sum_ns.fetch_add(elapsed_ns, Relaxed);
    }

    /// Resets all counts to zero.
    pub(super) fn reset(&self) {
        for count in self.buckets.iter().chain([&self.sum_ns]) {
            count.store(0, Relaxed);
        }
    }

    pub(super) fn snapshot(&self) -> HistogramSnapshot {
        let bounds = BOUNDS_US.iter().map(|bound| Duration::from_micros(*bound));
        let bounds = bounds.map(|bound| bound.as_secs_f64());
        let counts = self.buckets.iter().map(|bucket| bucket.load(Relaxed));
        let buckets: Vec<_> = bounds.chain([f64::INFINITY]).zip(counts).collect();
        HistogramSnapshot {
            sum_seconds: Duration::from_nanos(self.sum_ns.load(Relaxed)).as_secs_f64(),
            // Summed from the loaded buckets, so that they are consistent.
            count: buckets.iter().map(|(_, count)| count).sum(),
            buckets,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bucket_bounds_are_inclusive() {
        let histogram = Histogram::default();
        for elapsed_us in [0, 100, 101, 30_000_000, 30_000_001] {
            histogram.record(Duration::from_micros(elapsed_us));
        }
        let HistogramSnapshot {
            buckets,
            count,
            sum_seconds,
        } = histogram.snapshot();
        assert_eq!(count, 5);
        assert!((sum_seconds - 60.000_202).abs() < 1e-9, "{sum_seconds}");
        let non_empty: Vec<_> = buckets
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .collect();
        assert_eq!(
            non_empty,
            [(0.0001, 2), (0.00025, 1), (30.0, 1), (f64::INFINITY, 1)]
        );
    }
}
