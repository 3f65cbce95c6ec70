//! Tests of the store on every database, for guarantees that no request can show.

mod drift;
mod failures;
mod migrations;
#[path = "../../support/new_vehicle.rs"]
mod new_vehicle;
mod plans;
mod vehicles;

use std::sync::Arc;
use std::time::Duration;

use database::{DatabaseSettings, DatabaseUrl};
use sea_orm::DatabaseConnection;
use serde_json::json;
use testkit::{Backend, Context, Module, TestDatabase};
use vehicle_catalogue::catalogue::NewVehicle;
use vehicle_catalogue::store::{APPLICATION, Store};

pub(crate) const MODULES: &[Module] = &[
    ("drift", drift::TESTS),
    ("failures", failures::TESTS),
    ("migrations", migrations::TESTS),
    ("plans", plans::TESTS),
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
            pool_size: 4,
            connect_timeout: Duration::from_secs(20),
            timeout: Duration::from_secs(20),
            ..DatabaseSettings::new(
                DatabaseUrl::parse(self.database.url()).expect("the URL is right"),
            )
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
        let migrated = store.database().migrate_up().await;
        migrated.expect("an empty database can be migrated");
        store
    }

    /// A connection outside the store.
    pub(crate) async fn connect(&self) -> DatabaseConnection {
        testkit::connect(self.database.url()).await
    }
}

/// A vehicle of this model.
pub(crate) fn new_vehicle(model_code: &str) -> NewVehicle {
    new_vehicle::with(json!({ "modelCode": model_code }))
}
