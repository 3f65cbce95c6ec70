//! `vehicle-catalogue migrate`: changes the tables of the database, or tells how far they are.

use std::io::{self, Write};

use super::{Failure, tables};
use crate::{
    app,
    config::{Migrate, Settings},
    store::{MigrationStatus, Store, StoreError},
};

pub(super) async fn run(migration: Migrate, settings: &Settings) -> Result<(), Failure> {
    if migration != Migrate::Up {
        tables::must_exist(settings)?;
    }
    let store = app::connect(settings).await.map_err(Failure::Database)?;
    let migrations = migrate(&store, migration)
        .await
        .map_err(Failure::Migration)?;
    store.close().await;
    print(&migrations).map_err(Failure::Print)
}

async fn migrate(store: &Store, migration: Migrate) -> Result<Vec<MigrationStatus>, StoreError> {
    match migration {
        Migrate::Up => drop(store.migrate_up().await?),
        Migrate::Down { steps } => drop(store.migrate_down(steps).await?),
        Migrate::Status => {}
    }
    store.migration_status().await
}

fn print(migrations: &[MigrationStatus]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    for migration in migrations {
        writeln!(stdout, "{} {}", migration.state, migration.name)?;
    }
    stdout.flush()
}
