//! The contract beside tables that are not as it needs them.

use contract::Schema;
use sea_orm::ConnectionTrait;
use vehicle_catalogue::{
    check::{Drift, Tables, tables},
    graphql::SCHEMA,
    store::Store,
};

use crate::databases::Backend;
use crate::{Fixture, cases};

cases![
    the_migrations_make_what_the_contract_needs,
    a_migration_that_is_not_applied_is_named,
    each_way_of_drifting_is_named_with_both_places,
    a_column_that_nobody_fills_is_named,
];

async fn drifts(store: &Store) -> Vec<Drift> {
    let contract = Schema::parse("schema.graphql", SCHEMA).expect("it is valid");
    let found = Tables::read(store).await.expect("the database answers");
    tables(&contract, &found)
}

/// The definition of a text column.
fn text(backend: Backend, name: &str, characters: u32, ending: &str) -> String {
    let check = match backend {
        Backend::Sqlite => format!("CHECK (length(\"{name}\") <= {characters})"),
        Backend::Postgres | Backend::Mysql => String::new(),
    };
    format!("{name} varchar({characters}) {ending} {check}")
}

/// The columns of the table, as a stranger would write them.
fn columns(backend: Backend) -> Vec<String> {
    let (id, date) = match backend {
        Backend::Sqlite => (
            "id integer PRIMARY KEY AUTOINCREMENT",
            "launch_date date_text",
        ),
        Backend::Postgres => ("id bigserial PRIMARY KEY", "launch_date date"),
        Backend::Mysql => ("id bigint AUTO_INCREMENT PRIMARY KEY", "launch_date date"),
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
        Backend::Mysql => "CHARACTER SET utf8mb4",
        Backend::Sqlite | Backend::Postgres => "",
    };
    let stranger = fixture.stranger().await;
    let create = format!("CREATE TABLE vehicle ({}) {ending}", columns.join(", "));
    for statement in ["DROP TABLE vehicle", &create] {
        let done = stranger.execute_unprepared(statement).await;
        done.unwrap_or_else(|error| panic!("{statement}: {error}"));
    }
    stranger.close().await.expect("it can be closed");
}

async fn the_migrations_make_what_the_contract_needs(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    assert_eq!(drifts(&store).await, []);
    replace_the_table(fixture, &columns(fixture.backend)).await;
    assert_eq!(drifts(&store).await, [], "the test's own table");
}

async fn a_migration_that_is_not_applied_is_named(fixture: &Fixture) {
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
    assert_eq!(found.len(), 6, "each column is missing: {found:#?}");
}

async fn each_way_of_drifting_is_named_with_both_places(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let backend = fixture.backend;
    let length = text(backend, "model_code", 100, "NOT NULL");
    let nullable = text(backend, "type", 255, "");
    let required = text(backend, "brand_name", 255, "NOT NULL");
    let default = text(backend, "brand_name", 255, "DEFAULT 'none'");
    for (position, definition, coordinate, column, message) in [
        (
            1,
            "",
            "Vehicle.type",
            "type",
            "the database has no such column",
        ),
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
            "may be null, but must not",
        ),
        (
            3,
            &required,
            "Vehicle.brandName",
            "brand_name",
            "must not be null, but may have to be",
        ),
        (
            3,
            &default,
            "Vehicle.brandName",
            "brand_name",
            "what is not given is null",
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
            "is not made by the database",
        ),
    ] {
        let mut changed = columns(backend);
        match definition {
            "" => drop(changed.remove(position)),
            definition => definition.clone_into(&mut changed[position]),
        }
        replace_the_table(fixture, &changed).await;
        let found = drifts(&store).await;
        assert_eq!(found.len(), 1, "{definition}: {found:#?}");
        let drift = &found[0];
        assert_eq!(drift.coordinate, coordinate, "{drift:?}");
        let line = drift.contract.strip_prefix("schema.graphql:");
        assert!(line.is_some_and(|line| line.ends_with(":3")), "{drift:?}");
        assert_eq!(drift.elsewhere, format!("the column vehicle.{column}"));
        assert!(drift.message.contains(message), "{message}: {drift:?}");
    }
}

async fn a_column_that_nobody_fills_is_named(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let with = |column: &str| [columns(fixture.backend), vec![column.to_owned()]].concat();
    replace_the_table(fixture, &with("wheels integer")).await;
    assert_eq!(drifts(&store).await, [], "it may stay empty");
    replace_the_table(fixture, &with("wheels integer NOT NULL")).await;
    let found = drifts(&store).await;
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].elsewhere, "the column vehicle.wheels");
}
