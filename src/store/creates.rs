//! Creates vehicles, each at most once.
//!
//! Every create has a creation key, in a column with a unique index: that of the client, or a random one. Creates that wait
//! share an `INSERT`, whose rows are matched by their keys. One that the database refuses is repeated one by one, and one
//! whose connection was lost is sent again, until the keys tell what was stored.

use std::{collections::HashMap, time::Duration};

use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, Select};
use tokio::time::Instant;
use uuid::Uuid;

use super::cause::{Cause, Kind};
use super::connect::Database;
use super::error::Error;
use super::wait::Backoff;
use crate::catalogue::Checked;
use crate::catalogue::vehicle::{ActiveModel, Column, Entity, Model};

/// The maximum number of attempts of a create whose keys belong to vehicles that are deleted meanwhile.
const MAX_COLLISIONS: u32 = 3;

/// The result of a create.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Created {
    /// It was stored.
    New(Vec<Model>),
    /// It had been stored with the same keys: the vehicles as they are now.
    Before(Vec<Model>),
    /// Nothing was stored: the keys belong to another create, or to one of which some vehicles were deleted.
    KeyReused,
}

/// Vehicles to be created, all or none. Each has a key.
pub(super) type Create = Vec<ActiveModel>;

/// The rows of a create. Those without a key get a random one that is ordered by time, so that the index grows at its end.
pub(super) fn rows(new: Vec<Checked>) -> Create {
    let new = new.into_iter().map(|vehicle| match key(vehicle.row()) {
        Some(_) => vehicle.into_row(),
        None => vehicle.with_key(Uuid::now_v7().into_bytes(), None).into_row(),
    });
    new.collect()
}

/// Stores creates by one statement; if that fails, one by one. They share the time of a create.
pub(super) async fn create_all(database: Database, creates: Vec<Create>) -> Vec<Result<Created, Error>> {
    let limit = database.settings().timeout;
    let deadline = Instant::now() + limit;
    let mut failed = None::<Cause>;
    if creates.len() > 1 {
        let all = creates.iter().flatten().cloned().collect();
        match database.within(deadline + grace(limit), insert(&database, all)).await {
            Ok(stored) => {
                let mut stored = stored.into_iter();
                let mut next = |create: &Create| stored.by_ref().take(create.len()).collect();
                let results = creates.iter().map(|create| Ok(Created::New(next(create))));
                return results.collect();
            }
            Err(cause) => failed = Some(cause),
        }
    }
    let mut results = Vec::with_capacity(creates.len());
    for one in creates {
        results.push(create(&database, one, failed.clone(), deadline).await);
    }
    results
}

/// The server, or SQLite, aborts a statement that takes too long, unless it does not respond at all. To wait a little longer
/// than that tells the two apart.
fn grace(limit: Duration) -> Duration {
    limit / 4
}

/// Repeats a create until its outcome is known, or the deadline is over. `failed` is an earlier attempt.
pub(super) async fn create(
    database: &Database,
    new: Create,
    failed: Option<Cause>,
    deadline: Instant,
) -> Result<Created, Error> {
    let limit = database.settings().timeout;
    let (mut backoff, mut collisions) = (Backoff::until(deadline), 0);
    let mut may_be_stored = failed.as_ref().is_some_and(Cause::may_be_stored);
    if let Some(cause) = failed.filter(|_| Instant::now() >= deadline) {
        return Err(if may_be_stored { Error::OutcomeUnknown } else { Error::Unavailable }(cause));
    }
    loop {
        let cause = match database.within(deadline + grace(limit), insert(database, new.clone())).await {
            Ok(stored) => return Ok(Created::New(stored)),
            Err(cause) => cause,
        };
        may_be_stored |= cause.may_be_stored();
        if cause.kind == Kind::Unique {
            let found = find_created(database, &new).await;
            let found = found.map_err(|error| match error {
                Error::Unavailable(cause) | Error::Unexpected(cause) if may_be_stored => Error::OutcomeUnknown(cause),
                error => error,
            });
            match existing(&new, found?) {
                // The attempt whose result was lost has stored them.
                Some(Created::Before(stored)) if may_be_stored => return Ok(Created::New(stored)),
                Some(created) => return Ok(created),
                // They were deleted meanwhile.
                None if collisions < MAX_COLLISIONS => {
                    collisions += 1;
                    continue;
                }
                None => return Err(Error::Conflict(cause)),
            }
        }
        // The next attempt finds out, by the keys.
        if !cause.is_retryable() || !backoff.wait().await {
            return Err(if may_be_stored { Error::OutcomeUnknown(cause) } else { cause.into() });
        }
    }
}

/// Inserts vehicles by one statement and returns them in their order.
async fn insert(database: &Database, new: Create) -> Result<Vec<Model>, Cause> {
    let (db, keys) = (&database.write, keys(&new));
    let insert = Entity::insert_many(new);
    let stored = if db.support_returning() {
        insert.exec_with_returning(db).await?
    } else {
        insert.exec_without_returning(db).await?;
        let stored = find_by_keys(&keys).all(db).await;
        stored.map_err(Cause::after_write)?
    };
    in_order(&keys, stored).ok_or_else(|| Cause::after_write(DbErr::RecordNotInserted))
}

async fn find_created(database: &Database, new: &Create) -> Result<Vec<Model>, Error> {
    let keys = keys(new);
    database.retry(|| find_by_keys(&keys).all(&database.write)).await
}

fn find_by_keys(keys: &[Option<Vec<u8>>]) -> Select<Entity> {
    Entity::find().filter(Column::CreationKey.is_in(keys.iter().cloned()))
}

/// What the vehicles that have the keys of a create mean for it; `None` if there are none.
fn existing(new: &Create, found: Vec<Model>) -> Option<Created> {
    if found.is_empty() {
        return None;
    }
    let digest = |row: &ActiveModel| row.creation_digest.try_as_ref().cloned().flatten();
    let is_same = |stored: &Vec<Model>| {
        let stored = stored.iter().map(|vehicle| vehicle.creation_digest.clone());
        new.iter().map(digest).eq(stored)
    };
    let stored = in_order(&keys(new), found).filter(is_same);
    Some(stored.map_or(Created::KeyReused, Created::Before))
}

/// The vehicles that have these keys, in their order; `None` if one is missing.
fn in_order(keys: &[Option<Vec<u8>>], stored: Vec<Model>) -> Option<Vec<Model>> {
    let stored = stored.into_iter().map(|it| (it.creation_key.clone(), it));
    let mut stored: HashMap<_, _> = stored.collect();
    keys.iter().map(|key| stored.remove(key)).collect()
}

fn keys(new: &Create) -> Vec<Option<Vec<u8>>> {
    new.iter().map(key).collect()
}

fn key(row: &ActiveModel) -> Option<Vec<u8>> {
    row.creation_key.try_as_ref().cloned().flatten()
}
