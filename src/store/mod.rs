//! Stores vehicles in SQLite, PostgreSQL or MySQL/MariaDB.
//!
//! What [`Store`] has acknowledged is durable and visible to every later call. Knows nothing of GraphQL or HTTP.

mod backoff;
mod batch;
mod changes;
mod code;
mod connect;
mod creates;
mod error;
mod held;
mod import;
mod migrate;
mod pages;
mod parameters;
mod reads;
pub mod schema_check;
mod session;
mod settings;
mod snapshot;
mod url;
mod wait;

use std::sync::Arc;

use batch::{BatchError, Batcher};
pub use changes::Refusal;
use changes::{Change, Changed};
pub use connect::Database;
use creates::Create;
pub use creates::Created;
pub use error::{Cause, Error, StartError};
pub use import::{Batch, OnConflict};
pub use migration::{MigrationStatus, State};
#[doc(hidden)]
pub use pages::page_statement;
pub use reads::Vehicles;
use reads::{Found, Listed};
pub use settings::Settings;
pub use snapshot::Snapshot;
pub use url::DatabaseUrl;

use tracing::{Instrument, Span, info_span};

use crate::catalogue::vehicle::Model;
use crate::catalogue::{Checked, PageRequest};

/// The vehicles in a database. Clones share its connections.
#[derive(Clone)]
pub struct Store {
    database: Database,
    lookups: Arc<Batcher<i64, Found>>,
    lists: Arc<Batcher<u64, Listed>>,
    pages: Arc<Batcher<PageRequest, Listed>>,
    creates: Arc<Batcher<Create, Result<Created, Error>>>,
    changes: Arc<Batcher<Change, Result<Changed, Error>>>,
}

impl Store {
    /// The vehicles in this database, whose migrations are applied.
    pub fn new(database: Database) -> Self {
        Self {
            lookups: Arc::new(reads::lookups(&database)),
            lists: Arc::new(reads::lists(&database)),
            pages: Arc::new(reads::pages(&database)),
            creates: Arc::new(creates::creates(&database)),
            changes: Arc::new(changes::changes(&database)),
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
        self.lookups
            .call(id)
            .instrument(span("find vehicle"))
            .await
            .map_err(read_failed)?
    }

    /// The `limit` vehicles with the lowest ids, in ascending order of id; perhaps more of them, since concurrent calls
    /// share a list.
    pub async fn list(&self, limit: u64) -> Result<Vehicles, Error> {
        if limit == 0 {
            return Ok(Vehicles::default());
        }
        self.lists
            .call(limit)
            .instrument(span("list vehicles"))
            .await
            .map_err(read_failed)?
    }

    /// The vehicles of a page in its order, and one more if another page follows.
    pub async fn page(&self, request: PageRequest) -> Result<Vehicles, Error> {
        if request.filter.is_none() {
            return Ok(Vehicles::default());
        }
        self.pages
            .call(request)
            .instrument(span("page of vehicles"))
            .await
            .map_err(read_failed)?
    }

    /// Stores all vehicles or none, and returns them in the same order. Those with the same keys are stored once.
    pub async fn create(&self, new: Vec<Checked>) -> Result<Created, Error> {
        let create = creates::rows(new);
        self.creates
            .call(create)
            .instrument(span("create vehicles"))
            .await
            .map_err(write_failed)?
    }

    /// Changes a vehicle and returns it as stored. With an expected version, refuses a vehicle that has another one, unless
    /// it already is as wanted.
    pub async fn update(
        &self,
        id: i64,
        changes: Checked,
        expected: Option<i32>,
    ) -> Result<Result<Model, Refusal>, Error> {
        let to = changes.into_row();
        let update = Change::Update { id, to, expected };
        let result = self
            .changes
            .call(update)
            .instrument(span("update vehicle"))
            .await
            .map_err(write_failed)??;
        Ok(result.and_then(|updated| updated.ok_or(Refusal::NotFound)))
    }

    /// Deletes the vehicle with this id, if there is one, and returns it as it was. With an expected version, refuses a
    /// vehicle that has another one.
    pub async fn delete(
        &self,
        id: i64,
        expected: Option<i32>,
    ) -> Result<Result<Option<Model>, Refusal>, Error> {
        let delete = Change::Delete { id, expected };
        self.changes
            .call(delete)
            .instrument(span("delete vehicle"))
            .await
            .map_err(write_failed)?
    }

    /// Opens a snapshot of all vehicles.
    pub async fn snapshot(&self) -> Result<Snapshot, Error> {
        Snapshot::begin(&self.database).await
    }
}

/// The span of a call below that of its request, if that is recorded. `telemetry` exports the spans of this target.
fn span(name: &'static str) -> Span {
    if Span::current().is_none() {
        return Span::none();
    }
    info_span!(target: "trace", "store", otel.name = name, otel.kind = "client")
}

fn read_failed(error: BatchError) -> Error {
    match error {
        BatchError::QueueFull { waiting } => Error::Busy { waiting },
        BatchError::Panicked => Error::Unexpected(Cause::panicked()),
    }
}

fn write_failed(error: BatchError) -> Error {
    match error {
        BatchError::QueueFull { waiting } => Error::Busy { waiting },
        BatchError::Panicked => Error::OutcomeUnknown(Cause::panicked()),
    }
}
