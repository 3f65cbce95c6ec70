//! The names of the limits of the server, which are those of the settings.

pub(super) const BODY_BYTES: &str = "body-limit-bytes";
pub(super) const URL_BYTES: &str = "url-limit-bytes";
pub(super) const CONCURRENCY: &str = "concurrency-limit";
pub(super) const BODY_MEMORY: &str = "body-memory-bytes";
pub(super) const READ_TIMEOUT: &str = "read-timeout-seconds";
pub(super) const BODY_TIMEOUT: &str = "body-timeout-seconds";
pub(super) const RATE: &str = "rate-limit";
pub(super) const BURST: &str = "rate-limit-burst";

/// The limits of requests.
pub(super) const SERVER: [&str; 6] = [
    BODY_BYTES,
    URL_BYTES,
    CONCURRENCY,
    BODY_MEMORY,
    READ_TIMEOUT,
    BODY_TIMEOUT,
];

/// The limits of callers.
pub(super) const CALLER: [&str; 2] = [RATE, BURST];
