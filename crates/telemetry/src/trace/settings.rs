//! The settings of tracing.

use std::sync::Arc;

use opentelemetry::KeyValue;
use reqwest::Url;

/// How requests are sampled and where their spans are exported.
#[derive(Clone, Debug)]
pub struct TraceSettings {
    /// The name of the service in traces.
    pub service_name: &'static str,
    /// The version of the service.
    pub service_version: &'static str,
    /// The database, in spans of statements.
    pub database: TracedDatabase,
    /// The full URL, such as `http://127.0.0.1:4318/v1/traces`.
    pub endpoint: Url,
    /// How many of a thousand requests are sampled if no `traceparent` decides; see [`Tracer::start_request`](super::Tracer::start_request).
    pub sample: u32,
}

/// A database as OpenTelemetry's semantic conventions describe it.
#[derive(Clone, Debug, Default)]
pub struct TracedDatabase {
    /// `db.system.name`.
    pub system: &'static str,
    /// `db.namespace`, for a server.
    pub namespace: Option<String>,
    /// `server.address` and `server.port`, if all statements are executed there.
    pub server: Option<(String, u16)>,
}

impl TracedDatabase {
    /// The attributes of a statement.
    pub(super) fn attributes(self) -> Arc<[KeyValue]> {
        let mut attributes = vec![KeyValue::new("db.system.name", self.system)];
        let namespace = self.namespace;
        attributes.extend(namespace.map(|name| KeyValue::new("db.namespace", name)));
        if let Some((address, port)) = self.server {
            attributes.push(KeyValue::new("server.address", address));
            attributes.push(KeyValue::new("server.port", i64::from(port)));
        }
        attributes.into()
    }
}

#[cfg(test)]
impl TraceSettings {
    /// Samples every fourth request.
    pub(super) fn test() -> Self {
        Self {
            service_name: "test",
            service_version: "0",
            database: TracedDatabase::default(),
            endpoint: Url::parse("http://127.0.0.1:1/v1/traces").expect("it is a URL"),
            sample: 250,
        }
    }
}
