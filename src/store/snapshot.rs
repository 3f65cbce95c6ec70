//! Reading every vehicle as of one moment, in pages.

use sea_orm::{
    AccessMode, ColumnTrait, DatabaseTransaction, DbBackend, EntityTrait, IsolationLevel,
    QueryFilter, QueryOrder, QuerySelect, TransactionOptions, TransactionTrait,
};

use super::entity::vehicle::{Column, Entity};
use super::{Store, StoreError, to_catalogue};
use crate::catalogue::{Vehicle, VehicleId};

/// The vehicles as they are when the first page is read, whatever others do meanwhile: one reading
/// transaction, and one connection.
pub struct Snapshot {
    store: Store,
    transaction: DatabaseTransaction,
    last: i64,
}

impl Store {
    /// Begins to read every vehicle.
    pub async fn snapshot(&self) -> Result<Snapshot, StoreError> {
        let reader = &self.pools.reader;
        let options = match reader.get_database_backend() {
            // Its readers see one state from their first statement on, and cannot write.
            DbBackend::Sqlite => TransactionOptions::default(),
            _ => TransactionOptions {
                isolation_level: Some(IsolationLevel::RepeatableRead),
                access_mode: Some(AccessMode::ReadOnly),
                ..TransactionOptions::default()
            },
        };
        let begun = reader.begin_with_options(options).await;
        Ok(Snapshot {
            store: self.clone(),
            transaction: begun.map_err(StoreError::classify)?,
            last: 0,
        })
    }
}

impl Snapshot {
    /// The highest id of a vehicle, if there is one.
    pub async fn highest_id(&self) -> Result<Option<VehicleId>, StoreError> {
        let highest = Entity::find().order_by_desc(Column::Id);
        let highest = self.store.in_time(highest.one(&self.transaction)).await?;
        Ok(highest.map(|row| VehicleId::from_key(row.id)))
    }

    /// The next `limit` vehicles in ascending order of id; none after the last one.
    pub async fn next(&mut self, limit: u64) -> Result<Vec<Vehicle>, StoreError> {
        let page = Entity::find()
            .filter(Column::Id.gt(self.last))
            .order_by_asc(Column::Id)
            .limit(limit);
        let page = self.store.in_time(page.all(&self.transaction)).await?;
        if let Some(row) = page.last() {
            self.last = row.id;
        }
        Ok(page.into_iter().map(to_catalogue::vehicle).collect())
    }

    /// Gives the connection back.
    pub async fn end(self) -> Result<(), StoreError> {
        let ended = self.transaction.rollback().await;
        ended.map_err(StoreError::classify)
    }
}
