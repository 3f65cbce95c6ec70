//! Stores vehicles in SQLite, PostgreSQL or MySQL/MariaDB.
//!
//! The interface uses values of the catalogue; SeaORM and SQL stay inside. What [`Store`] has
//! acknowledged is durable and visible to every later call. This module knows nothing of GraphQL or HTTP.

mod bulk_insert;
mod creation;
mod delete;
mod entity;
mod find;
mod insert;
mod insert_all;
mod list;
mod page;
mod refusal;
mod snapshot;
mod traced;
mod update;

use std::fmt;
use std::sync::Arc;

use database::{Application, BatchedQuery, Batcher, Database, Inserter, Reader, Replica};
use migration::migrations;

use crate::catalogue::{ExpectedVersion, PageRequest, Vehicle, VehicleChanges, VehicleId};
pub use bulk_insert::{
    Batch, Bulk, Commit, Conflict, ConflictReason, Existing, NewRow, OnConflict, RowUpdate,
};
use creation::CreatedVehicle;
pub use creation::{Create, Created, CreationKey};
pub use database::{
    Column, ColumnType, DatabaseSettings, DatabaseStats, DatabaseUrl, Error as StoreError,
    MigrationState, MigrationStatus, PoolStats, ReplicaSettings, ReplicaState, ReplicaStats,
};
use delete::{DeleteOne, Deletion};
pub use entity::is_internal_column;
use find::Find;
use insert::Insert;
use insert_all::InsertAll;
use list::List;
use page::Page;
#[doc(hidden)]
pub use page::PageSql;
pub use refusal::Refusal;
pub use snapshot::Snapshot;
use update::{Change, UpdateOne};

const APPLICATION: Application = Application {
    name: env!("CARGO_PKG_NAME"),
    table: "vehicle",
    migrations,
};

/// An open database. Clones share its connection pools.
#[derive(Clone)]
pub struct Store {
    database: Database,
    reads: Arc<Reads>,
    insert: Arc<Batcher<Insert>>,
    update: Arc<Batcher<UpdateOne>>,
    delete: Arc<Batcher<DeleteOne>>,
    insert_all: Arc<Batcher<InsertAll>>,
    /// Read before the primary, if it is configured.
    replica: Option<Arc<(Replica, Reads)>>,
}

/// The queries of a server, the primary or the replica.
struct Reads {
    find: Arc<Batcher<Find>>,
    list: Arc<Batcher<List>>,
    page: Arc<Batcher<Page>>,
}

impl Reads {
    fn new(database: &Database, reader: impl Fn() -> Reader) -> Self {
        let limits = |batch_size| database.read_limits(batch_size);
        Self {
            find: Batcher::new(Find::new(reader()), limits(Find::MAX_BATCH)),
            list: Batcher::new(List::new(reader()), limits(List::MAX_BATCH)),
            page: Batcher::new(Page::new(reader()), limits(Page::MAX_BATCH)),
        }
    }

    fn queue_len(&self) -> u64 {
        let Self { find, list, page } = self;
        find.queue_len() + list.queue_len() + page.queue_len()
    }
}

impl Store {
    /// Opens the database and retries until `connect_timeout` while the server is starting up. Creates
    /// a missing SQLite file. Changes no table.
    pub async fn connect(settings: &DatabaseSettings) -> Result<Self, StoreError> {
        let database = Database::connect(APPLICATION, settings).await?;
        let insert = Insert(database.inserter());
        let insert_all = InsertAll(database.inserter());
        Ok(Self {
            reads: Arc::new(Reads::new(&database, || database.reader())),
            insert: Batcher::new(
                insert,
                database.write_limits(Inserter::<CreatedVehicle>::MAX_ROWS),
            ),
            insert_all: Batcher::new(insert_all, database.write_limits(1)),
            update: Batcher::new(UpdateOne(database.writer()), database.transaction_limits()),
            delete: Batcher::new(DeleteOne(database.writer()), database.transaction_limits()),
            replica: None,
            database,
        })
    }

    /// Opens a new in-memory database that is dropped with the store.
    pub async fn in_memory() -> Self {
        let url = DatabaseUrl::parse("sqlite::memory:").expect("the URL has a supported form");
        let settings = DatabaseSettings {
            pool_size: 1,
            statements: 1,
            queue_limit: 1,
            ..DatabaseSettings::new(url)
        };
        let store = Self::connect(&settings).await;
        store.expect("an in-memory database needs no file and no server")
    }

    /// Makes the store read from a replica before the primary. A replica that is unreachable now is used
    /// when it becomes reachable.
    pub async fn with_replica(mut self, settings: &ReplicaSettings) -> Result<Self, StoreError> {
        let replica = Replica::open(&self.database, settings).await?;
        let reads = Reads::new(&self.database, || replica.reader());
        self.replica = Some(Arc::new((replica, reads)));
        Ok(self)
    }

    /// Changes a vehicle and returns it as stored. With an expected version, refuses a vehicle that has another
    /// one, unless it already is as wanted.
    pub async fn update(
        &self,
        id: VehicleId,
        changes: VehicleChanges,
        expected: Option<ExpectedVersion>,
    ) -> Result<Result<Vehicle, Refusal>, StoreError> {
        let change = Change {
            id,
            changes,
            expected,
        };
        self.database.write(&self.update, change).await
    }

    /// Deletes the vehicle with this id, if there is one, and returns it as it was. With an expected version,
    /// refuses a vehicle that has another one.
    pub async fn delete(
        &self,
        id: VehicleId,
        expected: Option<ExpectedVersion>,
    ) -> Result<Result<Option<Vehicle>, Refusal>, StoreError> {
        let deletion = Deletion { id, expected };
        self.database.write(&self.delete, deletion).await
    }

    /// The vehicle with this id, if there is one.
    pub async fn find(&self, id: VehicleId) -> Result<Option<Arc<Vehicle>>, StoreError> {
        self.read(|reads| &reads.find, id).await
    }

    /// The `limit` vehicles with the lowest ids, in ascending order of id.
    pub async fn list(&self, limit: u64) -> Result<Arc<[Arc<Vehicle>]>, StoreError> {
        self.read(|reads| &reads.list, limit).await
    }

    /// The vehicles of a page in its order, and one more if another page follows.
    pub async fn page(&self, request: PageRequest) -> Result<Arc<[Arc<Vehicle>]>, StoreError> {
        if request.filter.is_none() {
            return Ok(Arc::default());
        }
        self.read(|reads| &reads.page, request).await
    }

    /// Reads the replica, or else the primary.
    async fn read<Q, T>(
        &self,
        query: fn(&Reads) -> &Arc<Batcher<Q>>,
        request: Q::Request,
    ) -> Result<T, StoreError>
    where
        Q: BatchedQuery<Output = Result<T, StoreError>, Request: Clone>,
    {
        if let Some(replica) = &self.replica {
            let (replica, reads) = &**replica;
            if let Some(result) = replica.read(query(reads), request.clone()).await {
                return Ok(result);
            }
        }
        self.database.read(query(&self.reads), request).await
    }

    /// Checks that the database responds.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.database.ping().await
    }

    /// Rejects a SQLite file that can only be opened read-only, unless the URL requests that.
    pub async fn ensure_writable(&self) -> Result<(), StoreError> {
        self.database.ensure_writable().await
    }

    /// Applies the pending migrations and returns their names, oldest first. Waits while another
    /// instance migrates the same database. Only reads if nothing is pending.
    pub async fn migrate_up(&self) -> Result<Vec<String>, StoreError> {
        self.database.migrate_up().await
    }

    /// The names of the pending migrations, oldest first. Only reads.
    pub async fn pending_migrations(&self) -> Result<Vec<String>, StoreError> {
        self.database.pending_migrations().await
    }

    /// Reverts the newest `steps` migrations, with their data, and returns their names, newest first.
    pub async fn migrate_down(&self, steps: u32) -> Result<Vec<String>, StoreError> {
        self.database.migrate_down(steps).await
    }

    /// Every migration that this program knows or the database has, oldest first. Only reads.
    pub async fn migration_status(&self) -> Result<Vec<MigrationStatus>, StoreError> {
        self.database.migration_status().await
    }

    /// The columns of the tables that this program uses. Only reads.
    pub async fn columns(&self) -> Result<Vec<Column>, StoreError> {
        self.database.columns::<entity::Entity>().await
    }

    /// What the database does not enforce about its columns.
    pub fn unchecked(&self) -> Option<&'static str> {
        self.database.unchecked()
    }

    /// Connection pool statistics and error counters.
    pub fn stats(&self) -> DatabaseStats {
        let creates = self.insert.queue_len() + self.insert_all.queue_len();
        let writes = creates + self.update.queue_len() + self.delete.queue_len();
        self.database.stats(self.reads.queue_len(), writes)
    }

    /// Statistics of the replica, if there is one.
    pub fn replica_stats(&self) -> Option<ReplicaStats> {
        let (replica, reads) = &**self.replica.as_ref()?;
        Some(replica.stats(reads.queue_len()))
    }

    /// Waits for the statements in flight and closes every connection.
    pub async fn close(&self) {
        if let Some(replica) = &self.replica {
            replica.0.close().await;
        }
        self.database.close().await;
    }
}

/// The columns that this program reads and writes.
pub fn expected_columns() -> Vec<Column> {
    database::entity_columns::<entity::Entity>()
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Store({})", self.database.settings().url)
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::{ConnectionTrait, Iterable};

    use super::*;
    use crate::catalogue::{NewVehicle, NewVehicleArguments};

    async fn store_with_a_vehicle() -> (Store, Vehicle) {
        let store = Store::in_memory().await;
        store.migrate_up().await.expect("it is empty");
        let vehicle = NewVehicle::parse(NewVehicleArguments {
            r#type: Some("SUV".to_owned()),
            model_code: Some("XC60".to_owned()),
            ..NewVehicleArguments::default()
        });
        let vehicle = vehicle.expect("nothing is wrong");
        let vehicle = store.insert(vehicle).await.expect("it can be stored");
        (store, vehicle)
    }

    #[tokio::test]
    async fn a_database_in_memory_survives_an_undecodable_row() {
        let (store, vehicle) = store_with_a_vehicle().await;
        let wrong = "INSERT INTO vehicle (type, model_code, launch_date) VALUES ('t', 'm', 'soon')";
        let stored = store.database.write_connection().execute_unprepared(wrong);
        stored.await.expect("SQLite does not check types");
        let error = store.list(2).await.expect_err("it is not a date");
        assert!(matches!(error, StoreError::Unexpected(_)), "{error:?}");
        let found = store.find(vehicle.id).await.expect("it can be read");
        assert_eq!(found.as_deref(), Some(&vehicle));
    }

    /// The migrations state the length limit of the catalogue by themselves.
    #[tokio::test]
    async fn migrations_create_the_columns_of_the_entity() {
        let (store, _) = store_with_a_vehicle().await;
        let in_order = |mut columns: Vec<Column>| {
            columns.sort_by(|one, other| one.name.cmp(&other.name));
            columns
        };
        let columns = store.columns().await.expect("it can be read");
        assert_eq!(in_order(columns), in_order(expected_columns()));
    }

    #[test]
    fn columns_are_numbered_in_the_order_of_statements() {
        let all = entity::Column::iter().map(|column| column as usize);
        assert!(all.eq(0..entity::Column::iter().count()));
        let of_a_vehicle = entity::columns().map(|column| column as usize);
        assert!(
            of_a_vehicle.eq(0..entity::columns().count()),
            "one mapping decodes vehicles with and without the columns of their creation"
        );
    }
}
