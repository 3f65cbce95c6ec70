//! `deleteVehicle`: results, versions, refusals, and ids that are never reused.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::{TestApp, permit, refuse, tests};

tests![
    removes_the_vehicle_and_returns_it_as_it_was,
    is_null_for_an_id_of_no_vehicle on Sqlite,
    another_version_than_expected_is_a_conflict,
    reports_violations_before_anything_else on Sqlite,
    an_id_is_not_reused_after_a_restart,
    a_deletion_that_the_database_refuses_removes_nothing,
    concurrent_deletions_remove_a_vehicle_once,
    a_vehicle_is_changed_or_deleted_but_not_both,
];

async fn removes_the_vehicle_and_returns_it_as_it_was(app: TestApp) {
    app.given_three_vehicles().await;
    app.update_vehicle("2", json!({ "brandName": "Volvo" }), 1).await.data();
    for (id, expected_version, left) in
        [("2", json!(2), vec!["1", "3"]), ("3", json!(null), vec!["1"]), ("1", json!(1), vec![])]
    {
        let vehicle = app.versioned_vehicle(id).await;
        let response = app.delete_vehicle(id, expected_version).await;
        assert_eq!(response.data()["deleteVehicle"], vehicle, "{response}");
        assert_eq!(app.versioned_vehicle(id).await, Value::Null);
        let listed = app.query("{ vehicles { id } }", json!({})).await.data();
        let left: Vec<_> = left.iter().map(|id| json!({ "id": id })).collect();
        assert_eq!(listed["vehicles"], json!(left));
    }
}

async fn is_null_for_an_id_of_no_vehicle(app: TestApp) {
    app.given_three_vehicles().await;
    app.delete_vehicle("2", Value::Null).await.data();
    for id in ["2", "4711", "9223372036854775807", "9223372036854775808", "0", "-1", "01", "", "x"] {
        for expected_version in [json!(null), json!(1), json!(7)] {
            let response = app.delete_vehicle(id, expected_version).await;
            assert_eq!(response.data(), json!({ "deleteVehicle": null }), "{id:?}");
        }
    }
    assert_eq!(app.stored_vehicles().await, 2);
}

async fn another_version_than_expected_is_a_conflict(app: TestApp) {
    let id = app.given_vehicle("XC60").await;
    app.update_vehicle(&id, json!({ "type": "Car" }), 1).await.data();
    for expected in [1, 3, i32::MAX] {
        let response = app.delete_vehicle(&id, expected).await;
        response.assert_failed("deleteVehicle", "CONFLICT");
        let conflict = json!({ "expectedVersion": expected, "currentVersion": 2 });
        assert_eq!(response.error()["extensions"]["conflict"], conflict);
    }
    assert_eq!(app.versioned_vehicle(&id).await["version"], 2);
}

async fn reports_violations_before_anything_else(app: TestApp) {
    let id = app.given_vehicle("XC60").await;
    for expected in [0, -1, i32::MIN] {
        for id in [&*id, "4711", "x"] {
            let response = app.delete_vehicle(id, expected).await;
            response.assert_failed("deleteVehicle", "BAD_USER_INPUT");
            response.assert_violations(&[("expectedVersion", "range")]);
            assert_eq!(response.error()["message"], "expectedVersion must be at least 1");
        }
    }
    assert_eq!(app.stored_vehicles().await, 1);
}

async fn an_id_is_not_reused_after_a_restart(app: TestApp) {
    app.given_three_vehicles().await;
    for id in ["3", "2", "1"] {
        app.delete_vehicle(id, 1).await.data();
    }
    assert_eq!(app.stored_vehicles().await, 0);
    let app = app.restart().await;
    let id: i64 = app.given_vehicle("XC70").await.parse().unwrap();
    assert!(id > 3, "{id}");
    for deleted in ["1", "2", "3"] {
        assert_eq!(app.versioned_vehicle(deleted).await, Value::Null);
    }
}

async fn a_deletion_that_the_database_refuses_removes_nothing(app: TestApp) {
    let id = app.given_vehicle("XC60").await;
    refuse(&app, "DELETE").await;
    let response = app.delete_vehicle(&id, 1).await;
    response.assert_failed("deleteVehicle", "INTERNAL_SERVER_ERROR");
    assert_eq!(app.versioned_vehicle(&id).await["version"], 1);
    permit(&app).await;
    let response = app.delete_vehicle(&id, 1).await;
    assert_eq!(response.data()["deleteVehicle"]["id"], *id);
    assert_eq!(app.stored_vehicles().await, 0);
}

async fn concurrent_deletions_remove_a_vehicle_once(app: TestApp) {
    let other = app.start_second_instance().await;
    for _ in 0..5 {
        let id = app.given_vehicle("XC60").await;
        let deletions = [&app, &other].into_iter().cycle().take(10);
        let responses = join_all(deletions.map(|app| app.delete_vehicle(&id, 1))).await;
        let deleted = responses.iter().filter(|response| !response.data()["deleteVehicle"].is_null());
        assert_eq!(deleted.count(), 1);
    }
    assert_eq!(app.stored_vehicles().await, 0);
}

async fn a_vehicle_is_changed_or_deleted_but_not_both(app: TestApp) {
    let other = app.start_second_instance().await;
    for _ in 0..10 {
        let id = app.given_vehicle("XC60").await;
        let (updated, deleted) =
            tokio::join!(app.update_vehicle(&id, json!({ "type": "Car" }), 1), other.delete_vehicle(&id, 1),);
        let stored = app.versioned_vehicle(&id).await;
        if stored.is_null() {
            assert_eq!(updated.error_code(), "NOT_FOUND", "{updated}");
            assert_eq!(deleted.data()["deleteVehicle"]["version"], 1, "{deleted}");
        } else {
            assert_eq!(updated.data()["updateVehicle"], stored, "{updated}");
            assert_eq!(deleted.error_code(), "CONFLICT", "{deleted}");
        }
    }
}
