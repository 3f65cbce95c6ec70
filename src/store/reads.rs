//! Lookups and lists, which share statements.

use std::{collections::HashMap, sync::Arc};

use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, QueryFilter, QueryOrder, QuerySelect};

use super::batch::{Batcher, QUEUE};
use super::connect::Database;
use super::error::Error;
use super::pages;
use crate::catalogue::PageRequest;
use crate::catalogue::vehicle::{self, Column, Model, Row};

pub(super) type Found = Result<Option<Arc<Model>>, Error>;

/// Vehicles that several concurrent responses can share.
pub type Vehicles = Arc<Vec<Model>>;

pub(super) type Listed = Result<Vehicles, Error>;

/// The maximum number of requests in a statement.
const LOOKUPS: usize = 128;
const LISTS: usize = 256;

pub(super) fn lookups(database: &Database) -> Batcher<i64, Found> {
    let database = database.clone();
    Batcher::new(2, LOOKUPS, QUEUE, move |ids| {
        find_all(database.clone(), ids)
    })
}

pub(super) fn lists(database: &Database) -> Batcher<u64, Listed> {
    let database = database.clone();
    Batcher::new(2, LISTS, QUEUE, move |limits| {
        list_all(database.clone(), limits)
    })
}

pub(super) fn pages(database: &Database) -> Batcher<PageRequest, Listed> {
    let database = database.clone();
    Batcher::new(2, LISTS, QUEUE, move |requests| {
        page_all(database.clone(), requests)
    })
}

/// One statement finds all ids.
async fn find_all(database: Database, ids: Vec<i64>) -> Vec<Found> {
    let mut keys = ids.clone();
    keys.sort_unstable();
    keys.dedup();
    // A connection caches the statements of few lengths.
    keys.resize(keys.len().next_power_of_two(), *keys.last().unwrap_or(&0));
    let find = || find(&database.read, &keys);
    match database.retry(find).await {
        Ok(found) => {
            let found = found
                .into_iter()
                .map(|Row(vehicle)| (vehicle.id, Arc::new(vehicle)));
            let found: HashMap<_, _> = found.collect();
            ids.iter().map(|id| Ok(found.get(id).cloned())).collect()
        }
        Err(error) => vec![Err(error); ids.len()],
    }
}

async fn find(db: &impl ConnectionTrait, ids: &[i64]) -> Result<Vec<Row>, DbErr> {
    let ids = ids.iter().copied();
    let find = vehicle::select().filter(Column::Id.is_in(ids));
    find.into_model().all(db).await
}

/// The longest list contains the others.
async fn list_all(database: Database, limits: Vec<u64>) -> Vec<Listed> {
    let longest = limits.iter().max().copied().unwrap_or(0);
    let list = || async {
        let list = vehicle::select().order_by_asc(Column::Id).limit(longest);
        let rows: Vec<Row> = list.into_model().all(&database.read).await?;
        Ok(rows.into_iter().map(|Row(vehicle)| vehicle).collect())
    };
    let listed = database.retry(list).await.map(Arc::new);
    vec![listed; limits.len()]
}

/// One statement for all equal requests.
async fn page_all(database: Database, requests: Vec<PageRequest>) -> Vec<Listed> {
    let mut read: HashMap<&PageRequest, Listed> = HashMap::new();
    for request in &requests {
        if !read.contains_key(request) {
            let page = database
                .retry(|| pages::read(&database.read, request))
                .await;
            read.insert(request, page.map(Arc::new));
        }
    }
    requests
        .iter()
        .map(|request| read[request].clone())
        .collect()
}
