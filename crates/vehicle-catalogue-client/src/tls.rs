//! The TLS configuration: rustls with ring, the root certificates of the platform, and extra ones.
//!
//! Installs no process-wide default provider, so other libraries may use another one.

use std::sync::Arc;

use reqwest::Url;
use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject},
};
use rustls_platform_verifier::Verifier;

use crate::error::BuildError;

/// Parses the certificates of a PEM text.
pub(crate) fn parse_certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, BuildError> {
    let parsed: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    let parsed = parsed.map_err(BuildError::Certificate)?;
    if parsed.is_empty() {
        return Err(BuildError::NoCertificate);
    }
    Ok(parsed)
}

/// The TLS configuration for reqwest.
pub(crate) fn config(url: &Url, extra_roots: Vec<CertificateDer<'static>>) -> Result<ClientConfig, BuildError> {
    let provider = Arc::new(ring::default_provider());
    let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(BuildError::Tls)?;
    let mut config = match Verifier::new_with_extra_roots(extra_roots, provider) {
        Ok(verifier) => config.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth(),
        // Plain HTTP works on machines without root certificates.
        Err(_) if url.scheme() == "http" => config.with_root_certificates(RootCertStore::empty()).with_no_client_auth(),
        Err(error) => return Err(BuildError::Tls(error)),
    };
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}
