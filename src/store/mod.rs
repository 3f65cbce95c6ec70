//! Stores vehicles in SQLite, PostgreSQL or MySQL/MariaDB.
//!
//! What [`Store`] has acknowledged is durable and visible to every later call. Knows nothing of GraphQL or HTTP.

mod batch;
mod cause;
mod changes;
mod connect;
mod creates;
mod error;
mod held;
mod import;
mod migrate;
mod pages;
mod reads;
pub mod schema_check;
mod session;
mod settings;
mod wait;

use std::sync::Arc;

use batch::{Batcher, Limits};
pub use cause::Cause;
pub use changes::Refusal;
use changes::{Action, Change, Changed};
pub use connect::Database;
use creates::Create;
pub use creates::Created;
pub use error::{Error, StartError};
pub use import::{Batch, Conflict, OnConflict};
pub use migration::{Error as MigrationError, MigrationStatus, State};
#[doc(hidden)]
pub use pages::page_statement;
pub use reads::{Snapshot, Vehicles};
pub use settings::{DatabaseUrl, Settings};

use crate::catalogue::vehicle::Model;
use crate::catalogue::{Checked, PageRequest};

/// The maximum number of requests of a kind that wait for the database.
const QUEUE: usize = 10_000;

/// The vehicles in a database. Clones share its connections.
#[derive(Clone)]
pub struct Store {
    database: Database,
    lookups: Batcher<i64, Option<Arc<Model>>>,
    lists: Batcher<u64, Vehicles>,
    pages: Batcher<PageRequest, Vehicles>,
    creates: Batcher<Create, Created>,
    changes: Batcher<Change, Changed>,
}

impl Store {
    /// The vehicles in this database, whose migrations are applied.
    pub fn new(database: Database) -> Self {
        let (db, read_failed, write_failed) = (&database, Error::Unexpected, Error::OutcomeUnknown);
        let limits = |statements, batch| Limits { statements, batch, queue: QUEUE };
        let (ids, lists) = (limits(2, 128), limits(2, 256));
        let (creates, changes) = (limits(1, 64), changes::limits(db, QUEUE));
        Self {
            lookups: Batcher::new("find vehicle", read_failed, ids, db, reads::find_all),
            lists: Batcher::new("list vehicles", read_failed, lists, db, reads::list_all),
            pages: Batcher::new("page of vehicles", read_failed, lists, db, reads::page_all),
            creates: Batcher::new("create vehicles", write_failed, creates, db, creates::create_all),
            changes: Batcher::new("change vehicle", write_failed, changes, db, changes::apply_all),
            database,
        }
    }

    /// The database of the vehicles.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// The number of requests that wait for the database.
    pub fn waiting(&self) -> usize {
        let reads = self.lookups.waiting() + self.lists.waiting() + self.pages.waiting();
        reads + self.creates.waiting() + self.changes.waiting()
    }

    /// The vehicle with this id, if there is one.
    pub async fn find(&self, id: i64) -> Result<Option<Arc<Model>>, Error> {
        self.lookups.call(id).await
    }

    /// The `limit` vehicles with the lowest ids, in ascending order of id; perhaps more of them, since concurrent calls
    /// share a list.
    pub async fn list(&self, limit: u64) -> Result<Vehicles, Error> {
        self.lists.call(limit).await
    }

    /// The vehicles of a page in its order, and one more if another page follows.
    pub async fn page(&self, request: PageRequest) -> Result<Vehicles, Error> {
        self.pages.call(request).await
    }

    /// Stores all vehicles or none, and returns them in the same order. Those with the same keys are stored once.
    pub async fn create(&self, new: Vec<Checked>) -> Result<Created, Error> {
        self.creates.call(creates::rows(new)).await
    }

    /// Changes a vehicle and returns it as stored. With an expected version, refuses a vehicle that has another one, unless
    /// it already is as wanted.
    pub async fn update(
        &self,
        id: i64,
        changes: Checked,
        expected: Option<i32>,
    ) -> Result<Result<Model, Refusal>, Error> {
        let action = Action::Update(changes.into_row());
        let updated = self.changes.call(Change { id, action, expected }).await?;
        Ok(updated.and_then(|vehicle| vehicle.ok_or(Refusal::NotFound)))
    }

    /// Deletes the vehicle with this id, if there is one, and returns it as it was. With an expected version, refuses a
    /// vehicle that has another one.
    pub async fn delete(&self, id: i64, expected: Option<i32>) -> Result<Result<Option<Model>, Refusal>, Error> {
        let action = Action::Delete;
        self.changes.call(Change { id, action, expected }).await
    }

    /// Opens a snapshot of all vehicles.
    pub async fn snapshot(&self) -> Result<Snapshot, Error> {
        Snapshot::begin(&self.database).await
    }
}
