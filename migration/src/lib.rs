//! The database migrations of the vehicle catalogue, which define its tables.
//!
//! Knows no other part of the program. Takes no lock and opens no connection: the caller must hold a
//! lock so that migrations do not run concurrently.

mod m20261121_000001_create_vehicle;
mod m20261122_000001_add_version;
mod m20261122_000002_add_creation_key;
mod m20261122_000003_create_indexes;

use sea_orm_migration::prelude::*;

/// The migrations, oldest first.
pub fn migrations() -> Vec<Box<dyn MigrationTrait>> {
    vec![
        Box::new(m20261121_000001_create_vehicle::Migration),
        Box::new(m20261122_000001_add_version::Migration),
        Box::new(m20261122_000002_add_creation_key::Migration),
        Box::new(m20261122_000003_create_indexes::Migration),
    ]
}

/// The names of the migrations, oldest first.
pub fn known() -> Vec<String> {
    let migrations = migrations();
    let names = migrations.iter().map(|migration| migration.name());
    names.map(str::to_owned).collect()
}
