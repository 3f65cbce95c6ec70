//! Where vehicles are kept: SQLite, PostgreSQL or MySQL/MariaDB behind one set of verbs.
//!
//! Values of the catalogue come in and go out; SeaORM and SQL stay inside. Whatever a verb has
//! answered is durable, and is seen by every verb that is called after the answer.

mod activity;
mod bulk;
mod columns;
mod connect;
mod encryption;
mod entity;
mod error;
mod losses;
mod migrations;
mod reach;
mod settings;
mod snapshot;
mod target;
mod to_catalogue;
mod to_entity;

use std::fmt;
use std::time::Duration;

use sea_orm::{DatabaseConnection, DbErr, EntityTrait, QueryOrder, QuerySelect};
use tokio::time::{Instant, sleep, timeout};

use crate::catalogue::{NewVehicle, Vehicle, VehicleId};
use activity::{Activity, Pool};
pub use activity::{PoolFigures, StoreFigures};
pub use bulk::{Batch, Bulk, Commit, Keyed, OnTaken};
pub use columns::{Column, ColumnType, expected_columns};
use connect::Pools;
use entity::vehicle;
pub use error::StoreError;
pub use migrations::{MigrationState, MigrationStatus};
pub use settings::{DatabaseSettings, DatabaseUrl};
pub use snapshot::Snapshot;

/// An open database. Clones share its connections.
#[derive(Clone)]
pub struct Store {
    settings: DatabaseSettings,
    pools: Pools,
    activity: Activity,
}

impl Store {
    /// Opens the database that the settings name, waiting for a server that is starting up as long
    /// as they allow. A SQLite file that does not exist is created. Changes no table.
    pub async fn connect(settings: &DatabaseSettings) -> Result<Self, StoreError> {
        let pools = Pools::open(settings)
            .await
            .map_err(|source| StoreError::of_start(settings.url.0.to_string(), source))?;
        Ok(Self {
            settings: settings.clone(),
            pools,
            activity: Activity::default(),
        })
    }

    /// A database of its own that lives as long as the store: nothing is kept.
    pub async fn in_memory() -> Self {
        let settings = DatabaseSettings {
            url: DatabaseUrl::parse("sqlite::memory:").expect("it has a supported form"),
            pool_size: 1,
            timeout: Duration::from_secs(5),
            connect_timeout: Duration::from_secs(5),
            migration_lock_timeout: Duration::from_secs(5),
        };
        let store = Self::connect(&settings).await;
        store.expect("memory needs no file and no server")
    }

    /// Stores a vehicle and answers it with the id that the database made.
    pub async fn insert(&self, new_vehicle: NewVehicle) -> Result<Vehicle, StoreError> {
        let insert = || vehicle::Entity::insert(to_entity::vehicle(&new_vehicle));
        let inserted = self.write(|db| insert().exec(db)).await?;
        let id = VehicleId::from_key(inserted.last_insert_id);
        Ok(Vehicle::stored(id, new_vehicle))
    }

    /// The vehicle with this id, if there is one.
    pub async fn find(&self, id: VehicleId) -> Result<Option<Vehicle>, StoreError> {
        let found = self
            .read(|db| vehicle::Entity::find_by_id(id.get()).one(db))
            .await?;
        Ok(found.map(to_catalogue::vehicle))
    }

    /// The `limit` vehicles with the lowest ids, in ascending order of id.
    pub async fn list(&self, limit: u64) -> Result<Vec<Vehicle>, StoreError> {
        let in_order = || {
            vehicle::Entity::find()
                .order_by_asc(vehicle::Column::Id)
                .limit(limit)
        };
        let found = self.read(|db| in_order().all(db)).await?;
        Ok(found.into_iter().map(to_catalogue::vehicle).collect())
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.read(DatabaseConnection::ping).await
    }

    /// Its connections and what went wrong, in figures.
    pub fn figures(&self) -> StoreFigures {
        self.activity.figures(&self.pools, &self.settings.url.0)
    }

    /// Waits for the statements under way and closes every connection.
    pub async fn close(&self) {
        self.pools.close().await;
    }

    /// Runs a reading statement, and again as long as its connection turns out to be lost or cannot
    /// be made: a database that restarts costs time, not an answer.
    async fn read<'a, T, F>(
        &'a self,
        statement: impl Fn(&'a DatabaseConnection) -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, DbErr>>,
    {
        let reading = async {
            let mut pause = FIRST_PAUSE;
            loop {
                match self.heard(statement(&self.pools.reader).await) {
                    Err(error) if error::is_lost_connection(&error) => {}
                    Err(error) if error::was_not_sent(&error) => {}
                    result => return result,
                }
                sleep(pause).await;
                pause *= 2;
            }
        };
        let patience = self.settings.timeout;
        let _under_way = self.activity.begin(Pool::Reader);
        let answer = match timeout(patience, reading).await {
            Ok(answer) => answer.map_err(StoreError::classify),
            Err(_) => Err(StoreError::Unavailable(no_answer_within(patience))),
        };
        answer.inspect_err(|error| self.activity.failed(error))
    }

    /// Runs a statement that writes and commits. It is sent once: again is tried only what was not
    /// sent, since no connection could be made. After that nobody knows whether it was stored.
    async fn write<'a, T, F>(
        &'a self,
        statement: impl Fn(&'a DatabaseConnection) -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, DbErr>>,
    {
        let patience = self.settings.timeout;
        let give_up = Instant::now() + patience;
        let writing = async {
            let mut pause = FIRST_PAUSE;
            loop {
                match self.heard(statement(&self.pools.writer).await) {
                    Err(error)
                        if error::was_not_sent(&error) && Instant::now() + pause < give_up => {}
                    result => return result,
                }
                sleep(pause).await;
                pause *= 2;
            }
        };
        // The pool gives up waiting for a connection, and the database gives the statement up, each
        // in its own time and with certainty. Only when neither is heard of the outcome is unknown.
        let hopeless = patience * 3;
        let _under_way = self.activity.begin(Pool::Writer);
        let answer = match timeout(hopeless, writing).await {
            Ok(answer) => answer.map_err(StoreError::of_commit),
            Err(_) => Err(StoreError::OutcomeUnknown(no_answer_within(hopeless))),
        };
        answer.inspect_err(|error| self.activity.failed(error))
    }

    /// Takes note of a lost connection.
    fn heard<T>(&self, answer: Result<T, DbErr>) -> Result<T, DbErr> {
        if answer.as_ref().is_err_and(error::is_lost_connection) {
            self.pools.losses.note();
            self.activity.lost_connection();
        }
        answer
    }
}

/// How long to wait before a statement is tried again, at first.
const FIRST_PAUSE: Duration = Duration::from_millis(10);

fn no_answer_within(patience: Duration) -> DbErr {
    DbErr::Custom(format!(
        "no answer within {} seconds",
        patience.as_secs_f32()
    ))
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Store({})", self.settings.url.0)
    }
}
