//! Updates and deletions: read with a lock, compare, write, in a transaction that is repeated after conflicts. Those that
//! wait share a transaction on SQLite, where one writes at a time.

use sea_orm::{
    ActiveModelTrait, ActiveValue, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr,
    EntityTrait, IntoActiveModel, Iterable, ModelTrait, QuerySelect, Set, TransactionTrait,
};
use tokio::time::timeout_at;

use super::backoff::Backoff;
use super::batch::{Batcher, QUEUE};
use super::code::Kind;
use super::connect::{Database, begin};
use super::error::{Cause, Error};
use crate::catalogue::vehicle::{ActiveModel, Column, Entity, Model};

/// The maximum number of changes in a transaction of SQLite.
const CHANGES: usize = 64;

/// A change of a vehicle. With an expected version, a vehicle that has another one is not changed.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// What is not set stays as it is.
    Update {
        id: i64,
        to: ActiveModel,
        expected: Option<i32>,
    },
    Delete {
        id: i64,
        expected: Option<i32>,
    },
}

/// Why a vehicle was not changed or deleted; nothing was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no vehicle with this id.
    #[error("there is no vehicle with this id")]
    NotFound,
    /// The vehicle has another version than expected.
    #[error("the vehicle has version {current}, not {expected}")]
    Conflict {
        /// The expected version.
        expected: i32,
        /// The version of the vehicle.
        current: i32,
    },
    /// The vehicle has the highest version, [`i32::MAX`].
    #[error(
        "the vehicle has the highest version, {}: set its column `version` to 1",
        i32::MAX
    )]
    NoVersionLeft,
}

/// The vehicle as it is stored now, of a deletion as it was.
pub(super) type Changed = Result<Option<Model>, Refusal>;

pub(super) fn changes(database: &Database) -> Batcher<Change, Result<Changed, Error>> {
    let (workers, batch) = match database.write.get_database_backend() {
        DbBackend::Sqlite => (1, CHANGES),
        // Changes that wait for rows leave connections to other statements.
        _ => ((database.settings().pool_size / 2).max(1) as usize, 1),
    };
    let database = database.clone();
    Batcher::new(workers, batch, QUEUE, move |changes| {
        apply_all(database.clone(), changes)
    })
}

async fn apply_all(database: Database, changes: Vec<Change>) -> Vec<Result<Changed, Error>> {
    match transact(&database, &changes).await {
        Ok(results) => results,
        Err(error) => vec![Err(error); changes.len()],
    }
}

/// Applies changes in one transaction, which is repeated as long as it is certain that nothing was stored.
async fn transact(
    database: &Database,
    changes: &[Change],
) -> Result<Vec<Result<Changed, Error>>, Error> {
    let limit = database.settings().timeout;
    let mut backoff = Backoff::new(limit);
    loop {
        let attempt = timeout_at(backoff.deadline, attempt(database, changes)).await;
        let cause = match attempt.map_err(|_| Error::Unavailable(Cause::timeout(limit)))? {
            Ok((transaction, results)) => {
                // The server aborts a commit that takes too long, unless it does not respond at all.
                match timeout_at(backoff.deadline + limit, transaction.commit()).await {
                    Ok(Ok(())) => return Ok(results),
                    Ok(Err(error)) => commit_failed(error.into())?,
                    Err(_) => return Err(Error::OutcomeUnknown(Cause::timeout(limit))),
                }
            }
            Err(error) => Cause::from(error),
        };
        if !cause.is_retryable() || !backoff.wait().await {
            return Err(cause.into());
        }
        if cause.is_stale() {
            database.write.discard_idle();
        }
    }
}

/// The cause of a commit that has certainly stored nothing.
fn commit_failed(cause: Cause) -> Result<Cause, Error> {
    match cause.kind() {
        Kind::Lost => Err(Error::OutcomeUnknown(cause)),
        Kind::Conflict | Kind::Unavailable | Kind::Unique | Kind::Refused => Ok(cause),
    }
}

async fn attempt(
    database: &Database,
    changes: &[Change],
) -> Result<(DatabaseTransaction, Vec<Result<Changed, Error>>), DbErr> {
    let transaction = begin(&database.write.pool).await?;
    let mut results = Vec::with_capacity(changes.len());
    for change in changes {
        results.push(match changes {
            [_] => Ok(apply(&transaction, change).await?),
            _ => in_savepoint(&transaction, change).await?,
        });
    }
    Ok((transaction, results))
}

/// Applies a change so that its failure leaves the others.
async fn in_savepoint(
    transaction: &DatabaseTransaction,
    change: &Change,
) -> Result<Result<Changed, Error>, DbErr> {
    let savepoint = transaction.begin().await?;
    match apply(&savepoint, change).await {
        Ok(changed) => savepoint.commit().await.map(|()| Ok(changed)),
        Err(error) => match Cause::from(error.clone()).kind() {
            Kind::Refused | Kind::Unique => savepoint.rollback().await.map(|()| Err(error.into())),
            Kind::Lost | Kind::Conflict | Kind::Unavailable => Err(error),
        },
    }
}

async fn apply(db: &DatabaseTransaction, change: &Change) -> Result<Changed, DbErr> {
    match change {
        Change::Update { id, to, expected } => {
            let Some(current) = locked(db, *id).await? else {
                return Ok(Err(Refusal::NotFound));
            };
            let mut changed = current.clone().into_active_model();
            for column in Column::iter() {
                if let ActiveValue::Set(value) = to.get(column) {
                    changed.set_if_not_equals(column, value);
                }
            }
            // Without a difference, whatever the expected version is: a repetition of an update succeeds.
            if !changed.is_changed() {
                return Ok(Ok(Some(current)));
            }
            if let Err(conflict) = check_version(&current, *expected) {
                return Ok(Err(conflict));
            }
            let Some(version) = current.version.checked_add(1) else {
                return Ok(Err(Refusal::NoVersionLeft));
            };
            changed.version = Set(version);
            changed.update(db).await.map(|changed| Ok(Some(changed)))
        }
        Change::Delete { id, expected } => {
            let Some(current) = locked(db, *id).await? else {
                return Ok(Ok(None));
            };
            if let Err(conflict) = check_version(&current, *expected) {
                return Ok(Err(conflict));
            }
            // A trigger can keep the row.
            match current.clone().delete(db).await?.rows_affected {
                0 => Err(DbErr::RecordNotUpdated),
                _ => Ok(Ok(Some(current))),
            }
        }
    }
}

/// The row, which no other transaction changes before the end of this one. SQLite has no locks of rows, and needs none.
async fn locked(db: &DatabaseTransaction, id: i64) -> Result<Option<Model>, DbErr> {
    Entity::find_by_id(id).lock_exclusive().one(db).await
}

fn check_version(current: &Model, expected: Option<i32>) -> Result<(), Refusal> {
    match expected {
        Some(expected) if expected != current.version => Err(Refusal::Conflict {
            expected,
            current: current.version,
        }),
        _ => Ok(()),
    }
}
