//! Where vehicles are kept: SQLite, PostgreSQL or MySQL/MariaDB behind one set of verbs.
//!
//! Values of the catalogue come in and go out; SeaORM and SQL stay inside. Whatever a verb has
//! answered is durable, and is seen by every verb that is called after the answer.

mod activity;
mod bulk;
mod columns;
mod conflicts;
mod connect;
mod encryption;
mod entity;
mod error;
mod failover;
mod galera;
mod hosts;
mod lane;
mod line;
mod losses;
mod migrations;
mod reach;
mod remedy;
mod replica;
mod scheduling;
mod settings;
mod snapshot;
mod target;
mod to_catalogue;
mod to_entity;
mod work;
mod writable;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use sea_orm::DbErr;
use tokio::time::timeout;

use crate::catalogue::{NewVehicle, Vehicle, VehicleId};
use activity::Activity;
pub use activity::{PoolFigures, StoreFigures};
pub use bulk::{Batch, Bulk, Commit, Keyed, OnTaken};
pub use columns::{Column, ColumnType, expected_columns};
use connect::Pools;
pub use error::StoreError;
use lane::{Lane, LaneLimits, Unanswered, Work};
pub use migrations::{MigrationState, MigrationStatus};
use replica::Replica;
pub use replica::{ReplicaFigures, ReplicaSettings, Standing};
pub use settings::{DatabaseSettings, DatabaseUrl};
pub use snapshot::Snapshot;
use work::{Inserts, Lists, Lookups, no_answer_within};

/// An open database. Clones share its connections.
#[derive(Clone)]
pub struct Store {
    settings: DatabaseSettings,
    pools: Pools,
    lookups: Arc<Lane<Lookups>>,
    lists: Arc<Lane<Lists>>,
    inserts: Arc<Lane<Inserts>>,
    /// Asked first, where there is one.
    replica: Option<Arc<Replica>>,
    activity: Activity,
}

impl Store {
    /// Opens the database that the settings name, waiting for a server that is starting up as long
    /// as they allow. A SQLite file that does not exist is created. Changes no table.
    pub async fn connect(settings: &DatabaseSettings) -> Result<Self, StoreError> {
        let pools = Pools::open(settings)
            .await
            .map_err(|source| StoreError::of_start(settings.url.0.to_string(), source))?;
        let patience = settings.timeout;
        let limits = |batch| LaneLimits {
            statements: settings.statements as usize,
            batch,
            queue: settings.queue_limit as usize,
        };
        let lookups = Lookups::new(Arc::clone(&pools.reading), patience);
        let lists = Lists::new(Arc::clone(&pools.reading), patience);
        let inserts = Inserts::new(Arc::clone(&pools.writing), pools.ids, patience);
        Ok(Self {
            lookups: Lane::new(lookups, limits(Lookups::MOST)),
            lists: Lane::new(lists, limits(Lists::MOST)),
            // Half as many: a commit takes its time, in which the next batch grows.
            inserts: Lane::new(
                inserts,
                LaneLimits {
                    statements: (settings.statements as usize).div_ceil(2),
                    ..limits(Inserts::MOST)
                },
            ),
            settings: settings.clone(),
            pools,
            replica: None,
            activity: Activity::default(),
        })
    }

    /// A database of its own that lives as long as the store: nothing is kept.
    pub async fn in_memory() -> Self {
        let settings = DatabaseSettings {
            url: DatabaseUrl::parse("sqlite::memory:").expect("it has a supported form"),
            pool_size: 1,
            statements: 1,
            queue_limit: 1,
            timeout: Duration::from_secs(5),
            connect_timeout: Duration::from_secs(5),
            migration_lock_timeout: Duration::from_secs(5),
        };
        let store = Self::connect(&settings).await;
        store.expect("memory needs no file and no server")
    }

    /// Stores a vehicle and answers it with the id that the database made.
    pub async fn insert(&self, new_vehicle: NewVehicle) -> Result<Vehicle, StoreError> {
        self.ask(&self.inserts, new_vehicle).await
    }

    /// The vehicle with this id, if there is one.
    pub async fn find(&self, id: VehicleId) -> Result<Option<Arc<Vehicle>>, StoreError> {
        if let Some(replica) = &self.replica
            && let Some(vehicle) = replica.find(id).await
        {
            return Ok(Some(vehicle));
        }
        self.ask(&self.lookups, id).await
    }

    /// The `limit` vehicles with the lowest ids, in ascending order of id.
    pub async fn list(&self, limit: u64) -> Result<Arc<[Arc<Vehicle>]>, StoreError> {
        if let Some(replica) = &self.replica
            && let Some(list) = replica.list(limit).await
        {
            return Ok(list);
        }
        self.ask(&self.lists, limit).await
    }

    async fn ask<W, T>(&self, lane: &Arc<Lane<W>>, request: W::Request) -> Result<T, StoreError>
    where
        W: Work<Answer = Result<T, StoreError>>,
    {
        let answer = lane.ask(request).await;
        let answer = answer.unwrap_or_else(|unanswered| match unanswered {
            Unanswered::QueueFull => Err(StoreError::Busy {
                waiting: self.settings.queue_limit,
            }),
            Unanswered::BrokenOff => {
                let message = "a statement for several requests broke off".to_owned();
                Err(StoreError::OutcomeUnknown(DbErr::Custom(message)))
            }
        });
        answer.inspect_err(|error| self.activity.failed(error))
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.in_time(self.pools.reader.ping()).await
    }

    /// Its connections and what went wrong, in figures.
    pub fn figures(&self) -> StoreFigures {
        let reads = self.lookups.waiting() + self.lists.waiting();
        let writes = self.inserts.waiting();
        self.activity.figures(&self.pools, reads, writes)
    }

    /// Waits for the statements under way and closes every connection.
    pub async fn close(&self) {
        if let Some(replica) = &self.replica {
            replica.close().await;
        }
        self.pools.close().await;
    }

    /// The answer to a statement that is no request's.
    async fn in_time<T>(
        &self,
        answer: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, StoreError> {
        let patience = self.settings.timeout;
        match timeout(patience, answer).await {
            Ok(answer) => {
                let answer = self.pools.losses.heard(answer);
                answer.map_err(StoreError::classify)
            }
            Err(_) => Err(StoreError::Unavailable(no_answer_within(patience))),
        }
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Store({})", self.settings.url.0)
    }
}
