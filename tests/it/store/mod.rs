//! Tests of the store on every database, for guarantees that no request can show.

mod drift;
mod failures;
mod migrations;
#[path = "../../support/new_vehicle.rs"]
mod new_vehicle;
mod plans;
mod triggers;
mod vehicles;

use std::sync::Arc;
use std::time::Duration;

use database::{DatabaseSettings, DatabaseUrl};
use sea_orm::{ConnectOptions, Database, DatabaseConnection};
use serde_json::json;
use testkit::{Backend, Context, Module, TestDatabase};
use vehicle_catalogue::catalogue::NewVehicle;
use vehicle_catalogue::store::{APPLICATION, Store};

pub(crate) const MODULES: &[Module] = &[
    ("drift", drift::TESTS),
    ("failures", failures::TESTS),
    ("migrations", migrations::TESTS),
    ("plans", plans::TESTS),
    ("triggers", triggers::TESTS),
    ("vehicles", vehicles::TESTS),
];

/// An empty database, and ways to access it.
pub(crate) struct Fixture {
    pub(crate) backend: Backend,
    database: Arc<TestDatabase>,
}

impl From<Context> for Fixture {
    fn from(context: Context) -> Self {
        Self {
            backend: context.backend,
            database: context.database(),
        }
    }
}

impl Fixture {
    pub(crate) fn settings(&self) -> DatabaseSettings {
        DatabaseSettings {
            url: DatabaseUrl::parse(self.database.url()).expect("the URL is right"),
            pool_size: 4,
            statements: 2,
            queue_limit: 10_000,
            connect_timeout: Duration::from_secs(20),
            timeout: Duration::from_secs(20),
            migration_lock_timeout: Duration::from_mins(1),
        }
    }

    pub(crate) async fn store(&self) -> Store {
        database::Database::connect(APPLICATION, &self.settings())
            .await
            .map(Store::new)
            .expect("the database is there")
    }

    pub(crate) async fn migrated_store(&self) -> Store {
        let store = self.store().await;
        store
            .database()
            .migrate_up()
            .await
            .expect("an empty database can be migrated");
        store
    }

    /// A connection outside the store.
    pub(crate) async fn connect(&self) -> DatabaseConnection {
        let mut options = ConnectOptions::new(self.database.url());
        options.max_connections(1).sqlx_logging(false);
        Database::connect(options)
            .await
            .expect("the database is there")
    }
}

/// A vehicle of this model.
pub(crate) fn new_vehicle(model_code: &str) -> NewVehicle {
    new_vehicle::with(json!({ "modelCode": model_code }))
}
