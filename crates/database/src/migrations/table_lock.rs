//! A migration lock in a row of a table, for databases without a lock that covers all their nodes.
//!
//! The holder increments a heartbeat in the row. A waiting instance takes over if the heartbeat does not
//! change until a timeout; the update compares the heartbeat, so a late one prevents it. A holder that cannot
//! write a heartbeat stops before that. Clocks are not compared.

use std::io;
use std::time::Duration;

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, SqlErr, Statement, Value, sqlx,
};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use uuid::Uuid;

use super::lock_wait::{POLL_INTERVAL, lock_timed_out};
use crate::application::Application;
use crate::connect_with_retry::{PROBE_TIMEOUT, is_reachable};
use crate::error::{DriverError, Error, is_concurrent_create, is_conflict, is_unsupported};
use crate::galera;
use crate::retry::retry_rolled_back;
use crate::row::query_error;

const COLUMNS: &str =
    "(id integer NOT NULL PRIMARY KEY, holder varchar(36) NOT NULL, beat bigint NOT NULL)";

/// The interval of the heartbeats.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);

/// A holder without a heartbeat for this long has ended.
const HEARTBEAT_TIMEOUT: Duration = Duration::from_secs(10);

/// A holder stops after this time without a heartbeat, early enough to close its connections before a takeover.
const LEASE_DURATION: Duration = Duration::from_secs(7);

/// Long enough to take over the lock of a holder that has ended: each start watches the heartbeat anew.
const MIN_LOCK_TIMEOUT: Duration = Duration::from_secs(12);

/// Whether the locks of the database do not cover all nodes: those of Galera are local to a node, and
/// CockroachDB has lock functions without effect.
pub(super) async fn is_needed(db: &DatabaseConnection) -> Result<bool, DbErr> {
    match db.get_database_backend() {
        DbBackend::MySql => {
            let is_node = galera::is_node(db.get_mysql_connection_pool()).await;
            is_node.map_err(query_error)
        }
        DbBackend::Postgres => {
            let query = Statement::from_string(DbBackend::Postgres, "SELECT version()");
            let row = db.query_one_raw(query).await?;
            let version = row.map(|row| row.try_get_by_index::<String>(0));
            let version = version.transpose()?.unwrap_or_default();
            Ok(version.contains("CockroachDB"))
        }
        _ => Ok(false),
    }
}

/// Whether acquiring a lock failed because the database does not support it.
pub(super) fn is_unsupported_lock(error: &Error) -> bool {
    matches!(error, Error::Unexpected(error) if is_unsupported(error))
}

/// An acquired lock.
pub(super) struct TableLock<'a> {
    db: &'a DatabaseConnection,
    table: String,
    holder: String,
    /// When the last successful heartbeat was sent; another instance has seen it later.
    renewed_at: Instant,
}

impl<'a> TableLock<'a> {
    /// Waits for the lock. `db` needs a connection in addition to the one that migrates.
    pub(super) async fn acquire(
        db: &'a DatabaseConnection,
        application: Application,
        lock_timeout: Duration,
    ) -> Result<Self, Error> {
        let lock_timeout = lock_timeout.max(MIN_LOCK_TIMEOUT);
        let table = format!("{}_migration_lock", application.table);
        let create = format!("CREATE TABLE IF NOT EXISTS {table} {COLUMNS}");
        let create_table = || async {
            match db.execute_unprepared(&create).await {
                Err(error) if !is_concurrent_create(&error) => Err(Error::classify(error)),
                _ => Ok(()),
            }
        };
        retry_rolled_back(lock_timeout, create_table).await?;
        let started = Instant::now();
        let mut lock = Self {
            db,
            table,
            holder: Uuid::new_v4().to_string(),
            renewed_at: started,
        };
        let mut seen: (Option<(String, i64)>, Instant) = (None, started);
        loop {
            match lock.read().await.map_err(Error::classify) {
                Ok(now) if now == seen.0 => {}
                Ok(now) => seen = (now, Instant::now()),
                // A change of a table of a Galera cluster delays reads until they time out.
                Err(Error::Unavailable(_)) if started.elapsed() < lock_timeout => {
                    seen.1 = Instant::now();
                    sleep(POLL_INTERVAL).await;
                    continue;
                }
                Err(error) => return Err(error),
            }
            lock.renewed_at = Instant::now();
            let acquired = match &seen.0 {
                None => lock.insert().await?,
                Some((holder, beat)) if seen.1.elapsed() >= HEARTBEAT_TIMEOUT => {
                    lock.take_over(holder, *beat).await?
                }
                Some(_) => false,
            };
            if acquired {
                return Ok(lock);
            }
            if started.elapsed() >= lock_timeout {
                return Err(lock_timed_out(lock_timeout, None));
            }
            sleep(POLL_INTERVAL).await;
        }
    }

    /// Runs the migration while the lock is held, then releases the lock.
    pub(super) async fn run_locked<T>(
        mut self,
        migration: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let outcome = tokio::select! {
            outcome = migration => outcome,
            lost = self.heartbeat() => Err(Error::Migration(lost.into())),
        };
        let delete = "DELETE FROM {table} WHERE id = 1 AND holder = {1}";
        if let Err(error) = self.write(delete, []).await {
            let seconds = HEARTBEAT_TIMEOUT.as_secs();
            let cause = DriverError::from(error);
            tracing::warn!(%cause, "the migration lock stays for {seconds} seconds");
        }
        outcome
    }

    /// Sends heartbeats; returns only when the lock is lost.
    async fn heartbeat(&mut self) -> DbErr {
        let update = "UPDATE {table} SET beat = beat + 1 WHERE id = 1 AND holder = {1}";
        loop {
            sleep(HEARTBEAT_INTERVAL).await;
            let sent_at = Instant::now();
            match self.write(update, []).await {
                Ok(true) => self.renewed_at = sent_at,
                Ok(false) => {
                    let message = "another instance has taken the migration lock".to_owned();
                    return DbErr::Custom(message);
                }
                Err(error) if self.renewed_at.elapsed() >= LEASE_DURATION => return error,
                Err(_) => {}
            }
        }
    }

    async fn read(&self) -> Result<Option<(String, i64)>, DbErr> {
        let query = format!("SELECT holder, beat FROM {} WHERE id = 1", self.table);
        let query = Statement::from_string(self.db.get_database_backend(), query);
        let row = self.db.query_one_raw(query).await?;
        row.map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?)))
            .transpose()
    }

    async fn insert(&self) -> Result<bool, Error> {
        let insert = "INSERT INTO {table} (holder, id, beat) VALUES ({1}, 1, 0)";
        unless_conflict(self.write(insert, []).await)
    }

    async fn take_over(&self, holder: &str, beat: i64) -> Result<bool, Error> {
        let update = "UPDATE {table} SET holder = {1}, beat = 0 \
             WHERE id = 1 AND holder = {2} AND beat = {3}";
        unless_conflict(self.write(update, [holder.into(), beat.into()]).await)
    }

    /// Runs a statement and returns whether it wrote a row. `{table}` is the table, `{1}` this holder, `{2}` and `{3}` are
    /// the `others`.
    async fn write<const N: usize>(&self, sql: &str, others: [Value; N]) -> Result<bool, DbErr> {
        let backend = self.db.get_database_backend();
        let mut sql = sql.replace("{table}", &self.table);
        for number in 1..=N + 1 {
            let placeholder = match backend {
                DbBackend::Postgres => format!("${number}"),
                _ => "?".to_owned(),
            };
            sql = sql.replace(&format!("{{{number}}}"), &placeholder);
        }
        let values = std::iter::once(self.holder.as_str().into()).chain(others);
        let statement = Statement::from_sql_and_values(backend, sql, values);
        tokio::select! {
            written = self.db.execute_raw(statement) => Ok(written?.rows_affected() == 1),
            () = self.lease_ends() => {
                Err(query_error(sqlx::Error::Io(io::ErrorKind::TimedOut.into())))
            }
        }
    }

    /// Waits until the end of the lease, and on Galera until the node does not respond either: a change of a table blocks all
    /// writes of the cluster, also takeovers, for as long as it takes.
    async fn lease_ends(&self) {
        sleep_until(self.renewed_at + LEASE_DURATION).await;
        if self.db.get_database_backend() == DbBackend::MySql {
            let node = self.db.get_mysql_connection_pool().connect_options();
            while let Ok(true) = timeout(PROBE_TIMEOUT, is_reachable(&*node)).await {
                sleep(HEARTBEAT_INTERVAL).await;
            }
        }
    }
}

/// A conflict means that another instance has written the row.
fn unless_conflict(written: Result<bool, DbErr>) -> Result<bool, Error> {
    match written {
        Err(error) if is_conflict(&error) => Ok(false),
        Err(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => {
            Ok(false)
        }
        written => written.map_err(Error::classify),
    }
}
