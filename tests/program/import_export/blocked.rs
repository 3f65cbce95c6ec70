//! What an import in one transaction blocks until its end: docs/import-export.md.

use std::sync::atomic::{AtomicU32, Ordering};

use testkit::{Backend, Context, Running, until};

use super::fixture::{Fixture, rows, table};
use crate::support::{Vehicles as _, serve};

testkit::tests![
    vehicles_of_an_update_of_all_or_nothing_are_read_and_not_changed_until_its_end on Sqlite Postgres Mariadb Mysql,
    a_new_id_in_an_update_of_all_or_nothing_blocks_creates_until_its_end on Sqlite Postgres Mariadb Mysql,
];

const CREATE: &str = r#"mutation { createVehicle(type: "t", modelCode: "m") { id } }"#;

/// Each is another change: one to what the vehicle already is locks nothing on PostgreSQL.
fn update(id: u32) -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let text = NUMBER.fetch_add(1, Ordering::Relaxed);
    format!(r#"mutation {{ updateVehicle(id: {id}, changes: {{ type: "{text}" }}) {{ id }} }}"#)
}

/// Whether the database refuses a mutation because of a lock.
async fn is_refused(running: &Running, mutation: &str) -> bool {
    let response = running.query(mutation).await.unwrap();
    let code = &response["errors"][0]["extensions"]["code"];
    assert!(
        code.is_null() || code == "SERVICE_UNAVAILABLE",
        "{response}"
    );
    !code.is_null()
}

/// A table of 3000 vehicles, and a service that waits a second for a lock.
async fn serve_vehicles(context: &Context) -> (Fixture, Running) {
    let fixture = Fixture::from(context.clone());
    fixture.write("all.csv", table(&rows(1..=3000)));
    fixture.succeed(&["import", "all.csv"]);
    let flags = ["--database-timeout-seconds=1"];
    let running = serve(fixture.database_url(), &flags).await;
    (fixture, running)
}

/// A file whose rows overwrite stored vehicles of every version.
fn file(rows: &str) -> String {
    format!("id,type,modelCode,brandName,launchDate\n{rows}")
}

const ALL_OR_NOTHING: &[&str] = &["--update", "--all-or-nothing", "--batch-rows", "500"];

async fn vehicles_of_an_update_of_all_or_nothing_are_read_and_not_changed_until_its_end(
    context: Context,
) {
    let (fixture, running) = serve_vehicles(&context).await;
    let rows = file(&rows(1..=1000)).replace(",Brand", ",Other");
    let (mut import, stdin) = fixture.import_from_stdin(ALL_OR_NOTHING, &rows);
    until("changes are refused", async || {
        is_refused(&running, &update(100)).await
    })
    .await;
    let before = running
        .query("{ vehicle(id: 100) { brandName } }")
        .await
        .unwrap();
    assert_eq!(before["data"]["vehicle"]["brandName"], "Brand 100");
    // SQLite locks the file, and MariaDB all rows of a table of this size, which it reads as a whole.
    if matches!(context.backend, Backend::Postgres | Backend::Mysql) {
        assert!(!is_refused(&running, CREATE).await);
        assert!(!is_refused(&running, &update(2500)).await);
    }
    drop(stdin);
    assert!(import.wait().unwrap().success());
    assert!(!is_refused(&running, &update(100)).await);
    let after = running
        .query("{ vehicle(id: 100) { brandName } }")
        .await
        .unwrap();
    assert_eq!(after["data"]["vehicle"]["brandName"], "Other 100");
}

async fn a_new_id_in_an_update_of_all_or_nothing_blocks_creates_until_its_end(context: Context) {
    let (fixture, running) = serve_vehicles(&context).await;
    let rows = file(&(rows(1..=400) + &rows(4001..=4600)));
    let (mut import, stdin) = fixture.import_from_stdin(ALL_OR_NOTHING, &rows);
    until("creates are refused", async || {
        is_refused(&running, CREATE).await
    })
    .await;
    assert_eq!(running.models().await.len(), 1000, "lists are not blocked");
    drop(stdin);
    assert!(import.wait().unwrap().success());
    assert!(!is_refused(&running, CREATE).await);
}
