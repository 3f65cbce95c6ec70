//! Changes a vehicle.

use database::{Change, Error, WriteTransaction};
use sea_orm::{ColumnTrait, EntityTrait, NotSet, QueryFilter};

use super::entity::{ActiveModel, Column, Entity, find_vehicles};
use super::refusal::{Refusal, check_version};
use super::traced::Traced;
use crate::catalogue::{ExpectedVersion, Vehicle, VehicleChanges, VehicleId};

/// The change of one vehicle.
pub(super) struct Update {
    pub(super) id: VehicleId,
    pub(super) changes: VehicleChanges,
    pub(super) expected: Option<ExpectedVersion>,
}

impl Change for Update {
    type Output = Result<Vehicle, Refusal>;
    type Observer = Traced;

    const NAME: &'static str = "UPDATE vehicle";

    /// Locks the row, compares it with the change, and writes it if it still has the same version.
    async fn apply(&self, transaction: &mut WriteTransaction<'_>) -> Result<Self::Output, Error> {
        let find = || find_vehicles().filter(Column::Id.eq(self.id.get()));
        let current: Option<Vehicle> = transaction.lock_row(find()).await?;
        let changed = match self.changed(current) {
            Outcome::Changed(changed) => changed,
            Outcome::Unchanged(result) => return Ok(result),
        };
        let version_before = changed.version - 1;
        let update = Entity::update_many().set(ActiveModel {
            id: NotSet,
            ..changed.into()
        });
        let update = update.filter(Column::Id.eq(self.id.get()));
        let update = update.filter(Column::Version.eq(version_before));
        Ok(Ok(transaction.update_row(&update, find()).await?))
    }
}

/// What a change makes of a vehicle.
enum Outcome {
    /// The vehicle to be stored.
    Changed(Vehicle),
    /// The result without a write.
    Unchanged(Result<Vehicle, Refusal>),
}

impl Update {
    fn changed(&self, current: Option<Vehicle>) -> Outcome {
        let Some(current) = current else {
            return Outcome::Unchanged(Err(Refusal::NotFound));
        };
        let changed = self.changes.applied_to(&current);
        if changed == current {
            return Outcome::Unchanged(Ok(current));
        }
        if let Err(conflict) = check_version(&current, self.expected) {
            return Outcome::Unchanged(Err(conflict));
        }
        match current.version.checked_add(1) {
            Some(version) => Outcome::Changed(Vehicle { version, ..changed }),
            None => Outcome::Unchanged(Err(Refusal::NoVersionLeft)),
        }
    }
}
