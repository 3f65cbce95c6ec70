//! An empty database, and ways to use it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use testkit::{Backend, Context, TestDatabase};
use vehicle_catalogue::catalogue::Checked;
use vehicle_catalogue::catalogue::MutationCreateVehicleArguments;
use vehicle_catalogue::catalogue::vehicle::Model;
use vehicle_catalogue::store::{Created, Database, DatabaseUrl, Settings, Store};

pub(crate) struct Fixture {
    pub(crate) backend: Backend,
    database: Arc<TestDatabase>,
}

impl From<Context> for Fixture {
    fn from(context: Context) -> Self {
        Self { backend: context.backend, database: context.database() }
    }
}

impl Fixture {
    pub(crate) fn url(&self) -> &str {
        self.database.url()
    }

    pub(crate) fn settings(&self) -> Settings {
        Settings {
            url: DatabaseUrl::parse(self.url()).expect("the URL is right"),
            pool_size: 4,
            timeout: Duration::from_secs(20),
            connect_timeout: Duration::from_secs(20),
            migration_lock_timeout: Duration::from_secs(20),
        }
    }

    pub(crate) async fn store(&self) -> Store {
        let database = Database::connect(self.settings()).await;
        Store::new(database.expect("the database is there"))
    }

    pub(crate) async fn migrated_store(&self) -> Store {
        let store = self.store().await;
        let migrated = store.database().migrate_up().await;
        migrated.expect("an empty database can be migrated");
        store
    }

    /// A connection outside the store.
    pub(crate) async fn connect(&self) -> DatabaseConnection {
        testkit::connect(self.url()).await
    }

    /// Executes statements on a connection outside the store.
    pub(crate) async fn execute(&self, statements: &[&str]) {
        let db = self.connect().await;
        for statement in statements {
            let done = db.execute_unprepared(statement).await;
            done.unwrap_or_else(|error| panic!("{statement}: {error}"));
        }
        db.close().await.expect("it is open");
    }

    /// Kills all connections of the store once, and returns how many there were.
    async fn kill_connections(&self, db: &DatabaseConnection) -> usize {
        let others = match self.backend {
            Backend::Mariadb => {
                "SELECT CAST(id AS SIGNED) FROM information_schema.processlist \
                 WHERE db = DATABASE() AND id <> CONNECTION_ID()"
            }
            // MySQL cannot list statements with binary parameters in the other table.
            Backend::Mysql => {
                "SELECT CAST(processlist_id AS SIGNED) FROM performance_schema.threads \
                 WHERE processlist_db = DATABASE() AND processlist_id <> CONNECTION_ID()"
            }
            _ => {
                "SELECT pid::bigint FROM pg_stat_activity \
                 WHERE datname = current_database() AND pid <> pg_backend_pid()"
            }
        };
        let list = Statement::from_string(db.get_database_backend(), others);
        let others = db.query_all_raw(list).await;
        let others = others.expect("the server lists its connections");
        for other in &others {
            let id: i64 = other.try_get_by_index(0).expect("it is a number");
            let kill = match self.backend {
                Backend::Mariadb | Backend::Mysql => format!("KILL {id}"),
                _ => format!("SELECT pg_terminate_backend({id})"),
            };
            // The connection may have been closed already.
            drop(db.execute_unprepared(&kill).await);
        }
        others.len()
    }

    /// Kills the connections of the store until there are none.
    pub(crate) async fn kill_all_connections(&self) {
        let db = self.connect().await;
        let deadline = Instant::now() + Duration::from_secs(10);
        while self.kill_connections(&db).await > 0 {
            assert!(Instant::now() < deadline, "the connections do not go");
        }
    }
}

/// A vehicle of this model.
pub(crate) fn vehicle(model_code: &str) -> Checked {
    let arguments = MutationCreateVehicleArguments {
        r#type: "SUV".to_owned(),
        model_code: model_code.to_owned(),
        brand_name: None,
        launch_date: None,
    };
    Checked::new_vehicle(arguments).expect("the arguments are valid")
}

/// Stores a vehicle of this model.
pub(crate) async fn create(store: &Store, model_code: &str) -> Model {
    match store.create(vec![vehicle(model_code)]).await {
        Ok(Created::New(mut created)) => created.swap_remove(0),
        other => panic!("it was not created: {other:?}"),
    }
}

/// The stored models, by id.
pub(crate) async fn models(store: &Store) -> Vec<String> {
    let vehicles = store.list(10_000).await.expect("they can be read");
    vehicles.iter().map(|vehicle| vehicle.model_code.clone()).collect()
}
