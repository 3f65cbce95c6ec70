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
    /// The most GraphQL requests at once.
    pub concurrency_limit: usize,
    /// The most connections at once.
    pub connection_limit: usize,
    /// How long a client may take to send the head of a request, then its body, and how long its
    /// connection may stay open without one.
    pub read_timeout: Duration,
    /// The most operations in one request; 0 refuses lists of operations.
    pub batch_limit: usize,
    /// From how many bytes on an answer is compressed.
    pub compression_threshold_bytes: usize,
    /// Web pages of which origins may read answers.
    pub cors_origins: Origins,
    /// Whether there is a page to try queries.
    pub graphiql: Graphiql,
    /// Whether the contract can be read as a text.
    pub schema_document: SchemaDocument,
    /// How long the service goes on serving after it was told to stop, so that balancers notice.
    pub drain_pause: Duration,
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

/// Whether the contract can be read as a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaDocument {
    /// At `/schema.graphql`.
    On,
    /// The path is not known.
    Off,
}

impl HttpSettings {
    /// What a client may send, in its own words for `/limits`.
    pub fn limits(&self) -> Vec<Limit> {
        vec![
            Limit::body_bytes(self.body_limit_bytes),
            Limit::url_bytes(self.url_limit_bytes),
            Limit::batch(self.batch_limit),
            Limit::concurrency(self.concurrency_limit),
            Limit::connections(self.connection_limit),
            Limit::read_timeout(self.read_timeout),
        ]
    }
}
