//! Inserts vehicles: one multi-row `INSERT` per batch.

use database::{BatchedQuery, Error, Inserter};

use super::creation::{Create, CreatedVehicle, Inserted, separate_collision};
use super::traced::Traced;
use crate::catalogue::Vehicle;

/// Stores a batch of new vehicles.
pub(super) struct Insert(pub(super) Inserter<CreatedVehicle>);

impl BatchedQuery for Insert {
    type Request = Create;
    type Output = Result<Inserted<Vehicle>, Error>;
    type Observer = Traced;

    const NAME: &'static str = "INSERT vehicle";

    fn can_batch(_: &Create, _: &Create) -> bool {
        true
    }

    async fn run(&self, creates: Vec<Create>) -> Vec<Self::Output> {
        let stored = self.0.insert(&creates).await.into_iter();
        let vehicle = |row: CreatedVehicle| row.vehicle;
        stored
            .map(|stored| separate_collision(stored.map(vehicle)))
            .collect()
    }
}
