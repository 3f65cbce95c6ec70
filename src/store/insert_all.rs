//! Inserts several vehicles atomically: one multi-row `INSERT`, which other requests do not share.

use database::{BatchedQuery, Error, Inserter};

use super::creation::{Create, CreatedVehicle, Inserted, separate_collision};
use super::traced::Traced;
use crate::catalogue::Vehicle;

/// Stores all new vehicles of a request or none.
pub(super) struct InsertAll(pub(super) Inserter<CreatedVehicle>);

impl BatchedQuery for InsertAll {
    type Request = Vec<Create>;
    type Output = Result<Inserted<Vec<Vehicle>>, Error>;
    type Observer = Traced;

    const NAME: &'static str = "INSERT vehicles";

    async fn run(&self, requests: Vec<Vec<Create>>) -> Vec<Self::Output> {
        let stored = self.0.insert_all(&requests[0]).await;
        let vehicles = stored.map(|stored| stored.into_iter().map(|row| row.vehicle).collect());
        vec![separate_collision(vehicles)]
    }
}
