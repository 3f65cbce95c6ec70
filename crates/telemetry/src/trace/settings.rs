//! The settings of tracing.

use reqwest::Url;

/// How requests are sampled and where their spans are exported.
#[derive(Clone, Debug)]
pub struct TraceSettings {
    /// The name of the service in traces.
    pub service_name: &'static str,
    /// The version of the service.
    pub service_version: &'static str,
    /// The full URL, such as `http://127.0.0.1:4318/v1/traces`.
    pub endpoint: Url,
    /// How many of a thousand requests are sampled if no `traceparent` decides; see [`Tracer::start_request`](super::Tracer::start_request).
    pub sample: u32,
}

#[cfg(test)]
impl TraceSettings {
    /// Samples every fourth request.
    pub(super) fn test() -> Self {
        Self {
            service_name: "test",
            service_version: "0",
            endpoint: Url::parse("http://127.0.0.1:1/v1/traces").expect("it is a URL"),
            sample: 250,
        }
    }
}
