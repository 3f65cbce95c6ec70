//! TLS, its reload, and what is wrong with files.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

use poem_graphql::{ConnectionLimits, LimitedAcceptor, Tls, TlsError, TlsFiles};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::{sleep, timeout},
};
use tokio_rustls::{
    TlsConnector,
    rustls::{
        ClientConfig, RootCertStore,
        crypto::ring,
        pki_types::{CertificateDer, ServerName},
    },
};

use crate::support::{Service, get, slow};

/// A key of another kind than those that TLS libraries support.
const SECP256K1: &str = "-----BEGIN PRIVATE KEY-----\n\
    MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgMQuQwTneNTZtV4iAG9hB\n\
    xnTgKbJqKHReIpmGlvIuWJOhRANCAAShLfUp5pXh94MAmIGNUncVFJr5T9BvQAFE\n\
    GgT1Pc/fHKL1IgEf1X11aZ/LoDav7p6NNIXG/cDMqqREojrEXr73\n\
    -----END PRIVATE KEY-----\n";

/// A certificate without extensions: X.509 version 1.
const VERSION_1: &str = "-----BEGIN CERTIFICATE-----\n\
    MIIBDzCBtgIBAzAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwHhcN\n\
    MTkwMTAxMDAwMDAwWhcNMjAwMTAxMDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhv\n\
    c3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATK7WWJNaxKar5Vozhe4x2a2HmU\n\
    RUxlJzQeJkVBQBgmBY9t41ifkpW0SpVWhc779Rkx4WGMKRPdy5jilVrzUSY1MAoG\n\
    CCqGSM49BAMCA0gAMEUCID/DyjwYin+NlyOzeUS/12kZKgX5GwBlLXDM8XRulNhC\n\
    AiEAooYk2u/k9DSYgwyLMgMh1QTIJwGtY7W0OE0qk4Pk0u4=\n\
    -----END CERTIFICATE-----\n";

/// A folder with a certificate and its key.
struct Files {
    folder: TempDir,
    certificate: CertificateDer<'static>,
}

impl Files {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let certificate = write(folder.path());
        Self { folder, certificate }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    async fn load(&self) -> Result<Tls, TlsError> {
        Tls::load(TlsFiles {
            certificate: self.path("certificate.pem"),
            key: self.path("key.pem"),
            reload_interval: Duration::from_millis(20),
        })
        .await
    }
}

fn write(folder: &Path) -> CertificateDer<'static> {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    fs::write(folder.join("key.pem"), signing_key.serialize_pem()).unwrap();
    // Editors on Windows begin a file so.
    fs::write(folder.join("certificate.pem"), format!("\u{feff}{}", cert.pem())).unwrap();
    cert.der().clone()
}

async fn start(tls: Tls) -> Service {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let acceptor = LimitedAcceptor::new(listener, ConnectionLimits::default()).unwrap();
    Service::serve(slow(), acceptor.with_tls(tls), address)
}

/// A response over TLS, if the client trusts the certificate.
async fn request(service: &Service, trusted: &CertificateDer<'static>) -> Option<String> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap();
    let config = config.with_root_certificates(roots).with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let stream = TcpStream::connect(service.address).await.unwrap();
    let mut stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.ok()?;
    let request = get("/1", "Connection: close\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    Some(response)
}

#[tokio::test]
async fn a_changed_certificate_is_reloaded_and_an_invalid_one_is_not() {
    let files = Files::new();
    let tls = files.load().await.unwrap();
    let failed_reloads = tls.failed_reloads();
    let service = start(tls).await;
    let response = request(&service, &files.certificate).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 200 OK"), "{response}");

    fs::write(files.path("key.pem"), "nothing").unwrap();
    timeout(Duration::from_secs(10), async {
        while failed_reloads.load(Relaxed) == 0 {
            sleep(Duration::from_millis(5)).await;
        }
    })
    .await
    .unwrap();
    assert!(request(&service, &files.certificate).await.is_some());

    let renewed = write(files.folder.path());
    timeout(Duration::from_secs(10), async {
        while request(&service, &renewed).await.is_none() {
            sleep(Duration::from_millis(5)).await;
        }
    })
    .await
    .unwrap();
    assert!(request(&service, &files.certificate).await.is_none());
}

#[tokio::test]
async fn a_client_without_tls_is_told_so() {
    let service = start(Files::new().load().await.unwrap()).await;
    let response = service.exchange(&get("/1", "")).await;
    assert!(response.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{response}");
    assert!(response.ends_with("\r\n\r\nThis port requires TLS: use https://.\n"), "{response}");
}

#[tokio::test]
async fn a_wrong_file_is_named_with_what_it_has() {
    let rsa = "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n";
    let encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
    let legacy = "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nAAAA\n\
        -----END EC PRIVATE KEY-----\n";
    let other = generate_simple_self_signed(["other".to_owned()]).unwrap();
    let other_key = other.signing_key.serialize_pem();
    for (name, text, expected) in [
        ("certificate.pem", "", "certificate.pem has no certificate in PEM"),
        ("certificate.pem", &other_key, "has no certificate in PEM; it has: PRIVATE KEY"),
        ("certificate.pem", "-----BEGIN CERTIFICATE-----\n?", "is not valid PEM"),
        ("key.pem", "", "key.pem has no private key in PEM"),
        ("key.pem", rsa, "has no private key in PEM; it has: PUBLIC KEY"),
        ("key.pem", encrypted, "is encrypted: write it to another file without the passphrase"),
        ("key.pem", legacy, "is encrypted: write it to another file without the passphrase"),
        ("key.pem", SECP256K1, "is not supported: use RSA of"),
        ("key.pem", &other_key, "key.pem do not match"),
        ("certificate.pem", VERSION_1, "certificate.pem cannot be used: "),
    ] {
        let files = Files::new();
        fs::write(files.path(name), text).unwrap();
        let error = files.load().await.map(drop).unwrap_err();
        assert!(error.to_string().contains(expected), "{expected}: {error}");
        assert!(!error.to_string().contains("AAAA"), "{error}");
    }
    let files = Files::new();
    fs::remove_file(files.path("key.pem")).unwrap();
    let error = files.load().await.map(drop).unwrap_err();
    assert!(error.to_string().starts_with("cannot read "), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_file_that_blocks_does_not_block_the_service() {
    let files = Files::new();
    fs::remove_file(files.path("key.pem")).unwrap();
    let made = Command::new("mkfifo").arg(files.path("key.pem")).status().unwrap();
    assert!(made.success());
    let error = files.load().await.map(drop).unwrap_err();
    assert!(error.to_string().ends_with("takes longer than 5 seconds"), "{error}");
}
