//! TLS with HTTP/1.1 and HTTP/2.

use std::{fs, sync::Arc};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
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
    responses_are_encrypted_and_enable_hsts,
    a_client_without_tls_is_told_so,
];

/// A certificate and its key in PEM files.
struct Files(TempDir);

impl Files {
    fn new() -> (Self, CertificateDer<'static>) {
        let files = Self(TempDir::new().unwrap());
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        fs::write(files.0.path().join("key.pem"), signing_key.serialize_pem()).unwrap();
        fs::write(files.0.path().join("certificate.pem"), cert.pem()).unwrap();
        (files, cert.der().clone())
    }

    fn flags(&self) -> [String; 2] {
        let path = |name: &str| self.0.path().join(name).display().to_string();
        [
            format!("--tls-certificate-file={}", path("certificate.pem")),
            format!("--tls-key-file={}", path("key.pem")),
        ]
    }
}

async fn restart_with_tls(app: TestApp, files: &Files) -> TestApp {
    let flags = files.flags();
    app.restart_with(&flags.each_ref().map(String::as_str))
        .await
}

/// Connects with TLS, trusting one certificate.
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

async fn responses_are_encrypted_and_enable_hsts(app: TestApp) {
    let (files, certificate) = Files::new();
    let app = restart_with_tls(app, &files).await;
    let mut stream = connect(&app, &certificate, "http/1.1").await.unwrap();
    let request =
        "GET /graphql?query={__typename} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 200 OK"), "{response}");
    let promise = "strict-transport-security: max-age=31536000\r\n";
    assert!(response.contains(promise), "{response}");
    assert!(
        response.ends_with(r#"{"data":{"__typename":"Query"}}"#),
        "{response}"
    );
}

async fn a_client_without_tls_is_told_so(app: TestApp) {
    let (files, _) = Files::new();
    let app = restart_with_tls(app, &files).await;
    let mut stream = app.connect().await;
    let request = "GET /graphql?query={__typename} HTTP/1.1\r\nHost: localhost\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut received = Vec::new();
    let _ = stream.read_to_end(&mut received).await;
    let received = String::from_utf8_lossy(&received);
    assert!(
        received.starts_with("HTTP/1.1 400 Bad Request\r\n")
            && received.ends_with("\r\n\r\nThis port requires TLS: use https://.\n"),
        "{received}"
    );
}
