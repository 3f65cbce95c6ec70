//! Imports many vehicles: each batch is one transaction.

use std::collections::{HashMap, hash_map::Entry};

use database::{Database, Error, Transaction};
use sea_orm::{ActiveValue, ColumnTrait, QueryFilter, QuerySelect, Set};

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
    /// Its id; if `None`, the database generates one. A stored vehicle with this id and other content is a conflict.
    pub id: Option<VehicleId>,
    /// The vehicle.
    pub vehicle: NewVehicle,
    /// Its version; if `None`, that of a new vehicle.
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
    /// The indexes of the vehicles whose id belongs to a stored vehicle with other content. With [`OnConflict::Stop`] there is
    /// at most one, and nothing from it on was stored.
    pub conflicting: Vec<usize>,
}

/// What is known of the ids of a batch.
#[derive(Clone, Copy)]
enum Ids {
    /// No vehicle is stored with one of them.
    Unused,
    /// The stored vehicles are looked up.
    LookedUp,
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
        // Collisions are rare, so ids are looked up only after one.
        let mut ids = Ids::Unused;
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
    insert(transaction, &rows).await?;
    Ok(Batch {
        stored: rows.len() as u64,
        ..result
    })
}

/// Inserts rows, and commits.
async fn insert(transaction: Transaction, rows: &[&NewRow]) -> Result<(), Error> {
    if let Some(highest) = rows.iter().filter_map(|row| row.id).max() {
        transaction.advance_ids::<Entity>(highest.get()).await?;
    }
    for rows in rows.chunks(STATEMENT_ROWS) {
        let rows = rows.iter().map(|row| active_model(row));
        transaction.insert::<Entity>(rows.collect()).await?;
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
) -> (Batch, Vec<&NewRow>) {
    let mut result = Batch::default();
    let mut rows = Vec::new();
    for (index, row) in batch.iter().enumerate() {
        let Some((existing, id)) = existing.as_mut().zip(row.id) else {
            rows.push(row);
            continue;
        };
        match existing.entry(id) {
            Entry::Vacant(entry) => {
                // Another row of the batch may have the same id.
                entry.insert(Vehicle::stored(id, row.vehicle.clone()));
                rows.push(row);
            }
            Entry::Occupied(entry) if entry.get().has_content_of(&row.vehicle) => {
                result.unchanged += 1;
            }
            Entry::Occupied(_) => {
                result.conflicting.push(index);
                if on_conflict == OnConflict::Stop {
                    break;
                }
            }
        }
    }
    (result, rows)
}

fn active_model(row: &NewRow) -> ActiveModel {
    ActiveModel {
        id: row.id.map_or(ActiveValue::NotSet, |id| Set(id.get())),
        version: Set(row.version.unwrap_or(FIRST_VERSION)),
        ..new_row(&row.vehicle)
    }
}
