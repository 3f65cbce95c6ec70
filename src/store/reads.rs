//! Lookups, lists and pages, which share statements, and a snapshot of all vehicles.

use std::{collections::HashMap, sync::Arc};

use sea_orm::{
    AccessMode, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, FromQueryResult, IsolationLevel,
    QueryFilter, QueryOrder, QuerySelect, Select, TransactionOptions, TransactionTrait,
};

use super::connect::Database;
use super::error::Error;
use super::pages::page_statement;
use crate::catalogue::PageRequest;
use crate::catalogue::vehicle::{self, Column, Entity, Model, Row};

/// Vehicles that several concurrent responses can share.
pub type Vehicles = Arc<Vec<Arc<Model>>>;

/// One statement finds all ids.
pub(super) async fn find_all(database: Database, ids: Vec<i64>) -> Vec<Result<Option<Arc<Model>>, Error>> {
    let mut keys = ids.clone();
    keys.sort_unstable();
    keys.dedup();
    // A connection caches the statements of few lengths.
    keys.resize(keys.len().next_power_of_two(), *keys.last().unwrap_or(&0));
    let find = || {
        let find = vehicle::select().filter(Column::Id.is_in(keys.iter().copied()));
        all(&database.read, find)
    };
    match database.retry(find).await {
        Ok(found) => {
            let found = found.into_iter().map(|vehicle| (vehicle.id, vehicle));
            let found: HashMap<_, _> = found.collect();
            ids.iter().map(|id| Ok(found.get(id).cloned())).collect()
        }
        Err(error) => vec![Err(error); ids.len()],
    }
}

/// The longest list contains the others.
pub(super) async fn list_all(database: Database, limits: Vec<u64>) -> Vec<Result<Vehicles, Error>> {
    let longest = limits.iter().max().copied().unwrap_or(0);
    let list = || {
        let list = vehicle::select().order_by_asc(Column::Id).limit(longest);
        all(&database.read, list)
    };
    let listed = database.retry(list).await.map(Arc::new);
    vec![listed; limits.len()]
}

/// One statement for all equal requests.
pub(super) async fn page_all(database: Database, requests: Vec<PageRequest>) -> Vec<Result<Vehicles, Error>> {
    let mut read: HashMap<&PageRequest, Result<Vehicles, Error>> = HashMap::new();
    for request in &requests {
        if !read.contains_key(request) {
            let page = database.retry(|| page(&database.read, request)).await;
            read.insert(request, page.map(Arc::new));
        }
    }
    requests.iter().map(|request| read[request].clone()).collect()
}

/// The vehicles of a page in its order, and one more if another page follows.
async fn page(db: &impl ConnectionTrait, request: &PageRequest) -> Result<Vec<Arc<Model>>, DbErr> {
    let Some(statement) = page_statement(db.get_database_backend(), request) else {
        return Ok(Vec::new());
    };
    let rows = Row::find_by_statement(statement).all(db).await?;
    Ok(rows.into_iter().map(|Row(vehicle)| vehicle).collect())
}

/// The vehicles of a [`vehicle::select`].
async fn all(db: &impl ConnectionTrait, select: Select<Entity>) -> Result<Vec<Arc<Model>>, DbErr> {
    let rows: Vec<Row> = select.into_model().all(db).await?;
    Ok(rows.into_iter().map(|Row(vehicle)| vehicle).collect())
}

/// A consistent snapshot of all vehicles, taken when the first page is read: one read-only transaction on one connection.
pub struct Snapshot {
    transaction: DatabaseTransaction,
    last: i64,
}

impl Snapshot {
    pub(super) async fn begin(database: &Database) -> Result<Self, Error> {
        let pool = database.read.pool();
        let options = match pool.get_database_backend() {
            // A reader of SQLite has a snapshot from its first statement on.
            DbBackend::Sqlite => TransactionOptions::default(),
            _ => TransactionOptions {
                isolation_level: Some(IsolationLevel::RepeatableRead),
                access_mode: Some(AccessMode::ReadOnly),
                ..TransactionOptions::default()
            },
        };
        Ok(Self { transaction: pool.begin_with_options(options).await?, last: 0 })
    }

    /// The highest id, if there is a vehicle.
    pub async fn highest_id(&self) -> Result<Option<i64>, Error> {
        let highest = vehicle::select().order_by_desc(Column::Id).limit(1);
        let highest = all(&self.transaction, highest).await?;
        Ok(highest.first().map(|vehicle| vehicle.id))
    }

    /// The next `limit` vehicles in ascending order of id; none after the last one.
    pub async fn next(&mut self, limit: u64) -> Result<Vec<Arc<Model>>, Error> {
        let page = vehicle::select().filter(Column::Id.gt(self.last));
        let page = page.order_by_asc(Column::Id).limit(limit);
        let page = all(&self.transaction, page).await?;
        if let Some(vehicle) = page.last() {
            self.last = vehicle.id;
        }
        Ok(page)
    }
}
