//! Deletes a vehicle.

use database::{Change, Error, WriteTransaction};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use super::entity::{Column, Entity, find_vehicles};
use super::refusal::{Refusal, check_version};
use super::traced::Traced;
use crate::catalogue::{ExpectedVersion, Vehicle, VehicleId};

/// The deletion of one vehicle.
pub(super) struct Deletion {
    pub(super) id: VehicleId,
    pub(super) expected: Option<ExpectedVersion>,
}

impl Change for Deletion {
    type Output = Result<Option<Vehicle>, Refusal>;
    type Observer = Traced;

    const NAME: &'static str = "DELETE vehicle";

    /// Reads the row, compares its version and deletes it if it still has that version.
    async fn apply(&self, transaction: &mut WriteTransaction<'_>) -> Result<Self::Output, Error> {
        let id = Column::Id.eq(self.id.get());
        let find = find_vehicles().filter(id.clone());
        let Some(current) = transaction.lock_row::<_, Vehicle>(find).await? else {
            return Ok(Ok(None));
        };
        if let Err(conflict) = check_version(&current, self.expected) {
            return Ok(Err(conflict));
        }
        let delete = Entity::delete_many().filter(id);
        let delete = delete.filter(Column::Version.eq(current.version));
        Ok(Ok(Some(transaction.delete_row(delete, current).await?)))
    }
}
