//! An engine with vehicles on SQLite in memory, without HTTP.

#[path = "../../tests/support/new_vehicle.rs"]
mod new_vehicle;

use std::time::Duration;

use database::{DatabaseSettings, DatabaseUrl};
use engine::{Engine, EngineSettings, Permitted};
use serde_json::json;
use tokio::runtime::{Builder, Runtime};
use vehicle_catalogue::{
    graphql::engine,
    store::{APPLICATION, Commit, NewRow, OnConflict, Store},
};

/// A lookup of an id that no vehicle can have, which executes no SQL statement.
pub(crate) const LOOKUP: &str =
    r#"{ vehicle(id: "x") { id type modelCode brandName launchDate } }"#;

/// A list of `COUNT` vehicles, to be replaced by a number.
pub(crate) const LIST: &str =
    "{ vehicles(count: COUNT) { id type modelCode brandName launchDate } }";

/// A cache size that suffices for all documents of the benchmarks.
pub(crate) const DOCUMENT_CACHE_BYTES: u32 = 16 * 1024 * 1024;

/// An engine and its runtime.
pub(crate) struct BenchEngine {
    engine: Engine,
    runtime: Runtime,
}

impl BenchEngine {
    /// An engine on an in-memory database with this number of vehicles.
    pub(crate) fn new(vehicles: u32, document_cache_bytes: u32) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime can be created");
        let store = runtime.block_on(async {
            let opened = database::Database::connect(APPLICATION, &settings()).await;
            let opened = opened.expect("an in-memory database opens");
            opened.migrate_up().await.expect("the database is empty");
            let store = Store::new(opened);
            let vehicles: Vec<_> = (1..=vehicles).map(vehicle).collect();
            let bulk = store.bulk(Commit::EachBatch).await;
            let bulk = bulk.expect("no other writer holds the lock");
            let stored = bulk.store(&vehicles, OnConflict::Stop).await;
            stored.expect("the database accepts vehicles");
            store
        });
        let settings = EngineSettings {
            document_cache_bytes,
            execution_timeout: TIMEOUT,
            ..EngineSettings::default()
        };
        let engine = engine(store, 100, settings);
        Self { engine, runtime }
    }

    /// The response as JSON, which must have no errors.
    pub(crate) fn execute(&self, query: &str) -> Vec<u8> {
        let executed = self
            .engine
            .execute(query.into(), Permitted::QUERIES_AND_MUTATIONS);
        let executed = self.runtime.block_on(executed);
        assert!(executed.errors.is_empty(), "{:?}", executed.errors);
        executed.json
    }
}

/// Callgrind slows execution down fifty times.
const TIMEOUT: Duration = Duration::from_mins(5);

fn settings() -> DatabaseSettings {
    DatabaseSettings {
        url: DatabaseUrl::parse("sqlite::memory:").expect("the URL is valid"),
        pool_size: 1,
        statements: 1,
        queue_limit: 1,
        connect_timeout: TIMEOUT,
        timeout: TIMEOUT,
        migration_lock_timeout: TIMEOUT,
    }
}

fn vehicle(number: u32) -> NewRow {
    let model_code = format!("XC{number}");
    let arguments = json!({
        "modelCode": model_code, "brandName": "Volvo", "launchDate": "2017-03-07",
    });
    NewRow {
        id: None,
        vehicle: new_vehicle::with(arguments),
        version: None,
    }
}
