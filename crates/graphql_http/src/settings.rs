//! The settings of the HTTP server.

use std::time::Duration;

use super::{cors::Origins, hosts::AllowedHosts};

/// The settings of the HTTP server.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Maximum size of a request body.
    pub body_limit_bytes: usize,
    /// Maximum length of a URL, without scheme and host.
    pub url_limit_bytes: usize,
    /// Maximum number of concurrent GraphQL requests.
    pub concurrency_limit: usize,
    /// Maximum number of open connections.
    pub connection_limit: usize,
    /// Timeout for the head of a request, for its whole body, and for an idle connection.
    pub read_timeout: Duration,
    /// An unfinished body must make progress within this timeout.
    pub body_timeout: Duration,
    /// Maximum memory of all partly received bodies.
    pub body_memory_bytes: usize,
    /// Minimum size of a response that is compressed.
    pub compression_threshold_bytes: usize,
    /// The origins whose web pages may read responses.
    pub cors_origins: Origins,
    /// The allowed hosts of requests to the listener for clients.
    pub allowed_hosts: AllowedHosts,
    /// The allowed hosts of requests to the listener for operators.
    pub admin_allowed_hosts: AllowedHosts,
    /// Whether GraphiQL is served.
    pub graphiql: Graphiql,
    /// Whether the contract is served as SDL.
    pub schema_document: SchemaDocument,
    /// How long requests are still accepted after shutdown begins, so that load balancers notice.
    pub drain_pause: Duration,
    /// Timeout for the requests in flight after the drain pause.
    pub drain_timeout: Duration,
}

/// Whether GraphiQL is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Graphiql {
    /// At `/graphiql`, with redirects for browsers.
    On,
    /// Its paths are not found.
    Off,
}

/// Whether the contract is served as SDL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaDocument {
    /// At `/schema.graphql`.
    On,
    /// Its path is not found.
    Off,
}

impl HttpSettings {
    /// The body memory, raised to fit some bodies of the maximum size.
    pub(super) fn body_memory_bytes(&self) -> usize {
        self.body_memory_bytes.max(4 * self.body_limit_bytes)
    }
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self {
            body_limit_bytes: 1024 * 1024,
            url_limit_bytes: 8192,
            concurrency_limit: 1024,
            connection_limit: 4096,
            read_timeout: Duration::from_secs(75),
            body_timeout: Duration::from_secs(10),
            body_memory_bytes: 64 * 1024 * 1024,
            compression_threshold_bytes: 1024,
            cors_origins: Origins::None,
            allowed_hosts: AllowedHosts::loopback(),
            admin_allowed_hosts: AllowedHosts::loopback(),
            graphiql: Graphiql::On,
            schema_document: SchemaDocument::On,
            drain_pause: Duration::ZERO,
            drain_timeout: Duration::from_secs(10),
        }
    }
}
