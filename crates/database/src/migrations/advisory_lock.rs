//! The advisory locks of PostgreSQL and MySQL, which exclude other instances that migrate.

use std::time::Duration;

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, Statement};
use tokio::time::{Instant, sleep};

use crate::application::Application;
use crate::error::Error;

/// The interval at which a waiting instance polls the lock of PostgreSQL.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// MySQL's locks are scoped to the server and their names have at most 64 characters. MySQL 9.7 has no `SHA1`.
const MYSQL_LOCK: &str = "SELECT GET_LOCK(CONCAT(?, ' ', LEFT(SHA2(DATABASE(), 256), 40)), ?)";

/// Acquires the lock at least until the end of the transaction, where the database has one.
pub(super) async fn acquire(
    transaction: &DatabaseTransaction,
    application: Application,
    lock_timeout: Duration,
) -> Result<(), Error> {
    match transaction.get_database_backend() {
        DbBackend::Postgres => {
            let key = postgres_lock(application.table);
            lock_postgres(transaction, key, lock_timeout).await
        }
        DbBackend::MySql => lock_mysql(transaction, application.name, lock_timeout).await,
        _ => Ok(()),
    }
}

/// The key of the advisory lock, which is scoped to one database: the first bytes of `{table}1`. Two
/// tables with one key only make their migrations wait for each other.
fn postgres_lock(table: &str) -> i64 {
    let bytes = table.bytes().chain([b'1']).chain(std::iter::repeat(0));
    bytes
        .take(8)
        .fold(0, |key, byte| (key << 8) | i64::from(byte))
}

/// Acquires the lock until the end of the transaction. Polls, each time in a new transaction, because `CREATE INDEX
/// CONCURRENTLY` of the lock holder waits for the end of every transaction that it finds with a snapshot.
async fn lock_postgres(
    transaction: &DatabaseTransaction,
    key: i64,
    lock_timeout: Duration,
) -> Result<(), Error> {
    let timeout_ms = lock_timeout.as_millis().clamp(1, i32::MAX as u128);
    let settings = format!(
        "SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = {timeout_ms}"
    );
    let started = Instant::now();
    loop {
        let lock = Statement::from_sql_and_values(
            DbBackend::Postgres,
            "SELECT pg_try_advisory_xact_lock($1)",
            [key.into()],
        );
        let row = transaction.query_one_raw(lock).await;
        let acquired = row
            .and_then(|row| row.map(|row| row.try_get_by_index::<bool>(0)).transpose())
            .map_err(Error::classify)?;
        match acquired {
            Some(true) => break,
            _ if started.elapsed() >= lock_timeout => {
                return Err(lock_timed_out(lock_timeout, None));
            }
            _ => {
                let restarted = transaction.execute_unprepared("ROLLBACK AND CHAIN").await;
                restarted.map_err(Error::classify)?;
                sleep(POLL_INTERVAL).await;
            }
        }
    }
    let set = transaction.execute_unprepared(&settings).await;
    set.map(drop).map_err(Error::classify)
}

/// Acquires the lock until the end of the session, because a change of a table commits the transaction.
async fn lock_mysql(
    transaction: &DatabaseTransaction,
    name: &str,
    lock_timeout: Duration,
) -> Result<(), Error> {
    let timeout_s = i64::try_from(lock_timeout.as_secs().max(1)).unwrap_or(i64::MAX);
    let lock = Statement::from_sql_and_values(
        DbBackend::MySql,
        MYSQL_LOCK,
        [name.into(), timeout_s.into()],
    );
    let row = transaction
        .query_one_raw(lock)
        .await
        .map_err(Error::classify)?;
    let result = row
        .map(|row| row.try_get_by_index::<Option<i64>>(0))
        .transpose();
    match result.map_err(Error::classify)?.flatten() {
        Some(1) => Ok(()),
        Some(_) => Err(lock_timed_out(lock_timeout, None)),
        None => {
            let message = "GET_LOCK answered NULL".to_owned();
            Err(Error::Migration(DbErr::Custom(message).into()))
        }
    }
}

/// The error of an instance that has waited for the lock until the timeout.
pub(super) fn lock_timed_out(lock_timeout: Duration, source: Option<DbErr>) -> Error {
    Error::MigrationLocked {
        waited_s: lock_timeout.as_secs(),
        source: source.map(Into::into),
    }
}
