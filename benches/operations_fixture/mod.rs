//! The operations of the contract on SQLite in memory, without HTTP.

use std::time::Duration;

use async_graphql_strict::{Settings, Strict};
use tokio::runtime::{Builder, Runtime};
use vehicle_catalogue::{
    catalogue::{Checked, MutationCreateVehicleArguments},
    graphql::{self, Resolvers, VehicleSchema},
    store::{self, Database, DatabaseUrl, OnConflict, Store},
};

/// A lookup of an id that no vehicle can have, which executes no SQL statement.
pub(crate) const LOOKUP: &str = r#"{ vehicle(id: "x") { id type modelCode brandName launchDate } }"#;

/// A list of `COUNT` vehicles, to be replaced by a number.
pub(crate) const LIST: &str = "{ vehicles(count: COUNT) { id type modelCode brandName launchDate } }";

/// A cache size that suffices for all documents of the benchmarks.
pub(crate) const DOCUMENT_CACHE_BYTES: u32 = 16 * 1024 * 1024;

/// Callgrind slows execution down fifty times.
const TIMEOUT: Duration = Duration::from_mins(5);

/// The schema behind its limits, and its runtime.
pub(crate) struct Operations {
    strict: Strict<VehicleSchema>,
    runtime: Runtime,
}

impl Operations {
    /// Operations on a database with this number of vehicles.
    pub(crate) fn new(vehicles: u32, document_cache_bytes: u32) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime can be created");
        let store = runtime.block_on(async {
            let database = Database::connect(settings()).await;
            let database = database.expect("an in-memory database opens");
            database.migrate_up().await.expect("the database is empty");
            let store = Store::new(database);
            let vehicles = (1..=vehicles).map(vehicle).collect();
            let stored = store.import(vehicles, OnConflict::Stop).await;
            stored.expect("the database accepts vehicles");
            store
        });
        let resolvers = Resolvers { store, list_limit: 1000, bulk_limit: 100 };
        let settings = Settings { document_cache_bytes, ..Settings::default() };
        let strict = graphql::strict(resolvers, settings);
        Self { strict, runtime }
    }

    /// The response as JSON, which must have no errors.
    pub(crate) fn execute(&self, query: &str) -> Vec<u8> {
        let prepared = self.strict.prepare(query).expect("the query is valid");
        let executed = self.runtime.block_on(self.strict.execute(prepared));
        let response = executed.expect("the response is small");
        assert!(response.errors.is_empty(), "{:?}", response.errors);
        self.strict.to_json(response)
    }
}

fn settings() -> store::Settings {
    store::Settings {
        url: DatabaseUrl::memory(),
        pool_size: 1,
        connect_timeout: TIMEOUT,
        timeout: TIMEOUT,
        migration_lock_timeout: TIMEOUT,
    }
}

fn vehicle(number: u32) -> Checked {
    let arguments = MutationCreateVehicleArguments {
        r#type: "SUV".to_owned(),
        model_code: format!("XC{number}"),
        brand_name: Some("Volvo".to_owned()),
        launch_date: Some("2017-03-07".to_owned()),
    };
    Checked::new_vehicle(arguments).expect("it meets the rules")
}
