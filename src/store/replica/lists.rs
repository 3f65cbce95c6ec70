//! Lists from a replica that has what the primary had when they were asked for.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::{DbErr, EntityTrait, QueryOrder, QuerySelect, QueryTrait, Value, Values};
use tokio::time::{Instant, sleep, timeout};

use super::watch::{POSITION_OF_PRIMARY, POSITION_OF_REPLICA};
use crate::catalogue::Vehicle;
use crate::store::entity::vehicle;
use crate::store::error::StoreError;
use crate::store::lane::Work;
use crate::store::line::{Line, Lines};
use crate::store::to_catalogue;
use crate::store::work::no_answer_within;

/// Between two looks at how far the replica is, at first and at most.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// One list for all who ask for one of the same length.
pub(super) struct FreshLists {
    replica: Arc<Lines>,
    primary: Arc<Lines>,
    lag_limit: Duration,
    patience: Duration,
    sql: String,
}

impl FreshLists {
    /// The most callers of a statement.
    pub(super) const MOST: usize = 256;

    pub(super) fn new(
        replica: Arc<Lines>,
        primary: Arc<Lines>,
        lag_limit: Duration,
        patience: Duration,
    ) -> Self {
        let select = vehicle::Entity::find()
            .order_by_asc(vehicle::Column::Id)
            .limit(1);
        let sql = select.build(replica.backend()).sql;
        Self {
            replica,
            primary,
            lag_limit,
            patience,
            sql,
        }
    }

    async fn list(&self, limit: u64) -> Result<Arc<[Arc<Vehicle>]>, DbErr> {
        // Nobody joins any more: whatever was acknowledged to those who ask is before this.
        let mut line = self.primary.take().await?;
        let position = line.number(POSITION_OF_PRIMARY).await;
        let position = line.end(position)?;
        // Both on one connection: behind one address there may be several replicas.
        let mut line = self.replica.take().await?;
        let rows = self.rows(&mut line, position, limit).await;
        let rows = line.end(rows)?;
        Ok(rows
            .into_iter()
            .map(to_catalogue::vehicle)
            .map(Arc::new)
            .collect())
    }

    async fn rows(
        &self,
        line: &mut Line<'_>,
        position: Option<i64>,
        limit: u64,
    ) -> Result<Vec<vehicle::Model>, DbErr> {
        let started = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            let replayed = line.number(POSITION_OF_REPLICA).await?;
            match replayed.zip(position) {
                None => return Err(DbErr::Custom("it is no replica".to_owned())),
                Some((replayed, position)) if replayed >= position => break,
                Some(_) if started.elapsed() + pause > self.lag_limit => {
                    return Err(DbErr::Custom("the replica is too far behind".to_owned()));
                }
                Some(_) => sleep(pause).await,
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        let values = Values(vec![Value::BigUnsigned(Some(limit))]);
        line.rows(&self.sql, values).await
    }
}

impl Work for FreshLists {
    const NAME: &'static str = "SELECT vehicle in order";

    type Request = u64;
    type Answer = Result<Arc<[Arc<Vehicle>]>, StoreError>;

    fn together(first: &u64, next: &u64) -> bool {
        first == next
    }

    async fn run(&self, limits: Vec<u64>) -> Vec<Self::Answer> {
        let answer = match timeout(self.patience, self.list(limits[0])).await {
            Ok(answer) => answer.map_err(StoreError::classify),
            Err(_) => Err(StoreError::Unavailable(no_answer_within(self.patience))),
        };
        vec![answer; limits.len()]
    }
}
