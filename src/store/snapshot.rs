//! Reads all vehicles in pages from one consistent snapshot.

use sea_orm::{
    AccessMode, ColumnTrait, DatabaseTransaction, DbBackend, IsolationLevel, QueryFilter,
    QueryOrder, QuerySelect, TransactionOptions, TransactionTrait,
};

use super::connect::Database;
use super::error::Error;
use crate::catalogue::vehicle::{self, Column, Model, Row};

/// A consistent snapshot of all vehicles, taken when the first page is read: one read-only transaction on one connection.
pub struct Snapshot {
    transaction: DatabaseTransaction,
    last: i64,
}

impl Snapshot {
    pub(super) async fn begin(database: &Database) -> Result<Self, Error> {
        let pool = &database.read.pool;
        let options = match pool.get_database_backend() {
            // A reader of SQLite has a snapshot from its first statement on.
            DbBackend::Sqlite => TransactionOptions::default(),
            _ => TransactionOptions {
                isolation_level: Some(IsolationLevel::RepeatableRead),
                access_mode: Some(AccessMode::ReadOnly),
                ..TransactionOptions::default()
            },
        };
        Ok(Self {
            transaction: pool.begin_with_options(options).await?,
            last: 0,
        })
    }

    /// The highest id, if there is a vehicle.
    pub async fn highest_id(&self) -> Result<Option<i64>, Error> {
        let highest = vehicle::select().order_by_desc(Column::Id).limit(1);
        let highest: Option<Row> = highest.into_model().one(&self.transaction).await?;
        Ok(highest.map(|Row(vehicle)| vehicle.id))
    }

    /// The next `limit` vehicles in ascending order of id; none after the last one.
    pub async fn next(&mut self, limit: u64) -> Result<Vec<Model>, Error> {
        let page = vehicle::select().filter(Column::Id.gt(self.last));
        let page = page.order_by_asc(Column::Id).limit(limit);
        let page: Vec<Row> = page.into_model().all(&self.transaction).await?;
        let page: Vec<_> = page.into_iter().map(|Row(vehicle)| vehicle).collect();
        if let Some(vehicle) = page.last() {
            self.last = vehicle.id;
        }
        Ok(page)
    }
}
