//! Encrypted connections to the database.

use rcgen::{BasicConstraints, CertificateParams, DistinguishedName, DnType, IsCa, Issuer, KeyPair};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, Statement};
use tempfile::TempDir;
use testkit::{Backend, Context, Extras, OwnServer, until};

use crate::support::{Vehicles as _, serve, start};

testkit::tests![
    every_tls_mode_is_enforced on Postgres Mariadb Mysql,
    a_server_without_tls_is_rejected_when_tls_is_required on Postgres,
    a_client_certificate_is_sent_to_a_server_that_requires_one on Postgres Mariadb Mysql,
    a_password_that_needs_tls_fails_startup_without_tls on Mysql,
];

/// A certificate authority.
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
        Self { certificate: parameters.self_signed(&key).unwrap().pem(), issuer: Issuer::new(parameters, key) }
    }

    /// Issues a certificate for the host `localhost`, with its key.
    fn sign(&self) -> (String, String) {
        let host = CertificateParams::new(["localhost".to_owned()]);
        self.issue(&host.unwrap())
    }

    /// Issues a client certificate for this name, with its key.
    fn sign_client(&self, name: &str) -> (String, String) {
        let mut client = CertificateParams::default();
        client.distinguished_name = DistinguishedName::new();
        client.distinguished_name.push(DnType::CommonName, name);
        self.issue(&client)
    }

    fn issue(&self, parameters: &CertificateParams) -> (String, String) {
        let key = KeyPair::generate().unwrap();
        let certificate = parameters.signed_by(&key, &self.issuer).unwrap();
        (certificate.pem(), key.serialize_pem())
    }
}

/// `pg_hba.conf`: every account except the administrator needs a client certificate of its name.
const HBA: &str = "host all postgres 127.0.0.1/32 trust\n\
     hostssl all all 127.0.0.1/32 scram-sha-256 clientcert=verify-full\n";

/// Starts a server with TLS, which requires client certificates issued by `clients` if given.
fn encrypted_server(backend: Backend, authority: &Authority, clients: Option<&Authority>) -> OwnServer {
    let (certificate, key) = authority.sign();
    let mut files = vec![("server.pem", certificate), ("server.key", key)];
    let (arguments, client_arguments): (&[&str], &[&str]) = match backend {
        Backend::Mariadb | Backend::Mysql => {
            (&["--ssl-cert={folder}/server.pem", "--ssl-key={folder}/server.key"], &["--ssl-ca={folder}/clients.pem"])
        }
        _ => (
            &["--ssl=on", "--ssl_cert_file={folder}/server.pem", "--ssl_key_file={folder}/server.key"],
            &["--ssl_ca_file={folder}/clients.pem", "--hba_file={folder}/pg_hba.conf"],
        ),
    };
    let mut arguments = arguments.to_vec();
    if let Some(clients) = clients {
        files.push(("clients.pem", clients.certificate.clone()));
        files.push(("pg_hba.conf", HBA.to_owned()));
        arguments.extend(client_arguments);
    }
    let extras = Extras { files, arguments: arguments.into_iter().map(str::to_owned).collect() };
    OwnServer::start(backend, &extras)
}

/// A folder of files.
struct Files(TempDir);

impl Files {
    fn write(&self, name: &str, content: &str) -> String {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.display().to_string()
    }
}

async fn every_tls_mode_is_enforced(context: Context) {
    let (ours, theirs) = (Authority::new("ours"), Authority::new("theirs"));
    let files = Files(TempDir::new().unwrap());
    let ours_file = files.write("ours.pem", &ours.certificate);
    let theirs_file = files.write("theirs.pem", &theirs.certificate);
    let server = encrypted_server(context.backend, &ours, None);
    let plain = server.database();
    let admin = Database::connect(&plain).await.unwrap();
    let by_number = create_account(context.backend, &admin, &plain, "REQUIRE SSL").await;
    let by_name = by_number.replace("127.0.0.1", "localhost");
    let (mode, authority, [off, required, trusted, host]) = match context.backend {
        Backend::Mariadb | Backend::Mysql => {
            ("ssl-mode", "ssl-ca", ["disabled", "required", "verify_ca", "verify_identity"])
        }
        _ => ("sslmode", "sslrootcert", ["disable", "require", "verify-ca", "verify-full"]),
    };
    for url in [
        by_number.clone(),
        format!("{by_number}?{mode}={required}"),
        format!("{by_number}?{mode}={trusted}&{authority}={ours_file}"),
        format!("{by_name}?{mode}={host}&{authority}={ours_file}"),
    ] {
        let running = serve(&url, &[]).await;
        assert_eq!(running.models().await, [""; 0]);
        if context.backend == Backend::Postgres {
            assert!(connections(&admin, true).await > 0, "{url}");
            assert_eq!(connections(&admin, false).await, 0, "{url}");
        }
    }
    for (url, reason) in [
        (format!("{by_number}?{mode}={host}&{authority}={ours_file}"), "not valid for name \"127.0.0.1\""),
        (format!("{by_name}?{mode}={host}&{authority}={theirs_file}"), "UnknownIssuer"),
        (format!("{by_number}?{mode}={trusted}&{authority}={theirs_file}"), "UnknownIssuer"),
        (format!("{by_name}?{mode}={host}"), "UnknownIssuer"),
    ] {
        let log = startup_error(&url).await;
        assert!(log.contains("; no trusted encrypted connection: the server must offer TLS"), "{url}: {log}");
        assert!(log.contains(reason), "{url}: {log}");
    }
    let unencrypted = format!("{by_number}?{mode}={off}");
    if context.backend == Backend::Postgres {
        let running = serve(&unencrypted, &[]).await;
        assert_eq!(running.models().await, [""; 0]);
        // The server closes the connections of the earlier instances with a delay.
        let encrypted = async || connections(&admin, true).await;
        until("no encryption", async || encrypted().await == 0).await;
        assert!(connections(&admin, false).await > 0);
    } else {
        // The account requires TLS, so all connections above were encrypted.
        let log = startup_error(&unencrypted).await;
        assert!(log.contains("Access denied"), "{log}");
    }
}

async fn a_server_without_tls_is_rejected_when_tls_is_required(context: Context) {
    let database = context.database();
    let log = startup_error(&format!("{}?sslmode=require", database.url())).await;
    assert!(log.contains("; no trusted encrypted connection: the server must offer TLS"), "{log}");
    assert!(log.contains("server does not support TLS"), "{log}");
}

async fn a_client_certificate_is_sent_to_a_server_that_requires_one(context: Context) {
    let [ours, clients, theirs] = ["ours", "clients", "theirs"].map(Authority::new);
    let files = Files(TempDir::new().unwrap());
    let ours_file = files.write("ours.pem", &ours.certificate);
    let theirs_file = files.write("theirs.pem", &theirs.certificate);
    let server = encrypted_server(context.backend, &ours, Some(&clients));
    let plain = server.database();
    let admin = Database::connect(&plain).await.unwrap();
    let subject = "REQUIRE SUBJECT '/CN=careful'";
    let by_number = create_account(context.backend, &admin, &plain, subject).await;
    let by_name = by_number.replace("127.0.0.1", "localhost");
    let (strictest, authority, certificate, key, denied) = match context.backend {
        Backend::Mariadb | Backend::Mysql => {
            ("ssl-mode=verify_identity", "ssl-ca", "ssl-cert", "ssl-key", "Access denied")
        }
        _ => ("sslmode=verify-full", "sslrootcert", "sslcert", "sslkey", "certificate"),
    };
    let certificate_parameters = |name: &str, (pem, private): (String, String)| {
        let pem = files.write(&format!("{name}.pem"), &pem);
        let private = files.write(&format!("{name}.key"), &private);
        format!("{certificate}={pem}&{key}={private}")
    };
    let right = certificate_parameters("right", clients.sign_client("careful"));
    let of_unknown_ca = certificate_parameters("of_unknown_ca", theirs.sign_client("careful"));
    let of_another = certificate_parameters("of_another", clients.sign_client("another"));

    let trusting = format!("{by_name}?{strictest}&{authority}={ours_file}");
    let running = serve(&format!("{trusting}&{right}"), &[]).await;
    assert_eq!(running.models().await, [""; 0]);
    for (url, reason) in [
        (trusting.clone(), denied),
        (format!("{trusting}&{of_unknown_ca}"), "UnknownCA"),
        (format!("{trusting}&{of_another}"), denied),
        (format!("{by_name}?{strictest}&{authority}={theirs_file}&{right}"), "UnknownIssuer"),
        (format!("{by_number}?{strictest}&{authority}={ours_file}&{right}"), "not valid for name \"127.0.0.1\""),
    ] {
        let log = startup_error(&url).await;
        assert!(log.contains(reason), "{url}: {log}");
        assert!(log.contains("client certificate"), "{url}: {log}");
    }
}

const NEEDS_TLS: &str = "this account needs TLS: ssl-mode=preferred or stricter";

async fn a_password_that_needs_tls_fails_startup_without_tls(context: Context) {
    let server = OwnServer::start(context.backend, &Extras::default());
    let plain = server.database();
    let admin = Database::connect(&plain).await.unwrap();
    let url = create_account(context.backend, &admin, &plain, "").await;
    let unencrypted = format!("{url}?ssl-mode=disabled");
    let log = startup_error(&unencrypted).await;
    assert!(log.contains(NEEDS_TLS), "not known to the server: {log}");

    let running = serve(&format!("{url}?ssl-mode=required"), &[]).await;
    assert_eq!(running.models().await, [""; 0]);
}

/// Asserts that startup fails at once with one log line without the password, and returns the log.
async fn startup_error(url: &str) -> String {
    let mut started = start(url, &["--database-connect-timeout-seconds=3600"]);
    assert_eq!(started.ended().await.code(), Some(1), "{url}");
    let log = started.log();
    assert_eq!(log.lines().count(), 1, "{log}");
    assert!(log.starts_with("error: ") && !log.contains("secret"), "{log}");
    log
}

/// Creates an account with a password, for which MySQL and MariaDB have a `requirement`, and returns its URL.
async fn create_account(backend: Backend, admin: &DatabaseConnection, url: &str, requirement: &str) -> String {
    let (statements, from) = match backend {
        Backend::Mariadb | Backend::Mysql => (
            format!(
                "CREATE USER careful@'%' IDENTIFIED BY 'secret' {requirement}; \
                 GRANT ALL ON *.* TO careful@'%'"
            ),
            "root@",
        ),
        _ => ("CREATE ROLE careful SUPERUSER LOGIN PASSWORD 'secret'".to_owned(), "postgres@"),
    };
    for statement in statements.split("; ") {
        admin.execute_unprepared(statement).await.unwrap();
    }
    url.replacen(from, "careful:secret@", 1)
}

/// The number of encrypted or unencrypted connections of the service.
async fn connections(admin: &DatabaseConnection, encrypted: bool) -> i64 {
    let count = format!(
        "SELECT COUNT(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
         WHERE application_name = 'vehicle-catalogue' AND ssl = {encrypted}"
    );
    let count = Statement::from_string(admin.get_database_backend(), count);
    let row = admin.query_one_raw(count).await.unwrap().unwrap();
    row.try_get_by_index(0).unwrap()
}
