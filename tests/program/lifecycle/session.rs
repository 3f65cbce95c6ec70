//! Sessions whose defaults, those of the server, the database or the role, would change results.

use sea_orm::{ConnectionTrait, DatabaseConnection};
use serde_json::json;
use testkit::{Backend, Context, Extras, OwnServer, connect};

use crate::support::{Vehicles as _, serve};

testkit::tests![results_do_not_depend_on_the_defaults_of_sessions on Postgres Mariadb Mysql];

/// More than the limits below.
const VEHICLES: usize = 30;

const MYSQL: &[&str] = &[
    "autocommit = 0",
    "auto_increment_increment = 5",
    "auto_increment_offset = 3",
    "completion_type = 'CHAIN'",
    "sql_select_limit = 10",
    "max_join_size = 3",
    "sql_big_selects = 0",
    "sql_safe_updates = 1",
    "sql_auto_is_null = 1",
    "max_sort_length = 64",
    "unique_checks = 0",
    "foreign_key_checks = 0",
    "time_zone = '+09:00'",
    "default_storage_engine = MyISAM",
    "TRANSACTION ISOLATION LEVEL READ UNCOMMITTED",
    "character_set_client = latin1",
    "character_set_connection = latin1",
    "character_set_results = latin1",
];

const POSTGRES: &[&str] = &[
    "client_encoding = 'LATIN1'",
    "standard_conforming_strings = off",
    "transform_null_equals = on",
    "default_transaction_isolation = 'serializable'",
    "default_transaction_deferrable = on",
    "synchronous_commit = off",
    "lock_timeout = '1ms'",
    "statement_timeout = '1ms'",
    "plan_cache_mode = 'force_custom_plan'",
    "\"DateStyle\" = 'SQL, DMY'",
    "\"IntervalStyle\" = 'sql_standard'",
    "\"TimeZone\" = 'Asia/Tokyo'",
    "extra_float_digits = -5",
    "bytea_output = 'escape'",
];

async fn results_do_not_depend_on_the_defaults_of_sessions(context: Context) {
    let server = OwnServer::start(context.backend, &Extras::default());
    let url = server.database();
    let admin = connect(&url).await;
    let modes: &[&str] = match context.backend {
        Backend::Postgres => &[""],
        Backend::Mariadb => &["'ORACLE,EMPTY_STRING_IS_NULL'", "'ANSI,NO_BACKSLASH_ESCAPES'", "''"],
        _ => &["'ANSI,NO_BACKSLASH_ESCAPES'", "''"],
    };
    for mode in modes {
        set_defaults(&admin, context.backend, &url, mode).await;
        let running = serve(&url, &["--pool-size=4"]).await;
        let created = creates(&running).await;
        lookups_find_every_vehicle(&running, &created).await;
        an_empty_brand_stays_empty(&running, &created[0]).await;
        for id in created {
            running.delete(&id).await;
        }
        running.stop();
    }
}

async fn set_defaults(admin: &DatabaseConnection, backend: Backend, url: &str, mode: &str) {
    let (_, name) = url.rsplit_once('/').unwrap();
    let statements: Vec<String> = match backend {
        Backend::Postgres => POSTGRES.iter().map(|setting| format!("ALTER DATABASE {name} SET {setting}")).collect(),
        _ => MYSQL
            .iter()
            .map(|setting| format!("SET GLOBAL {setting}"))
            .chain([format!("SET GLOBAL sql_mode = {mode}")])
            .collect(),
    };
    for statement in &statements {
        let done = admin.execute_unprepared(statement).await;
        done.unwrap_or_else(|error| panic!("{statement}: {error}"));
    }
}

/// Creates vehicles, the first one with an empty brand, and returns their ids.
async fn creates(running: &testkit::Running) -> Vec<String> {
    let fields: Vec<String> = (0..VEHICLES)
        .map(|number| {
            let brand = if number == 0 { "" } else { "Ωmega" };
            let arguments = format!(r#"type: "SUV", modelCode: "M{number}", brandName: "{brand}""#);
            format!("v{number}: createVehicle({arguments}) {{ id }} ")
        })
        .collect();
    let mut response = running.query(&format!("mutation {{ {} }}", fields.concat())).await.unwrap();
    let mut ids = Vec::new();
    for number in 0..VEHICLES {
        let id = response["data"][format!("v{number}")]["id"].take();
        let id = id.as_str();
        ids.push(id.unwrap_or_else(|| panic!("{response}\n{}", running.log())).to_owned());
    }
    ids
}

/// One statement looks up all of them.
async fn lookups_find_every_vehicle(running: &testkit::Running, ids: &[String]) {
    let fields: Vec<String> =
        ids.iter().map(|id| format!(r#"v{id}: vehicle(id: "{id}") {{ id brandName }} "#)).collect();
    let response = running.query(&format!("{{ {} }}", fields.concat())).await.unwrap();
    for (number, id) in ids.iter().enumerate() {
        let brand = if number == 0 { "" } else { "Ωmega" };
        let expected = json!({ "id": id, "brandName": brand });
        let found = &response["data"][format!("v{id}")];
        assert_eq!(*found, expected, "{response}\n{}", running.log());
    }
    assert_eq!(running.models().await.len(), VEHICLES);
}

async fn an_empty_brand_stays_empty(running: &testkit::Running, id: &str) {
    running.update(id, "M\\\"x").await;
    let document = r#"{ vehiclesConnection(filter: { brandName: "" }) { nodes { id modelCode } } }"#;
    let response = running.query(document).await.unwrap();
    let expected = json!([{ "id": id, "modelCode": "M\"x" }]);
    let found = &response["data"]["vehiclesConnection"]["nodes"];
    assert_eq!(*found, expected, "{response}\n{}", running.log());
}
