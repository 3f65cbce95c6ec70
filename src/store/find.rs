//! Finds vehicles by id.

use std::sync::Arc;

use database::{BatchedQuery, Error, Reader, fan_out_error};
use sea_orm::{ColumnTrait, ConnectionTrait, DbBackend, DbErr, QueryFilter};

use super::entity::{Column, find_vehicles};
use super::traced::Traced;
use crate::catalogue::{Vehicle, VehicleId};

/// One `SELECT … WHERE id IN (…)` per batch.
pub(super) struct Find(Reader);

impl Find {
    /// The maximum number of ids in a statement.
    pub(super) const MAX_BATCH: usize = 128;

    pub(super) fn new(reader: Reader) -> Self {
        Self(reader)
    }

    async fn find(&self, ids: &[VehicleId]) -> Result<Vec<Vehicle>, DbErr> {
        let mut keys: Vec<i64> = ids.iter().map(|id| id.get()).collect();
        keys.sort_unstable();
        keys.dedup();
        let is_any = match self.0.get_database_backend() {
            // Without statistics of the table, PostgreSQL scans it sequentially for more than 16 parameters.
            DbBackend::Postgres if keys.len() > 1 => Column::Id.eq_any(keys),
            _ => {
                // A connection can cache the prepared statements of all powers of two.
                let last = keys.last().copied().unwrap_or_default();
                keys.resize(keys.len().next_power_of_two(), last);
                Column::Id.is_in(keys)
            }
        };
        let find = find_vehicles().filter(is_any).into_model();
        find.all(&self.0).await
    }
}

impl BatchedQuery for Find {
    type Request = VehicleId;
    type Output = Result<Option<Arc<Vehicle>>, Error>;
    type Observer = Traced;

    const NAME: &'static str = "SELECT vehicle by id";

    fn can_batch(_: &VehicleId, _: &VehicleId) -> bool {
        true
    }

    async fn run(&self, ids: Vec<VehicleId>) -> Vec<Self::Output> {
        let found = match self.find(&ids).await {
            Ok(found) => found,
            Err(error) => return fan_out_error(&error.into(), ids.len()),
        };
        let mut found: Vec<_> = found.into_iter().map(Arc::new).collect();
        if let [_] = ids[..] {
            return vec![Ok(found.pop())];
        }
        found.sort_unstable_by_key(|vehicle| vehicle.id);
        let get = |id: &VehicleId| {
            let index = found.binary_search_by_key(id, |vehicle| vehicle.id).ok();
            Ok(index.map(|index| Arc::clone(&found[index])))
        };
        ids.iter().map(get).collect()
    }
}
