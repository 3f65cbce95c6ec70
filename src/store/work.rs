//! The statements that answer requests, each for as many as wait.

mod inserts;
mod lists;
mod lookups;

use std::sync::Arc;
use std::time::Duration;

use sea_orm::{DbErr, Values};
use tokio::time::{sleep, timeout};

pub(super) use inserts::{Ids, Inserts};
pub(super) use lists::Lists;
pub(super) use lookups::Lookups;

use super::entity::vehicle;
use super::error::{StoreError, is_lost_connection, was_not_sent};
use super::line::{Line, Lines};

/// How long to wait before a statement is tried again, at first.
const FIRST_PAUSE: Duration = Duration::from_millis(10);

/// How long at most: a database that is back is noticed at once, however long it was away.
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// Statements that only read.
struct Reading {
    lines: Arc<Lines>,
    patience: Duration,
}

impl Reading {
    /// The rows of a query. Sent again as long as its connection turns out to be lost or cannot be
    /// made: a database that restarts costs time, not an answer.
    async fn rows(&self, sql: &str, values: &Values) -> Result<Vec<vehicle::Model>, StoreError> {
        let reading = async {
            let mut pause = FIRST_PAUSE;
            loop {
                match self.once(sql, values).await {
                    Err(error) if is_lost_connection(&error) || was_not_sent(&error) => {}
                    answer => return answer,
                }
                sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        };
        match timeout(self.patience, reading).await {
            Ok(answer) => answer.map_err(StoreError::classify),
            Err(_) => Err(StoreError::Unavailable(no_answer_within(self.patience))),
        }
    }

    async fn once(&self, sql: &str, values: &Values) -> Result<Vec<vehicle::Model>, DbErr> {
        let mut line = self.lines.take().await?;
        let rows = line.rows(sql, values.clone()).await;
        line.end(rows)
    }
}

/// A connection, as soon as there is one: what is not sent yet can be tried again.
async fn line(lines: &Lines) -> Result<Line<'_>, DbErr> {
    let mut pause = FIRST_PAUSE;
    loop {
        match lines.take().await {
            Err(error) if was_not_sent(&error) => {}
            line => return line,
        }
        sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// The same failure for everybody.
fn to_all<T>(failure: &StoreError, many: usize) -> Vec<Result<T, StoreError>> {
    std::iter::repeat_with(|| Err(failure.clone()))
        .take(many)
        .collect()
}

pub(super) fn no_answer_within(patience: Duration) -> DbErr {
    DbErr::Custom(format!(
        "no answer within {} seconds",
        patience.as_secs_f32()
    ))
}
