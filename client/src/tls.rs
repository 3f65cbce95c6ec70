//! Encryption: rustls with ring, the root certificates of the platform, and those that the caller trusts.
//!
//! Nothing of the process is touched: other libraries may use another provider.

use std::sync::Arc;

use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject},
};
use rustls_platform_verifier::Verifier;

use crate::error::BuildError;

/// Whether the endpoint is asked through TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encryption {
    /// It is, so there must be root certificates.
    Needed,
    /// It is not.
    NotNeeded,
}

/// The certificates of a PEM text.
pub(crate) fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, BuildError> {
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    let found = found.map_err(BuildError::Certificate)?;
    if found.is_empty() {
        return Err(BuildError::NoCertificate);
    }
    Ok(found)
}

/// What reqwest is to use.
pub(crate) fn config(
    extra_roots: Vec<CertificateDer<'static>>,
    encryption: Encryption,
) -> Result<ClientConfig, BuildError> {
    let provider = Arc::new(ring::default_provider());
    let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(BuildError::Tls)?;
    let mut config = match Verifier::new_with_extra_roots(extra_roots, provider) {
        Ok(verifier) => config
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth(),
        // A machine without root certificates can do without encryption.
        Err(_) if encryption == Encryption::NotNeeded => config
            .with_root_certificates(RootCertStore::empty())
            .with_no_client_auth(),
        Err(error) => return Err(BuildError::Tls(error)),
    };
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}
