//! The limits of the service, as clients are told of them.

use std::time::Duration;

use serde::Serialize;

/// A limit: the name is that of its setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Limit {
    /// The name of the setting, such as `body-limit-bytes`.
    pub name: &'static str,
    /// The most that is taken.
    pub value: u64,
    /// What is counted.
    pub unit: &'static str,
}

impl Limit {
    pub(super) fn body_bytes(value: usize) -> Self {
        Self::counted("body-limit-bytes", value, "bytes")
    }

    pub(super) fn url_bytes(value: usize) -> Self {
        Self::counted("url-limit-bytes", value, "bytes")
    }

    pub(super) fn batch(value: usize) -> Self {
        Self::counted("batch-limit", value, "operations")
    }

    pub(super) fn concurrency(value: usize) -> Self {
        Self::counted("concurrency-limit", value, "requests")
    }

    pub(super) fn connections(value: usize) -> Self {
        Self::counted("connection-limit", value, "connections")
    }

    pub(super) fn read_timeout(value: Duration) -> Self {
        Self {
            name: "read-timeout-seconds",
            value: value.as_secs(),
            unit: "seconds",
        }
    }

    /// The most requests of a caller.
    pub fn rate(per_second: u32) -> Self {
        Self {
            name: "rate-limit",
            value: per_second.into(),
            unit: "requests per second",
        }
    }

    fn counted(name: &'static str, value: usize, unit: &'static str) -> Self {
        let value = u64::try_from(value).unwrap_or(u64::MAX);
        Self { name, value, unit }
    }
}
