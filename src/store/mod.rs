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
mod row;
mod snapshot;
mod traced;
mod update;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use database::{Application, Batcher, Database, Inserter, Replica};
use migration::Migrator;

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
use entity::{created_vehicle, vehicle};
use find::Find;
use insert::Insert;
use insert_all::InsertAll;
use list::List;
use page::Page;
#[doc(hidden)]
pub use page::statement as page_statement;
pub use refusal::Refusal;
pub use snapshot::Snapshot;
use update::{Change, UpdateOne};

const APPLICATION: Application = Application {
    name: env!("CARGO_PKG_NAME"),
    table: "vehicle",
};

/// An open database. Clones share its connection pools.
#[derive(Clone)]
pub struct Store {
    database: Database,
    find: Arc<Batcher<Find>>,
    list: Arc<Batcher<List>>,
    page: Arc<Batcher<Page>>,
    insert: Arc<Batcher<Insert>>,
    update: Arc<Batcher<UpdateOne>>,
    delete: Arc<Batcher<DeleteOne>>,
    insert_all: Arc<Batcher<InsertAll>>,
    /// Read before the primary, if it is configured.
    replica: Option<Arc<ReplicaReads>>,
}

/// The reads of a replica.
struct ReplicaReads {
    replica: Replica,
    find: Arc<Batcher<Find>>,
    list: Arc<Batcher<List>>,
    page: Arc<Batcher<Page>>,
}

impl Store {
    /// Opens the database and retries until `connect_timeout` while the server is starting up. Creates
    /// a missing SQLite file. Changes no table.
    pub async fn connect(settings: &DatabaseSettings) -> Result<Self, StoreError> {
        let database = Database::connect(APPLICATION, settings).await?;
        let find = Find::new(database.reader());
        let list = List::new(database.reader());
        let page = Page::new(database.reader());
        let insert = Insert(database.inserter());
        let insert_all = InsertAll(database.inserter());
        Ok(Self {
            find: Batcher::new(find, database.read_limits(Find::MAX_BATCH)),
            list: Batcher::new(list, database.read_limits(List::MAX_BATCH)),
            page: Batcher::new(page, database.read_limits(Page::MAX_BATCH)),
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
        let settings = DatabaseSettings {
            url: DatabaseUrl::parse("sqlite::memory:").expect("the URL has a supported form"),
            pool_size: 1,
            statements: 1,
            queue_limit: 1,
            timeout: Duration::from_secs(5),
            connect_timeout: Duration::from_secs(5),
            migration_lock_timeout: Duration::from_secs(5),
        };
        let store = Self::connect(&settings).await;
        store.expect("an in-memory database needs no file and no server")
    }

    /// Makes the store read from a replica before the primary. A replica that is unreachable now is used
    /// when it becomes reachable.
    pub async fn with_replica(mut self, settings: &ReplicaSettings) -> Result<Self, StoreError> {
        let replica = Replica::open(&self.database, settings).await?;
        let find = Find::new(replica.reader());
        let list = List::new(replica.reader());
        let page = Page::new(replica.reader());
        self.replica = Some(Arc::new(ReplicaReads {
            find: Batcher::new(find, self.database.read_limits(Find::MAX_BATCH)),
            list: Batcher::new(list, self.database.read_limits(List::MAX_BATCH)),
            page: Batcher::new(page, self.database.read_limits(Page::MAX_BATCH)),
            replica,
        }));
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
        if let Some(reads) = &self.replica
            && let Some(found) = reads.replica.read(&reads.find, id).await
        {
            return Ok(found);
        }
        self.database.read(&self.find, id).await
    }

    /// The `limit` vehicles with the lowest ids, in ascending order of id.
    pub async fn list(&self, limit: u64) -> Result<Arc<[Arc<Vehicle>]>, StoreError> {
        if let Some(reads) = &self.replica
            && let Some(list) = reads.replica.read(&reads.list, limit).await
        {
            return Ok(list);
        }
        self.database.read(&self.list, limit).await
    }

    /// The vehicles of a page in its order, and one more if another page follows.
    pub async fn page(&self, request: PageRequest) -> Result<Arc<[Arc<Vehicle>]>, StoreError> {
        if request.filter.is_none() {
            return Ok(Arc::default());
        }
        if let Some(reads) = &self.replica
            && let Some(page) = reads.replica.read(&reads.page, request.clone()).await
        {
            return Ok(page);
        }
        self.database.read(&self.page, request).await
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
        self.database.migrate_up::<Migrator>().await
    }

    /// The names of the pending migrations, oldest first. Only reads.
    pub async fn pending_migrations(&self) -> Result<Vec<String>, StoreError> {
        self.database.pending_migrations::<Migrator>().await
    }

    /// Reverts the newest `steps` migrations, with their data, and returns their names, newest first.
    pub async fn migrate_down(&self, steps: u32) -> Result<Vec<String>, StoreError> {
        self.database.migrate_down::<Migrator>(steps).await
    }

    /// Every migration that this program knows or the database has, oldest first. Only reads.
    pub async fn migration_status(&self) -> Result<Vec<MigrationStatus>, StoreError> {
        self.database.migration_status::<Migrator>().await
    }

    /// The columns of the tables that this program uses. Only reads.
    pub async fn columns(&self) -> Result<Vec<Column>, StoreError> {
        self.database.columns::<vehicle::Entity>().await
    }

    /// What the database does not enforce about its columns.
    pub fn unchecked(&self) -> Option<&'static str> {
        self.database.unchecked()
    }

    /// Connection pool statistics and error counters.
    pub fn stats(&self) -> DatabaseStats {
        let reads = self.find.queue_len() + self.list.queue_len() + self.page.queue_len();
        let creates = self.insert.queue_len() + self.insert_all.queue_len();
        let writes = creates + self.update.queue_len() + self.delete.queue_len();
        self.database.stats(reads, writes)
    }

    /// Statistics of the replica, if there is one.
    pub fn replica_stats(&self) -> Option<ReplicaStats> {
        let reads = self.replica.as_ref()?;
        let queued = reads.find.queue_len() + reads.list.queue_len() + reads.page.queue_len();
        Some(reads.replica.stats(queued))
    }

    /// Waits for the statements in flight and closes every connection.
    pub async fn close(&self) {
        if let Some(reads) = &self.replica {
            reads.replica.close().await;
        }
        self.database.close().await;
    }
}

/// The columns that this program reads and writes.
pub fn expected_columns() -> Vec<Column> {
    database::entity_columns::<created_vehicle::Entity>()
}

/// The columns that no field of the contract shows.
pub const INTERNAL_COLUMNS: [&str; 2] = ["creation_key", "creation_digest"];

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Store({})", self.database.settings().url)
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::{ConnectionTrait, Iterable};

    use super::*;
    use crate::catalogue::NewVehicle;

    async fn store_with_a_vehicle() -> (Store, Vehicle) {
        let store = Store::in_memory().await;
        store.migrate_up().await.expect("it is empty");
        let vehicle = NewVehicle::parse("SUV".to_owned(), "XC60".to_owned(), None, None);
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
        let columns = store.columns().await.expect("it can be read");
        assert_eq!(columns, expected_columns());
    }

    #[test]
    fn columns_are_numbered_in_the_order_of_statements() {
        let numbers = vehicle::Column::iter().map(|column| column as usize);
        assert!(numbers.eq(0..vehicle::Column::iter().count()));
        let names = |columns: Vec<Column>| columns.into_iter().map(|column| column.name);
        let with_key = names(expected_columns());
        let without: Vec<_> = names(database::entity_columns::<vehicle::Entity>()).collect();
        let with_key: Vec<_> = with_key.take(without.len()).collect();
        assert_eq!(with_key, without, "one mapping decodes both");
    }
}
