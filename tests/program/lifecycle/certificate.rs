//! TLS of the service: a certificate that cannot be reloaded, and connections without a handshake.

use std::{
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

use rcgen::{CertificateParams, CertifiedKey, KeyPair, date_time_ymd, generate_simple_self_signed};
use reqwest::{Certificate, Client};
use tempfile::TempDir;
use testkit::Context;
use tokio::net::TcpStream;

use crate::support::serve;

testkit::tests![
    an_expired_certificate_is_warned_of_and_a_missing_one_is_not_reloaded on Sqlite,
    a_connection_without_a_handshake_does_not_delay_the_shutdown on Sqlite,
];

/// The files of a certificate and its key.
struct Files(TempDir);

impl Files {
    /// Writes a certificate and its key.
    fn new() -> Self {
        let files = Self(TempDir::new().unwrap());
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        fs::write(files.path("key.pem"), signing_key.serialize_pem()).unwrap();
        fs::write(files.path("certificate.pem"), cert.pem()).unwrap();
        files
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn flags(&self) -> [String; 2] {
        let (certificate, key) = (self.path("certificate.pem"), self.path("key.pem"));
        [format!("--tls-certificate-file={}", certificate.display()), format!("--tls-key-file={}", key.display())]
    }
}

async fn an_expired_certificate_is_warned_of_and_a_missing_one_is_not_reloaded(context: Context) {
    let database = context.database();
    let files = Files(TempDir::new().unwrap());
    let key = KeyPair::generate().unwrap();
    fs::write(files.path("key.pem"), key.serialize_pem()).unwrap();
    let until = |not_after| {
        let mut params = CertificateParams::new(["localhost".to_owned()]).unwrap();
        params.not_after = not_after;
        params.self_signed(&key).unwrap().pem()
    };
    let (expired, renewed) = (until(date_time_ymd(2020, 1, 1)), until(date_time_ymd(2100, 1, 1)));
    // Editors on Windows begin a file with a byte order mark, which is then in the middle of a chain.
    let chain = format!("\u{feff}{renewed}\u{feff}{expired}");
    fs::write(files.path("certificate.pem"), chain).unwrap();
    let flags = files.flags();
    let flags = flags.each_ref().map(String::as_str);
    let running = serve(database.url(), &flags).await;
    running.logged("days ago, so that clients refuse it").await;
    let client = Client::builder().no_proxy().danger_accept_invalid_certs(true);
    let client = client.build().unwrap();
    let metric = async |name: &str| {
        let url = running.url("/metrics").replace("http:", "https:");
        let metrics = client.get(url).send().await.unwrap().text().await.unwrap();
        let (_, value) = metrics.split_once(&format!("\n{name} ")).unwrap();
        value.lines().next().unwrap().parse::<f64>().unwrap()
    };
    let not_after = "catalogue_certificate_not_after_seconds";
    assert_eq!(metric(not_after).await.to_string(), "1577836800");

    fs::write(files.path("certificate.pem"), &renewed).unwrap();
    running.logged("reloaded the certificate").await;
    assert_eq!(metric(not_after).await.to_string(), "4102444800");
    let renewed = Certificate::from_pem(renewed.as_bytes()).unwrap();
    let trusting = Client::builder().no_proxy().tls_certs_only([renewed]).build().unwrap();
    let url = format!("https://localhost:{}/metrics", running.addr.port());
    let response = trusting.get(url).send().await.unwrap();
    assert_eq!(response.headers()["strict-transport-security"], "max-age=31536000");

    fs::remove_file(files.path("certificate.pem")).unwrap();
    for part in ["cannot reload the certificate; the previous one stays in use", "No such file or directory"] {
        running.logged(part).await;
    }
    assert!(metric("catalogue_certificate_reload_failures_total").await >= 1.0);
}

async fn a_connection_without_a_handshake_does_not_delay_the_shutdown(context: Context) {
    let database = context.database();
    let files = Files::new();
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
