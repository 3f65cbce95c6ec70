//! "A day of operation" in `docs/operations.md`: a deployment, a rollback, a renewed certificate, rotated keys and a restored
//! backup, under load. No create that was acknowledged is lost, none is stored twice, and no client notices more than a retry.

use std::{
    fs,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU16, AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use reqwest::{Certificate, Client};
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{Context, Running, TIMEOUT, connect, until};
use tokio::{task::JoinSet, time::sleep};

use super::{
    backup::{back_up, restore},
    rollback::migrate_as_a_newer_release,
};
use crate::{
    auth::{
        service::{AUDIENCE, ISSUER, claims, token_of},
        signing::jwks,
    },
    support::serve,
};

testkit::tests![a_day_of_operation_loses_nothing on Postgres];

const CLIENTS: usize = 4;

/// The texts in backticks in a column of the table of the documentation.
fn documented(column: usize) -> Vec<&'static str> {
    let page = include_str!("../../../docs/operations.md");
    let (_, section) = page.split_once("## A day of operation\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| "));
    rows.skip(1)
        .filter_map(|row| row.split('|').nth(column))
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect()
}

/// What clients know: the port of the current instance and their token.
struct Load {
    client: Client,
    port: AtomicU16,
    token: Mutex<String>,
    ends: AtomicBool,
    acknowledged: AtomicUsize,
}

impl Load {
    fn url(&self, path: &str) -> String {
        format!("https://localhost:{}{path}", self.port.load(Relaxed))
    }

    async fn send(&self, query: &str, key: &str) -> Result<Value, reqwest::Error> {
        let request = self.client.post(self.url("/graphql")).header("Idempotency-Key", key);
        let token = self.token.lock().unwrap().clone();
        let request = request.bearer_auth(token).json(&json!({ "query": query }));
        request.send().await?.json().await
    }

    /// Creates one vehicle after the other, each with the retries of `docs/clients.md`.
    async fn create(self: Arc<Self>, client: usize) {
        let mutation = "mutation { createVehicle(type: \"SUV\", modelCode: \"EX30\") { id } }";
        for number in 0.. {
            if self.ends.load(Relaxed) {
                return;
            }
            let key = format!("{client}-{number}");
            loop {
                match self.send(mutation, &key).await {
                    Ok(response) if response["errors"].is_null() => break,
                    Ok(response) => {
                        let code = &response["errors"][0]["extensions"]["code"];
                        assert_eq!(code, "SERVICE_UNAVAILABLE", "{response}");
                    }
                    // The connection was closed or refused.
                    Err(_) => {}
                }
                sleep(Duration::from_millis(20)).await;
            }
            self.acknowledged.fetch_add(1, Relaxed);
        }
    }

    /// Waits until more vehicles are created, so that each step is made under load.
    async fn goes_on(&self) {
        let before = self.acknowledged.load(Relaxed);
        until("clients go on", async || self.acknowledged.load(Relaxed) > before + 2 * CLIENTS).await;
    }

    async fn metrics(&self) -> String {
        let response = self.client.get(self.url("/metrics")).send().await.unwrap();
        response.text().await.unwrap()
    }
}

/// Writes a new certificate and its key.
fn renew(folder: &TempDir, (certificate, key): &(String, String)) {
    fs::write(folder.path().join("key.pem"), key).unwrap();
    fs::write(folder.path().join("certificate.pem"), certificate).unwrap();
}

/// Replaces an instance by another one and returns the log of the first.
async fn replace(load: &Load, old: Running, new: &Running) -> String {
    load.port.store(new.addr.port(), Relaxed);
    let log = tokio::task::spawn_blocking(|| old.stop()).await.unwrap();
    load.goes_on().await;
    log
}

async fn a_day_of_operation_loses_nothing(context: Context) {
    let (database, second) = (context.database(), context.database());
    let folder = TempDir::new().unwrap();
    let certificates = [(); 2].map(|()| {
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        (cert.pem(), signing_key.serialize_pem())
    });
    renew(&folder, &certificates[0]);
    let file = |name: &str| folder.path().join(name).display().to_string();
    fs::write(file("keys"), jwks(&["ec"])).unwrap();
    let flags = [
        format!("--tls-certificate-file={}", file("certificate.pem")),
        format!("--tls-key-file={}", file("key.pem")),
        format!("--auth-keys-file={}", file("keys")),
        format!("--auth-issuer={ISSUER}"),
        format!("--auth-audience={AUDIENCE}"),
        "--drain-pause-seconds=1".to_owned(),
    ];
    let flags = flags.each_ref().map(String::as_str);
    let claims = claims("catalogue:read catalogue:write");
    let [old_token, new_token] = ["ec", "ed"].map(|key| token_of(key, &claims));
    let trusted = certificates.each_ref().map(|(pem, _)| Certificate::from_pem(pem.as_bytes()).unwrap());
    let client = Client::builder().no_proxy().timeout(TIMEOUT).tls_certs_only(trusted);

    let first = serve(database.url(), &flags).await;
    let load = Arc::new(Load {
        client: client.build().unwrap(),
        port: AtomicU16::new(first.addr.port()),
        token: Mutex::new(old_token.clone()),
        ends: AtomicBool::new(false),
        acknowledged: AtomicUsize::new(0),
    });
    let mut clients = JoinSet::new();
    for client in 0..CLIENTS {
        clients.spawn(Arc::clone(&load).create(client));
    }
    load.goes_on().await;

    // The deployment of a release with an additive migration.
    let added = "ALTER TABLE vehicle ADD COLUMN wheels int NOT NULL DEFAULT 4";
    migrate_as_a_newer_release(database.url(), &[added]).await;
    let deployed = serve(database.url(), &flags).await;
    let mut log = replace(&load, first, &deployed).await;
    // Its rollback.
    let current = serve(database.url(), &flags).await;
    log += &replace(&load, deployed, &current).await;

    renew(&folder, &certificates[1]);
    current.logged("reloaded the certificate").await;
    load.goes_on().await;

    let reloaded = "reloaded the token verification keys";
    fs::write(file("keys"), jwks(&["ec", "ed"])).unwrap();
    current.logged(reloaded).await;
    load.token.lock().unwrap().clone_from(&new_token);
    load.goes_on().await;
    fs::write(file("keys"), jwks(&["ed"])).unwrap();
    until("the old key is removed", async || current.log().matches(reloaded).count() == 2).await;
    load.goes_on().await;
    let refused = load.client.post(load.url("/graphql")).bearer_auth(&old_token);
    assert_eq!(refused.send().await.unwrap().status(), 401);

    let metrics = load.metrics().await;
    for metric in documented(3) {
        assert!(metrics.contains(&format!("\n{metric}")), "{metric}: {metrics}");
    }
    load.ends.store(true, Relaxed);
    while let Some(ended) = clients.join_next().await {
        ended.unwrap();
    }
    let acknowledged = load.acknowledged.load(Relaxed);
    back_up(context.backend, database.url(), &file("backup"));
    log += &current.stop();
    restore(context.backend, second.url(), &file("backup"));
    let restored = serve(second.url(), &[]).await;
    for url in [database.url(), second.url()] {
        let count = "SELECT count(*) FROM vehicle";
        let count = Statement::from_string(DbBackend::Postgres, count);
        let row = connect(url).await.query_one_raw(count).await.unwrap();
        let stored: i64 = row.unwrap().try_get_by_index(0).unwrap();
        assert_eq!(usize::try_from(stored).unwrap(), acknowledged);
    }
    log += &restored.stop();
    for line in documented(2) {
        assert!(log.contains(line), "{line}: {log}");
    }
}
