//! The limits of the service, as reported to clients.

use serde::Serialize;

/// A limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Limit {
    /// The name of the setting, such as `body-limit-bytes`.
    pub name: &'static str,
    /// The maximum value.
    pub value: u64,
    /// The unit of the value.
    pub unit: &'static str,
}

impl Limit {
    pub(super) const BODY_BYTES: Self = Self::new("body-limit-bytes", "bytes");
    pub(super) const URL_BYTES: Self = Self::new("url-limit-bytes", "bytes");
    pub(super) const CONCURRENCY: Self = Self::new("concurrency-limit", "requests");
    pub(super) const CONNECTIONS: Self = Self::new("connection-limit", "connections");
    pub(super) const BODY_MEMORY: Self = Self::new("body-memory-bytes", "bytes");
    pub(super) const READ_TIMEOUT: Self = Self::new("read-timeout-seconds", "seconds");
    pub(super) const BODY_TIMEOUT: Self = Self::new("body-timeout-seconds", "seconds");
    pub(super) const RATE: Self = Self::new("rate-limit", "requests per second");
    pub(super) const BURST: Self = Self::new("rate-limit-burst", "requests");

    const fn new(name: &'static str, unit: &'static str) -> Self {
        let value = u64::MAX;
        Self { name, value, unit }
    }

    /// The same limit with this value.
    pub(super) fn of(self, value: impl TryInto<u64>) -> Self {
        let value = value.try_into().unwrap_or(u64::MAX);
        Self { value, ..self }
    }
}
