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

use std::{slice, sync::Arc};

use database::{Application, Batcher, Database, Inserter, Writer, entity_columns};
use migration::MIGRATIONS;

use crate::catalogue::{
    ExpectedVersion, NewVehicle, PageRequest, Vehicle, VehicleChanges, VehicleId,
};
pub use bulk_insert::{Batch, Bulk, Commit, NewRow, OnConflict};
pub use creation::{Create, Created, CreationKey};
pub use database::Error as StoreError;
use delete::Deletion;
pub use entity::INTERNAL_COLUMNS;
use find::Find;
use insert::Insert;
use insert_all::InsertAll;
use list::List;
use page::Page;
#[doc(hidden)]
pub use page::page_statement;
pub use refusal::Refusal;
pub use snapshot::Snapshot;
use update::Update;

/// The tables of vehicles.
pub const APPLICATION: Application = Application {
    name: env!("CARGO_PKG_NAME"),
    table: "vehicle",
    migrations: MIGRATIONS,
    columns: entity_columns::<entity::Entity>,
};

/// The vehicles in a database. Clones share its connection pools.
#[derive(Clone)]
pub struct Store {
    database: Database,
    find: Arc<Batcher<Find>>,
    list: Arc<Batcher<List>>,
    page: Arc<Batcher<Page>>,
    insert: Arc<Batcher<Insert>>,
    update: Arc<Batcher<Writer<Update>>>,
    delete: Arc<Batcher<Writer<Deletion>>>,
    insert_all: Arc<Batcher<InsertAll>>,
}

impl Store {
    /// The vehicles in this database, which has [`APPLICATION`].
    pub fn new(database: Database) -> Self {
        let insert = Insert(database.inserter());
        let insert_all = InsertAll(database.inserter());
        Self {
            find: database.read_batcher(Find::new, Find::MAX_BATCH),
            list: database.read_batcher(List::new, List::MAX_BATCH),
            page: database.read_batcher(Page::new, Page::MAX_BATCH),
            insert: database.insert_batcher(insert, Inserter::<entity::Entity>::MAX_ROWS),
            insert_all: database.insert_batcher(insert_all, 1),
            update: database.change_batcher(),
            delete: database.change_batcher(),
            database,
        }
    }

    /// The database of the vehicles.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Stores a vehicle and returns it with the id that the database generated.
    pub async fn insert(&self, vehicle: NewVehicle) -> Result<Vehicle, StoreError> {
        let create = Create { vehicle, key: None };
        self.database.write(&self.insert, create).await?
    }

    /// Stores a vehicle, with a key at most once.
    pub async fn create(&self, create: Create) -> Result<Created<Vehicle>, StoreError> {
        let attempt = || async {
            let inserted = self.database.write(&self.insert, create.clone()).await?;
            Ok(inserted.map(|vehicle| vec![vehicle]))
        };
        let new = slice::from_ref(&create);
        let created = creation::create(&self.database, new, attempt).await?;
        Ok(created.map(|mut vehicles| vehicles.swap_remove(0)))
    }

    /// Stores all vehicles or none, and returns them in the same order. Either all have a key or none.
    pub async fn create_all(&self, new: Vec<Create>) -> Result<Created<Vec<Vehicle>>, StoreError> {
        let attempt = || self.database.write(&self.insert_all, new.clone());
        creation::create(&self.database, &new, attempt).await
    }

    /// Changes a vehicle and returns it as stored. With an expected version, refuses a vehicle that has another
    /// one, unless it already is as wanted.
    pub async fn update(
        &self,
        id: VehicleId,
        changes: VehicleChanges,
        expected: Option<ExpectedVersion>,
    ) -> Result<Result<Vehicle, Refusal>, StoreError> {
        let update = Update {
            id,
            changes,
            expected,
        };
        self.database.write(&self.update, update).await
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
        self.database.read(&self.find, id).await
    }

    /// The `limit` vehicles with the lowest ids, in ascending order of id.
    pub async fn list(&self, limit: u64) -> Result<Arc<[Vehicle]>, StoreError> {
        self.database.read(&self.list, limit).await
    }

    /// The vehicles of a page in its order, and one more if another page follows.
    pub async fn page(&self, request: PageRequest) -> Result<Arc<[Vehicle]>, StoreError> {
        if request.filter.is_none() {
            return Ok(Arc::default());
        }
        self.database.read(&self.page, request).await
    }

    /// Starts an import.
    pub async fn bulk(&self, commit: Commit) -> Result<Bulk, StoreError> {
        Bulk::begin(self.database.clone(), commit).await
    }

    /// Opens a snapshot of all vehicles.
    pub async fn snapshot(&self) -> Result<Snapshot, StoreError> {
        Snapshot::begin(&self.database).await
    }
}

#[cfg(test)]
mod tests {
    use database::Column;

    use super::*;
    use crate::catalogue::NewVehicleArguments;

    async fn store_with_a_vehicle() -> (Store, Vehicle) {
        let database = Database::in_memory(APPLICATION).await;
        database.migrate_up().await.expect("it is empty");
        let store = Store::new(database);
        let vehicle = NewVehicle::parse(NewVehicleArguments {
            r#type: Some("SUV".to_owned()),
            model_code: Some("XC60".to_owned()),
            ..NewVehicleArguments::default()
        });
        let vehicle = vehicle.expect("nothing is wrong");
        let vehicle = store.insert(vehicle).await.expect("it can be stored");
        (store, vehicle)
    }

    /// The migrations state the length limit of the catalogue by themselves.
    #[tokio::test]
    async fn migrations_create_the_columns_of_the_entity() {
        let (store, _) = store_with_a_vehicle().await;
        let in_order = |mut columns: Vec<Column>| {
            columns.sort_by(|one, other| one.name.cmp(&other.name));
            columns
        };
        let columns = store.database.columns().await.expect("it can be read");
        assert_eq!(in_order(columns), in_order((APPLICATION.columns)()));
    }
}
