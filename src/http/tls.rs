//! Encryption: TLS 1.2 and 1.3 with a certificate that may be renewed while the service runs.

use std::{
    fmt, fs, io,
    path::PathBuf,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use tokio::{net::TcpStream, time::sleep};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        self, ServerConfig,
        crypto::{CryptoProvider, ring},
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
        server::{ClientHello, ResolvesServerCert},
        sign::CertifiedKey,
    },
    server::TlsStream,
};

/// Where the certificate is, and how often it is looked at.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// The chain of certificates in PEM, that of the service first.
    pub certificate: PathBuf,
    /// The private key of the certificate in PEM.
    pub key: PathBuf,
    /// How often both are read again.
    pub reload_interval: Duration,
}

/// Why the certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("cannot read {}", .0.display())]
    Read(PathBuf, #[source] io::Error),
    /// The file of certificates holds none.
    #[error("{} has no certificate in PEM", .0.display())]
    NoCertificate(PathBuf),
    /// The file of the key holds none.
    #[error("{} has no private key in PEM", .0.display())]
    NoKey(PathBuf),
    /// The key is not one that TLS can use, or belongs to another certificate.
    #[error("the certificate and the key do not fit")]
    Mismatch(#[source] rustls::Error),
}

/// What connections are encrypted with.
pub struct Tls {
    acceptor: TlsAcceptor,
    current: Arc<Current>,
    files: TlsFiles,
}

impl Tls {
    /// Reads the certificate and its key.
    pub fn load(files: TlsFiles) -> Result<Self, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let texts = Texts::read(&files)?;
        let current = Arc::new(Current(RwLock::new(texts.parse(&files, &provider)?)));
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

    /// Takes a new certificate when the files have changed; one that cannot be used is logged and
    /// the old one stays. Never ends.
    pub(super) async fn keep_up_to_date(&self) {
        let provider = ring::default_provider();
        let mut seen = None;
        loop {
            sleep(self.files.reload_interval).await;
            let texts = match Texts::read(&self.files) {
                Ok(texts) if seen.as_ref() != Some(&texts) => texts,
                Ok(_) => continue,
                Err(error) => {
                    tracing::error!(%error, "the certificate stays as it was");
                    continue;
                }
            };
            match texts.parse(&self.files, &provider) {
                Ok(key) => self.current.replace(key),
                Err(error) => tracing::error!(%error, "the certificate stays as it was"),
            }
            seen = Some(texts);
        }
    }
}

/// What the files hold.
#[derive(PartialEq, Eq)]
struct Texts {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl Texts {
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
        let chain: Vec<_> = CertificateDer::pem_slice_iter(&self.certificate)
            .collect::<Result<_, _>>()
            .map_err(|_| TlsError::NoCertificate(files.certificate.clone()))?;
        if chain.is_empty() {
            return Err(TlsError::NoCertificate(files.certificate.clone()));
        }
        let key = PrivateKeyDer::from_pem_slice(&self.key)
            .map_err(|_| TlsError::NoKey(files.key.clone()))?;
        let key = CertifiedKey::from_der(chain, key, provider).map_err(TlsError::Mismatch)?;
        Ok(Arc::new(key))
    }
}

/// The certificate that new connections get.
struct Current(RwLock<Arc<CertifiedKey>>);

impl Current {
    fn replace(&self, key: Arc<CertifiedKey>) {
        let mut current = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if current.cert != key.cert {
            tracing::info!("the certificate is renewed");
        }
        *current = key;
    }
}

impl ResolvesServerCert for Current {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let current = self.0.read().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(&current))
    }
}

impl fmt::Debug for Current {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Current")
    }
}
