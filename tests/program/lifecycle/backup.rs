//! The commands of "Backup and restore" in `docs/operations.md`: a restored copy continues as the original.

use std::process::Command;

use serde_json::{Value, json};
use testkit::{Backend, Context, Running};

use crate::support::{Vehicles, serve};

testkit::tests![a_restored_backup_continues_as_the_original on Sqlite Postgres Mariadb];

/// Creates a vehicle with an idempotency key and returns its id.
async fn create_with_key(running: &Running, key: &str) -> String {
    let query = "mutation { createVehicle(type: \"SUV\", modelCode: \"EX90\") { id } }";
    let request = running.client.post(running.url("/graphql"));
    let request = request.header("Idempotency-Key", key);
    let response = request.json(&json!({ "query": query })).send().await.unwrap();
    let response: Value = response.json().await.unwrap();
    let id = &response["data"]["createVehicle"]["id"];
    id.as_str().unwrap_or_else(|| panic!("{response}")).to_owned()
}

fn shell(command: &str) {
    let output = Command::new("sh").args(["-e", "-c", command]).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{command}: {output:?}");
}

async fn a_restored_backup_continues_as_the_original(context: Context) {
    let (original, copy) = (context.database(), context.database());
    let running = serve(original.url(), &[]).await;
    running.create("XC60").await.unwrap();
    let with_key = create_with_key(&running, "once").await;
    running.create("EX30").await.unwrap();
    running.delete("3").await;
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("backup").display().to_string();
    back_up(context.backend, original.url(), &file);
    running.create("later").await.unwrap();
    running.stop();
    restore(context.backend, copy.url(), &file);
    let restored = serve(copy.url(), &[]).await;
    assert_eq!(restored.models().await, ["XC60", "EX90"]);
    assert_eq!(create_with_key(&restored, "once").await, with_key);
    let next = create_with_key(&restored, "next").await;
    let is_new = next.parse::<u64>().is_ok_and(|id| id > 3);
    assert!(is_new, "{next}: ids of deleted vehicles are not given again");
}

pub(crate) fn back_up(backend: Backend, url: &str, file: &str) {
    match backend {
        Backend::Sqlite => {
            let database = url.trim_start_matches("sqlite:");
            shell(&format!("sqlite3 {database} \".backup {file}\""));
        }
        Backend::Postgres => shell(&format!("pg_dump -Fc -f {file} '{url}'")),
        Backend::Mariadb | Backend::Mysql => {
            let server = server(url);
            shell(&format!("mariadb-dump --single-transaction {server} > {file}"));
        }
    }
}

pub(crate) fn restore(backend: Backend, url: &str, file: &str) {
    match backend {
        Backend::Sqlite => shell(&format!("cat {file} > {}", url.trim_start_matches("sqlite:"))),
        Backend::Postgres => shell(&format!("pg_restore --no-owner -d '{url}' {file}")),
        Backend::Mariadb | Backend::Mysql => shell(&format!("mariadb {} < {file}", server(url))),
    }
}

/// The arguments of MariaDB's programs for a URL `mysql://USER@HOST:PORT/DATABASE`.
fn server(url: &str) -> String {
    let (_, rest) = url.split_once("://").unwrap();
    let (user, rest) = rest.split_once('@').unwrap();
    let (host, rest) = rest.split_once(':').unwrap();
    let (port, database) = rest.split_once('/').unwrap();
    let user = user.trim_end_matches(':');
    format!("--host={host} --port={port} --user={user} {database}")
}
