//! TLS 1.2 and 1.3 with a certificate that is reloaded while the service runs.

use std::{
    error::Error as _,
    fs,
    future::ready,
    io,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use futures_util::stream::{self, BoxStream, StreamExt};
use poem::listener::{RustlsCertificate, RustlsConfig};
use tokio::time::sleep;
use tokio_rustls::rustls::{
    self,
    crypto::ring,
    pki_types::{
        CertificateDer, PrivateKeyDer,
        pem::{self, PemObject},
    },
    sign::CertifiedKey,
};

/// The files of the certificate, and how often they are reloaded.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// The chain of certificates in PEM, that of the service first.
    pub certificate: PathBuf,
    /// The private key of the certificate in PEM.
    pub key: PathBuf,
    /// How often both files are reloaded.
    pub reload_interval: Duration,
}

/// Why the certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("cannot read {}", .0.display())]
    Read(PathBuf, #[source] io::Error),
    /// The certificate file contains no certificate.
    #[error("{} has no certificate in PEM", .0.display())]
    NoCertificate(PathBuf, #[source] pem::Error),
    /// The key file contains no private key. Without a source, which may quote the file.
    #[error("{} has no private key in PEM", .0.display())]
    NoKey(PathBuf),
    /// The private key has a passphrase.
    #[error(
        "the private key in {} is encrypted: write it to another file without the passphrase (openssl pkey -in FILE -out \
         OTHER), which only the service may read",
        .0.display()
    )]
    EncryptedKey(PathBuf),
    /// The key is not supported, or belongs to another certificate.
    #[error("the certificate and the key do not match")]
    Mismatch(#[source] rustls::Error),
}

/// A certificate and its key, which are reloaded when their files change.
pub struct Tls {
    files: TlsFiles,
    loaded: PemFiles,
    failed_reloads: Arc<AtomicU64>,
}

impl Tls {
    /// Loads the certificate and its key.
    pub fn load(files: TlsFiles) -> Result<Self, TlsError> {
        let loaded = PemFiles::read(&files)?;
        loaded.validate(&files)?;
        Ok(Self {
            files,
            loaded,
            failed_reloads: Arc::default(),
        })
    }

    /// The number of failed reloads since the start.
    pub fn failed_reloads(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.failed_reloads)
    }

    /// The current configuration, and a new one whenever the files have changed. An invalid certificate is logged, and the
    /// current one stays in use.
    pub(super) fn configurations(self) -> BoxStream<'static, RustlsConfig> {
        let current = stream::once(ready(self.loaded.config()));
        let reloaded = stream::unfold(self, async |mut tls| {
            loop {
                sleep(tls.files.reload_interval).await;
                match tls.reload() {
                    Ok(None) => {}
                    Ok(Some(config)) => return Some((config, tls)),
                    Err(error) => {
                        tls.failed_reloads.fetch_add(1, Relaxed);
                        let reason = error.source().map(tracing::field::display);
                        tracing::error!(%error, reason, "cannot reload the certificate; the previous one stays in use");
                    }
                }
            }
        });
        current.chain(reloaded).boxed()
    }

    /// The new configuration, if the files have changed.
    fn reload(&mut self) -> Result<Option<RustlsConfig>, TlsError> {
        let pem = PemFiles::read(&self.files)?;
        if pem == self.loaded {
            return Ok(None);
        }
        self.loaded = pem;
        self.loaded.validate(&self.files)?;
        tracing::info!("reloaded the certificate");
        Ok(Some(self.loaded.config()))
    }
}

/// The contents of the files.
#[derive(Clone, PartialEq, Eq)]
struct PemFiles {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl PemFiles {
    fn read(files: &TlsFiles) -> Result<Self, TlsError> {
        let read =
            |path: &PathBuf| fs::read(path).map_err(|error| TlsError::Read(path.clone(), error));
        Ok(Self {
            certificate: read(&files.certificate)?,
            key: read(&files.key)?,
        })
    }

    fn config(&self) -> RustlsConfig {
        let (certificate, key) = (self.certificate.clone(), self.key.clone());
        RustlsConfig::new().fallback(RustlsCertificate::new().cert(certificate).key(key))
    }

    /// Validates what poem does not: that the key belongs to the certificate.
    fn validate(&self, files: &TlsFiles) -> Result<(), TlsError> {
        let no_certificate = |error| TlsError::NoCertificate(files.certificate.clone(), error);
        let chain: Vec<_> = CertificateDer::pem_slice_iter(&self.certificate)
            .collect::<Result<_, _>>()
            .map_err(no_certificate)?;
        if chain.is_empty() {
            return Err(no_certificate(pem::Error::NoItemsFound));
        }
        let key = PrivateKeyDer::from_pem_slice(&self.key);
        // PKCS #8, and the older form of OpenSSL, whose body would be read as a key that does not match.
        let is_encrypted = |mark: &[u8]| self.key.windows(mark.len()).any(|text| text == mark);
        if [
            &b"BEGIN ENCRYPTED PRIVATE KEY"[..],
            b"Proc-Type: 4,ENCRYPTED",
        ]
        .into_iter()
        .any(is_encrypted)
        {
            return Err(TlsError::EncryptedKey(files.key.clone()));
        }
        let key = key.map_err(|_| TlsError::NoKey(files.key.clone()))?;
        let provider = ring::default_provider();
        let certified = CertifiedKey::from_der(chain, key, &provider);
        certified.map(drop).map_err(TlsError::Mismatch)
    }
}
