//! The contract compared with tables that do not match it.

use clap::Parser;
use schema::Schema;
use sea_orm::ConnectionTrait;
use service::{Definition, Drift, Tables, indexes, tables};
use testkit::Backend;
use vehicle_catalogue::{
    cli::CommandLine, definition::definition, graphql::CONTRACT, store::Store,
};

use super::Fixture;

testkit::tests![
    the_migrations_match_the_contract,
    reports_a_pending_migration,
    reports_a_missing_index,
    reports_each_kind_of_drift_with_both_locations,
    reports_a_required_column_that_is_not_written,
    reports_a_constraint_that_a_column_does_not_guarantee,
];

/// The fields that the tables in these tests have; the contract may have more.
const FIELDS: [&str; 5] = [
    "Vehicle.id",
    "Vehicle.type",
    "Vehicle.modelCode",
    "Vehicle.brandName",
    "Vehicle.launchDate",
];

/// The drifts of a table in these tests, besides fields that it was not made for.
async fn drifts_of_own_table(store: &Store) -> Vec<Drift> {
    let mut found = drifts(store).await;
    found.retain(|drift| {
        FIELDS.contains(&drift.coordinate.as_str()) || drift.message != "does not exist"
    });
    found
}

fn service() -> Definition {
    let command_line = CommandLine::try_parse_from(["vehicle-catalogue"]);
    definition(&command_line.expect("it is empty").settings)
}

async fn drifts(store: &Store) -> Vec<Drift> {
    let contract = Schema::parse("schema.graphql", CONTRACT.sdl()).expect("it is valid");
    let found = Tables::read(store.database()).await;
    tables(&service(), &contract, &found.expect("the database answers"))
}

/// The definition of a text column.
fn text(backend: Backend, name: &str, characters: u32, ending: &str) -> String {
    let check = match backend {
        Backend::Sqlite => format!("CHECK (length(\"{name}\") <= {characters})"),
        Backend::Postgres | Backend::Mariadb | Backend::Mysql => String::new(),
    };
    format!("{name} varchar({characters}) {ending} {check}")
}

/// The columns of the tables in these tests, defined independently of the migrations.
fn columns(backend: Backend) -> Vec<String> {
    let (id, date) = match backend {
        Backend::Sqlite => (
            "id integer PRIMARY KEY AUTOINCREMENT",
            "launch_date date_text",
        ),
        Backend::Postgres => ("id bigserial PRIMARY KEY", "launch_date date"),
        Backend::Mariadb | Backend::Mysql => {
            ("id bigint AUTO_INCREMENT PRIMARY KEY", "launch_date date")
        }
    };
    vec![
        id.to_owned(),
        text(backend, "type", 255, "NOT NULL"),
        text(backend, "model_code", 255, "NOT NULL"),
        text(backend, "brand_name", 255, ""),
        date.to_owned(),
    ]
}

async fn replace_the_table(fixture: &Fixture, columns: &[String]) {
    let ending = match fixture.backend {
        Backend::Mariadb | Backend::Mysql => "CHARACTER SET utf8mb4",
        Backend::Sqlite | Backend::Postgres => "",
    };
    let db = fixture.connect().await;
    let create = format!("CREATE TABLE vehicle ({}) {ending}", columns.join(", "));
    for statement in ["DROP TABLE vehicle", &create] {
        let result = db.execute_unprepared(statement).await;
        result.unwrap_or_else(|error| panic!("{statement}: {error}"));
    }
    db.close().await.expect("it can be closed");
}

async fn the_migrations_match_the_contract(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    assert_eq!(drifts(&store).await, []);
    replace_the_table(fixture, &columns(fixture.backend)).await;
    assert_eq!(drifts_of_own_table(&store).await, []);
}

async fn reports_a_pending_migration(fixture: &Fixture) {
    let found = drifts(&fixture.store().await).await;
    assert_eq!(found[0].coordinate, "m20261121_000001_create_vehicle");
    assert!(
        found[0]
            .message
            .contains("run vehicle-catalogue migrate up"),
        "{found:#?}"
    );
    assert_eq!(found[0].contract, "the migrations of this program");
    assert_eq!(found[0].elsewhere, "the table seaql_migrations");
    for field in FIELDS.into_iter().chain(["vehicle.creation_key"]) {
        let is_missing = found.iter().any(|drift| drift.coordinate == field);
        assert!(is_missing, "{field}: {found:#?}");
    }
}

async fn reports_a_missing_index(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let missing = async || {
        let status = store.database().migration_status().await;
        let found = indexes(store.database(), &status.expect("it can be read")).await;
        found.expect("they can be read")
    };
    assert_eq!(missing().await, []);
    let db = fixture.connect().await;
    let on_table = match fixture.backend {
        Backend::Mariadb | Backend::Mysql => "ON vehicle",
        Backend::Sqlite | Backend::Postgres => "",
    };
    for statement in [
        &format!("DROP INDEX vehicle_launch_date {on_table}"),
        &format!("DROP INDEX vehicle_creation_key {on_table}"),
        "CREATE INDEX vehicle_creation_key ON vehicle (creation_key)",
    ] {
        db.execute_unprepared(statement).await.expect(statement);
    }
    let found = missing().await;
    let names: Vec<_> = found
        .iter()
        .map(|drift| drift.coordinate.as_str())
        .collect();
    assert_eq!(names, ["vehicle_creation_key", "vehicle_launch_date"]);
    let message = "the database has no such unique index; CREATE UNIQUE INDEX vehicle_creation_key ON vehicle (creation_key)";
    assert!(found[0].message.starts_with(message), "{found:?}");
    assert_eq!(found[0].elsewhere, "the table vehicle");
}

async fn reports_each_kind_of_drift_with_both_locations(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let backend = fixture.backend;
    let length = text(backend, "model_code", 100, "NOT NULL");
    let nullable = text(backend, "type", 255, "");
    let required = text(backend, "brand_name", 255, "NOT NULL");
    let default = text(backend, "brand_name", 255, "DEFAULT 'none'");
    for (position, definition, coordinate, column, message) in [
        (1, "", "Vehicle.type", "type", "does not exist"),
        (
            2,
            &length,
            "Vehicle.modelCode",
            "model_code",
            "holds text of at most 100 characters, not text of at most 255 characters",
        ),
        (
            1,
            &nullable,
            "Vehicle.type",
            "type",
            "is nullable, but must be NOT NULL",
        ),
        (
            3,
            &required,
            "Vehicle.brandName",
            "brand_name",
            "is NOT NULL, but must be nullable",
        ),
        (
            3,
            &default,
            "Vehicle.brandName",
            "brand_name",
            "has the default",
        ),
        (
            4,
            "launch_date varchar(10)",
            "Vehicle.launchDate",
            "launch_date",
            ", not a date",
        ),
        (
            0,
            "id bigint PRIMARY KEY",
            "Vehicle.id",
            "id",
            "is not generated by the database",
        ),
    ] {
        let mut changed = columns(backend);
        match definition {
            "" => drop(changed.remove(position)),
            definition => definition.clone_into(&mut changed[position]),
        }
        replace_the_table(fixture, &changed).await;
        let found = drifts_of_own_table(&store).await;
        assert_eq!(found.len(), 1, "{definition}: {found:#?}");
        let drift = &found[0];
        assert_eq!(drift.coordinate, coordinate, "{drift:?}");
        let line = drift.contract.strip_prefix("schema.graphql:");
        assert!(line.is_some_and(|line| line.ends_with(":3")), "{drift:?}");
        assert_eq!(drift.elsewhere, format!("the column vehicle.{column}"));
        assert!(drift.message.contains(message), "{message}: {drift:?}");
    }
}

async fn reports_a_required_column_that_is_not_written(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let with = |column: &str| [columns(fixture.backend), vec![column.to_owned()]].concat();
    replace_the_table(fixture, &with("wheels integer")).await;
    assert_eq!(drifts_of_own_table(&store).await, [], "it may stay empty");
    replace_the_table(fixture, &with("wheels integer NOT NULL")).await;
    let found = drifts_of_own_table(&store).await;
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].elsewhere, "the column vehicle.wheels");
}

async fn reports_a_constraint_that_a_column_does_not_guarantee(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let found = Tables::read(store.database())
        .await
        .expect("the database answers");
    let longest = "text of at most 255 characters";
    for (from, to, coordinate, message) in [
        (
            "type: String @constraint(maxLength: 255)",
            "type: String @constraint(maxLength: 254)",
            "Vehicle.type",
            format!("the maxLength is 254 but the column holds {longest}"),
        ),
        (
            "brandName: String @constraint(maxLength: 255)",
            "brandName: String @constraint(maxLength: 255, format: \"date\")",
            "Vehicle.brandName",
            format!("the format is date but the column holds {longest}"),
        ),
        (
            "launchDate: String @constraint(format: \"date\")",
            "launchDate: String @constraint(format: \"date-time\")",
            "Vehicle.launchDate",
            "the format is date-time but the column holds a date".to_owned(),
        ),
        (
            "modelCode: String! @constraint(minLength: 1, maxLength: 255)",
            "modelCode: String! @constraint(minLength: 1, maxLength: 256)",
            "Mutation.createVehicle(modelCode:)",
            format!("the maxLength is 256 but the column holds {longest}"),
        ),
        (
            "modelCode: String @constraint(minLength: 1, maxLength: 255)",
            "modelCode: String @constraint(minLength: 1, maxLength: 256)",
            "VehicleChanges.modelCode",
            format!("the maxLength is 256 but the column holds {longest}"),
        ),
    ] {
        assert!(CONTRACT.sdl().contains(from), "{from}");
        let contract = Schema::parse("schema.graphql", &CONTRACT.sdl().replacen(from, to, 1));
        let drifts = tables(&service(), &contract.expect("it is valid"), &found);
        assert_eq!(drifts.len(), 1, "{drifts:#?}");
        let Drift {
            coordinate: found,
            contract,
            message: why,
            ..
        } = &drifts[0];
        assert_eq!((found.as_str(), why), (coordinate, &message));
        assert!(contract.starts_with("schema.graphql:"), "{contract}");
    }
}
