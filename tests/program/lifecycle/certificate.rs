//! Certificate reload without a restart.

use std::{
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use reqwest::{Certificate, Client};
use tempfile::TempDir;
use testkit::{Context, TIMEOUT, until};
use tokio::net::TcpStream;

use crate::support::serve;

testkit::tests![
    a_renewed_certificate_is_served_and_an_invalid_one_is_ignored on Sqlite,
    a_connection_without_a_handshake_does_not_delay_the_shutdown on Sqlite,
];

/// The files of a certificate and its key.
struct Files(TempDir);

impl Files {
    /// Writes a new certificate and its key.
    fn renew(&self) -> Certificate {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        fs::write(self.path("key.pem"), signing_key.serialize_pem()).unwrap();
        fs::write(self.path("certificate.pem"), cert.pem()).unwrap();
        Certificate::from_der(cert.der()).unwrap()
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

async fn a_renewed_certificate_is_served_and_an_invalid_one_is_ignored(context: Context) {
    let database = context.database();
    let files = Files(TempDir::new().unwrap());
    let first = files.renew();
    let flags = files.flags();
    let flags = flags.each_ref().map(String::as_str);
    let running = serve(database.url(), &flags).await;
    let url = format!("https://localhost:{}/health/live", running.addr.port());
    // A new client each time, because a resumed TLS session sends no certificate.
    let is_served = async |certificate: &Certificate| {
        let client = Client::builder().no_proxy().timeout(TIMEOUT);
        let client = client.tls_certs_only([certificate.clone()]).build();
        client.unwrap().get(&url).send().await.is_ok()
    };
    assert!(is_served(&first).await, "{}", running.log());

    let second = files.renew();
    until("the second is served", async || is_served(&second).await).await;
    assert!(!is_served(&first).await);

    fs::remove_file(files.path("certificate.pem")).unwrap();
    running.logged("No such file or directory").await;
    fs::write(files.path("key.pem"), "nonsense").unwrap();
    fs::write(
        files.path("certificate.pem"),
        "-----BEGIN CERTIFICATE-----\n",
    )
    .unwrap();
    running.logged("missing section end marker").await;
    running
        .logged("cannot reload the certificate; the previous one stays in use")
        .await;
    assert!(is_served(&second).await, "{}", running.log());
    let client = Client::builder()
        .no_proxy()
        .tls_certs_only([second.clone()]);
    let metrics = url.replace("/health/live", "/metrics");
    let metrics = client.build().unwrap().get(metrics).send().await.unwrap();
    let metrics = metrics.text().await.unwrap();
    let (_, failures) = metrics
        .split_once("\ncatalogue_certificate_reload_failures_total ")
        .unwrap_or_else(|| panic!("{metrics}"));
    assert!(!failures.starts_with("0\n"), "{metrics}");

    let third = files.renew();
    until("the third is served", async || is_served(&third).await).await;
    assert!(!is_served(&second).await);
}

async fn a_connection_without_a_handshake_does_not_delay_the_shutdown(context: Context) {
    let database = context.database();
    let files = Files(TempDir::new().unwrap());
    files.renew();
    let flags = files.flags();
    let flags = flags.each_ref().map(String::as_str);
    let mut running = serve(database.url(), &flags).await;
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
