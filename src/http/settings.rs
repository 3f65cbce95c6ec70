//! What the carrying of requests depends on.

use std::time::Duration;

use super::{Origins, limit::Limit};

/// What the carrying of requests depends on.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// The most bytes of a request body.
    pub body_limit_bytes: usize,
    /// The most bytes of a URL, without scheme and host.
    pub url_limit_bytes: usize,
    /// The most operations in one request; 0 refuses lists of operations.
    pub batch_limit: usize,
    /// From how many bytes on an answer is compressed.
    pub compression_threshold_bytes: usize,
    /// Web pages of which origins may read answers.
    pub cors_origins: Origins,
    /// Whether there is a page to try queries.
    pub graphiql: Graphiql,
    /// How long the requests in flight may take when the service is stopped.
    pub drain_timeout: Duration,
}

/// Whether there is a page to try queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Graphiql {
    /// At `/graphiql`, and browsers are led there.
    On,
    /// No path of it is known.
    Off,
}

impl HttpSettings {
    /// What a client may send, in its own words for `/limits`.
    pub fn limits(&self) -> Vec<Limit> {
        vec![
            Limit::body_bytes(self.body_limit_bytes),
            Limit::url_bytes(self.url_limit_bytes),
            Limit::batch(self.batch_limit),
        ]
    }
}
