//! Inserts several vehicles atomically: one multi-row `INSERT`, which other requests do not share.

use database::{BatchedQuery, Error, Inserter};

use super::creation::{Create, Inserted, separate_collision};
use super::entity::{ActiveModel, Entity};
use super::traced::Traced;
use crate::catalogue::Vehicle;

/// Stores all new vehicles of a request or none.
pub(super) struct InsertAll(pub(super) Inserter<Entity>);

impl BatchedQuery for InsertAll {
    type Request = Vec<Create>;
    type Output = Result<Inserted<Vec<Vehicle>>, Error>;
    type Observer = Traced;

    const NAME: &'static str = "INSERT vehicles";

    async fn run(&self, requests: Vec<Vec<Create>>) -> Vec<Self::Output> {
        let rows: Vec<_> = requests[0].iter().map(ActiveModel::from).collect();
        vec![separate_collision(self.0.insert_all(&rows).await)]
    }
}
