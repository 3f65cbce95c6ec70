//! Certificate reload without a restart.

use std::{fs, path::PathBuf};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use reqwest::{Certificate, Client};
use tempfile::TempDir;
use testkit::{Context, TIMEOUT, until};

use crate::support::serve;

testkit::tests![a_renewed_certificate_is_served_and_an_invalid_one_is_ignored on Sqlite];

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
}

async fn a_renewed_certificate_is_served_and_an_invalid_one_is_ignored(context: Context) {
    let database = context.database();
    let files = Files(TempDir::new().unwrap());
    let first = files.renew();
    let (certificate, key) = (files.path("certificate.pem"), files.path("key.pem"));
    let flags = [
        format!("--tls-certificate-file={}", certificate.display()),
        format!("--tls-key-file={}", key.display()),
        "--tls-reload-seconds=1".to_owned(),
    ];
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

    fs::write(&key, "nonsense").unwrap();
    running
        .logged("cannot reload the certificate; the previous one stays in use")
        .await;
    assert!(is_served(&second).await, "{}", running.log());

    let third = files.renew();
    until("the third is served", async || is_served(&third).await).await;
    assert!(!is_served(&second).await);
}
