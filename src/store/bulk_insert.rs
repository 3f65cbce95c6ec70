//! Imports many vehicles: each batch is one transaction.

use std::collections::HashMap;

use database::{Database, Error, Transaction};
use sea_orm::{ActiveValue, ColumnTrait, EntityTrait, QueryFilter, QuerySelect, Set};

use super::creation::is_collision;
use super::entity::{ActiveModel, Column, Entity, find_vehicles, new_row};
use crate::catalogue::{FIRST_VERSION, NewVehicle, Vehicle, VehicleId};

/// The maximum number of rows in a statement: SQLite accepts 32,766 values, and more rows make no
/// database faster.
const STATEMENT_ROWS: usize = 500;

/// The maximum number of attempts for a batch whose ids collide with concurrent inserts.
const ATTEMPTS: u32 = 3;

/// A vehicle of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRow {
    /// Its id; if `None`, the database generates one.
    pub id: Option<VehicleId>,
    /// The vehicle.
    pub vehicle: NewVehicle,
    /// Its version; if `None`, that of a new vehicle. An update requires the stored vehicle to have it.
    pub version: Option<i32>,
}

/// When stored vehicles are committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commit {
    /// After each batch.
    EachBatch,
    /// After the last batch: all batches are one transaction.
    AtEnd,
}

/// What to do with a vehicle of a batch whose id belongs to a stored vehicle with other content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It is a conflict.
    Keep,
    /// The stored vehicle gets the content of the batch.
    Update,
}

/// What to do at a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnConflict {
    /// Store the vehicles before it and stop.
    Stop,
    /// Skip it and store the others.
    Skip,
}

/// The result of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The number of stored vehicles.
    pub stored: u64,
    /// The number of vehicles that were already stored under the same id.
    pub unchanged: u64,
    /// The vehicles that were updated.
    pub updated: Vec<RowUpdate>,
    /// The conflicts. With [`OnConflict::Stop`] there is at most one, and nothing from it on was stored.
    pub conflicting: Vec<Conflict>,
}

/// An updated vehicle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowUpdate {
    /// The index in the batch.
    pub index: usize,
    /// The vehicle before.
    pub before: Vehicle,
    /// The vehicle after.
    pub after: Vehicle,
}

/// A vehicle of a batch that was not stored because of a stored one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The index in the batch.
    pub index: usize,
    /// The reason.
    pub reason: ConflictReason,
}

/// Why a vehicle was not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConflictReason {
    /// Its id belongs to a stored vehicle with other content.
    #[error("id belongs to another stored vehicle")]
    OtherVehicle,
    /// The stored vehicle was changed since the file was written.
    #[error("the stored vehicle has version {0}; export it again")]
    OtherVersion(i32),
    /// The stored vehicle was changed as often as possible.
    #[error("the stored vehicle has the highest version {0}")]
    HighestVersion(i32),
}

/// An import in progress.
pub struct Bulk {
    database: Database,
    /// The transaction of all batches, with [`Commit::AtEnd`].
    transaction: Option<Transaction>,
    existing: Existing,
}

impl Bulk {
    /// Starts an import.
    pub(super) async fn begin(
        database: Database,
        commit: Commit,
        existing: Existing,
    ) -> Result<Self, Error> {
        let transaction = match commit {
            Commit::EachBatch => None,
            Commit::AtEnd => Some(database.begin_write().await?),
        };
        Ok(Self {
            database,
            transaction,
            existing,
        })
    }

    /// Stores a batch atomically, except for vehicles with conflicting ids. Retries a batch that was
    /// rolled back because of a conflict or a lost connection.
    ///
    /// After [`Error::OutcomeUnknown`] the batch may have been stored; after any other error it was not.
    pub async fn store(&self, batch: &[NewRow], on_conflict: OnConflict) -> Result<Batch, Error> {
        // Collisions are rare without updates, so existing ids are looked up only after one.
        let look_up = (self.existing == Existing::Update).then_some(on_conflict);
        let mut result = self.attempt_with_retry(batch, look_up).await;
        for _ in 1..ATTEMPTS {
            if !result.as_ref().is_err_and(is_collision) {
                break;
            }
            result = self.attempt_with_retry(batch, Some(on_conflict)).await;
        }
        result
    }

    /// Commits the transaction of all batches; without this call they are not stored.
    pub async fn finish(self) -> Result<(), Error> {
        match self.transaction {
            Some(transaction) => transaction.commit().await,
            None => Ok(()),
        }
    }

    async fn attempt_with_retry(
        &self,
        batch: &[NewRow],
        look_up: Option<OnConflict>,
    ) -> Result<Batch, Error> {
        match &self.transaction {
            None => {
                let attempt = || async {
                    self.attempt(self.database.begin_write().await?, batch, look_up)
                        .await
                };
                self.database.retry_rolled_back(attempt).await
            }
            // A conflict may have rolled back the previous batches too.
            Some(transaction) => {
                self.attempt(transaction.begin().await?, batch, look_up)
                    .await
            }
        }
    }

    /// Stores a batch and commits.
    async fn attempt(
        &self,
        transaction: Transaction,
        batch: &[NewRow],
        look_up: Option<OnConflict>,
    ) -> Result<Batch, Error> {
        let (result, rows) = match look_up {
            None => (Batch::default(), batch.iter().collect()),
            Some(on_conflict) => {
                let existing = existing(&transaction, batch).await?;
                self.partition(batch, existing, on_conflict)
            }
        };
        store(transaction, &rows, &result.updated).await?;
        Ok(Batch {
            stored: rows.len() as u64,
            ..result
        })
    }
}

/// Inserts and updates rows, and commits.
async fn store(
    transaction: Transaction,
    rows: &[&NewRow],
    updates: &[RowUpdate],
) -> Result<(), Error> {
    if let Some(highest) = rows.iter().filter_map(|row| row.id).max() {
        transaction.advance_ids::<Entity>(highest.get()).await?;
    }
    for rows in rows.chunks(STATEMENT_ROWS) {
        let rows = rows.iter().map(|row| active_model(row));
        transaction.insert::<Entity>(rows.collect()).await?;
    }
    for RowUpdate { after, .. } in updates {
        let update = Entity::update_many().set(ActiveModel::from(after.clone()));
        transaction
            .update(update.filter(Column::Id.eq(after.id.get())))
            .await?;
    }
    transaction.commit().await
}

/// The stored vehicles that have ids of the batch, locked until the end of the transaction.
async fn existing(
    transaction: &Transaction,
    batch: &[NewRow],
) -> Result<HashMap<VehicleId, Vehicle>, Error> {
    let ids: Vec<_> = batch.iter().filter_map(|row| row.id).collect();
    let mut existing = HashMap::new();
    for ids in ids.chunks(STATEMENT_ROWS) {
        let ids = ids.iter().map(|id| id.get());
        let find = find_vehicles()
            .filter(Column::Id.is_in(ids))
            .lock_exclusive();
        let found: Vec<Vehicle> = transaction.rows(find).await?;
        existing.extend(found.into_iter().map(|vehicle| (vehicle.id, vehicle)));
    }
    Ok(existing)
}

impl Bulk {
    /// Splits a batch into the rows to insert and the result for the others.
    fn partition<'b>(
        &self,
        batch: &'b [NewRow],
        mut existing: HashMap<VehicleId, Vehicle>,
        on_conflict: OnConflict,
    ) -> (Batch, Vec<&'b NewRow>) {
        let mut result = Batch::default();
        let mut rows = Vec::new();
        for (index, row) in batch.iter().enumerate() {
            let Some(id) = row.id else {
                rows.push(row);
                continue;
            };
            let Some(stored) = existing.get(&id) else {
                // Another row of the batch may have the same id.
                let inserted = Vehicle {
                    version: row.version.unwrap_or(FIRST_VERSION),
                    ..Vehicle::stored(id, row.vehicle.clone())
                };
                existing.insert(id, inserted);
                rows.push(row);
                continue;
            };
            if stored.has_content_of(&row.vehicle) {
                result.unchanged += 1;
                continue;
            }
            match self.update(stored, row) {
                Ok(after) => {
                    let before = existing.insert(id, after.clone());
                    let before = before.expect("it was found");
                    result.updated.push(RowUpdate {
                        index,
                        before,
                        after,
                    });
                }
                Err(reason) => {
                    result.conflicting.push(Conflict { index, reason });
                    if on_conflict == OnConflict::Stop {
                        break;
                    }
                }
            }
        }
        (result, rows)
    }

    /// The stored vehicle after its update.
    fn update(&self, stored: &Vehicle, row: &NewRow) -> Result<Vehicle, ConflictReason> {
        if self.existing == Existing::Keep {
            return Err(ConflictReason::OtherVehicle);
        }
        if row.version.is_some_and(|version| version != stored.version) {
            return Err(ConflictReason::OtherVersion(stored.version));
        }
        let highest = ConflictReason::HighestVersion(stored.version);
        Ok(Vehicle {
            version: stored.version.checked_add(1).ok_or(highest)?,
            ..stored.with_content_of(&row.vehicle)
        })
    }
}

fn active_model(row: &NewRow) -> ActiveModel {
    ActiveModel {
        id: row.id.map_or(ActiveValue::NotSet, |id| Set(id.get())),
        version: Set(row.version.unwrap_or(FIRST_VERSION)),
        ..new_row(&row.vehicle)
    }
}
