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

    fn can_batch(_: &Vec<Create>, _: &Vec<Create>) -> bool {
        false
    }

    async fn run(&self, requests: Vec<Vec<Create>>) -> Vec<Self::Output> {
        let mut results = Vec::with_capacity(requests.len());
        for creates in requests {
            let stored = self.0.insert_all(&creates).await;
            let vehicles = stored.map(|stored| stored.into_iter().map(|row| row.vehicle).collect());
            results.push(separate_collision(vehicles));
        }
        results
    }
}
