//! The HTTP client of the tests: no proxy, no certificates of the machine.

use std::sync::Arc;

use reqwest::{Client, ClientBuilder};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring};

/// A client to be made different. It needs nothing of the process: reqwest would look for a provider
/// of cryptography there, also for connections without encryption.
pub(crate) fn client() -> ClientBuilder {
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring has them")
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth();
    Client::builder()
        .no_proxy()
        .tls_backend_preconfigured(config)
}
