//! A migration lock that is a row of a table, for databases without a lock of their own that holds
//! on all their nodes.
//!
//! The holder counts in the row while it works. Whoever waits and has not seen it count for some
//! time takes its place, unless it counts at that very moment. Clocks are not compared.

use std::time::Duration;

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, SqlErr, Statement, Value};
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use super::locked;
use crate::store::conflicts::settled;
use crate::store::error::{StoreError, is_conflict, is_made_by_another, is_unsupported};
use crate::store::galera;

const TABLE: &str = "CREATE TABLE IF NOT EXISTS vehicle_migration_lock \
     (id integer NOT NULL PRIMARY KEY, holder varchar(36) NOT NULL, beat bigint NOT NULL)";

/// How often the holder counts.
const BEAT: Duration = Duration::from_secs(1);

/// A holder that has not counted for so long has ended.
const SILENCE: Duration = Duration::from_secs(10);

/// How often whoever waits looks.
const LOOK: Duration = Duration::from_millis(100);

/// Whether the database's own locks are known not to keep the other nodes out: those of Galera
/// belong to one node, CockroachDB has functions for them that do nothing.
pub(super) async fn is_needed(db: &DatabaseConnection) -> Result<bool, DbErr> {
    match db.get_database_backend() {
        DbBackend::MySql => {
            let asked = galera::is_node(db.get_mysql_connection_pool()).await;
            asked.map_err(|error| DbErr::Query(sea_orm::RuntimeErr::SqlxError(error.into())))
        }
        DbBackend::Postgres => {
            let asked = Statement::from_string(DbBackend::Postgres, "SELECT version()");
            let told = db.query_one_raw(asked).await?;
            let version = told.map(|row| row.try_get_by_index::<String>(0));
            let version = version.transpose()?.unwrap_or_default();
            Ok(version.contains("CockroachDB"))
        }
        _ => Ok(false),
    }
}

/// Whether a lock of the database's own was refused because it has none.
pub(super) fn replaces(error: &StoreError) -> bool {
    matches!(error, StoreError::Unexpected(error) if is_unsupported(error))
}

/// A lock that is held.
pub(super) struct TableLock<'a> {
    db: &'a DatabaseConnection,
    holder: String,
}

impl<'a> TableLock<'a> {
    /// Waits until nobody else holds it. `db` needs a connection beside the one that migrates.
    pub(super) async fn take(
        db: &'a DatabaseConnection,
        patience: Duration,
    ) -> Result<Self, StoreError> {
        let made = || async {
            match db.execute_unprepared(TABLE).await {
                Err(error) if !is_made_by_another(&error) => Err(StoreError::classify(error)),
                _ => Ok(()),
            }
        };
        settled(patience, made).await?;
        let lock = Self {
            db,
            holder: Uuid::new_v4().to_string(),
        };
        let started = Instant::now();
        let mut seen: (Option<(String, i64)>, Instant) = (None, started);
        loop {
            let now = lock.seen().await.map_err(StoreError::classify)?;
            if now != seen.0 {
                seen = (now, Instant::now());
            }
            let taken = match &seen.0 {
                None => lock.insert().await?,
                Some((holder, beat)) if seen.1.elapsed() >= SILENCE => {
                    lock.succeed(holder, *beat).await?
                }
                Some(_) => false,
            };
            if taken {
                return Ok(lock);
            }
            if started.elapsed() >= patience {
                return Err(locked(patience, None));
            }
            sleep(LOOK).await;
        }
    }

    /// Works as long as the lock is held, then gives it back.
    pub(super) async fn hold<T>(
        self,
        work: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let outcome = tokio::select! {
            outcome = work => outcome,
            lost = self.count() => Err(StoreError::Migration(lost)),
        };
        let gone = "DELETE FROM vehicle_migration_lock WHERE id = 1 AND holder = {1}";
        if let Err(error) = self.write(gone, []).await {
            let seconds = SILENCE.as_secs();
            tracing::warn!(cause = %error, "the migration lock stays for {seconds} seconds");
        }
        outcome
    }

    /// Counts, and ends only when it cannot any longer.
    async fn count(&self) -> DbErr {
        let count =
            "UPDATE vehicle_migration_lock SET beat = beat + 1 WHERE id = 1 AND holder = {1}";
        let mut counted = Instant::now();
        loop {
            sleep(BEAT).await;
            match self.write(count, []).await {
                Ok(true) => counted = Instant::now(),
                Ok(false) => {
                    let message = "another instance has taken the migration lock".to_owned();
                    return DbErr::Custom(message);
                }
                Err(error) if counted.elapsed() > SILENCE => return error,
                Err(_) => {}
            }
        }
    }

    async fn seen(&self) -> Result<Option<(String, i64)>, DbErr> {
        let asked = "SELECT holder, beat FROM vehicle_migration_lock WHERE id = 1";
        let asked = Statement::from_string(self.db.get_database_backend(), asked);
        let row = self.db.query_one_raw(asked).await?;
        let told = row.map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?)));
        told.transpose()
    }

    async fn insert(&self) -> Result<bool, StoreError> {
        let insert = "INSERT INTO vehicle_migration_lock (holder, id, beat) VALUES ({1}, 1, 0)";
        unless_another(self.write(insert, []).await)
    }

    async fn succeed(&self, holder: &str, beat: i64) -> Result<bool, StoreError> {
        let succeed = "UPDATE vehicle_migration_lock SET holder = {1}, beat = 0 \
             WHERE id = 1 AND holder = {2} AND beat = {3}";
        unless_another(self.write(succeed, [holder.into(), beat.into()]).await)
    }

    /// Whether a row was written. `{1}` is this holder, `{2}` and `{3}` are the `others`.
    async fn write<const N: usize>(&self, sql: &str, others: [Value; N]) -> Result<bool, DbErr> {
        let backend = self.db.get_database_backend();
        let mut sql = sql.to_owned();
        for number in 1..=N + 1 {
            let place = match backend {
                DbBackend::Postgres => format!("${number}"),
                _ => "?".to_owned(),
            };
            sql = sql.replace(&format!("{{{number}}}"), &place);
        }
        let values = std::iter::once(self.holder.as_str().into()).chain(others);
        let statement = Statement::from_sql_and_values(backend, sql, values);
        Ok(self.db.execute_raw(statement).await?.rows_affected() == 1)
    }
}

/// Others may write the row at the same moment: then they have it.
fn unless_another(written: Result<bool, DbErr>) -> Result<bool, StoreError> {
    match written {
        Err(error) if is_conflict(&error) => Ok(false),
        Err(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => {
            Ok(false)
        }
        written => written.map_err(StoreError::classify),
    }
}
