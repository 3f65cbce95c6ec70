//! Storing vehicles.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::NaiveDate;
use sea_orm::sea_query::Query;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, EntityTrait, Iterable, QueryTrait,
    RuntimeErr, Statement, Values,
};
use tokio::time::timeout;

use super::{line, no_answer_within, to_all};
use crate::catalogue::{BrandName, LaunchDate, NewVehicle, Vehicle, VehicleId};
use crate::store::conflicts::settled;
use crate::store::entity::vehicle;
use crate::store::error::{StoreError, is_refusal};
use crate::store::galera;
use crate::store::lane::Work;
use crate::store::line::{Line, Lines};
use crate::store::{to_catalogue, to_entity};

/// One `INSERT` of several rows for all the vehicles that are stored. It commits by itself, as a
/// whole or not at all.
pub(in crate::store) struct Inserts {
    lines: Arc<Lines>,
    ids: Ids,
    patience: Duration,
}

/// How a database tells the ids of the rows of an insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Ids {
    /// It returns the rows that it stored.
    Returned,
    /// It tells the first. MySQL numbers the rows of one `INSERT … VALUES` in their order, each
    /// this much higher than the one before, in every mode of `innodb_autoinc_lock_mode`, since it
    /// knows beforehand how many they are:
    /// <https://dev.mysql.com/doc/refman/8.4/en/innodb-auto-increment-handling.html>.
    FromFirst {
        /// The session's `auto_increment_increment`.
        step: u64,
    },
    /// It tells the first, and the step changes while it runs: nodes of a Galera cluster make it as
    /// wide as there are nodes. Each vehicle is stored for itself.
    OfOne,
}

impl Ids {
    /// MariaDB returns rows since 10.5; MySQL does not.
    pub(in crate::store) async fn of_mysql(db: &DatabaseConnection) -> Result<Self, DbErr> {
        let asked = "SELECT VERSION(), CAST(@@SESSION.auto_increment_increment AS SIGNED)";
        let asked = Statement::from_string(DbBackend::MySql, asked);
        let nothing = || DbErr::Custom("the database does not tell its version".to_owned());
        let told = db.query_one_raw(asked).await?.ok_or_else(nothing)?;
        let version: String = told.try_get_by_index(0)?;
        if version.contains("MariaDB") && returns_rows(&version) {
            return Ok(Self::Returned);
        }
        let node = galera::is_node(db.get_mysql_connection_pool()).await;
        if node.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(error.into())))? {
            return Ok(Self::OfOne);
        }
        let step: i64 = told.try_get_by_index(1)?;
        let step = step.unsigned_abs();
        Ok(Self::FromFirst { step })
    }
}

/// Whether a MariaDB of this version, `10.11.6-MariaDB-…`, is at least 10.5.
fn returns_rows(version: &str) -> bool {
    // Replication made older versions pretend to be a MySQL of this version.
    let version = version.strip_prefix("5.5.5-").unwrap_or(version);
    let mut numbers = version.split('.').map_while(|part| part.parse().ok());
    let version: (u32, u32) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    version >= (10, 5)
}

impl Inserts {
    /// The most rows of a statement: a connection can keep the statements of all sizes prepared.
    pub(in crate::store) const MOST: usize = 64;

    pub(in crate::store) fn new(lines: Arc<Lines>, ids: Ids, patience: Duration) -> Self {
        Self {
            lines,
            ids,
            patience,
        }
    }

    /// Stores all or none; what is not stored can be tried again.
    async fn store(&self, new: &[NewVehicle]) -> Result<Vec<Vehicle>, StoreError> {
        let Ok(line) = timeout(self.patience, line(&self.lines)).await else {
            return Err(StoreError::Unavailable(no_answer_within(self.patience)));
        };
        let line = line.map_err(StoreError::classify)?;
        // The database gives a statement up in its own time, and says so. Only when nothing is heard
        // from it, either, is the outcome unknown.
        let hopeless = self.patience * 2;
        match timeout(hopeless, self.send(line, new)).await {
            Ok(stored) => stored.map_err(StoreError::of_commit),
            Err(_) => Err(StoreError::OutcomeUnknown(no_answer_within(hopeless))),
        }
    }

    async fn send(&self, mut line: Line<'_>, new: &[NewVehicle]) -> Result<Vec<Vehicle>, DbErr> {
        let insert = statement(self.lines.backend(), self.ids, new);
        match self.ids {
            Ids::Returned => {
                let values = insert.values.unwrap_or(Values(Vec::new()));
                let rows = line.rows(&insert.sql, values).await;
                let rows = line.end(rows)?;
                in_order(new, rows.into_iter().map(to_catalogue::vehicle).collect())
            }
            Ids::FromFirst { step } => {
                let first = line.first_id(insert).await;
                numbered(line.end(first)?, step, new)
            }
            Ids::OfOne => {
                let first = line.first_id(insert).await;
                numbered(line.end(first)?, 0, new)
            }
        }
    }

    async fn store_each(&self, new: &[NewVehicle]) -> Vec<Result<Vehicle, StoreError>> {
        let mut answers = Vec::with_capacity(new.len());
        for one in new.chunks(1) {
            let stored = settled(self.patience, || self.store(one)).await;
            answers.push(stored.map(|mut stored| stored.swap_remove(0)));
        }
        answers
    }
}

impl Work for Inserts {
    const NAME: &'static str = "INSERT vehicle";

    type Request = NewVehicle;
    type Answer = Result<Vehicle, StoreError>;

    fn together(_: &NewVehicle, _: &NewVehicle) -> bool {
        true
    }

    async fn run(&self, new: Vec<NewVehicle>) -> Vec<Self::Answer> {
        if self.ids == Ids::OfOne {
            return self.store_each(&new).await;
        }
        match settled(self.patience, || self.store(&new)).await {
            Ok(stored) => stored.into_iter().map(Ok).collect(),
            // One of them is refused, and with it all: each for itself, the others are not.
            Err(StoreError::Unexpected(error)) if new.len() > 1 && is_refusal(&error) => {
                self.store_each(&new).await
            }
            Err(failure) => to_all(&failure, new.len()),
        }
    }
}

fn statement(backend: DbBackend, ids: Ids, new: &[NewVehicle]) -> Statement {
    let rows = new.iter().map(to_entity::vehicle);
    let mut insert = vehicle::Entity::insert_many(rows).into_query();
    if ids == Ids::Returned {
        insert.returning(Query::returning().columns(vehicle::Column::iter()));
    }
    let mut statement = backend.build(&insert);
    if ids == Ids::Returned && backend == DbBackend::MySql {
        // MariaDB has the clause; what is built for MySQL leaves it out.
        statement.sql.push_str(RETURNING);
    }
    statement
}

const RETURNING: &str = " RETURNING `id`, `type`, `model_code`, `brand_name`, `launch_date`";

/// The stored vehicles in the order of the new ones. No database promises to return rows in the
/// order they were given; vehicles that have the same content are interchangeable.
fn in_order(new: &[NewVehicle], stored: Vec<Vehicle>) -> Result<Vec<Vehicle>, DbErr> {
    if stored.len() != new.len() {
        let (rows, returned) = (new.len(), stored.len());
        let message = format!("an insert of {rows} rows has returned {returned}");
        return Err(DbErr::Custom(message));
    }
    let pairs = || {
        new.iter()
            .map(content)
            .zip(stored.iter().map(stored_content))
    };
    if pairs().all(|(new, stored)| new == stored) {
        return Ok(stored);
    }
    let mut by_content: HashMap<_, Vec<Vehicle>> = HashMap::new();
    for vehicle in &stored {
        let same = by_content.entry(stored_content(vehicle)).or_default();
        same.push(vehicle.clone());
    }
    let ordered = new
        .iter()
        .map(|new| by_content.get_mut(&content(new))?.pop());
    let altered = || DbErr::Custom("the database has altered what it stored".to_owned());
    ordered.collect::<Option<_>>().ok_or_else(altered)
}

type Content<'a> = (&'a str, &'a str, Option<&'a str>, Option<NaiveDate>);

fn content(new: &NewVehicle) -> Content<'_> {
    (
        new.r#type.as_str(),
        new.model_code.as_str(),
        new.brand_name.as_ref().map(BrandName::as_str),
        new.launch_date.map(LaunchDate::get),
    )
}

fn stored_content(vehicle: &Vehicle) -> Content<'_> {
    (
        &vehicle.r#type,
        &vehicle.model_code,
        vehicle.brand_name.as_deref(),
        vehicle.launch_date,
    )
}

fn numbered(first: u64, step: u64, new: &[NewVehicle]) -> Result<Vec<Vehicle>, DbErr> {
    let too_high = |_| DbErr::Custom("the database has made an id beyond 64 bits".to_owned());
    let ids = (0..).map(|place| i64::try_from(first + place * step).map_err(too_high));
    let stored = ids.zip(new).map(|(id, new)| {
        let id = VehicleId::from_key(id?);
        Ok(Vehicle::stored(id, new.clone()))
    });
    stored.collect()
}
