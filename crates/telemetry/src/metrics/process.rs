//! Process metrics from `/proc`; on systems without it only the start time is available.

use std::{
    fs,
    sync::LazyLock,
    time::{SystemTime, UNIX_EPOCH},
};

use prometheus_client::registry::Registry;

use super::sampled::{Kind, Sample, register};

/// `USER_HZ` of Linux, the same on every architecture that Rust supports.
const TICKS_PER_SECOND: f64 = 100.0;

type Read = fn() -> Option<f64>;

static START_SECONDS: LazyLock<Option<f64>> = LazyLock::new(|| {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
    since_epoch.ok().map(|since| since.as_secs_f64())
});

/// The metrics by the standard names of Prometheus clients, so that existing dashboards work.
pub(super) fn registry() -> Registry {
    let mut registry = Registry::default();
    for (kind, name, help, read) in stats() {
        let read = move || read().map(Sample::from_f64).into_iter().collect();
        register(&mut registry, kind, name, help, read);
    }
    registry
}

/// Each metric: its kind, name, help text and read function.
fn stats() -> [(Kind, &'static str, &'static str, Read); 6] {
    // The start time is recorded when the metrics are created.
    LazyLock::force(&START_SECONDS);
    [
        (
            Kind::Counter,
            "process_cpu_seconds",
            "CPU time of the process",
            cpu_seconds,
        ),
        (
            Kind::Gauge,
            "process_resident_memory_bytes",
            "Resident memory of the process",
            || number("/proc/self/status", "VmRSS:").map(|kibibytes| kibibytes * 1024.0),
        ),
        (
            Kind::Gauge,
            "process_threads",
            "Threads of the process",
            || number("/proc/self/status", "Threads:"),
        ),
        (
            Kind::Gauge,
            "process_open_fds",
            "Open file descriptors",
            open_fds,
        ),
        (
            Kind::Gauge,
            "process_max_fds",
            "Maximum number of open file descriptors",
            || number("/proc/self/limits", "Max open files"),
        ),
        (
            Kind::Gauge,
            "process_start_time_seconds",
            "Start time of the process in seconds since the Unix epoch",
            || *START_SECONDS,
        ),
    ]
}

fn cpu_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The program name is in parentheses and may contain spaces.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_ascii_whitespace().skip(11);
    let user: f64 = times.next()?.parse().ok()?;
    let system: f64 = times.next()?.parse().ok()?;
    Some((user + system) / TICKS_PER_SECOND)
}

/// The first number after the name of a field.
fn number(file: &str, field: &str) -> Option<f64> {
    let text = fs::read_to_string(file).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(field))?;
    value.split_ascii_whitespace().next()?.parse().ok()
}

fn open_fds() -> Option<f64> {
    let count = fs::read_dir("/proc/self/fd").ok()?.count();
    // Reading the directory opens one itself.
    u32::try_from(count.saturating_sub(1)).ok().map(f64::from)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn every_metric_is_available_on_linux() {
        for (_, name, _, read) in stats() {
            let value = read();
            assert!(value.is_some_and(|value| value >= 0.0), "{name}: {value:?}");
        }
        let resident = number("/proc/self/status", "VmRSS:");
        assert!(resident.is_some_and(|kibibytes| kibibytes > 500.0));
    }
}
