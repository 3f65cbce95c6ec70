//! Changes a vehicle.

use database::{Change, Error, WriteTransaction};
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, Iterable, QueryFilter};

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

    /// Reads the row, compares it with the change, and writes what is different if it still has the same version.
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
        let filter = Column::Version.eq(current.version);
        let before: ActiveModel = current.into();
        let mut changed: ActiveModel = Vehicle { version, ..changed }.into();
        // The row is not always locked, and a column that stays as it is may be changed by a program that knows no versions.
        for column in Column::iter() {
            if changed.get(column) == before.get(column) {
                changed.not_set(column);
            }
        }
        let update = Entity::update_many().set(changed);
        let update = update.filter(Column::Id.eq(self.id.get())).filter(filter);
        Ok(Ok(transaction.update_row(&update, find()).await?))
    }
}
