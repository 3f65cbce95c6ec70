//! The connections that requests use, kept between statements.
//!
//! A pool of sqlx tests each connection whenever it is given back, which costs a round trip of the
//! database per statement. A line is not given back as long as it is of use.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sea_orm::sqlx::pool::PoolConnection;
use sea_orm::sqlx::{
    self, AssertSqlSafe, ColumnIndex, Database, Decode, Executor, MySql, Postgres, Row, Sqlite,
    Type,
};
use sea_orm::{
    ConnAcquireErr, DatabaseConnection, DbBackend, DbErr, RuntimeErr, Statement, Values,
};
use sea_query_sqlx::SqlxValues;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::entity::vehicle;
use super::error::{is_lost_connection, is_refusal};
use super::losses::{Losses, answers};
use super::reach::returned;

/// A connection in use for longer than this goes back to its pool, which closes it when it is old.
const KEPT_AT_MOST: Duration = Duration::from_mins(5);

/// The connections of a pool that requests use.
pub(super) struct Lines {
    pub(super) pool: DatabaseConnection,
    idle: Mutex<Vec<Kept>>,
    permits: Arc<Semaphore>,
    pub(super) most: u32,
    keeping: Keeping,
    pub(super) losses: Losses,
}

/// Whether a connection that is not in use is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keeping {
    /// It is.
    Kept,
    /// It is given back to its pool, which has no other.
    GivenBack,
}

struct Kept {
    connection: PooledConnection,
    taken: Instant,
    rests_since: Instant,
}

/// A connection in use. Closed, not kept, when it is dropped: what it was doing is not known then.
pub(super) struct Line<'a> {
    lines: &'a Lines,
    connection: Option<PooledConnection>,
    taken: Instant,
    _permit: OwnedSemaphorePermit,
}

enum PooledConnection {
    Sqlite(PoolConnection<Sqlite>),
    Postgres(PoolConnection<Postgres>),
    MySql(PoolConnection<MySql>),
}

/// Does the same with a connection of any database.
macro_rules! each {
    ($connection:expr, $name:ident => $does:expr) => {
        match $connection {
            PooledConnection::Sqlite($name) => $does,
            PooledConnection::Postgres($name) => $does,
            PooledConnection::MySql($name) => $does,
        }
    };
}

impl Lines {
    /// At most `most` connections of this pool.
    pub(super) fn new(
        pool: DatabaseConnection,
        most: u32,
        keeping: Keeping,
        losses: Losses,
    ) -> Self {
        Self {
            pool,
            idle: Mutex::default(),
            permits: Arc::new(Semaphore::new(most as usize)),
            most,
            keeping,
            losses,
        }
    }

    pub(super) fn backend(&self) -> DbBackend {
        self.pool.get_database_backend()
    }

    /// Waits for a connection that is free.
    pub(super) async fn take(&self) -> Result<Line<'_>, DbErr> {
        match self.at_once() {
            Some(line) => Ok(line),
            // The future that makes a connection has many kilobytes; who finds one need not move it.
            None => Box::pin(self.wait()).await,
        }
    }

    /// A connection that is free and needs no test.
    fn at_once(&self) -> Option<Line<'_>> {
        let permit = Arc::clone(&self.permits).try_acquire_owned().ok()?;
        let kept = self.kept()?;
        if self.is_trusted(&kept) {
            return Some(self.line(kept.connection, kept.taken, permit));
        }
        self.put(kept);
        None
    }

    fn is_trusted(&self, kept: &Kept) -> bool {
        let trusted = matches!(kept.connection, PooledConnection::Sqlite(_))
            || self.losses.is_trusted(kept.rests_since.elapsed());
        trusted && !self.is_left_behind(kept)
    }

    fn is_left_behind(&self, kept: &Kept) -> bool {
        self.losses.is_left_behind(kept.taken.elapsed())
    }

    async fn wait(&self) -> Result<Line<'_>, DbErr> {
        let closed = |_| DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed);
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        let permit = permit.map_err(closed)?;
        while let Some(mut kept) = self.kept() {
            let sound = self.is_trusted(&kept)
                || (!self.is_left_behind(&kept) && kept.connection.ping().await.is_ok());
            if sound {
                return Ok(self.line(kept.connection, kept.taken, permit));
            }
            kept.connection.close();
            // What rested beside it has hardly fared better, and each would have to be waited for.
            self.close_kept();
        }
        let connection = self.new_connection().await?;
        Ok(self.line(connection, Instant::now(), permit))
    }

    /// How many connections are kept and not in use.
    pub(super) fn idle(&self) -> u64 {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.len() as u64
    }

    /// How many connections are in use.
    pub(super) fn in_use(&self) -> u64 {
        let free = self.permits.available_permits() as u64;
        u64::from(self.most).saturating_sub(free)
    }

    /// Waits for the statements under way, then gives every connection back.
    pub(super) async fn close(&self) {
        // Nobody else closes it; and if somebody did, there is nothing left to wait for.
        drop(self.permits.acquire_many(self.most).await);
        self.permits.close();
        while let Some(kept) = self.kept() {
            drop(kept);
        }
    }

    fn line(
        &self,
        connection: PooledConnection,
        taken: Instant,
        permit: OwnedSemaphorePermit,
    ) -> Line<'_> {
        Line {
            lines: self,
            connection: Some(connection),
            taken,
            _permit: permit,
        }
    }

    fn kept(&self) -> Option<Kept> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.pop()
    }

    fn put(&self, kept: Kept) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(kept);
    }

    fn close_kept(&self) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.drain(..).for_each(|kept| kept.connection.close());
    }

    async fn new_connection(&self) -> Result<PooledConnection, DbErr> {
        tokio::select! {
            biased;
            connection = self.acquire() => return connection,
            () = returned(&self.pool) => {}
        }
        self.acquire().await
    }

    async fn acquire(&self) -> Result<PooledConnection, DbErr> {
        let pool = &self.pool;
        let connection = match self.backend() {
            DbBackend::Postgres => {
                let connection = pool.get_postgres_connection_pool().acquire().await;
                connection.map(PooledConnection::Postgres)
            }
            DbBackend::MySql => {
                let connection = pool.get_mysql_connection_pool().acquire().await;
                connection.map(PooledConnection::MySql)
            }
            _ => {
                let connection = pool.get_sqlite_connection_pool().acquire().await;
                connection.map(PooledConnection::Sqlite)
            }
        };
        connection.map_err(|error| match error {
            sqlx::Error::PoolTimedOut => DbErr::ConnectionAcquire(ConnAcquireErr::Timeout),
            sqlx::Error::PoolClosed => DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed),
            other => DbErr::Conn(RuntimeErr::SqlxError(other.into())),
        })
    }
}

impl Line<'_> {
    /// The rows of a statement that answers columns in the order of [`vehicle::Model`].
    pub(super) async fn rows(
        &mut self,
        sql: &str,
        values: Values,
    ) -> Result<Vec<vehicle::Model>, DbErr> {
        let query = SqlxValues(values);
        let rows = each!(self.connection(), connection => {
            let rows = sqlx::query_with(AssertSqlSafe(sql), query);
            match connection.fetch_all(rows).await {
                Ok(rows) => models(&rows),
                Err(error) => Err(error),
            }
        });
        rows.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(error.into())))
    }

    /// The only column of the only row that a query answers, a 64-bit integer.
    pub(super) async fn number(&mut self, sql: &str) -> Result<Option<i64>, DbErr> {
        let number = each!(self.connection(), connection => {
            let asked = sqlx::query(AssertSqlSafe(sql));
            let row = connection.fetch_one(asked).await;
            row.and_then(|row| row.try_get(0))
        });
        number.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(error.into())))
    }

    /// The first id that a statement made, in a database that does not return rows.
    pub(super) async fn first_id(&mut self, statement: Statement) -> Result<u64, DbErr> {
        let values = SqlxValues(statement.values.unwrap_or(Values(Vec::new())));
        let PooledConnection::MySql(connection) = self.connection() else {
            return Err(DbErr::Custom("this database returns rows".to_owned()));
        };
        let insert = sqlx::query_with(AssertSqlSafe(statement.sql.as_str()), values);
        match connection.execute(insert).await {
            Ok(done) => Ok(done.last_insert_id()),
            Err(error) => Err(DbErr::Exec(RuntimeErr::SqlxError(error.into()))),
        }
    }

    /// The end of what it was taken for. It is kept unless it is no longer of use; a statement that
    /// is refused leaves it as it was.
    pub(super) fn end<T>(self, answer: Result<T, DbErr>) -> Result<T, DbErr> {
        let answer = self.lines.losses.heard(answer);
        if answer.as_ref().err().is_none_or(stays_sound) {
            self.keep();
        }
        answer
    }

    fn keep(mut self) {
        let Some(connection) = self.connection.take() else {
            return;
        };
        if self.lines.keeping == Keeping::GivenBack || self.taken.elapsed() > KEPT_AT_MOST {
            return;
        }
        self.lines.put(Kept {
            connection,
            taken: self.taken,
            rests_since: Instant::now(),
        });
    }

    fn connection(&mut self) -> &mut PooledConnection {
        self.connection.as_mut().expect("only the end takes it")
    }
}

impl Drop for Line<'_> {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            connection.close();
        }
    }
}

impl PooledConnection {
    async fn ping(&mut self) -> Result<(), DbErr> {
        let answered = each!(self, connection => answers(&mut **connection).await);
        answered.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(error.into())))
    }

    /// Gives it up: the pool closes it instead of taking it back.
    fn close(mut self) {
        each!(&mut self, connection => connection.close_on_drop());
    }
}

/// Whether a connection is of use after this error of a statement.
fn stays_sound(error: &DbErr) -> bool {
    is_refusal(error) && !is_lost_connection(error)
}

/// The rows of an answer. What types its columns have, the first row shows, except in SQLite, where
/// every value has one of its own.
fn models<R>(rows: &[R]) -> Result<Vec<vehicle::Model>, sqlx::Error>
where
    R: Row,
    usize: ColumnIndex<R>,
    i64: for<'r> Decode<'r, R::Database> + Type<R::Database>,
    String: for<'r> Decode<'r, R::Database> + Type<R::Database>,
    chrono::NaiveDate: for<'r> Decode<'r, R::Database> + Type<R::Database>,
{
    let is_typed = R::Database::NAME != Sqlite::NAME;
    let rows = rows.iter().enumerate();
    rows.map(|(place, row)| {
        let checked = place == 0 || !is_typed;
        Ok(vehicle::Model {
            id: value(row, 0, checked)?,
            r#type: value(row, 1, checked)?,
            model_code: value(row, 2, checked)?,
            brand_name: value(row, 3, checked)?,
            launch_date: value(row, 4, checked)?,
        })
    })
    .collect()
}

fn value<'r, R, T>(row: &'r R, column: usize, checked: bool) -> Result<T, sqlx::Error>
where
    R: Row,
    usize: ColumnIndex<R>,
    T: Decode<'r, R::Database> + Type<R::Database>,
{
    if checked {
        row.try_get(column)
    } else {
        row.try_get_unchecked(column)
    }
}
