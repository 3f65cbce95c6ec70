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
        let Some(current) = transaction.lock_row::<_, Vehicle>(find()).await? else {
            return Ok(Err(Refusal::NotFound));
        };
        let changed = self.changes.applied_to(&current);
        if changed == current {
            return Ok(Ok(current));
        }
        if let Err(conflict) = check_version(&current, self.expected) {
            return Ok(Err(conflict));
        }
        let Some(version) = current.version.checked_add(1) else {
            return Ok(Err(Refusal::NoVersionLeft));
        };
        let changed = Vehicle { version, ..changed };
        let update = Entity::update_many().set(ActiveModel {
            id: NotSet,
            ..changed.into()
        });
        let update = update.filter(Column::Id.eq(self.id.get()));
        let update = update.filter(Column::Version.eq(current.version));
        Ok(Ok(transaction.update_row(&update, find()).await?))
    }
}
