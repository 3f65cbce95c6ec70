//! Finds vehicles by id.

use std::sync::Arc;

use database::{BatchedQuery, Error, Reader, UnreadableRow, fan_out_error};
use sea_orm::{ColumnTrait, DbBackend, QueryFilter, QueryTrait, Value, Values};

use super::entity::{Column, find_vehicles};
use super::traced::Traced;
use crate::catalogue::{Vehicle, VehicleId};

/// The numbers of ids in a statement: few, so that a connection can cache all prepared statements.
const BATCH_SIZES: [usize; 8] = [1, 2, 4, 8, 16, 32, 64, Find::MAX_BATCH];

/// One `SELECT … WHERE id IN (…)` per batch. PostgreSQL gets several ids as one array, because it scans a table without
/// statistics sequentially for more than 16 parameters, and binds each parameter on its own.
pub(super) struct Find {
    reader: Reader,
    /// For each of [`BATCH_SIZES`].
    sql: [String; BATCH_SIZES.len()],
}

impl Find {
    /// The maximum number of ids in a statement.
    pub(super) const MAX_BATCH: usize = 128;

    pub(super) fn new(reader: Reader) -> Self {
        let backend = reader.backend();
        let sql = BATCH_SIZES.map(|size| {
            let ids = std::iter::repeat_n(0_i64, size);
            let filter = match backend {
                DbBackend::Postgres if size > 1 => Column::Id.eq_any(ids),
                _ => Column::Id.is_in(ids),
            };
            find_vehicles().filter(filter).build(backend).sql
        });
        Self { reader, sql }
    }

    async fn find(&self, ids: &[VehicleId]) -> Result<Vec<Result<Vehicle, UnreadableRow>>, Error> {
        let mut keys: Vec<i64> = ids.iter().map(|id| id.get()).collect();
        keys.sort_unstable();
        keys.dedup();
        let size = BATCH_SIZES.iter().position(|size| *size >= keys.len());
        let size = size.expect("a batch is not larger than the maximum");
        let values: Vec<Value> = if self.reader.backend() == DbBackend::Postgres && keys.len() > 1 {
            vec![keys.into()]
        } else {
            let last = *keys.last().expect("a batch is not empty");
            keys.resize(BATCH_SIZES[size], last);
            keys.into_iter().map(Value::from).collect()
        };
        self.reader.rows(&self.sql[size], &Values(values)).await
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
            Err(error) => return fan_out_error(&error, ids.len()),
        };
        let found = found.into_iter().map(|found| found.map(Arc::new));
        let mut found: Vec<_> = found.collect();
        if let [_] = ids[..] {
            return vec![found.pop().transpose().map_err(|row| row.error)];
        }
        let id_of = |found: &Result<Arc<Vehicle>, UnreadableRow>| match found {
            Ok(vehicle) => vehicle.id,
            Err(row) => VehicleId::from_key(row.id),
        };
        found.sort_unstable_by_key(id_of);
        let get = |id: &VehicleId| match found.binary_search_by_key(id, id_of) {
            Ok(index) => match &found[index] {
                Ok(vehicle) => Ok(Some(Arc::clone(vehicle))),
                Err(row) => Err(row.error.clone()),
            },
            Err(_) => Ok(None),
        };
        ids.iter().map(get).collect()
    }
}
