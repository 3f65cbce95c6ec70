//! An engine with a thousand vehicles, asked without HTTP.

use tokio::runtime::{Builder, Runtime};
use vehicle_catalogue::{
    catalogue::NewVehicle,
    graphql::{Engine, EngineSettings, Permitted},
    store::Store,
};

/// The document of a lookup whose id no vehicle can have: answered without the database.
pub(crate) const LOOKUP_OF_NOBODY: &str =
    r#"{ vehicle(id: "x") { id type modelCode brandName launchDate } }"#;

/// A list of `COUNT` vehicles.
pub(crate) const LIST: &str =
    "{ vehicles(count: COUNT) { id type modelCode brandName launchDate } }";

/// An engine and the runtime it works in.
pub(crate) struct Asked {
    engine: Engine,
    runtime: Runtime,
}

impl Asked {
    /// An engine on a database in memory, which keeps so many bytes of documents.
    pub(crate) fn with_document_cache(bytes: u32) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime can be made");
        let store = runtime.block_on(async {
            let store = Store::in_memory().await;
            store.migrate_up().await.expect("the database is empty");
            for number in 1..=1000 {
                let vehicle = vehicle(number);
                store.insert(vehicle).await.expect("memory takes vehicles");
            }
            store
        });
        let settings = EngineSettings {
            document_cache_bytes: bytes,
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

fn vehicle(number: u32) -> NewVehicle {
    let vehicle = NewVehicle::parse(
        "SUV".to_owned(),
        format!("XC{number}"),
        Some("Volvo".to_owned()),
        Some("2017-03-07".to_owned()),
    );
    vehicle.expect("it is sound")
}
