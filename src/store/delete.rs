//! Deletes a vehicle in one transaction.

use database::{BatchedQuery, Error, Writer};
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

/// Locks the row, compares its version and deletes it if it still has that version.
pub(super) struct DeleteOne(pub(super) Writer);

impl DeleteOne {
    async fn attempt(
        &self,
        deletion: &Deletion,
    ) -> Result<Result<Option<Vehicle>, Refusal>, Error> {
        let id = Column::Id.eq(deletion.id.get());
        let mut transaction = self.0.begin().await?;
        let current: Option<Vehicle> = transaction
            .lock_row(find_vehicles().filter(id.clone()))
            .await?;
        let Some(current) = current else {
            transaction.roll_back().await?;
            return Ok(Ok(None));
        };
        if let Err(conflict) = check_version(&current, deletion.expected) {
            transaction.roll_back().await?;
            return Ok(Err(conflict));
        }
        let delete = Entity::delete_many().filter(id);
        let delete = delete.filter(Column::Version.eq(current.version));
        transaction.change_row(&delete).await?;
        transaction.commit().await?;
        Ok(Ok(Some(current)))
    }
}

impl BatchedQuery for DeleteOne {
    type Request = Deletion;
    type Output = Result<Result<Option<Vehicle>, Refusal>, Error>;
    type Observer = Traced;

    const NAME: &'static str = "DELETE vehicle";

    async fn run(&self, deletions: Vec<Deletion>) -> Vec<Self::Output> {
        vec![self.0.run(|| self.attempt(&deletions[0])).await]
    }
}
