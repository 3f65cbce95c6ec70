//! TLS of the service: a certificate that cannot be reloaded, and connections without a handshake.

use std::{
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use reqwest::{Certificate, Client};
use tempfile::TempDir;
use testkit::Context;
use tokio::net::TcpStream;

use crate::support::serve;

testkit::tests![
    a_certificate_that_cannot_be_reloaded_is_logged_and_counted on Sqlite,
    a_connection_without_a_handshake_does_not_delay_the_shutdown on Sqlite,
];

/// The files of a certificate and its key.
struct Files(TempDir);

impl Files {
    /// Writes a certificate and its key.
    fn new() -> (Self, Certificate) {
        let files = Self(TempDir::new().unwrap());
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        fs::write(files.path("key.pem"), signing_key.serialize_pem()).unwrap();
        fs::write(files.path("certificate.pem"), cert.pem()).unwrap();
        (files, Certificate::from_der(cert.der()).unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn flags(&self) -> [String; 2] {
        let (certificate, key) = (self.path("certificate.pem"), self.path("key.pem"));
        [
            format!("--tls-certificate-file={}", certificate.display()),
            format!("--tls-key-file={}", key.display()),
        ]
    }
}

async fn a_certificate_that_cannot_be_reloaded_is_logged_and_counted(context: Context) {
    let database = context.database();
    let (files, certificate) = Files::new();
    let flags = files.flags();
    let running = serve(database.url(), &flags.each_ref().map(String::as_str)).await;
    fs::remove_file(files.path("certificate.pem")).unwrap();
    for part in [
        "cannot reload the certificate; the previous one stays in use",
        "No such file or directory",
    ] {
        running.logged(part).await;
    }
    let client = Client::builder().no_proxy().tls_certs_only([certificate]);
    let metrics = format!("https://localhost:{}/metrics", running.addr.port());
    let metrics = client.build().unwrap().get(metrics).send().await.unwrap();
    let metrics = metrics.text().await.unwrap();
    let (_, failures) = metrics
        .split_once("\ncatalogue_certificate_reload_failures_total ")
        .unwrap_or_else(|| panic!("{metrics}"));
    assert!(!failures.starts_with("0\n"), "{metrics}");
}

async fn a_connection_without_a_handshake_does_not_delay_the_shutdown(context: Context) {
    let database = context.database();
    let (files, _) = Files::new();
    let flags = files.flags();
    let mut running = serve(database.url(), &flags.each_ref().map(String::as_str)).await;
    let _silent = TcpStream::connect(running.addr).await.unwrap();
    let started = Instant::now();
    running.signal("TERM");
    let status = running.ended().await;
    let log = running.log();
    assert_eq!(status.code(), Some(0), "{log}");
    assert!(!log.contains("drain timeout"), "{log}");
    let drain_timeout = Duration::from_secs(10);
    assert!(started.elapsed() < drain_timeout, "{log}");
}
