//! Creates vehicles, with an idempotency key at most once.
//!
//! A key is stored in the row of its vehicle, in a column with a unique index. A create with a key that a row has
//! is refused by the database as a whole, and then finds the vehicles of the key; the digest tells whether they were
//! created by the same arguments. So a create with a key can be repeated when its outcome is unknown.

use std::time::{Duration, Instant};

use database::{Database, Error, column};
use sea_orm::{
    ColumnTrait, DbErr, EntityTrait, FromQueryResult, IdenStatic, QueryFilter, QueryResult, Set,
    SqlErr,
};
use tokio::time::sleep;

use super::entity::{ActiveModel, Column, Entity, new_row};
use crate::catalogue::{NewVehicle, Vehicle};

/// The delay between attempts with an unknown outcome.
const RETRY_DELAY: Duration = Duration::from_millis(50);

/// The maximum number of attempts of a create whose key belongs to vehicles that are deleted meanwhile.
const ATTEMPTS: u32 = 3;

/// What identifies a create, so that it is stored once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreationKey {
    /// Different for each vehicle.
    pub key: [u8; 16],
    /// Of all arguments of the create.
    pub digest: [u8; 8],
}

/// A vehicle to be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Create {
    /// The vehicle.
    pub vehicle: NewVehicle,
    /// Its key, if it may be repeated.
    pub key: Option<CreationKey>,
}

/// The result of a create.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Created<T> {
    /// It was stored.
    New(T),
    /// It had been stored with the same key: the vehicles as they are now.
    Before(T),
    /// Nothing was stored: the key belongs to another create, or to one of which some vehicles were deleted.
    KeyReused,
}

impl<T> Created<T> {
    /// The same result with what this function makes of the vehicles.
    pub(super) fn map<U>(self, function: impl FnOnce(T) -> U) -> Created<U> {
        match self {
            Self::New(created) => Created::New(function(created)),
            Self::Before(created) => Created::Before(function(created)),
            Self::KeyReused => Created::KeyReused,
        }
    }
}

/// The result of an attempt: what was stored, or the error of the unique index, which is no failure of the database.
pub(super) type Inserted<T> = Result<T, Error>;

/// A vehicle with the key and the digest of its creation.
#[derive(Clone, Debug)]
pub(super) struct CreatedVehicle {
    pub(super) vehicle: Vehicle,
    key: Option<Vec<u8>>,
    digest: Option<Vec<u8>>,
}

impl CreatedVehicle {
    fn has_key(&self, key: Option<CreationKey>) -> bool {
        self.key.as_deref() == key.as_ref().map(|key| &key.key[..])
    }

    fn has_digest(&self, key: Option<CreationKey>) -> bool {
        self.digest.as_deref() == key.as_ref().map(|key| &key.digest[..])
    }
}

impl FromQueryResult for CreatedVehicle {
    fn from_query_result(row: &QueryResult, prefix: &str) -> Result<Self, DbErr> {
        Ok(Self {
            vehicle: Vehicle::from_query_result(row, prefix)?,
            key: column(row, Column::CreationKey.as_str())?,
            digest: column(row, Column::CreationDigest.as_str())?,
        })
    }
}

impl From<&Create> for ActiveModel {
    fn from(create: &Create) -> Self {
        Self {
            creation_key: Set(create.key.map(|key| key.key.to_vec())),
            creation_digest: Set(create.key.map(|key| key.digest.to_vec())),
            ..new_row(&create.vehicle)
        }
    }
}

/// Creates vehicles with attempts that store all of them or none, with keys at most once.
pub(super) async fn create<A>(
    database: &Database,
    new: &[Create],
    attempt: impl Fn() -> A,
) -> Result<Created<Vec<Vehicle>>, Error>
where
    A: Future<Output = Result<Inserted<Vec<Vehicle>>, Error>>,
{
    let deadline = Instant::now() + database.settings().timeout;
    let has_keys = new.iter().all(|create| create.key.is_some());
    let mut unknown = None;
    let mut attempts = 0;
    loop {
        attempts += 1;
        let result = match attempt().await {
            Ok(Ok(vehicles)) => return Ok(Created::New(vehicles)),
            Ok(Err(error)) | Err(error) if !has_keys => return Err(error),
            Ok(Err(collision)) => match find_created(database, new).await {
                // They were deleted meanwhile.
                Ok(found) if found.is_empty() && attempts < ATTEMPTS => continue,
                Ok(found) if found.is_empty() => Err(collision),
                Ok(found) => match existing(new, found) {
                    // The attempt with the unknown outcome has stored them.
                    Created::Before(vehicles) if unknown.is_some() => Ok(Created::New(vehicles)),
                    created => Ok(created),
                },
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        };
        match result {
            Ok(created) => return Ok(created),
            // A repetition stores nothing twice.
            Err(error @ Error::OutcomeUnknown(_)) => unknown = Some(error),
            Err(error @ (Error::Unavailable(_) | Error::Busy { .. })) => {
                if unknown.is_none() {
                    return Err(error);
                }
            }
            Err(error) => return Err(unknown.unwrap_or(error)),
        }
        if Instant::now() + RETRY_DELAY >= deadline
            && let Some(unknown) = unknown
        {
            return Err(unknown);
        }
        sleep(RETRY_DELAY).await;
    }
}

async fn find_created(database: &Database, new: &[Create]) -> Result<Vec<CreatedVehicle>, Error> {
    let keys = new.iter().filter_map(|create| create.key);
    let keys = keys.map(|key| key.key.to_vec());
    let find = Entity::find().filter(Column::CreationKey.is_in(keys));
    Ok(find.into_model().all(&database.reader()).await?)
}

/// The vehicles that have the keys of a create.
fn existing(new: &[Create], mut found: Vec<CreatedVehicle>) -> Created<Vec<Vehicle>> {
    let mut vehicles = Vec::with_capacity(new.len());
    for create in new {
        let index = found.iter().position(|vehicle| vehicle.has_key(create.key));
        match index.map(|index| found.swap_remove(index)) {
            Some(created) if created.has_digest(create.key) => vehicles.push(created.vehicle),
            _ => return Created::KeyReused,
        }
    }
    Created::Before(vehicles)
}

/// Separates the error of a unique index from the others.
pub(super) fn separate_collision<T>(stored: Result<T, Error>) -> Result<Inserted<T>, Error> {
    match stored {
        Err(error) if is_collision(&error) => Ok(Err(error)),
        stored => stored.map(Ok),
    }
}

/// Whether a unique index refused a row.
pub(super) fn is_collision(error: &Error) -> bool {
    match error {
        Error::Unexpected(error) => {
            matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_)))
        }
        _ => false,
    }
}
