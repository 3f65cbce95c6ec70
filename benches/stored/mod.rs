//! A store with a thousand vehicles on each kind of database, made when it is first asked for.

use std::{sync::OnceLock, time::Duration};

use divan::black_box;
use futures_util::future::join_all;
use tokio::runtime::{Builder, Runtime};
use vehicle_catalogue::{
    catalogue::{NewVehicle, VehicleId},
    store::{DatabaseSettings, DatabaseUrl, Store},
};

use crate::databases::{Backend, Databases, Extras, OwnServer, TestDatabase};

const VEHICLES: i64 = 1000;

/// A store, its runtime and what its database lives in.
pub(crate) struct Stored {
    store: Store,
    runtime: Runtime,
    _home: Home,
}

#[expect(dead_code, reason = "held as long as the store")]
enum Home {
    File(TestDatabase),
    Server(OwnServer),
}

impl Stored {
    /// The one of this database. A server ends with the process.
    pub(crate) fn on(backend: Backend) -> &'static Self {
        static STORED: [OnceLock<Stored>; 3] = [const { OnceLock::new() }; 3];
        let place = Backend::ALL.iter().position(|each| *each == backend);
        let place = place.expect("every kind is one of all");
        STORED[place].get_or_init(|| Self::new(backend))
    }

    fn new(backend: Backend) -> Self {
        let durable: &[&str] = match backend {
            Backend::Sqlite => &[],
            Backend::Postgres => &["-cfsync=on", "-cfull_page_writes=on"],
            Backend::Mysql => &["--innodb-flush-log-at-trx-commit=1"],
        };
        let (url, home) = if backend == Backend::Sqlite {
            let file = Databases::new().fresh(backend);
            (file.url().to_owned(), Home::File(file))
        } else {
            let extras = Extras {
                files: Vec::new(),
                arguments: durable.iter().map(ToString::to_string).collect(),
            };
            let server = OwnServer::start(backend, &extras);
            (server.database(), Home::Server(server))
        };
        let runtime = Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.expect("a runtime can be made");
        let store = runtime.block_on(async {
            let store = Store::connect(&settings(&url)).await;
            let store = store.expect("the database is there");
            store.migrate_up().await.expect("the database is empty");
            store
        });
        let stored = Self {
            store,
            runtime,
            _home: home,
        };
        stored.insert(VEHICLES.unsigned_abs());
        stored
    }

    /// Looks for so many different vehicles at once.
    pub(crate) fn find(&self, callers: u64) {
        let ids = (1..=VEHICLES).map(VehicleId::from_key);
        let asked = ids.take(usize::try_from(callers).expect("it is small"));
        let asked = asked.map(|id| self.store.find(id));
        for found in self.runtime.block_on(join_all(asked)) {
            let found = found.expect("the database answers");
            assert!(black_box(found).is_some(), "every id is there");
        }
    }

    /// Creates so many vehicles at once.
    pub(crate) fn insert(&self, callers: u64) {
        let asked = (0..callers).map(|_| self.store.insert(vehicle()));
        for stored in self.runtime.block_on(join_all(asked)) {
            black_box(stored.expect("the database answers"));
        }
    }

    /// The first so many vehicles.
    pub(crate) fn list(&self, count: u64) {
        let listed = self.runtime.block_on(self.store.list(count));
        let listed = listed.expect("the database answers");
        assert_eq!(black_box(listed).len() as u64, count);
    }
}

fn settings(url: &str) -> DatabaseSettings {
    DatabaseSettings {
        url: DatabaseUrl::parse(url).expect("it has a supported form"),
        pool_size: 8,
        statements: 2,
        queue_limit: 10_000,
        connect_timeout: Duration::from_secs(30),
        timeout: Duration::from_secs(30),
        migration_lock_timeout: Duration::from_secs(30),
    }
}

fn vehicle() -> NewVehicle {
    let vehicle = NewVehicle::parse(
        "SUV".to_owned(),
        "XC60".to_owned(),
        Some("Volvo".to_owned()),
        Some("2017-03-07".to_owned()),
    );
    vehicle.expect("it is sound")
}
