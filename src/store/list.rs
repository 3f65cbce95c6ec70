//! Lists vehicles in the order of their ids.

use std::sync::Arc;

use database::{BatchedQuery, Error, Reader};
use sea_orm::{QueryOrder, QuerySelect};

use super::entity::{Column, find_vehicles};
use super::traced::Traced;
use crate::catalogue::Vehicle;

/// One `SELECT … ORDER BY id LIMIT …` for all requests with the same limit.
pub(super) struct List(Reader);

impl List {
    /// The maximum number of requests in a batch.
    pub(super) const MAX_BATCH: usize = 256;

    pub(super) fn new(reader: Reader) -> Self {
        Self(reader)
    }

    async fn list(&self, limit: u64) -> Result<Arc<[Vehicle]>, Error> {
        let list = find_vehicles().order_by_asc(Column::Id).limit(limit);
        let vehicles: Vec<Vehicle> = list.into_model().all(&self.0).await?;
        Ok(vehicles.into())
    }
}

impl BatchedQuery for List {
    type Request = u64;
    type Output = Result<Arc<[Vehicle]>, Error>;
    type Observer = Traced;

    const NAME: &'static str = "SELECT vehicle in order";

    fn can_batch(first: &u64, next: &u64) -> bool {
        first == next
    }

    async fn run(&self, limits: Vec<u64>) -> Vec<Self::Output> {
        let result = self.list(limits[0]).await;
        vec![result; limits.len()]
    }
}
