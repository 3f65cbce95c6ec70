//! The database migrations of the vehicle catalogue, which define its tables.

mod m20261121_000001_create_vehicle;
mod m20261122_000001_add_version;
mod m20261122_000002_add_creation_key;
mod m20261122_000003_create_indexes;

use database::Migration;

const TABLE: &str = "vehicle";

/// The migrations, oldest first.
pub const MIGRATIONS: &[Migration] = &[
    Migration {
        name: "m20261121_000001_create_vehicle",
        steps: m20261121_000001_create_vehicle::steps,
    },
    Migration {
        name: "m20261122_000001_add_version",
        steps: m20261122_000001_add_version::steps,
    },
    Migration {
        name: "m20261122_000002_add_creation_key",
        steps: m20261122_000002_add_creation_key::steps,
    },
    Migration {
        name: "m20261122_000003_create_indexes",
        steps: m20261122_000003_create_indexes::steps,
    },
];

/// The names of the migrations, oldest first.
pub fn known() -> Vec<String> {
    let names = MIGRATIONS.iter().map(|migration| migration.name.to_owned());
    names.collect()
}
