//! The store on every database: what it promises that no request can show.

#[path = "../it/support/databases/mod.rs"]
mod databases;
mod drift;
mod migrations;
mod trouble;
mod vehicles;

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use databases::{Backend, Databases, TestDatabase};
use libtest_mimic::{Arguments, Trial};
use sea_orm::{ConnectOptions, Database, DatabaseConnection};
use vehicle_catalogue::catalogue::NewVehicle;
use vehicle_catalogue::store::{DatabaseSettings, DatabaseUrl, Store};

/// What a test does.
type Run = fn(Arc<Fixture>) -> Pin<Box<dyn Future<Output = ()>>>;

/// A test.
pub(crate) struct Case {
    name: &'static str,
    /// Where it makes sense; everywhere if empty.
    only_on: &'static [Backend],
    run: Run,
}

/// The cases of a module, under their own names: `name`, or `name on Postgres Mysql`.
macro_rules! cases {
    ($($name:ident $(on $($backend:ident)+)?),* $(,)?) => {
        pub(crate) const CASES: &[$crate::Case] = &[$($crate::Case {
            name: stringify!($name),
            only_on: &[$($($crate::databases::Backend::$backend),+)?],
            run: |fixture| Box::pin(async move { $name(&fixture).await }),
        }),*];
    };
}
pub(crate) use cases;

fn main() {
    let arguments = Arguments::from_args();
    let databases = Arc::new(Databases::new());
    let modules = [
        ("drift", drift::CASES),
        ("migrations", migrations::CASES),
        ("vehicles", vehicles::CASES),
        ("trouble", trouble::CASES),
    ];
    let mut trials = Vec::new();
    for backend in Backend::ALL {
        let unavailable = Databases::availability(backend).err();
        for (module, cases) in modules {
            let here = |case: &&Case| case.only_on.is_empty() || case.only_on.contains(&backend);
            for case in cases.iter().filter(here) {
                let name = format!("{}::{module}::{}", backend.name(), case.name);
                trials.push(trial(
                    name,
                    case.run,
                    backend,
                    unavailable.clone(),
                    &databases,
                ));
            }
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    if let Some(databases) = Arc::into_inner(databases) {
        databases.stop();
    }
    conclusion.exit();
}

fn trial(
    name: String,
    case: Run,
    backend: Backend,
    unavailable: Option<String>,
    databases: &Arc<Databases>,
) -> Trial {
    let ignored = unavailable.is_some() && !Databases::all_are_required();
    let databases = Arc::clone(databases);
    let run = move || {
        if let Some(reason) = unavailable {
            return Err(reason.into());
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let fixture = Arc::new(Fixture {
            backend,
            database: databases.fresh(backend),
        });
        runtime.block_on(case(fixture));
        Ok(())
    };
    Trial::test(name, run).with_ignored_flag(ignored)
}

/// An empty database, and ways to look at it from the outside.
pub(crate) struct Fixture {
    pub(crate) backend: Backend,
    database: TestDatabase,
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
        Store::connect(&self.settings())
            .await
            .expect("the database is there")
    }

    pub(crate) async fn migrated_store(&self) -> Store {
        let store = self.store().await;
        store
            .migrate_up()
            .await
            .expect("an empty database can be migrated");
        store
    }

    /// A connection of somebody else.
    pub(crate) async fn stranger(&self) -> DatabaseConnection {
        let mut options = ConnectOptions::new(self.database.url());
        options.max_connections(1).sqlx_logging(false);
        Database::connect(options)
            .await
            .expect("the database is there")
    }
}

pub(crate) fn new_vehicle(model_code: &str) -> NewVehicle {
    NewVehicle::parse("SUV".to_owned(), model_code.to_owned(), None, None)
        .expect("nothing is wrong")
}
