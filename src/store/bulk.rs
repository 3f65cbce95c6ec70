//! Storing many vehicles: a batch is one transaction, stored as a whole or not at all.

use std::collections::HashMap;

use sea_orm::{
    ActiveValue, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait,
    QueryFilter, Set, SqlErr, SqliteTransactionMode, Statement, TransactionOptions,
    TransactionTrait,
};
use tokio::time::timeout;

use super::conflicts::settled;
use super::entity::vehicle::{ActiveModel, Column, Entity};
use super::{Store, StoreError, no_answer_within, to_catalogue, to_entity};
use crate::catalogue::{NewVehicle, Vehicle, VehicleId};

/// How many vehicles one statement stores: SQLite takes 32,766 values in a statement, and more rows
/// make none of the databases faster.
const STATEMENT_ROWS: usize = 500;

/// How often a batch is begun when others store vehicles under its ids at the same moment.
const ATTEMPTS: u32 = 3;

const SEQUENCE: &str = "pg_get_serial_sequence('vehicle', 'id')::regclass";

/// A vehicle of a batch: with an id that it is to keep, or without one for an id that the database makes.
pub type Keyed = (Option<VehicleId>, NewVehicle);

/// When what is stored becomes durable, and visible to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commit {
    /// After each batch.
    EachBatch,
    /// When all are stored: all batches are one transaction.
    AtEnd,
}

/// What to do when the id of a vehicle belongs to another one already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnTaken {
    /// Store what stands before it, and no more.
    Stop,
    /// Store the others.
    Skip,
}

/// What became of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// How many vehicles were stored.
    pub stored: u64,
    /// How many were there already, the same under the same id.
    pub present: u64,
    /// The places in the batch of those whose id belongs to another vehicle. When told to stop
    /// there is one at most, and nothing from it on was stored.
    pub taken: Vec<usize>,
}

/// An import under way.
pub struct Bulk {
    store: Store,
    /// The transaction of all batches, if they have one.
    whole: Option<DatabaseTransaction>,
}

impl Store {
    /// Begins to store many vehicles.
    pub async fn bulk(&self, commit: Commit) -> Result<Bulk, StoreError> {
        let mut bulk = Bulk {
            store: self.clone(),
            whole: None,
        };
        if commit == Commit::AtEnd {
            bulk.whole = Some(bulk.begin().await?);
        }
        Ok(bulk)
    }
}

impl Bulk {
    /// Stores a batch: all of it, but for the vehicles whose ids are taken, or nothing. One that a
    /// conflict has undone as a whole is stored again.
    ///
    /// [`StoreError::OutcomeUnknown`] says that it may have been stored; after any other error it
    /// was not.
    pub async fn store(&self, batch: &[Keyed], on_taken: OnTaken) -> Result<Batch, StoreError> {
        // Most imports meet no vehicle of theirs, so the ids are looked up only after a collision.
        let mut outcome = self.attempts(batch, None).await;
        for _ in 1..ATTEMPTS {
            if !outcome.as_ref().is_err_and(is_collision) {
                break;
            }
            outcome = self.attempts(batch, Some(on_taken)).await;
        }
        outcome
    }

    /// Makes durable what is not yet. Without it, batches that are one transaction are not stored.
    pub async fn finish(self) -> Result<(), StoreError> {
        match self.whole {
            Some(whole) => commit(whole, &self.store).await,
            None => Ok(()),
        }
    }

    async fn attempts(
        &self,
        batch: &[Keyed],
        look_up: Option<OnTaken>,
    ) -> Result<Batch, StoreError> {
        let attempt = || self.attempt(batch, look_up);
        match &self.whole {
            None => settled(self.store.settings.timeout, attempt).await,
            // With it a conflict may have undone the batches before.
            Some(_) => attempt().await,
        }
    }

    async fn attempt(
        &self,
        batch: &[Keyed],
        look_up: Option<OnTaken>,
    ) -> Result<Batch, StoreError> {
        let transaction = self.begin().await?;
        let (outcome, rows) = match look_up {
            None => (Batch::default(), batch.iter().collect()),
            Some(on_taken) => {
                let known = self.known(&transaction, batch).await?;
                sort_out(batch, known, on_taken)
            }
        };
        let highest = rows.iter().filter_map(|(id, _)| *id).max();
        if let (Some(highest), DbBackend::Postgres) = (highest, transaction.get_database_backend())
        {
            self.advance(&transaction, highest).await?;
        }
        for rows in rows.chunks(STATEMENT_ROWS) {
            let rows = rows.iter().map(|row| to_row(row));
            let insert = Entity::insert_many(rows).exec_without_returning(&transaction);
            self.store.in_time(insert).await?;
        }
        commit(transaction, &self.store).await?;
        Ok(Batch {
            stored: rows.len() as u64,
            ..outcome
        })
    }

    /// A transaction; on SQLite one that holds the write lock of the file from its beginning, so
    /// that what it reads is still true when it writes.
    async fn begin(&self) -> Result<DatabaseTransaction, StoreError> {
        if let Some(whole) = &self.whole {
            return self.store.in_time(whole.begin()).await;
        }
        let writer = &self.store.pools.writer;
        let mut options = TransactionOptions::default();
        if writer.get_database_backend() == DbBackend::Sqlite {
            options.sqlite_transaction_mode = Some(SqliteTransactionMode::Immediate);
        }
        // The pool, and SQLite for its lock, give up in their own time.
        let begun = writer.begin_with_options(options).await;
        begun.map_err(StoreError::classify)
    }

    /// The vehicles that have ids of the batch.
    async fn known(
        &self,
        transaction: &DatabaseTransaction,
        batch: &[Keyed],
    ) -> Result<HashMap<VehicleId, Vehicle>, StoreError> {
        let ids: Vec<_> = batch.iter().filter_map(|(id, _)| *id).collect();
        let mut known = HashMap::new();
        for ids in ids.chunks(STATEMENT_ROWS) {
            let ids = ids.iter().map(|id| id.get());
            let find = Entity::find()
                .filter(Column::Id.is_in(ids))
                .all(transaction);
            let found = self.store.in_time(find).await?.into_iter();
            let found = found.map(to_catalogue::vehicle);
            known.extend(found.map(|vehicle| (vehicle.id, vehicle)));
        }
        Ok(known)
    }

    /// Makes the ids that the database makes go on above `highest`. PostgreSQL does not look at ids
    /// that it is given; the others do. Comes before the rows, so that no crash can separate them.
    async fn advance(
        &self,
        transaction: &DatabaseTransaction,
        highest: VehicleId,
    ) -> Result<(), StoreError> {
        let is_behind = format!("COALESCE(pg_sequence_last_value({SEQUENCE}), 0) < $1");
        let statement = |sql: String| {
            Statement::from_sql_and_values(DbBackend::Postgres, sql, [highest.get().into()])
        };
        let behind = statement(format!("SELECT 1 WHERE {is_behind}"));
        let behind = self
            .store
            .in_time(transaction.query_one_raw(behind))
            .await?;
        if behind.is_some() {
            // Nobody may take an id between the comparison and the change.
            let lock = "LOCK TABLE vehicle IN SHARE ROW EXCLUSIVE MODE";
            self.store
                .in_time(transaction.execute_unprepared(lock))
                .await?;
            let advance = statement(format!("SELECT setval({SEQUENCE}, $1) WHERE {is_behind}"));
            self.store
                .in_time(transaction.query_one_raw(advance))
                .await?;
        }
        Ok(())
    }
}

/// Which rows of a batch are to be stored, and what is to be said of the others.
fn sort_out(
    batch: &[Keyed],
    mut known: HashMap<VehicleId, Vehicle>,
    on_taken: OnTaken,
) -> (Batch, Vec<&Keyed>) {
    let mut outcome = Batch::default();
    let mut rows = Vec::new();
    for (place, row) in batch.iter().enumerate() {
        let Some(id) = row.0 else {
            rows.push(row);
            continue;
        };
        let vehicle = Vehicle::stored(id, row.1.clone());
        match known.get(&id) {
            None => {
                // Another row of the batch may have the same id.
                known.insert(id, vehicle);
                rows.push(row);
            }
            Some(known) if *known == vehicle => outcome.present += 1,
            Some(_) => {
                outcome.taken.push(place);
                if on_taken == OnTaken::Stop {
                    break;
                }
            }
        }
    }
    (outcome, rows)
}

fn to_row((id, new_vehicle): &Keyed) -> ActiveModel {
    ActiveModel {
        id: id.map_or(ActiveValue::NotSet, |id| Set(id.get())),
        ..to_entity::vehicle(new_vehicle)
    }
}

fn is_collision(error: &StoreError) -> bool {
    match error {
        StoreError::Unexpected(error) => {
            matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_)))
        }
        _ => false,
    }
}

/// Commits; if the answer is lost, nobody knows whether that happened.
async fn commit(transaction: DatabaseTransaction, store: &Store) -> Result<(), StoreError> {
    // The database gives up in its own time and with certainty, unless nothing is heard of it.
    let hopeless = store.settings.timeout * 3;
    match timeout(hopeless, transaction.commit()).await {
        Ok(answer) => store
            .pools
            .losses
            .heard(answer)
            .map_err(StoreError::of_commit),
        Err(_) => Err(StoreError::OutcomeUnknown(no_answer_within(hopeless))),
    }
}
