//! Encryption: one setting, both versions of HTTP, and certificates that are renewed.

use std::{fs, sync::Arc, time::Duration};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::sleep,
};
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{
        ClientConfig, RootCertStore,
        crypto::ring,
        pki_types::{CertificateDer, ServerName},
    },
};

use crate::support::{TestApp, tests};

tests![
    answers_are_encrypted_and_promise_to_stay_so,
    http_2_is_agreed_upon,
    a_renewed_certificate_is_taken_and_a_broken_one_is_not,
    a_client_without_tls_gets_no_answer,
];

/// A certificate with its key, in files.
struct Files(TempDir);

impl Files {
    fn new() -> (Self, CertificateDer<'static>) {
        let files = Self(TempDir::new().unwrap());
        let certificate = files.renew();
        (files, certificate)
    }

    /// Writes another certificate and its key.
    fn renew(&self) -> CertificateDer<'static> {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        fs::write(self.0.path().join("key.pem"), signing_key.serialize_pem()).unwrap();
        fs::write(self.0.path().join("certificate.pem"), cert.pem()).unwrap();
        cert.der().clone()
    }

    fn flags(&self) -> [String; 3] {
        let path = |name: &str| self.0.path().join(name).display().to_string();
        [
            format!("--tls-certificate-file={}", path("certificate.pem")),
            format!("--tls-key-file={}", path("key.pem")),
            "--tls-reload-seconds=1".to_owned(),
        ]
    }
}

async fn encrypted(app: TestApp, files: &Files) -> TestApp {
    let flags = files.flags();
    app.restart_with(&flags.each_ref().map(String::as_str))
        .await
}

/// An encrypted connection, if the service has the one certificate that is trusted.
async fn connect(
    app: &TestApp,
    trusted: &CertificateDer<'static>,
    protocol: &str,
) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    let name = ServerName::try_from("localhost").unwrap();
    let connector = TlsConnector::from(Arc::new(config));
    connector.connect(name, app.connect().await).await
}

async fn answers_are_encrypted_and_promise_to_stay_so(app: TestApp) {
    let (files, certificate) = Files::new();
    let app = encrypted(app, &files).await;
    let mut stream = connect(&app, &certificate, "http/1.1").await.unwrap();
    let request =
        "GET /graphql?query={__typename} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    let promise = "strict-transport-security: max-age=31536000\r\n";
    assert!(answer.contains(promise), "{answer}");
    assert!(
        answer.ends_with(r#"{"data":{"__typename":"Query"}}"#),
        "{answer}"
    );
}

async fn http_2_is_agreed_upon(app: TestApp) {
    let (files, certificate) = Files::new();
    let app = encrypted(app, &files).await;
    let mut stream = connect(&app, &certificate, "h2").await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(b"h2".as_slice()));
    stream
        .write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        .await
        .unwrap();
    stream
        .write_all(&[0, 0, 0, 4, 0, 0, 0, 0, 0])
        .await
        .unwrap();
    let mut frame = [0; 9];
    stream.read_exact(&mut frame).await.unwrap();
    assert_eq!(frame[3], 4, "the first frame is SETTINGS: {frame:?}");
}

async fn a_renewed_certificate_is_taken_and_a_broken_one_is_not(app: TestApp) {
    let (files, first) = Files::new();
    let app = encrypted(app, &files).await;
    assert!(connect(&app, &first, "h2").await.is_ok());
    let second = files.renew();
    // Until it is looked for, the first one stays.
    while connect(&app, &second, "h2").await.is_err() {
        sleep(Duration::from_millis(50)).await;
    }
    assert!(connect(&app, &first, "h2").await.is_err());
    fs::write(files.0.path().join("key.pem"), "nonsense").unwrap();
    sleep(Duration::from_millis(1500)).await;
    assert!(connect(&app, &second, "h2").await.is_ok());
}

async fn a_client_without_tls_gets_no_answer(app: TestApp) {
    let (files, _) = Files::new();
    let app = encrypted(app, &files).await;
    let mut stream = app.connect().await;
    let request = "GET /graphql?query={__typename} HTTP/1.1\r\nHost: localhost\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut received = Vec::new();
    let _ = stream.read_to_end(&mut received).await;
    assert!(!String::from_utf8_lossy(&received).contains("HTTP/"));
}
