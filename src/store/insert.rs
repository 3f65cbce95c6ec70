//! Inserts vehicles: one multi-row `INSERT` per batch.

use database::{BatchedQuery, Error, Inserter};

use super::creation::{Create, Inserted, separate_collision};
use super::entity::{ActiveModel, Entity};
use super::traced::Traced;
use crate::catalogue::Vehicle;

/// Stores a batch of new vehicles.
pub(super) struct Insert(pub(super) Inserter<Entity>);

impl BatchedQuery for Insert {
    type Request = Create;
    type Output = Result<Inserted<Vehicle>, Error>;
    type Observer = Traced;

    const NAME: &'static str = "INSERT vehicle";

    fn can_batch(_: &Create, _: &Create) -> bool {
        true
    }

    async fn run(&self, creates: Vec<Create>) -> Vec<Self::Output> {
        let rows: Vec<_> = creates.iter().map(ActiveModel::from).collect();
        let stored = self.0.insert(&rows).await;
        stored.into_iter().map(separate_collision).collect()
    }
}
