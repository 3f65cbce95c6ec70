//! Updates and deletions: read with a lock, compare, write, in a transaction that is repeated after conflicts. Those that
//! wait share a transaction on SQLite, where one writes at a time.

use sea_orm::{
    ActiveModelTrait, ActiveValue, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait,
    IntoActiveModel, Iterable, ModelTrait, QuerySelect, Set, TransactionTrait,
};

use super::batch::Limits;
use super::connect::Database;
use super::error::Error;
use super::wait::Backoff;
use crate::catalogue::vehicle::{ActiveModel, Column, Entity, Model};

/// A change of the vehicle with this id. With an expected version, a vehicle that has another one is not changed.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) id: i64,
    pub(super) action: Action,
    pub(super) expected: Option<i32>,
}

#[derive(Clone, Debug)]
pub(super) enum Action {
    /// What is not set stays as it is.
    Update(ActiveModel),
    Delete,
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
    #[error("the vehicle has the highest version, {}: set its column `version` to 1", i32::MAX)]
    NoVersionLeft,
}

/// The vehicle as it is stored now, of a deletion as it was, if there is one.
pub(super) type Changed = Result<Option<Model>, Refusal>;

pub(super) fn limits(database: &Database, queue: usize) -> Limits {
    let (statements, batch) = match database.write.get_database_backend() {
        DbBackend::Sqlite => (1, 64),
        // Changes that wait for rows leave connections to other statements.
        _ => ((database.settings().pool_size / 2).max(1) as usize, 1),
    };
    Limits { statements, batch, queue }
}

pub(super) async fn apply_all(database: Database, changes: Vec<Change>) -> Vec<Result<Changed, Error>> {
    let results = transact(&database, &changes).await;
    results.unwrap_or_else(|error| vec![Err(error); changes.len()])
}

/// Applies changes in one transaction, which is repeated as long as it is certain that nothing was stored.
async fn transact(database: &Database, changes: &[Change]) -> Result<Vec<Result<Changed, Error>>, Error> {
    let limit = database.settings().timeout;
    let mut backoff = Backoff::new(limit);
    loop {
        let cause = match database.within(backoff.deadline, attempt(database, changes)).await {
            // The server aborts a commit that takes too long, unless it does not respond at all.
            Ok((transaction, results)) => match database.within(backoff.deadline + limit, transaction.commit()).await {
                Ok(()) => return Ok(results),
                Err(cause) if cause.may_be_stored() => return Err(Error::OutcomeUnknown(cause)),
                Err(cause) => cause,
            },
            Err(cause) => cause,
        };
        if !cause.is_retryable() || !backoff.wait().await {
            return Err(cause.into());
        }
    }
}

async fn attempt(
    database: &Database,
    changes: &[Change],
) -> Result<(DatabaseTransaction, Vec<Result<Changed, Error>>), DbErr> {
    let transaction = database.begin().await?;
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
async fn in_savepoint(transaction: &DatabaseTransaction, change: &Change) -> Result<Result<Changed, Error>, DbErr> {
    let savepoint = transaction.begin().await?;
    match apply(&savepoint, change).await {
        Ok(changed) => savepoint.commit().await.map(|()| Ok(changed)),
        Err(error) => match Error::from(error.clone()) {
            Error::Unexpected(_) | Error::Conflict(_) => savepoint.rollback().await.map(|()| Err(error.into())),
            _ => Err(error),
        },
    }
}

async fn apply(db: &DatabaseTransaction, change: &Change) -> Result<Changed, DbErr> {
    // No other transaction changes the row before the end of this one. SQLite has no locks of rows, and needs none.
    let current = Entity::find_by_id(change.id).lock_exclusive().one(db).await?;
    let Some(current) = current else {
        return Ok(Ok(None));
    };
    let mut changed = current.clone().into_active_model();
    if let Action::Update(to) = &change.action {
        for column in Column::iter() {
            if let ActiveValue::Set(value) = to.get(column) {
                changed.set_if_not_equals(column, value);
            }
        }
        // Without a difference, whatever the expected version is: a repetition of an update succeeds.
        if !changed.is_changed() {
            return Ok(Ok(Some(current)));
        }
    }
    if let Some(expected) = change.expected
        && expected != current.version
    {
        let current = current.version;
        return Ok(Err(Refusal::Conflict { expected, current }));
    }
    match change.action {
        Action::Update(_) => {
            let Some(version) = current.version.checked_add(1) else {
                return Ok(Err(Refusal::NoVersionLeft));
            };
            changed.version = Set(version);
            changed.update(db).await.map(|changed| Ok(Some(changed)))
        }
        // A trigger can keep the row.
        Action::Delete => match current.clone().delete(db).await?.rows_affected {
            0 => Err(DbErr::RecordNotUpdated),
            _ => Ok(Ok(Some(current))),
        },
    }
}
