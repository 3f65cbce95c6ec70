//! Where vehicles are kept: SQLite, PostgreSQL or MySQL/MariaDB behind one set of verbs.
//!
//! Values of the catalogue come in and go out; SeaORM and SQL stay inside. Whatever a verb has
//! answered is durable, and is seen by every verb that is called after the answer.

mod connect;
mod entity;
mod error;
mod lane;
mod line;
mod losses;
mod migrations;
mod reach;
mod settings;
mod target;
mod to_catalogue;
mod to_entity;
mod work;

use std::fmt;
use std::sync::Arc;

use sea_orm::DbErr;
use tokio::time::timeout;

use crate::catalogue::{NewVehicle, Vehicle, VehicleId};
use connect::Pools;
pub use error::StoreError;
use lane::{Lane, LaneLimits, Unanswered, Work};
pub use migrations::{MigrationState, MigrationStatus};
pub use settings::{DatabaseSettings, DatabaseUrl};
use work::{Inserts, Lists, Lookups};

/// An open database. Clones share its connections.
#[derive(Clone)]
pub struct Store {
    settings: DatabaseSettings,
    pools: Pools,
    lookups: Arc<Lane<Lookups>>,
    lists: Arc<Lane<Lists>>,
    inserts: Arc<Lane<Inserts>>,
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
            inserts: Lane::new(inserts, limits(Inserts::MOST)),
            settings: settings.clone(),
            pools,
        })
    }

    /// Stores a vehicle and answers it with the id that the database made.
    pub async fn insert(&self, new_vehicle: NewVehicle) -> Result<Vehicle, StoreError> {
        self.ask(&self.inserts, new_vehicle).await
    }

    /// The vehicle with this id, if there is one.
    pub async fn find(&self, id: VehicleId) -> Result<Option<Vehicle>, StoreError> {
        self.ask(&self.lookups, id).await
    }

    /// The `limit` vehicles with the lowest ids, in ascending order of id.
    pub async fn list(&self, limit: u64) -> Result<Arc<[Arc<Vehicle>]>, StoreError> {
        self.ask(&self.lists, limit).await
    }

    async fn ask<W, T>(&self, lane: &Arc<Lane<W>>, request: W::Request) -> Result<T, StoreError>
    where
        W: Work<Answer = Result<T, StoreError>>,
    {
        let answer = lane.ask(request).await;
        answer.unwrap_or_else(|unanswered| match unanswered {
            Unanswered::QueueFull => Err(StoreError::Busy {
                waiting: self.settings.queue_limit,
            }),
            Unanswered::BrokenOff => {
                let message = "a statement for several requests broke off".to_owned();
                Err(StoreError::OutcomeUnknown(DbErr::Custom(message)))
            }
        })
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<(), StoreError> {
        let pinging = async {
            let mut line = self.pools.reading.take().await?;
            let answer = line.ping().await;
            line.end(answer)
        };
        let patience = self.settings.timeout;
        match timeout(patience, pinging).await {
            Ok(answer) => answer.map_err(StoreError::classify),
            Err(_) => Err(StoreError::Unavailable(work::no_answer_within(patience))),
        }
    }

    /// Waits for the statements under way and closes every connection.
    pub async fn close(&self) {
        self.pools.close().await;
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Store({})", self.settings.url.0)
    }
}
