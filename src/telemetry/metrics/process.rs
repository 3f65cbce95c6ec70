//! What the operating system says of this process. Where it has no `/proc`, most is left out.

use std::{
    fs,
    sync::LazyLock,
    time::{SystemTime, UNIX_EPOCH},
};

use super::Kind;

/// How Linux counts time for programs, on every architecture that Rust has.
const TICKS_PER_SECOND: f64 = 100.0;

type Read = fn() -> Option<f64>;

static START: LazyLock<SystemTime> = LazyLock::new(SystemTime::now);

/// Each figure: what it does, its name and meaning, and how it is read.
pub(super) fn figures() -> [(Kind, &'static str, &'static str, Read); 6] {
    // As early as the metrics are made.
    LazyLock::force(&START);
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
            "Memory that the process has in RAM",
            || status_number("VmRSS:").map(|kibibytes| kibibytes * 1024.0),
        ),
        (
            Kind::Gauge,
            "process_threads",
            "Threads of the process",
            || status_number("Threads:"),
        ),
        (
            Kind::Gauge,
            "process_open_fds",
            "File descriptors that are open",
            open_fds,
        ),
        (
            Kind::Gauge,
            "process_max_fds",
            "File descriptors that may be open",
            max_fds,
        ),
        (
            Kind::Gauge,
            "process_start_time_seconds",
            "When the process started, in seconds since 1970",
            start_time,
        ),
    ]
}

fn cpu_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program stands in parentheses and may have spaces.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_ascii_whitespace().skip(11);
    let user: f64 = times.next()?.parse().ok()?;
    let system: f64 = times.next()?.parse().ok()?;
    Some((user + system) / TICKS_PER_SECOND)
}

fn status_number(field: &str) -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let value = status.lines().find_map(|line| line.strip_prefix(field))?;
    value.split_ascii_whitespace().next()?.parse().ok()
}

fn open_fds() -> Option<f64> {
    let count = fs::read_dir("/proc/self/fd").ok()?.count();
    // Reading the list needs one itself.
    u32::try_from(count.saturating_sub(1)).ok().map(f64::from)
}

fn max_fds() -> Option<f64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let mut lines = limits.lines();
    let limit = lines.find_map(|line| line.strip_prefix("Max open files"))?;
    limit.split_ascii_whitespace().next()?.parse().ok()
}

fn start_time() -> Option<f64> {
    START
        .duration_since(UNIX_EPOCH)
        .ok()
        .map(|since| since.as_secs_f64())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn linux_tells_every_figure() {
        for (_, name, _, read) in figures() {
            let value = read();
            assert!(value.is_some_and(|value| value >= 0.0), "{name}: {value:?}");
        }
        assert!(status_number("VmRSS:").is_some_and(|kibibytes| kibibytes > 500.0));
    }
}
