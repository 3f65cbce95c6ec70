//! `updateVehicle` by concurrent writers, through two instances.

use std::time::Duration;

use futures_util::future::join_all;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::{
    support::{Response, TestApp, permit, refuse_if, tests},
    update_vehicle::{given_volvo, updated},
};

tests![
    no_update_of_concurrent_writers_is_lost,
    concurrent_updates_have_an_order,
    a_change_that_the_database_refuses_fails_no_concurrent_one,
    an_update_keeps_what_another_program_has_changed_meanwhile on Postgres Mariadb Mysql,
    a_deletion_returns_what_another_program_has_changed_meanwhile on Postgres Mariadb Mysql,
    changes_that_wait_for_rows_leave_connections_to_lookups on Postgres Mariadb Mysql,
];

const WRITERS: usize = 8;
const CHANGES: usize = 5;

async fn given_vehicles(app: &TestApp, count: usize) -> Vec<String> {
    join_all((0..count).map(|_| app.given_vehicle("XC60"))).await
}

/// Each writer adds one to a number, on the basis of the version that it has read, through one of two instances.
async fn no_update_of_concurrent_writers_is_lost(app: TestApp) {
    let id = app.given_vehicle("0").await;
    let other = app.start_second_instance().await;
    let writer = async |number: usize| {
        let app = if number.is_multiple_of(2) { &app } else { &other };
        let mut conflicts = 0;
        for _ in 0..CHANGES {
            loop {
                let current = app.versioned_vehicle(&id).await;
                let count: usize = current["modelCode"].as_str().unwrap().parse().unwrap();
                // With the name of the writer, no writer wants what another one has stored.
                let changes = json!({
                    "modelCode": (count + 1).to_string(), "brandName": number.to_string(),
                });
                let response = app.update_vehicle(&id, changes, current["version"].clone()).await;
                if response.json()["data"]["updateVehicle"].is_null() {
                    assert_eq!(response.error_code(), "CONFLICT", "{response}");
                    conflicts += 1;
                    continue;
                }
                let version = current["version"].as_u64().unwrap() + 1;
                assert_eq!(updated(&response)["version"], version);
                break;
            }
        }
        conflicts
    };
    let conflicts: usize = join_all((0..WRITERS).map(writer)).await.into_iter().sum();
    let vehicle = app.versioned_vehicle(&id).await;
    assert_eq!(vehicle["modelCode"], (WRITERS * CHANGES).to_string());
    assert_eq!(vehicle["version"], WRITERS * CHANGES + 1, "{conflicts} conflicts");
}

/// Writers change one field each, without an expected version: sorted by version, every response is the one before
/// with the change of its request, and the last one is stored.
async fn concurrent_updates_have_an_order(app: TestApp) {
    let id = given_volvo(&app).await;
    let first = app.versioned_vehicle(&id).await;
    let other = app.start_second_instance().await;
    let writer = async |number: usize| {
        let app = if number.is_multiple_of(2) { &app } else { &other };
        let field = ["type", "modelCode", "brandName"][number % 3];
        let mut acknowledged = Vec::new();
        for change in 0..CHANGES {
            let value = format!("{number}-{change}");
            let response = app.update_vehicle(&id, json!({ field: value }), Value::Null).await;
            acknowledged.push((updated(&response), field, value));
        }
        acknowledged
    };
    let mut acknowledged = join_all((0..WRITERS).map(writer)).await.concat();
    acknowledged.sort_by_key(|(vehicle, ..)| vehicle["version"].as_u64());
    let mut state = first;
    for ((vehicle, field, value), version) in acknowledged.iter().zip(2..) {
        state[*field] = json!(value);
        state["version"] = json!(version);
        assert_eq!(*vehicle, state);
    }
    assert_eq!(app.versioned_vehicle(&id).await, state);
}

async fn a_change_that_the_database_refuses_fails_no_concurrent_one(app: TestApp) {
    let ids = given_vehicles(&app, 20).await;
    refuse_if(&app, "UPDATE", "NEW.model_code = 'refused'").await;
    let change = async |(index, id): (usize, &String)| {
        let model_code = if index == 7 { "refused" } else { "changed" };
        let changes = json!({ "modelCode": model_code });
        app.update_vehicle(id, changes, 1).await
    };
    let responses = join_all(ids.iter().enumerate().map(change)).await;
    permit(&app).await;
    for (index, (id, response)) in ids.iter().zip(&responses).enumerate() {
        let stored = app.versioned_vehicle(id).await;
        if index == 7 {
            assert_eq!(response.error_code(), "INTERNAL_SERVER_ERROR", "{response}");
            assert_eq!(stored["version"], 1);
        } else {
            assert_eq!(updated(response), stored, "{response}");
            assert_eq!(stored["modelCode"], "changed");
        }
    }
}

/// The other program may know no versions.
async fn an_update_keeps_what_another_program_has_changed_meanwhile(app: TestApp) {
    let id = given_volvo(&app).await;
    // Only later updates are optimistic: the first one looks for triggers.
    updated(&app.update_vehicle(&id, json!({ "type": "Car" }), 1).await);
    for (change, version) in [("brand_name = 'A', version = 3", 4), ("brand_name = 'B'", 5)] {
        let changes = json!({ "modelCode": version.to_string() });
        let update = app.update_vehicle(&id, changes, Value::Null);
        let response = while_another_program_changes(&app, change, update).await;
        let vehicle = updated(&response);
        assert_eq!(vehicle["modelCode"], version.to_string());
        assert_eq!(vehicle["brandName"], change[14..15], "{response}");
        assert_eq!(vehicle["version"], version);
        assert_eq!(app.versioned_vehicle(&id).await, vehicle);
    }
}

async fn a_deletion_returns_what_another_program_has_changed_meanwhile(app: TestApp) {
    for (change, version) in [("brand_name = 'A', version = 2", 2), ("brand_name = 'B'", 1)] {
        let id = given_volvo(&app).await;
        let deletion = app.delete_vehicle(&id, Value::Null);
        let response = while_another_program_changes(&app, change, deletion).await;
        let vehicle = response.data()["deleteVehicle"].take();
        assert_eq!(vehicle["brandName"], change[14..15], "{response}");
        assert_eq!(vehicle["version"], version);
        assert_eq!(app.versioned_vehicle(&id).await, Value::Null);
    }
}

/// Sends a request while another program has changed every vehicle and not yet committed that.
async fn while_another_program_changes(
    app: &TestApp,
    change: &str,
    request: impl Future<Output = Response>,
) -> Response {
    let other_connection = app.other_connection().await;
    for statement in ["BEGIN", &format!("UPDATE vehicle SET {change}")] {
        let done = other_connection.execute_unprepared(statement).await;
        done.expect("the row is not locked");
    }
    let commit = async {
        sleep(Duration::from_millis(300)).await;
        let committed = other_connection.execute_unprepared("COMMIT").await;
        committed.expect("the row is changed");
    };
    tokio::join!(request, commit).0
}

async fn changes_that_wait_for_rows_leave_connections_to_lookups(app: TestApp) {
    let ids = given_vehicles(&app, 8).await;
    let other_connection = app.other_connection().await;
    for statement in ["BEGIN", "SELECT id FROM vehicle FOR UPDATE"] {
        let done = other_connection.execute_unprepared(statement).await;
        done.expect("no row is locked");
    }
    let change = async |(index, id): (usize, &String)| match index % 2 {
        0 => app.update_vehicle(id, json!({ "type": "Car" }), 1).await,
        _ => app.delete_vehicle(id, 1).await,
    };
    let lookup = async {
        // Every change waits that has a connection.
        sleep(Duration::from_millis(500)).await;
        let found = timeout(Duration::from_secs(2), app.vehicle(&*ids[0])).await;
        let unlocked = other_connection.execute_unprepared("ROLLBACK").await;
        unlocked.expect("the rows are locked");
        found.expect("a connection is left").data()
    };
    let (changed, found) = tokio::join!(join_all(ids.iter().enumerate().map(change)), lookup);
    assert_eq!(found["vehicle"]["modelCode"], "XC60");
    for response in changed {
        response.data();
    }
}
