//! TLS 1.2 and 1.3 with a certificate that is reloaded while the service runs.

use std::{error::Error as _, fs, io, path::PathBuf, sync::Arc, time::Duration};

use parking_lot::RwLock;
use tokio::{net::TcpStream, time::sleep};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        self, ServerConfig,
        crypto::{CryptoProvider, ring},
        pki_types::{
            CertificateDer, PrivateKeyDer,
            pem::{self, PemObject},
        },
        server::{ClientHello, ResolvesServerCert},
        sign::CertifiedKey,
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
    acceptor: TlsAcceptor,
    current: Arc<CurrentCertificate>,
    files: TlsFiles,
}

impl Tls {
    /// Loads the certificate and its key.
    pub fn load(files: TlsFiles) -> Result<Self, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let pem = PemFiles::read(&files)?;
        let key = pem.parse(&files, &provider)?;
        let current = Arc::new(CurrentCertificate(RwLock::new(key)));
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(TlsError::Mismatch)?
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(&current) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Self {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            current,
            files,
        })
    }

    pub(super) async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        self.acceptor.accept(stream).await
    }

    /// Loads the certificate when its files have changed. An invalid certificate is logged, and the
    /// current one stays in use. Never resolves.
    pub(super) async fn reload_certificate(&self) {
        let provider = ring::default_provider();
        let mut last = None;
        loop {
            sleep(self.files.reload_interval).await;
            let reloaded = PemFiles::read(&self.files).and_then(|pem| {
                if last.as_ref() != Some(&pem) {
                    let key = last.insert(pem).parse(&self.files, &provider)?;
                    self.current.replace(key);
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
#[derive(PartialEq, Eq)]
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

    fn parse(
        &self,
        files: &TlsFiles,
        provider: &CryptoProvider,
    ) -> Result<Arc<CertifiedKey>, TlsError> {
        let no_certificate = |error| TlsError::NoCertificate(files.certificate.clone(), error);
        let chain: Vec<_> = CertificateDer::pem_slice_iter(&self.certificate)
            .collect::<Result<_, _>>()
            .map_err(no_certificate)?;
        if chain.is_empty() {
            return Err(no_certificate(pem::Error::NoItemsFound));
        }
        let key = PrivateKeyDer::from_pem_slice(&self.key)
            .map_err(|_| TlsError::NoKey(files.key.clone()))?;
        let key = CertifiedKey::from_der(chain, key, provider).map_err(TlsError::Mismatch)?;
        Ok(Arc::new(key))
    }
}

/// The certificate of new connections.
#[derive(Debug)]
struct CurrentCertificate(RwLock<Arc<CertifiedKey>>);

impl CurrentCertificate {
    fn replace(&self, key: Arc<CertifiedKey>) {
        let mut current = self.0.write();
        if current.cert != key.cert {
            tracing::info!("reloaded the certificate");
        }
        *current = key;
    }
}

impl ResolvesServerCert for CurrentCertificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.read()))
    }
}
