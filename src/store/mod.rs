//! Where vehicles are kept: SQLite, PostgreSQL or MySQL/MariaDB behind one set of verbs.
//!
//! Values of the catalogue come in and go out; SeaORM and SQL stay inside. Whatever a verb has
//! answered is durable, and is seen by every verb that is called after the answer.

mod columns;
mod connect;
mod entity;
mod error;
mod migrations;
mod settings;
mod target;
mod to_catalogue;
mod to_entity;

use std::{fmt, time::Duration};

use sea_orm::{DatabaseConnection, DbErr, EntityTrait, QueryOrder, QuerySelect};
use tokio::time::timeout;

use crate::catalogue::{NewVehicle, Vehicle, VehicleId};
pub use columns::{Column, ColumnType, expected_columns};
use connect::Pools;
use entity::vehicle;
pub use error::StoreError;
pub use migrations::{MigrationState, MigrationStatus};
pub use settings::{DatabaseSettings, DatabaseUrl};

/// An open database. Clones share its connections.
#[derive(Clone)]
pub struct Store {
    settings: DatabaseSettings,
    pools: Pools,
}

impl Store {
    /// Opens the database that the settings name, waiting for a server that is starting up as long
    /// as they allow. A SQLite file that does not exist is created. Changes no table.
    pub async fn connect(settings: &DatabaseSettings) -> Result<Self, StoreError> {
        let pools = Pools::open(settings)
            .await
            .map_err(|source| StoreError::CannotConnect {
                database: settings.url.0.to_string(),
                source,
            })?;
        Ok(Self {
            settings: settings.clone(),
            pools,
        })
    }

    /// A database of its own that lives as long as the store: nothing is kept.
    pub async fn in_memory() -> Self {
        let settings = DatabaseSettings {
            url: DatabaseUrl::parse("sqlite::memory:").expect("it has a supported form"),
            pool_size: 1,
            timeout: Duration::from_secs(5),
            migration_lock_timeout: Duration::from_secs(5),
        };
        let store = Self::connect(&settings).await;
        store.expect("memory needs no file and no server")
    }

    /// Stores a vehicle and answers it with the id that the database made.
    pub async fn insert(&self, new_vehicle: NewVehicle) -> Result<Vehicle, StoreError> {
        // Never sent twice: after a lost connection nobody knows whether the first was stored.
        let insert = vehicle::Entity::insert(to_entity::vehicle(&new_vehicle));
        let inserted = self.in_time(insert.exec(&self.pools.writer)).await?;
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

    /// Waits for the statements under way and closes every connection.
    pub async fn close(&self) {
        self.pools.close().await;
    }

    /// Runs a reading statement, and once more if its connection turns out to be lost: the pool does
    /// not test a connection that was in use a moment ago.
    async fn read<'a, T, F>(
        &'a self,
        statement: impl Fn(&'a DatabaseConnection) -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, DbErr>>,
    {
        let reading = async {
            match statement(&self.pools.reader).await {
                Err(error) if error::is_lost_connection(&error) => {
                    statement(&self.pools.reader).await
                }
                result => result,
            }
        };
        self.in_time(reading).await
    }

    /// Gives up when the database takes too long, whatever it is that takes its time.
    async fn in_time<T>(
        &self,
        answer: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, StoreError> {
        let patience = self.settings.timeout;
        match timeout(patience, answer).await {
            Ok(answer) => answer.map_err(StoreError::classify),
            Err(_) => Err(StoreError::Unavailable(DbErr::Custom(format!(
                "no answer within {} seconds",
                patience.as_secs_f32()
            )))),
        }
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Store({})", self.settings.url.0)
    }
}
