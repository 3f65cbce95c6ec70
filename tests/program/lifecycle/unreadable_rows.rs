//! Rows with values that other programs have stored and that a vehicle cannot have.

use sea_orm::ConnectionTrait as _;
use serde_json::{Value, json};
use testkit::{Backend, Context, connect};

use crate::support::{Vehicles as _, program, serve};

testkit::tests![
    an_unreadable_row_affects_no_other_vehicle_and_the_log_names_its_id on Sqlite Postgres Mariadb Mysql,
    a_zero_date_is_no_launch_date on Mariadb Mysql,
];

/// Launch dates that the database has and the contract does not.
fn dates(backend: Backend) -> &'static [&'static str] {
    match backend {
        Backend::Sqlite => &["soon", "12345-01-01"],
        Backend::Postgres => &["infinity", "-infinity", "12345-01-01", "0044-03-15 BC"],
        Backend::Mariadb | Backend::Mysql => &["2024-00-00", "2024-02-00"],
    }
}

async fn set_launch_date(url: &str, backend: Backend, date: &str) {
    let other = connect(url).await;
    if backend.is_mysql_family() {
        let lenient = "SET SESSION sql_mode = ''";
        other.execute_unprepared(lenient).await.unwrap();
    }
    let update = format!("UPDATE vehicle SET launch_date = '{date}' WHERE id = 2");
    other.execute_unprepared(&update).await.unwrap();
    // The mode is that of the only session.
    other.close().await.unwrap();
}

/// The paths and the code of the errors.
fn errors(response: &Value) -> Vec<(&Value, &Value)> {
    let errors = response["errors"].as_array();
    let errors = errors.unwrap_or_else(|| panic!("{response}")).iter();
    errors
        .map(|error| (&error["path"], &error["extensions"]["code"]))
        .collect()
}

async fn an_unreadable_row_affects_no_other_vehicle_and_the_log_names_its_id(context: Context) {
    for date in dates(context.backend) {
        let database = context.database();
        let url = database.url();
        let running = serve(url, &[]).await;
        for model in ["XC40", "XC60", "XC90"] {
            running.create(model).await.unwrap();
        }
        set_launch_date(url, context.backend, date).await;
        let code = &json!("INTERNAL_SERVER_ERROR");

        let lookups =
            "{ a: vehicle(id: 1) { id } b: vehicle(id: 2) { id } c: vehicle(id: 3) { id } }";
        let response = running.query(lookups).await.unwrap();
        let expected = json!({ "a": { "id": "1" }, "b": null, "c": { "id": "3" } });
        assert_eq!(response["data"], expected, "{date}: {response}");
        assert_eq!(errors(&response), [(&json!(["b"]), code)], "{response}");

        for list in ["vehicles", "vehicles(count: 3)"] {
            let response = running.query(&format!("{{ {list} {{ id }} }}")).await;
            let response = response.unwrap();
            let expected = json!({ "vehicles": [{ "id": "1" }, null, { "id": "3" }] });
            assert_eq!(response["data"], expected, "{date}: {response}");
            assert_eq!(errors(&response), [(&json!(["vehicles", 1]), code)]);
        }
        let response = running.query("{ vehicles(count: 1) { id } }").await;
        assert!(response.unwrap()["errors"].is_null());

        let page = "{ vehiclesConnection { nodes { id } } }";
        let change = r#"mutation { updateVehicle(id: 2, changes: { type: "Car" }) { id } }"#;
        for (field, document) in [("vehiclesConnection", page), ("updateVehicle", change)] {
            let response = running.query(document).await.unwrap();
            assert_eq!(response["data"], json!({ field: null }), "{response}");
            assert_eq!(errors(&response), [(&json!([field]), code)], "{response}");
        }
        let cause = "the row with the id 2 cannot be read: column launch_date cannot be decoded";
        running.logged(cause).await;
        let log = running.log();
        assert!(!log.contains("panicked") && !log.contains(date), "{log}");
        let export = program().run(&["--database-url", url, "export", "--format", "csv"]);
        assert_eq!(export.code, Some(1), "{export:?}");
        assert!(export.stderr.contains(cause), "{export:?}");
    }
}

async fn a_zero_date_is_no_launch_date(context: Context) {
    let database = context.database();
    let url = database.url();
    let running = serve(url, &[]).await;
    for model in ["XC40", "XC60"] {
        running.create(model).await.unwrap();
    }
    set_launch_date(url, context.backend, "0000-00-00").await;
    let response = running.query("{ vehicle(id: 2) { launchDate } }").await;
    let expected = json!({ "data": { "vehicle": { "launchDate": null } } });
    assert_eq!(response.unwrap(), expected);
}
