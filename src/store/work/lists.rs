//! Listing vehicles in the order of their ids.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::{EntityTrait, QueryOrder, QuerySelect, QueryTrait, Value, Values};

use super::Reading;
use crate::catalogue::Vehicle;
use crate::store::entity::vehicle;
use crate::store::error::StoreError;
use crate::store::lane::Work;
use crate::store::line::Lines;
use crate::store::to_catalogue;

/// One `SELECT … ORDER BY id LIMIT …` for all who ask for a list of the same length.
pub(in crate::store) struct Lists {
    reading: Reading,
    sql: String,
}

impl Lists {
    /// The most callers of a statement.
    pub(in crate::store) const MOST: usize = 256;

    pub(in crate::store) fn new(lines: Arc<Lines>, patience: Duration) -> Self {
        let select = vehicle::Entity::find()
            .order_by_asc(vehicle::Column::Id)
            .limit(1);
        let sql = select.build(lines.backend()).sql;
        Self {
            reading: Reading { lines, patience },
            sql,
        }
    }

    async fn list(&self, limit: u64) -> Result<Arc<[Arc<Vehicle>]>, StoreError> {
        let values = Values(vec![Value::BigUnsigned(Some(limit))]);
        let rows = self.reading.rows(&self.sql, &values).await?;
        Ok(rows
            .into_iter()
            .map(to_catalogue::vehicle)
            .map(Arc::new)
            .collect())
    }
}

impl Work for Lists {
    const NAME: &'static str = "SELECT vehicle in order";

    type Request = u64;
    type Answer = Result<Arc<[Arc<Vehicle>]>, StoreError>;

    fn together(first: &u64, next: &u64) -> bool {
        first == next
    }

    async fn run(&self, limits: Vec<u64>) -> Vec<Self::Answer> {
        let answer = self.list(limits[0]).await;
        vec![answer; limits.len()]
    }
}
