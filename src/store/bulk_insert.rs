//! Imports many vehicles: each batch is one transaction.

use std::{borrow::Cow, collections::HashMap, mem};

use database::{Database, Error, Transaction};
use sea_orm::{ActiveValue, ColumnTrait, QueryFilter, QuerySelect, Set};

use super::creation::is_collision;
use super::entity::{ActiveModel, Column, Entity, find_vehicles, new_row};
use super::update_all::update_all;
use crate::catalogue::{
    FIRST_VERSION, ImportedVehicle, NewVehicle, Vehicle, VehicleId, Violations,
};

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
    /// The vehicle. [`ImportedVehicle::New`] is a conflict if a vehicle with this id and other content is stored, and
    /// [`ImportedVehicle::Changes`] updates it.
    pub vehicle: ImportedVehicle,
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

/// A vehicle of a batch that was not stored because of what is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The index in the batch.
    pub index: usize,
    /// The reason.
    pub reason: ConflictReason,
}

/// Why a vehicle was not stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
    /// It is new, and lacks values that a new vehicle must have.
    #[error("no vehicle with this id is stored, and for a new one {0}")]
    Incomplete(Violations),
}

/// What is known of the ids of a batch.
#[derive(Clone, Copy)]
enum Ids {
    /// No vehicle is stored with one of them.
    Unused,
    /// The stored vehicles are looked up.
    LookedUp,
}

/// A row to insert.
struct Insertion<'b> {
    id: Option<VehicleId>,
    vehicle: Cow<'b, NewVehicle>,
    version: i32,
}

/// An import in progress.
pub struct Bulk {
    database: Database,
    /// The transaction of all batches, with [`Commit::AtEnd`].
    transaction: Option<Transaction>,
}

impl Bulk {
    /// Starts an import.
    pub(super) async fn begin(database: Database, commit: Commit) -> Result<Self, Error> {
        let transaction = match commit {
            Commit::EachBatch => None,
            Commit::AtEnd => Some(database.begin_write().await?),
        };
        Ok(Self {
            database,
            transaction,
        })
    }

    /// Stores a batch atomically, except for vehicles with conflicting ids. Retries a batch that was
    /// rolled back because of a conflict or a lost connection.
    ///
    /// After [`Error::OutcomeUnknown`] the batch may have been stored; after any other error it was not.
    pub async fn store(&self, batch: &[NewRow], on_conflict: OnConflict) -> Result<Batch, Error> {
        let updates = |row: &NewRow| matches!(row.vehicle, ImportedVehicle::Changes(_));
        // Collisions of new vehicles are rare, so their ids are looked up only after one.
        let mut ids = if batch.iter().any(updates) {
            Ids::LookedUp
        } else {
            Ids::Unused
        };
        let mut attempt = 1;
        loop {
            let result = self.attempt_with_retry(batch, ids, on_conflict).await;
            if attempt == ATTEMPTS || !result.as_ref().is_err_and(is_collision) {
                return result;
            }
            ids = Ids::LookedUp;
            attempt += 1;
        }
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
        ids: Ids,
        on_conflict: OnConflict,
    ) -> Result<Batch, Error> {
        match &self.transaction {
            None => {
                let attempt = || async {
                    let transaction = self.database.begin_write().await?;
                    attempt(transaction, batch, ids, on_conflict).await
                };
                self.database.retry_rolled_back(attempt).await
            }
            // A conflict may have rolled back the previous batches too.
            Some(transaction) => attempt(transaction.begin().await?, batch, ids, on_conflict).await,
        }
    }
}

/// Stores a batch and commits.
async fn attempt(
    transaction: Transaction,
    batch: &[NewRow],
    ids: Ids,
    on_conflict: OnConflict,
) -> Result<Batch, Error> {
    let existing = match ids {
        Ids::Unused => None,
        Ids::LookedUp => Some(existing(&transaction, batch).await?),
    };
    let (result, rows) = partition(batch, existing, on_conflict);
    store(transaction, &rows, &result.updated).await?;
    Ok(Batch {
        stored: rows.len() as u64,
        ..result
    })
}

/// Inserts and updates rows, and commits.
async fn store(
    transaction: Transaction,
    rows: &[Insertion<'_>],
    updates: &[RowUpdate],
) -> Result<(), Error> {
    if let Some(highest) = rows.iter().filter_map(|row| row.id).max() {
        transaction.advance_ids::<Entity>(highest.get()).await?;
    }
    for rows in rows.chunks(STATEMENT_ROWS) {
        let rows = rows.iter().map(active_model);
        transaction.insert::<Entity>(rows.collect()).await?;
    }
    let changes = updates.iter().map(|update| (&update.before, &update.after));
    for update in update_all(changes) {
        transaction.update(update).await?;
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

/// Splits a batch into the rows to insert and the result for the others. Without the stored vehicles all rows are
/// inserted.
fn partition(
    batch: &[NewRow],
    mut existing: Option<HashMap<VehicleId, Vehicle>>,
    on_conflict: OnConflict,
) -> (Batch, Vec<Insertion<'_>>) {
    let mut result = Batch::default();
    let mut rows = Vec::new();
    for (index, row) in batch.iter().enumerate() {
        let looked_up = existing.as_mut().zip(row.id);
        let stored = looked_up.and_then(|(existing, id)| existing.get_mut(&id));
        let outcome = match stored {
            Some(stored) => update(stored, row).map(|after| match after {
                None => result.unchanged += 1,
                Some(after) => result.updated.push(RowUpdate {
                    index,
                    before: mem::replace(stored, after.clone()),
                    after,
                }),
            }),
            None => insertion(row).map(|insertion| {
                if let Some((existing, id)) = existing.as_mut().zip(row.id) {
                    // Another row of the batch may have the same id.
                    existing.insert(id, insertion.inserted(id));
                }
                rows.push(insertion);
            }),
        };
        if let Err(reason) = outcome {
            result.conflicting.push(Conflict { index, reason });
            if on_conflict == OnConflict::Stop {
                break;
            }
        }
    }
    (result, rows)
}

/// The row to insert if no vehicle with its id is stored.
fn insertion(row: &NewRow) -> Result<Insertion<'_>, ConflictReason> {
    Ok(Insertion {
        id: row.id,
        vehicle: row
            .vehicle
            .new_vehicle()
            .map_err(ConflictReason::Incomplete)?,
        version: row.version.unwrap_or(FIRST_VERSION),
    })
}

/// The stored vehicle after its update; `None` if the row does not change it.
fn update(stored: &Vehicle, row: &NewRow) -> Result<Option<Vehicle>, ConflictReason> {
    let changed = row.vehicle.applied_to(stored);
    if changed == *stored {
        return Ok(None);
    }
    if let ImportedVehicle::New(_) = row.vehicle {
        return Err(ConflictReason::OtherVehicle);
    }
    if row.version.is_some_and(|version| version != stored.version) {
        return Err(ConflictReason::OtherVersion(stored.version));
    }
    let highest = ConflictReason::HighestVersion(stored.version);
    let version = stored.version.checked_add(1).ok_or(highest)?;
    Ok(Some(Vehicle { version, ..changed }))
}

impl Insertion<'_> {
    /// The vehicle with this id after it was inserted.
    fn inserted(&self, id: VehicleId) -> Vehicle {
        Vehicle {
            version: self.version,
            ..Vehicle::stored(id, self.vehicle.clone().into_owned())
        }
    }
}

fn active_model(row: &Insertion<'_>) -> ActiveModel {
    ActiveModel {
        id: row.id.map_or(ActiveValue::NotSet, |id| Set(id.get())),
        version: Set(row.version),
        ..new_row(&row.vehicle)
    }
}
