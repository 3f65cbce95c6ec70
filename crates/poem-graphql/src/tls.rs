//! TLS 1.2 and 1.3 with a certificate that is reloaded while the service runs.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use futures_util::stream::{self, BoxStream, StreamExt};
use poem::listener::{RustlsCertificate, RustlsConfig};
use tokio::{
    sync::oneshot,
    time::{Instant, sleep, timeout},
};
use tokio_rustls::rustls::{
    CertificateError, Error as RustlsError, RootCertStore,
    client::verify_server_cert_signed_by_trust_anchor,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, UnixTime, pem::PemObject},
    server::ParsedCertificate,
    sign::CertifiedKey,
};

/// How long both files may take to be read: a network file system, or a pipe, can block for ever.
const READ_TIMEOUT: Duration = Duration::from_secs(5);
/// The time between two warnings of a certificate that has expired, or expires soon.
const WARNING_INTERVAL: Duration = Duration::from_hours(24);
const DAY_SECONDS: u64 = 24 * 60 * 60;
/// How long before its end a certificate is warned of.
const EXPIRES_SOON_SECONDS: u64 = 7 * DAY_SECONDS;

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
#[error("{0}")]
pub struct TlsError(String);

/// A certificate and its key, which are reloaded when their files change.
pub struct Tls {
    files: TlsFiles,
    loaded: PemFiles,
    failed_reloads: Arc<AtomicU64>,
    not_after_seconds: Arc<AtomicU64>,
    last_warning: Instant,
}

impl Tls {
    /// Loads the certificate and its key.
    pub async fn load(files: TlsFiles) -> Result<Self, TlsError> {
        // poem would choose another provider; an error means that the program has installed one.
        let _ = ring::default_provider().install_default();
        let read = timeout(READ_TIMEOUT, PemFiles::read(&files)).await;
        let loaded = read.unwrap_or_else(|_| Err(blocked(&files)))?;
        let not_after = loaded.validate(&files)?;
        let mut tls = Self {
            files,
            loaded,
            failed_reloads: Arc::default(),
            not_after_seconds: Arc::new(not_after.into()),
            last_warning: Instant::now(),
        };
        tls.warn_of_expiry();
        Ok(tls)
    }

    /// The number of failed reloads since the start.
    pub fn failed_reloads(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.failed_reloads)
    }

    /// When the certificate, or one of its chain, ceases to be valid, in seconds since the Unix epoch.
    pub fn not_after_seconds(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.not_after_seconds)
    }

    /// The current configuration, and a new one whenever the files have changed. An invalid certificate is logged, and the
    /// current one stays in use.
    pub(crate) fn configurations(self) -> BoxStream<'static, RustlsConfig> {
        let current = stream::iter([self.loaded.config()]);
        let reloaded = stream::unfold(self, async |mut tls| {
            loop {
                sleep(tls.files.reload_interval).await;
                if tls.last_warning.elapsed() >= WARNING_INTERVAL {
                    tls.warn_of_expiry();
                }
                match tls.reload().await {
                    Ok(false) => {}
                    Ok(true) => return Some((tls.loaded.config(), tls)),
                    Err(error) => tls.report(&error),
                }
            }
        });
        current.chain(reloaded).boxed()
    }

    fn report(&self, error: &TlsError) {
        self.failed_reloads.fetch_add(1, Relaxed);
        tracing::error!(%error, "cannot reload the certificate; the previous one stays in use");
    }

    fn warn_of_expiry(&mut self) {
        self.last_warning = Instant::now();
        let file = self.files.certificate.display();
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |since| since.as_secs());
        let not_after = self.not_after_seconds.load(Relaxed);
        let days = not_after.abs_diff(now) / DAY_SECONDS;
        if now > not_after {
            tracing::warn!(
                "the certificate in {file} expired {days} days ago, so that clients refuse it: replace the file"
            );
        } else if not_after - now < EXPIRES_SOON_SECONDS {
            tracing::warn!("the certificate in {file} expires in {days} days: replace the file before that");
        }
    }

    /// Whether the files have changed, and are valid.
    async fn reload(&mut self) -> Result<bool, TlsError> {
        let mut read = Box::pin(PemFiles::read(&self.files));
        let pem = if let Ok(pem) = timeout(READ_TIMEOUT, &mut read).await {
            pem?
        } else {
            self.report(&blocked(&self.files));
            // No second thread is started while this one is blocked.
            read.await?
        };
        let is_changed = pem != self.loaded;
        if is_changed {
            // Set before it is validated, so that invalid files are reported once.
            self.loaded = pem;
            let not_after = self.loaded.validate(&self.files)?;
            self.not_after_seconds.store(not_after, Relaxed);
            tracing::info!("reloaded the certificate");
            self.warn_of_expiry();
        }
        Ok(is_changed)
    }
}

fn blocked(files: &TlsFiles) -> TlsError {
    let (certificate, key) = (files.certificate.display(), files.key.display());
    let seconds = READ_TIMEOUT.as_secs();
    TlsError(format!("reading {certificate} and {key} takes longer than {seconds} seconds"))
}

/// The contents of the files, without byte order marks.
#[derive(PartialEq, Eq)]
struct PemFiles {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl PemFiles {
    /// Reads the files on a thread of its own: the runtime would wait at its end for one of its threads that is blocked.
    fn read(files: &TlsFiles) -> impl Future<Output = Result<Self, TlsError>> + Send + 'static {
        let (sender, receiver) = oneshot::channel();
        let files = files.clone();
        thread::spawn(move || {
            let read = || {
                let (certificate, key) = (read(&files.certificate)?, read(&files.key)?);
                Ok(Self { certificate, key })
            };
            // An error means that the receiver was dropped.
            let _ = sender.send(read());
        });
        async move { receiver.await.expect("the thread does not panic") }
    }

    fn config(&self) -> RustlsConfig {
        let certificate = RustlsCertificate::new().cert(self.certificate.clone());
        RustlsConfig::new().fallback(certificate.key(self.key.clone()))
    }

    /// Validates what poem does not, that the key belongs to the certificate, and returns when that expires.
    fn validate(&self, files: &TlsFiles) -> Result<u64, TlsError> {
        let (file, key_file) = (files.certificate.display(), files.key.display());
        let fail = |message: String| Err(TlsError(message));
        let chain = CertificateDer::pem_slice_iter(&self.certificate).collect::<Result<Vec<_>, _>>();
        let chain = match chain {
            Ok(chain) if chain.is_empty() => {
                let found = labels(&self.certificate);
                return fail(format!("{file} has no certificate in PEM{found}"));
            }
            Ok(chain) => chain,
            Err(error) => {
                return fail(format!("a certificate in {file} is not valid PEM: {error}"));
            }
        };
        // PKCS #8, and the older form of OpenSSL, whose body would be read as a key that does not match.
        let marks = [&b"BEGIN ENCRYPTED PRIVATE KEY"[..], b"Proc-Type: 4,ENCRYPTED"];
        if marks.iter().any(|mark| self.key.windows(mark.len()).any(|text| text == *mark)) {
            return fail(format!(
                "the private key in {key_file} is encrypted: write it to another file without the passphrase \
                 (openssl pkey -in FILE -out OTHER), which only the service may read"
            ));
        }
        // Without the error, which may quote the file.
        let Ok(key) = PrivateKeyDer::from_pem_slice(&self.key) else {
            let found = labels(&self.key);
            return fail(format!("{key_file} has no private key in PEM{found}"));
        };
        let key = ring::default_provider().key_provider.load_private_key(key).map_err(|error| {
            let supported = "use RSA of at least 2048 bits, ECDSA P-256 or P-384, or Ed25519";
            TlsError(format!("the private key in {key_file} is not supported: {supported}: {error}"))
        })?;
        let not_after = not_after(&chain);
        match CertifiedKey::new(chain, key).keys_match() {
            Ok(()) => Ok(not_after),
            Err(error @ RustlsError::InconsistentKeys(_)) => {
                fail(format!("the certificate in {file} and the key in {key_file} do not match: {error}"))
            }
            Err(error) => fail(format!(
                "the certificate in {file} cannot be used: make one of X.509 version 3, with the host in subjectAltName: {error}"
            )),
        }
    }
}

/// When the first certificate of a chain expires, in seconds since the Unix epoch.
fn not_after(chain: &[CertificateDer<'_>]) -> u64 {
    let (roots, end_of_time) = (RootCertStore::empty(), UnixTime::since_unix_epoch(Duration::from_secs(u64::MAX)));
    // The validity is what is verified first, and its error has the time; a certificate that cannot be parsed has none.
    let ends = chain.iter().filter_map(|certificate| {
        let certificate = ParsedCertificate::try_from(certificate).ok()?;
        match verify_server_cert_signed_by_trust_anchor(&certificate, &roots, &[], end_of_time, &[]) {
            Err(RustlsError::InvalidCertificate(CertificateError::ExpiredContext { not_after, .. })) => {
                Some(not_after.as_secs())
            }
            _ => None,
        }
    });
    ends.min().unwrap_or(u64::MAX)
}

fn read(path: &Path) -> Result<Vec<u8>, TlsError> {
    let text = fs::read(path);
    let mut text = text.map_err(|error| TlsError(format!("cannot read {}: {error}", path.display())))?;
    // Each file that was concatenated can begin with one.
    let mark = b"\xef\xbb\xbf";
    while let Some(at) = text.windows(mark.len()).position(|bytes| bytes == mark) {
        text.drain(at..at + mark.len());
    }
    Ok(text)
}

/// The kinds of the sections of a PEM file, such as `CERTIFICATE`, which are no secrets: the end of a message.
fn labels(pem: &[u8]) -> String {
    let text = String::from_utf8_lossy(pem);
    let lines = text.lines().map(str::trim);
    let labels = lines.filter_map(|line| line.strip_prefix("-----BEGIN ")?.strip_suffix("-----"));
    let is_plain = |byte: u8| byte == b' ' || byte.is_ascii_uppercase();
    let is_label = |label: &&str| label.len() <= 32 && label.bytes().all(is_plain);
    let labels = labels.filter(is_label).collect::<Vec<_>>().join(", ");
    if labels.is_empty() { labels } else { format!("; it has: {labels}") }
}
