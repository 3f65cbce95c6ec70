//! An engine with some vehicles, asked without HTTP.

use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use vehicle_catalogue::{
    catalogue::NewVehicle,
    graphql::{Engine, EngineSettings, Permitted},
    store::{Commit, DatabaseSettings, DatabaseUrl, Keyed, OnTaken, Store},
};

/// The document of a lookup whose id no vehicle can have: answered without the database.
pub(crate) const LOOKUP_OF_NOBODY: &str =
    r#"{ vehicle(id: "x") { id type modelCode brandName launchDate } }"#;

/// A list of `COUNT` vehicles.
pub(crate) const LIST: &str =
    "{ vehicles(count: COUNT) { id type modelCode brandName launchDate } }";

/// Enough for every document here.
pub(crate) const KEPT_BYTES: u32 = 64 * 1024;

/// An engine and the runtime it works in.
pub(crate) struct Asked {
    engine: Engine,
    runtime: Runtime,
}

impl Asked {
    /// An engine on a database in memory with so many vehicles. It keeps so many bytes of documents.
    pub(crate) fn new(vehicles: u32, document_cache_bytes: u32) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime can be made");
        let store = runtime.block_on(async {
            let store = Store::connect(&settings()).await;
            let store = store.expect("memory needs no file and no server");
            store.migrate_up().await.expect("the database is empty");
            let vehicles: Vec<_> = (1..=vehicles).map(vehicle).collect();
            let bulk = store.bulk(Commit::EachBatch).await;
            let bulk = bulk.expect("memory is not locked");
            let stored = bulk.store(&vehicles, OnTaken::Stop).await;
            stored.expect("memory takes vehicles");
            store
        });
        let settings = EngineSettings {
            document_cache_bytes,
            execution_timeout: PATIENCE,
            ..EngineSettings::default()
        };
        let engine = Engine::new(store, settings);
        Self { engine, runtime }
    }

    /// The answer as it is sent. Nobody measures errors.
    pub(crate) fn ask(&self, query: &str) -> Vec<u8> {
        let answer = self
            .engine
            .execute(query.into(), Permitted::QueriesAndMutations);
        let answer = self.runtime.block_on(answer);
        assert!(answer.response.is_ok(), "{:?}", answer.response.errors);
        serde_json::to_vec(&answer.response).expect("a response is JSON")
    }
}

/// Under callgrind everything takes fifty times as long.
const PATIENCE: Duration = Duration::from_mins(5);

fn settings() -> DatabaseSettings {
    DatabaseSettings {
        url: DatabaseUrl::parse("sqlite::memory:").expect("it has a supported form"),
        pool_size: 1,
        statements: 1,
        queue_limit: 1,
        connect_timeout: PATIENCE,
        timeout: PATIENCE,
        migration_lock_timeout: PATIENCE,
    }
}

fn vehicle(number: u32) -> Keyed {
    let vehicle = NewVehicle::parse(
        "SUV".to_owned(),
        format!("XC{number}"),
        Some("Volvo".to_owned()),
        Some("2017-03-07".to_owned()),
    );
    (None, vehicle.expect("it is sound"))
}
