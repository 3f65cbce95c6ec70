//! TLS 1.2 and 1.3 with a certificate that is reloaded while the service runs.

use std::{error::Error as _, fs, io, path::PathBuf, sync::Arc, time::Duration};

use parking_lot::RwLock;
use tokio::{net::TcpStream, time::sleep};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        self, ServerConfig,
        crypto::ring,
        pki_types::{
            CertificateDer, PrivateKeyDer,
            pem::{self, PemObject},
        },
    },
    server::TlsStream,
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
    /// The key is not supported, or belongs to another certificate.
    #[error("the certificate and the key do not match")]
    Mismatch(#[source] rustls::Error),
}

/// Accepts TLS connections with the current certificate.
pub struct Tls {
    files: TlsFiles,
    /// The contents of the files at the start.
    loaded: PemFiles,
    acceptor: RwLock<TlsAcceptor>,
}

impl Tls {
    /// Loads the certificate and its key.
    pub fn load(files: TlsFiles) -> Result<Self, TlsError> {
        let loaded = PemFiles::read(&files)?;
        let acceptor = RwLock::new(loaded.acceptor(&files)?);
        Ok(Self {
            files,
            loaded,
            acceptor,
        })
    }

    pub(super) async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        let acceptor = self.acceptor.read().clone();
        acceptor.accept(stream).await
    }

    /// Loads the certificate when its files have changed. An invalid certificate is logged, and the
    /// current one stays in use. Never resolves.
    pub(super) async fn reload_certificate(&self) {
        let mut last = self.loaded.clone();
        loop {
            sleep(self.files.reload_interval).await;
            let reloaded = PemFiles::read(&self.files).and_then(|pem| {
                if pem != last {
                    last = pem;
                    *self.acceptor.write() = last.acceptor(&self.files)?;
                    tracing::info!("reloaded the certificate");
                }
                Ok(())
            });
            if let Err(error) = reloaded {
                let reason = error.source().map(tracing::field::display);
                tracing::error!(%error, reason, "cannot reload the certificate; the previous one stays in use");
            }
        }
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

    fn acceptor(&self, files: &TlsFiles) -> Result<TlsAcceptor, TlsError> {
        let no_certificate = |error| TlsError::NoCertificate(files.certificate.clone(), error);
        let chain: Vec<_> = CertificateDer::pem_slice_iter(&self.certificate)
            .collect::<Result<_, _>>()
            .map_err(no_certificate)?;
        if chain.is_empty() {
            return Err(no_certificate(pem::Error::NoItemsFound));
        }
        let key = PrivateKeyDer::from_pem_slice(&self.key)
            .map_err(|_| TlsError::NoKey(files.key.clone()))?;
        let provider = Arc::new(ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(TlsError::Mismatch)?
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .map_err(TlsError::Mismatch)?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}
