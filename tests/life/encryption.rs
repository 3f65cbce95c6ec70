//! Encrypted connections to the database.

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, Statement};
use tempfile::TempDir;

use crate::{
    Context, cases,
    databases::{Backend, Extras, OwnServer},
    running::{Running, Started, until},
};

cases![
    every_mode_does_what_it_says on Postgres Mysql,
    a_server_without_encryption_is_refused_where_it_is_required on Postgres,
];

/// Somebody who signs certificates.
struct Authority {
    certificate: String,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    fn new(name: &str) -> Self {
        let mut parameters = CertificateParams::default();
        parameters.distinguished_name.push(DnType::CommonName, name);
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        Self {
            certificate: parameters.self_signed(&key).unwrap().pem(),
            issuer: Issuer::new(parameters, key),
        }
    }

    /// A certificate for the host `localhost`, and its key.
    fn sign(&self) -> (String, String) {
        let key = KeyPair::generate().unwrap();
        let parameters = CertificateParams::new(["localhost".to_owned()]).unwrap();
        let certificate = parameters.signed_by(&key, &self.issuer).unwrap();
        (certificate.pem(), key.serialize_pem())
    }
}

fn encrypted_server(backend: Backend, authority: &Authority) -> OwnServer {
    let (certificate, key) = authority.sign();
    let arguments: &[&str] = match backend {
        Backend::Mysql => &[
            "--ssl-cert={folder}/server.pem",
            "--ssl-key={folder}/server.key",
        ],
        _ => &[
            "--ssl=on",
            "--ssl_cert_file={folder}/server.pem",
            "--ssl_key_file={folder}/server.key",
        ],
    };
    let extras = Extras {
        files: vec![("server.pem", certificate), ("server.key", key)],
        arguments: arguments
            .iter()
            .map(|&argument| argument.to_owned())
            .collect(),
    };
    OwnServer::start(backend, &extras)
}

async fn every_mode_does_what_it_says(context: Context) {
    let (ours, theirs) = (Authority::new("ours"), Authority::new("theirs"));
    let folder = TempDir::new().unwrap();
    let file = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.display().to_string()
    };
    let ours_file = file("ours.pem", &ours.certificate);
    let theirs_file = file("theirs.pem", &theirs.certificate);
    let server = encrypted_server(context.backend, &ours);
    let plain = server.database();
    let stranger = Database::connect(&plain).await.unwrap();
    let by_number = accounts(context.backend, &stranger, &plain).await;
    let by_name = by_number.replace("127.0.0.1", "localhost");
    let (mode, authority, [off, required, trusted, host]) = match context.backend {
        Backend::Mysql => (
            "ssl-mode",
            "ssl-ca",
            ["disabled", "required", "verify_ca", "verify_identity"],
        ),
        _ => (
            "sslmode",
            "sslrootcert",
            ["disable", "require", "verify-ca", "verify-full"],
        ),
    };
    for url in [
        by_number.clone(),
        format!("{by_number}?{mode}={required}"),
        format!("{by_number}?{mode}={trusted}&{authority}={ours_file}"),
        format!("{by_name}?{mode}={host}&{authority}={ours_file}"),
    ] {
        let running = Running::start(&url, &[]).await;
        assert_eq!(running.models().await, [""; 0]);
        if context.backend == Backend::Postgres {
            assert!(connections(&stranger, true).await > 0, "{url}");
            assert_eq!(connections(&stranger, false).await, 0, "{url}");
        }
    }
    for (url, reason) in [
        (
            format!("{by_number}?{mode}={host}&{authority}={ours_file}"),
            "not valid for name \"127.0.0.1\"",
        ),
        (
            format!("{by_name}?{mode}={host}&{authority}={theirs_file}"),
            "UnknownIssuer",
        ),
        (
            format!("{by_number}?{mode}={trusted}&{authority}={theirs_file}"),
            "UnknownIssuer",
        ),
        (format!("{by_name}?{mode}={host}"), "UnknownIssuer"),
    ] {
        let log = refused(&url).await;
        assert!(
            log.contains("no trusted encrypted connection to the "),
            "{url}: {log}"
        );
        assert!(log.contains(reason), "{url}: {log}");
    }
    let unencrypted = format!("{by_number}?{mode}={off}");
    if context.backend == Backend::Postgres {
        let running = Running::start(&unencrypted, &[]).await;
        assert_eq!(running.models().await, [""; 0]);
        // Those of the instances before it end when the server notices.
        let encrypted = async || connections(&stranger, true).await;
        until("no encryption", async || encrypted().await == 0).await;
        assert!(connections(&stranger, false).await > 0);
    } else {
        // The account is only for encrypted connections, so all those above were.
        let log = refused(&unencrypted).await;
        assert!(log.contains("Access denied"), "{log}");
    }
}

async fn a_server_without_encryption_is_refused_where_it_is_required(context: Context) {
    let database = context.database();
    let log = refused(&format!("{}?sslmode=require", database.url())).await;
    assert!(
        log.contains("no trusted encrypted connection to the "),
        "{log}"
    );
    assert!(log.contains("server does not support TLS"), "{log}");
}

/// Why the service does not start, in one sentence, at once and without the password.
async fn refused(url: &str) -> String {
    let mut started = Started::new(url, &["--database-connect-timeout-seconds=3600"]);
    assert_eq!(started.ended().await.code(), Some(1), "{url}");
    let log = started.log();
    assert_eq!(log.lines().count(), 1, "{log}");
    assert!(
        log.starts_with("error: ") && !log.contains("secret"),
        "{log}"
    );
    log
}

/// The URL of an account that has a password, and on MySQL may come only encrypted.
async fn accounts(backend: Backend, stranger: &DatabaseConnection, url: &str) -> String {
    let (statements, from) = match backend {
        Backend::Mysql => (
            "CREATE USER careful@'%' IDENTIFIED BY 'secret' REQUIRE SSL; GRANT ALL ON *.* TO careful@'%'",
            "root@",
        ),
        _ => (
            "CREATE ROLE careful SUPERUSER LOGIN PASSWORD 'secret'",
            "postgres@",
        ),
    };
    for statement in statements.split("; ") {
        stranger.execute_unprepared(statement).await.unwrap();
    }
    url.replacen(from, "careful:secret@", 1)
}

/// How many connections of the service are encrypted, or are not.
async fn connections(stranger: &DatabaseConnection, encrypted: bool) -> i64 {
    let count = format!(
        "SELECT COUNT(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
         WHERE application_name = 'vehicle-catalogue' AND ssl = {encrypted}"
    );
    let count = Statement::from_string(stranger.get_database_backend(), count);
    let row = stranger.query_one_raw(count).await.unwrap().unwrap();
    row.try_get_by_index(0).unwrap()
}
