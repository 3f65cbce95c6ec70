//! The database migrations of the vehicle catalogue: what the tables look like, and how they got there.
//!
//! Knows no other part of the program. Takes no lock and opens no connection: whoever runs
//! migrations makes sure that nobody else does at the same time.

mod m20261121_000001_create_vehicle;

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{EntityTrait, QueryOrder};
use sea_orm_migration::seaql_migrations;

struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(m20261121_000001_create_vehicle::Migration)]
    }
}

/// The names of the migrations in this program, oldest first.
pub fn known() -> Vec<String> {
    Migrator::migrations()
        .iter()
        .map(|migration| migration.name().to_owned())
        .collect()
}

/// The names of the migrations the database has, oldest first. Only reads.
pub async fn applied<'c>(db: impl IntoSchemaManagerConnection<'c>) -> Result<Vec<String>, DbErr> {
    let manager = SchemaManager::new(db);
    if !manager
        .has_table(Migrator::migration_table_name().to_string())
        .await?
    {
        return Ok(Vec::new());
    }
    let rows = seaql_migrations::Entity::find()
        .order_by_asc(seaql_migrations::Column::Version)
        .all(manager.get_connection())
        .await?;
    Ok(rows.into_iter().map(|row| row.version).collect())
}

/// Applies every migration that the database does not have.
pub async fn up<'c>(db: impl IntoSchemaManagerConnection<'c>) -> Result<(), DbErr> {
    Migrator::up(db, None).await
}

/// Takes back the newest `steps` migrations, with the data they hold.
pub async fn down<'c>(db: impl IntoSchemaManagerConnection<'c>, steps: u32) -> Result<(), DbErr> {
    Migrator::down(db, Some(steps)).await
}
