//! Finding vehicles by their ids.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::{ColumnTrait, DbBackend, EntityTrait, QueryFilter, QueryTrait, Value, Values};

use super::{Reading, to_all};
use crate::catalogue::{Vehicle, VehicleId};
use crate::store::entity::vehicle;
use crate::store::error::StoreError;
use crate::store::lane::Work;
use crate::store::line::Lines;
use crate::store::to_catalogue;

/// How many ids a statement has: a few sizes, so that a connection can keep them all prepared.
const SIZES: [usize; 8] = [1, 2, 4, 8, 16, 32, 64, Lookups::MOST];

/// One `SELECT … WHERE id IN (…)` for all the ids that are looked up.
pub(in crate::store) struct Lookups {
    reading: Reading,
    /// For each of the sizes.
    sql: [String; SIZES.len()],
}

impl Lookups {
    /// The most ids in a statement.
    pub(in crate::store) const MOST: usize = 128;

    pub(in crate::store) fn new(lines: Arc<Lines>, patience: Duration) -> Self {
        let sql = SIZES.map(|size| select(lines.backend(), size));
        Self {
            reading: Reading { lines, patience },
            sql,
        }
    }

    async fn find(&self, ids: &[VehicleId]) -> Result<Vec<vehicle::Model>, StoreError> {
        let mut keys: Vec<i64> = ids.iter().map(|id| id.get()).collect();
        keys.sort_unstable();
        keys.dedup();
        let size = SIZES.iter().position(|size| *size >= keys.len());
        let size = size.expect("a batch has no more than the most");
        let last = *keys.last().expect("a batch has a first request");
        keys.resize(SIZES[size], last);
        let values = keys.into_iter().map(|key| Value::BigInt(Some(key)));
        let values = Values(values.collect());
        self.reading.rows(&self.sql[size], &values).await
    }
}

impl Work for Lookups {
    const NAME: &'static str = "SELECT vehicle by id";

    type Request = VehicleId;
    type Answer = Result<Option<Arc<Vehicle>>, StoreError>;

    fn together(_: &VehicleId, _: &VehicleId) -> bool {
        true
    }

    async fn run(&self, ids: Vec<VehicleId>) -> Vec<Self::Answer> {
        let found = match self.find(&ids).await {
            Ok(found) => found,
            Err(failure) => return to_all(&failure, ids.len()),
        };
        let found = found.into_iter().map(to_catalogue::vehicle);
        let mut found: Vec<_> = found.map(Arc::new).collect();
        if let [_] = ids[..] {
            return vec![Ok(found.pop())];
        }
        found.sort_unstable_by_key(|vehicle| vehicle.id);
        let of = |id: &VehicleId| {
            let place = found.binary_search_by_key(id, |vehicle| vehicle.id).ok()?;
            Some(Arc::clone(&found[place]))
        };
        ids.iter().map(|id| Ok(of(id))).collect()
    }
}

fn select(backend: DbBackend, size: usize) -> String {
    let ids = std::iter::repeat_n(0_i64, size);
    let select = vehicle::Entity::find().filter(vehicle::Column::Id.is_in(ids));
    select.build(backend).sql
}
