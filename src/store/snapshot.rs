//! Reads all vehicles in pages from one consistent snapshot.

use database::{Database, Error, Transaction};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};

use super::entity::{Column, find_vehicles};
use crate::catalogue::{Vehicle, VehicleId};

/// A consistent snapshot of all vehicles, taken when the first page is read: one read-only transaction
/// on one connection.
pub struct Snapshot {
    transaction: Transaction,
    last: i64,
}

impl Snapshot {
    pub(super) async fn begin(database: &Database) -> Result<Self, Error> {
        Ok(Self {
            transaction: database.begin_snapshot().await?,
            last: 0,
        })
    }

    /// The highest id, if there is a vehicle.
    pub async fn highest_id(&self) -> Result<Option<VehicleId>, Error> {
        let highest = find_vehicles().order_by_desc(Column::Id).limit(1);
        let highest: Vec<Vehicle> = self.transaction.rows(highest).await?;
        Ok(highest.first().map(|vehicle| vehicle.id))
    }

    /// The next `limit` vehicles in ascending order of id; none after the last one.
    pub async fn next(&mut self, limit: u64) -> Result<Vec<Vehicle>, Error> {
        let page = find_vehicles()
            .filter(Column::Id.gt(self.last))
            .order_by_asc(Column::Id)
            .limit(limit);
        let page: Vec<Vehicle> = self.transaction.rows(page).await?;
        if let Some(vehicle) = page.last() {
            self.last = vehicle.id.get();
        }
        Ok(page)
    }

    /// Releases the connection.
    pub async fn end(self) -> Result<(), Error> {
        self.transaction.roll_back().await
    }
}
