//! A store with a thousand vehicles on each database, created on first use.

use std::{sync::OnceLock, time::Duration};

use divan::black_box;
use futures_util::future::join_all;
use testkit::Backend;
use tokio::runtime::{Builder, Runtime};
use vehicle_catalogue::{
    catalogue::{Checked, MutationCreateVehicleArguments},
    store::{self, Database, DatabaseUrl, Store},
};

use crate::durable::DurableDatabase;

const VEHICLES: i64 = 1000;

/// A store, its runtime and its database.
pub(crate) struct BenchStore {
    store: Store,
    runtime: Runtime,
    _database: DurableDatabase,
}

impl BenchStore {
    /// The store of this database. Its server stops with the process.
    pub(crate) fn shared(backend: Backend) -> &'static Self {
        const COUNT: usize = Backend::ALL.len();
        static STORES: [OnceLock<BenchStore>; COUNT] = [const { OnceLock::new() }; COUNT];
        STORES[backend as usize].get_or_init(|| Self::new(backend))
    }

    fn new(backend: Backend) -> Self {
        let database = DurableDatabase::create(backend);
        let runtime = Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.expect("a runtime can be created");
        let store = runtime.block_on(async {
            let opened = Database::connect(settings(&database.url)).await;
            let opened = opened.expect("the database is reachable");
            opened.migrate_up().await.expect("the database is empty");
            Store::new(opened)
        });
        let store = Self { store, runtime, _database: database };
        store.insert(VEHICLES.unsigned_abs());
        store
    }

    /// Finds different vehicles concurrently, one for each caller.
    pub(crate) fn find(&self, callers: u64) {
        let ids = (1..=VEHICLES).take(usize::try_from(callers).expect("it is below 1,000"));
        let lookups = ids.map(|id| self.store.find(id));
        for found in self.runtime.block_on(join_all(lookups)) {
            let found = found.expect("the query succeeds");
            assert!(black_box(found).is_some(), "every id exists");
        }
    }

    /// Inserts vehicles concurrently, one for each caller.
    pub(crate) fn insert(&self, callers: u64) {
        let inserts = (0..callers).map(|_| self.store.create(vec![vehicle()]));
        for stored in self.runtime.block_on(join_all(inserts)) {
            black_box(stored.expect("the insert succeeds"));
        }
    }

    /// Lists the first `count` vehicles.
    pub(crate) fn list(&self, count: u64) {
        let listed = self.runtime.block_on(self.store.list(count));
        let listed = listed.expect("the query succeeds");
        assert_eq!(black_box(listed).len() as u64, count);
    }
}

fn settings(url: &str) -> store::Settings {
    let timeout = Duration::from_secs(30);
    store::Settings {
        url: DatabaseUrl::parse(url).expect("the URL is valid"),
        pool_size: 8,
        timeout,
        connect_timeout: timeout,
        migration_lock_timeout: timeout,
    }
}

fn vehicle() -> Checked {
    let arguments = MutationCreateVehicleArguments {
        r#type: "SUV".to_owned(),
        model_code: "XC60".to_owned(),
        brand_name: Some("Volvo".to_owned()),
        launch_date: Some("2017-03-07".to_owned()),
    };
    Checked::new_vehicle(arguments).expect("it meets the rules")
}
