//! Lists vehicles in the order of their ids.

use std::ops::Deref;
use std::sync::Arc;

use database::{BatchedQuery, Error, Readable, Reader};
use sea_orm::{QueryOrder, QuerySelect};

use super::entity::{Column, find_vehicles};
use super::traced::Traced;
use crate::catalogue::Vehicle;

/// Vehicles in the order of their ids, which several requests share.
#[derive(Clone, Debug, Default)]
pub struct VehicleList {
    /// The vehicles.
    pub vehicles: Arc<[Vehicle]>,
    /// The errors of the other rows, each with its index among all rows, in ascending order.
    pub unreadable: Arc<[(usize, Error)]>,
}

impl VehicleList {
    /// Fails if no row can be read: then it is the table that is wrong.
    fn new(rows: Vec<Readable<Vehicle>>) -> Result<Self, Error> {
        let mut vehicles = Vec::with_capacity(rows.len());
        let mut unreadable = Vec::new();
        for (index, Readable(row)) in rows.into_iter().enumerate() {
            match row {
                Ok(vehicle) => vehicles.push(vehicle),
                Err(row) => unreadable.push((index, row.error)),
            }
        }
        if vehicles.is_empty() && !unreadable.is_empty() {
            return Err(unreadable.swap_remove(0).1);
        }
        Ok(Self {
            vehicles: vehicles.into(),
            unreadable: unreadable.into(),
        })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.vehicles.len() + self.unreadable.len()
    }
}

impl Deref for VehicleList {
    type Target = [Vehicle];

    fn deref(&self) -> &[Vehicle] {
        &self.vehicles
    }
}

/// One `SELECT … ORDER BY id LIMIT …` for all requests with the same limit.
pub(super) struct List(Reader);

impl List {
    /// The maximum number of requests in a batch.
    pub(super) const MAX_BATCH: usize = 256;

    pub(super) fn new(reader: Reader) -> Self {
        Self(reader)
    }

    async fn list(&self, limit: u64) -> Result<VehicleList, Error> {
        let list = find_vehicles().order_by_asc(Column::Id).limit(limit);
        VehicleList::new(list.into_model().all(&self.0).await?)
    }
}

impl BatchedQuery for List {
    type Request = u64;
    type Output = Result<VehicleList, Error>;
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
