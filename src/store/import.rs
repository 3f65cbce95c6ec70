//! Stores the vehicles of a file in batches, each of them a create.

use std::collections::{HashMap, hash_map::Entry};

use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbBackend, DbErr, EntityTrait, IdenStatic, Iterable, QueryFilter,
    Statement,
};
use tokio::time::Instant;

use super::Store;
use super::creates::{Created, create, rows};
use super::error::Error;
use crate::catalogue::Checked;
use crate::catalogue::vehicle::{ActiveModel, Column, Entity, field_name};

/// The maximum number of attempts for a batch whose ids collide with concurrent inserts.
const ATTEMPTS: u32 = 4;

/// What to do with a vehicle whose id belongs to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
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
    /// The vehicles whose id belongs to another vehicle. With [`OnConflict::Stop`] there is at most one, and nothing from
    /// it on was stored.
    pub conflicts: Vec<Conflict>,
}

/// A vehicle of a batch that is stored with other values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The index in the batch.
    pub index: usize,
    /// The id of both.
    pub id: i64,
    /// The fields of the contract whose values differ.
    pub fields: Vec<String>,
}

impl Store {
    /// Stores a batch of at most 2,000 vehicles of a file atomically, except for those whose ids belong to others.
    pub async fn import(&self, batch: Vec<Checked>, on_conflict: OnConflict) -> Result<Batch, Error> {
        let batch = rows(batch);
        let mut existing = HashMap::new();
        let mut attempt = 1;
        loop {
            let (result, new) = partition(&batch, existing, on_conflict);
            if new.is_empty() {
                return Ok(result);
            }
            if let Some(highest) = new.iter().filter_map(id).max() {
                self.advance_ids(highest).await?;
            }
            let deadline = Instant::now() + self.database.settings().timeout;
            match create(&self.database, new, None, deadline).await {
                Ok(Created::New(_) | Created::Before(_)) => return Ok(result),
                // Collisions are rare, so ids are looked up only after one.
                Ok(Created::KeyReused) | Err(Error::Conflict(_)) if attempt < ATTEMPTS => {
                    existing = self.existing(&batch).await?;
                    attempt += 1;
                }
                Ok(Created::KeyReused) => return Err(DbErr::RecordNotInserted.into()),
                Err(error) => return Err(error),
            }
        }
    }

    /// The stored vehicles that have ids of the batch.
    async fn existing(&self, batch: &[ActiveModel]) -> Result<HashMap<i64, ActiveModel>, Error> {
        let ids: Vec<_> = batch.iter().filter_map(id).collect();
        let find = || Entity::find().filter(Column::Id.is_in(ids.iter().copied()));
        let database = &self.database;
        let found = database.retry(|| find().all(&database.write)).await?;
        let found = found.into_iter().map(|vehicle| (vehicle.id, vehicle.into()));
        Ok(found.collect())
    }

    /// Lets the sequence of PostgreSQL continue behind this id; the other databases do that by themselves.
    async fn advance_ids(&self, highest: i64) -> Result<(), Error> {
        if self.database.write.get_database_backend() != DbBackend::Postgres {
            return Ok(());
        }
        let sequence = "pg_get_serial_sequence('vehicle', 'id')::regclass";
        let is_behind = format!("COALESCE(pg_sequence_last_value({sequence}), 0) < $1");
        let query = |select: &str| {
            let sql = format!("SELECT {select} WHERE {is_behind}");
            Statement::from_sql_and_values(DbBackend::Postgres, sql, [highest.into()])
        };
        let write = &self.database.write;
        if write.query_one_raw(query("1")).await?.is_some() {
            // The lock prevents other inserts between the comparison and `setval`.
            let transaction = self.database.begin().await?;
            let lock = "LOCK TABLE vehicle IN SHARE ROW EXCLUSIVE MODE";
            transaction.execute_unprepared(lock).await?;
            let set = query(&format!("setval({sequence}, $1)"));
            transaction.query_one_raw(set).await?;
            transaction.commit().await?;
        }
        Ok(())
    }
}

/// Splits a batch into the rows to insert and the result for all.
fn partition(
    batch: &[ActiveModel],
    mut existing: HashMap<i64, ActiveModel>,
    on_conflict: OnConflict,
) -> (Batch, Vec<ActiveModel>) {
    let (mut result, mut new) = (Batch::default(), Vec::new());
    for (index, row) in batch.iter().enumerate() {
        // Another row of the batch may have the same id.
        match id(row).map(|id| existing.entry(id)) {
            Some(Entry::Occupied(stored)) => match differences(stored.get(), row) {
                fields if fields.is_empty() => result.unchanged += 1,
                fields => {
                    let id = *stored.key();
                    result.conflicts.push(Conflict { index, id, fields });
                    if on_conflict == OnConflict::Stop {
                        break;
                    }
                }
            },
            vacant => {
                if let Some(entry) = vacant {
                    entry.insert_entry(row.clone());
                }
                result.stored += 1;
                new.push(row.clone());
            }
        }
    }
    (result, new)
}

/// The fields in which a row differs from a stored vehicle; the version and the key are not compared.
fn differences(stored: &ActiveModel, row: &ActiveModel) -> Vec<String> {
    use Column::{CreationDigest, CreationKey, Id, Version};
    let is_content = |column: &Column| !matches!(column, Id | Version | CreationKey | CreationDigest);
    let value = |row: &ActiveModel, column| row.get(column).into_value();
    Column::iter()
        .filter(is_content)
        .filter(|column| value(stored, *column) != value(row, *column))
        .map(|column| field_name(column.as_str()))
        .collect()
}

fn id(row: &ActiveModel) -> Option<i64> {
    row.id.try_as_ref().copied()
}
