//! Changes a vehicle in one transaction.

use database::{BatchedQuery, Error, Writer};
use sea_orm::{ColumnTrait, EntityTrait, NotSet, QueryFilter};

use super::entity::{ActiveModel, Column, Entity, find_vehicles};
use super::refusal::{Refusal, check_version};
use super::traced::Traced;
use crate::catalogue::{ExpectedVersion, Vehicle, VehicleChanges, VehicleId};

/// The change of one vehicle.
pub(super) struct Change {
    pub(super) id: VehicleId,
    pub(super) changes: VehicleChanges,
    pub(super) expected: Option<ExpectedVersion>,
}

/// Locks the row, compares it with the change, and writes it if it still has the same version.
pub(super) struct UpdateOne(pub(super) Writer);

impl UpdateOne {
    async fn attempt(&self, change: &Change) -> Result<Result<Vehicle, Refusal>, Error> {
        let find = || find_vehicles().filter(Column::Id.eq(change.id.get()));
        let mut transaction = self.0.begin().await?;
        let current: Option<Vehicle> = transaction.lock_row(find()).await?;
        let changed = match changed(current, change) {
            Outcome::Changed(changed) => changed,
            Outcome::Unchanged(result) => {
                transaction.roll_back().await?;
                return Ok(result);
            }
        };
        let version_before = changed.version - 1;
        let update = Entity::update_many().set(ActiveModel {
            id: NotSet,
            ..changed.into()
        });
        let update = update.filter(Column::Id.eq(change.id.get()));
        let update = update.filter(Column::Version.eq(version_before));
        let stored = transaction.update_row(&update, find()).await?;
        transaction.commit().await?;
        Ok(Ok(stored))
    }
}

impl BatchedQuery for UpdateOne {
    type Request = Change;
    type Output = Result<Result<Vehicle, Refusal>, Error>;
    type Observer = Traced;

    const NAME: &'static str = "UPDATE vehicle";

    async fn run(&self, changes: Vec<Change>) -> Vec<Self::Output> {
        vec![self.0.run(|| self.attempt(&changes[0])).await]
    }
}

/// What a change makes of a vehicle.
enum Outcome {
    /// The vehicle to be stored.
    Changed(Vehicle),
    /// The result without a write.
    Unchanged(Result<Vehicle, Refusal>),
}

fn changed(current: Option<Vehicle>, change: &Change) -> Outcome {
    let Some(current) = current else {
        return Outcome::Unchanged(Err(Refusal::NotFound));
    };
    let changed = change.changes.applied_to(&current);
    if changed == current {
        return Outcome::Unchanged(Ok(current));
    }
    if let Err(conflict) = check_version(&current, change.expected) {
        return Outcome::Unchanged(Err(conflict));
    }
    match current.version.checked_add(1) {
        Some(version) => Outcome::Changed(Vehicle { version, ..changed }),
        None => Outcome::Unchanged(Err(Refusal::NoVersionLeft)),
    }
}
