//! Inserts rows in batches and returns them as stored.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sea_orm::sea_query::{Alias, Expr, InsertStatement, Order, Query, ValueTuple};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DbBackend, DbErr, EntityTrait, IdenStatic, Iterable,
    PrimaryKeyToColumn, QueryFilter, QueryTrait, Statement, Value, Values,
};
use tokio::time::timeout;

use crate::connection_pool::{ConnectionPool, PooledConnection};
use crate::error::{
    Error, failed_before_send, fan_out_error, is_lost_connection, is_refusal, timeout_error,
};
use crate::ids::{IdStrategy, id_column};
use crate::ids_left;
use crate::retry::{Backoff, retry, retry_rolled_back};
use crate::row::FromRow;

/// A row of a table whose key is a 64-bit integer that the database generates.
pub trait StoredRow: FromRow + Clone + Send + Sync + 'static {
    /// The entity of the table.
    type Entity: EntityTrait;
    /// A row that has no id yet.
    type New: Send + Sync + 'static;

    /// The generated id.
    fn id(&self) -> i64;

    /// The columns of a new row: all but the id are set.
    fn active_model(new: &Self::New) -> <Self::Entity as EntityTrait>::ActiveModel;

    /// Whether this row has the content of `new`.
    fn has_content_of(&self, new: &Self::New) -> bool;
}

/// Inserts rows with one multi-row `INSERT` per batch, which commits by itself, atomically. If the rows have to be read
/// back, a transaction also includes that, so that nobody can delete them before.
pub struct Inserter<R> {
    pool: Arc<ConnectionPool>,
    ids: IdStrategy,
    /// Whether the table had triggers at the last insert.
    has_triggers: AtomicBool,
    row: PhantomData<fn() -> R>,
}

impl<R: StoredRow> Inserter<R> {
    /// The maximum number of rows in a statement: a connection can cache prepared statements of all sizes.
    pub const MAX_ROWS: usize = 64;

    pub(crate) fn new(pool: Arc<ConnectionPool>, ids: IdStrategy) -> Self {
        Self {
            pool,
            ids,
            has_triggers: AtomicBool::new(false),
            row: PhantomData,
        }
    }

    /// Stores at most [`MAX_ROWS`](Self::MAX_ROWS) rows and returns them in the order of `new`. All have one
    /// outcome, unless the database refuses one of them: then each is stored by itself.
    pub async fn insert(&self, new: &[R::New]) -> Vec<Result<R, Error>> {
        if self.ids == IdStrategy::SingleRow {
            return self.insert_each(new).await;
        }
        match retry_rolled_back(self.pool.query_timeout, || self.store(new)).await {
            Ok(stored) => stored.into_iter().map(Ok).collect(),
            // One refused row fails the batch: inserting each row separately stores the others.
            Err(Error::Unexpected(_) | Error::NoIdLeft { .. }) if new.len() > 1 => {
                self.insert_each(new).await
            }
            Err(error) => fan_out_error(&error, new.len()),
        }
    }

    /// Stores all rows or none, and returns them in the order of `new`.
    pub async fn insert_all(&self, new: &[R::New]) -> Result<Vec<R>, Error> {
        retry_rolled_back(self.pool.query_timeout, || self.store(new)).await
    }

    async fn insert_each(&self, new: &[R::New]) -> Vec<Result<R, Error>> {
        let mut results = Vec::with_capacity(new.len());
        for one in new.chunks(1) {
            let stored = retry_rolled_back(self.pool.query_timeout, || self.store(one)).await;
            results.push(stored.map(|mut stored| stored.swap_remove(0)));
        }
        results
    }

    /// Stores all rows or none. Errors other than an unknown outcome can be retried.
    async fn store(&self, new: &[R::New]) -> Result<Vec<R>, Error> {
        let connection = self.pool.with_timeout(self.acquire()).await?;
        // The database aborts a statement after the query timeout and reports that. Only if it does
        // not respond either is the outcome unknown.
        let commit_timeout = self.pool.query_timeout * 2;
        match timeout(commit_timeout, self.send(connection, new)).await {
            Ok(Err(error)) => {
                Err(ids_left::classify::<R::Entity>(error, new.len(), &self.pool.db).await)
            }
            Ok(stored) => stored,
            Err(_) => Err(Error::OutcomeUnknown(timeout_error(commit_timeout))),
        }
    }

    /// Acquires a connection and retries failures: no statement has been sent yet.
    async fn acquire(&self) -> Result<PooledConnection<'_>, DbErr> {
        let pool = &self.pool;
        let acquire = || pool.health.abort_on_failover(pool.acquire());
        // A failover during the wait counts as a lost connection; no statement was sent on it.
        let is_retryable = |error: &DbErr| failed_before_send(error) || is_lost_connection(error);
        retry(Backoff::STATEMENT, acquire, is_retryable).await
    }

    async fn send(
        &self,
        mut connection: PooledConnection<'_>,
        new: &[R::New],
    ) -> Result<Vec<R>, Error> {
        if self.ids != IdStrategy::Returning || self.has_triggers.load(Ordering::Relaxed) {
            return self.send_transaction(connection, new).await;
        }
        let inserted = match self.insert_rows(&mut connection, new).await {
            Ok(inserted) => inserted,
            Err(error) => {
                return connection.release(Err(error)).map_err(Error::from_commit);
            }
        };
        // The rows are stored: any later failure leaves the outcome unknown.
        let stored = self.stored(inserted, &mut connection, new.len()).await;
        match connection.release(stored) {
            Ok(stored) => Ok(in_input_order(new, stored)),
            Err(error) => Err(Error::OutcomeUnknown(error.into())),
        }
    }

    /// Stores the rows and reads them back in a transaction. A connection that may still be in it is not released, but
    /// closed, which rolls back.
    async fn send_transaction(
        &self,
        mut connection: PooledConnection<'_>,
        new: &[R::New],
    ) -> Result<Vec<R>, Error> {
        match self.insert_in_transaction(&mut connection, new).await {
            Ok(stored) => match connection.commit().await {
                Ok(()) => {
                    let released = connection.release(Ok(stored));
                    released.map_err(|error| Error::OutcomeUnknown(error.into()))
                }
                Err(error) => {
                    let result = self.pool.health.record_error(Err(error));
                    result.map_err(Error::from_commit)
                }
            },
            Err(error) => {
                let is_rolled_back = is_refusal(&error) && connection.roll_back().await.is_ok();
                let result = if is_rolled_back {
                    connection.release(Err(error))
                } else {
                    self.pool.health.record_error(Err(error))
                };
                result.map_err(Error::classify)
            }
        }
    }

    /// Begins a transaction, stores the rows and returns them in the order of `new`.
    async fn insert_in_transaction(
        &self,
        connection: &mut PooledConnection<'_>,
        new: &[R::New],
    ) -> Result<Vec<R>, DbErr> {
        connection.begin().await?;
        let statement_rows = match self.ids {
            IdStrategy::SingleRow => 1,
            IdStrategy::Returning | IdStrategy::FirstId => new.len().max(1),
        };
        let mut all = Vec::with_capacity(new.len());
        for rows in new.chunks(statement_rows) {
            let inserted = self.insert_rows(connection, rows).await?;
            let stored = self.stored(inserted, connection, rows.len()).await?;
            all.extend(in_input_order(rows, stored));
        }
        Ok(all)
    }

    /// Runs the statement that inserts these rows.
    async fn insert_rows(
        &self,
        connection: &mut PooledConnection<'_>,
        new: &[R::New],
    ) -> Result<Inserted<R>, DbErr> {
        let insert = statement::<R>(self.pool.backend(), self.ids, new);
        let values = insert.values.unwrap_or(Values(Vec::new()));
        if self.ids != IdStrategy::Returning {
            let done = connection.execute(&insert.sql, values).await?;
            return Ok(Inserted::First(done.last_insert_id()));
        }
        let columns = <R::Entity as EntityTrait>::Column::iter().count();
        let inserted = connection.rows_returned(&insert.sql, values, columns);
        let (rows, has_triggers) = inserted.await?;
        // A trigger can suppress all rows, and then there is none that tells whether there are triggers.
        if !rows.is_empty() {
            self.has_triggers.store(has_triggers, Ordering::Relaxed);
        }
        Ok(Inserted::Rows((rows, has_triggers)))
    }

    /// Reads back the `count` rows of an insert.
    async fn stored(
        &self,
        inserted: Inserted<R>,
        connection: &mut PooledConnection<'_>,
        count: usize,
    ) -> Result<Vec<R>, DbErr> {
        let rows = match inserted {
            Inserted::Rows((rows, false)) => rows,
            // A trigger may have changed a row after `RETURNING`.
            Inserted::Rows((rows, true)) => {
                let ids = rows.iter().map(|row| Value::BigInt(Some(row.id())));
                let ids: Vec<_> = ids.collect();
                let select = R::Entity::find();
                let select = select.filter(id_column::<R::Entity>().is_in(ids.clone()));
                let read = select.build(self.pool.backend()).sql;
                connection.rows(&read, Values(ids)).await?
            }
            Inserted::First(first) => {
                let too_high = |_| DbErr::Custom("the first id has more than 63 bits".to_owned());
                let first = i64::try_from(first).map_err(too_high)?;
                let steps = i64::try_from(count.saturating_sub(1)).unwrap_or(i64::MAX);
                let values = [first, first, steps, first].map(Value::from);
                let read = select_numbered::<R::Entity>();
                connection.rows(&read, Values(values.into())).await?
            }
        };
        if rows.len() != count {
            let read = rows.len();
            let message = format!("of an insert of {count} rows, {read} can be read back");
            return Err(DbErr::Custom(message));
        }
        Ok(rows)
    }
}

/// The result of an insert.
enum Inserted<R> {
    /// The rows as they were inserted, and whether the table has triggers.
    Rows((Vec<R>, bool)),
    /// The id of the first row.
    First(u64),
}

fn statement<R: StoredRow>(backend: DbBackend, ids: IdStrategy, new: &[R::New]) -> Statement {
    let rows = new.iter().map(R::active_model);
    let insert = match backend {
        DbBackend::Postgres => ordered_insert::<R::Entity>(rows),
        // SQLite and MySQL number the rows of `VALUES` in their order.
        _ => R::Entity::insert_many(rows).into_query(),
    };
    let mut statement = backend.build(&insert);
    if ids == IdStrategy::Returning {
        statement.sql.push_str(&returning::<R::Entity>(backend));
    }
    statement
}

/// An insert that generates ids in the order of the rows: PostgreSQL guarantees that for a query with
/// `ORDER BY`, but not for `VALUES`.
fn ordered_insert<E: EntityTrait>(rows: impl Iterator<Item = E::ActiveModel>) -> InsertStatement {
    let columns = E::Column::iter().filter(|column| E::PrimaryKey::from_column(*column).is_none());
    let columns: Vec<_> = columns.collect();
    let rows = rows.zip(0_i64..).map(|(row, index)| {
        let values = columns.iter().map(|column| row.get(*column).into_value());
        let values = values.map(|value| value.expect("every column but the id is set"));
        ValueTuple::Many(values.chain([index.into()]).collect())
    });
    let name = |index: usize| Alias::new(format!("column{index}"));
    let mut ordered = Query::select();
    ordered
        .columns((1..=columns.len()).map(name))
        .from_values(rows, Alias::new("new"))
        .order_by(name(columns.len() + 1), Order::Asc);
    let mut insert = Query::insert();
    insert
        .into_table(E::default().table_ref())
        .columns(columns.iter().map(|column| Alias::new(column.as_str())));
    let insert = insert.select_from(ordered);
    insert
        .expect("as many columns are selected as inserted")
        .to_owned()
}

/// Sorts the stored rows in the order of the new ones, which is the order of their ids; no database
/// guarantees the order of returned rows. If a trigger has set the ids, rows are matched by content.
fn in_input_order<R: StoredRow>(new: &[R::New], mut stored: Vec<R>) -> Vec<R> {
    stored.sort_unstable_by_key(R::id);
    let mut pairs = new.iter().zip(&stored);
    if pairs.all(|(new, stored)| stored.has_content_of(new)) {
        return stored;
    }
    let mut remaining: Vec<&R> = stored.iter().collect();
    let by_content = new.iter().map(|new| {
        let index = remaining
            .iter()
            .position(|stored| stored.has_content_of(new))?;
        Some(remaining.remove(index).clone())
    });
    let by_content: Option<Vec<R>> = by_content.collect();
    // A trigger has changed the content; the order of the ids still applies.
    by_content.unwrap_or(stored)
}

/// A `RETURNING` clause with the columns of the table and whether it has triggers. MariaDB supports the
/// clause, which SeaORM omits for MySQL, and its triggers run before rows are returned.
pub(crate) fn returning<E: EntityTrait>(backend: DbBackend) -> String {
    let entity = E::default();
    let table = entity.table_name();
    let (quote, has_triggers) = match backend {
        DbBackend::Postgres => (
            '"',
            format!(
                "(SELECT relhastriggers::int::bigint FROM pg_class WHERE oid = '\"{table}\"'::regclass)"
            ),
        ),
        DbBackend::MySql => ('`', "0".to_owned()),
        _ => (
            '"',
            "EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'trigger')".to_owned(),
        ),
    };
    let columns = E::Column::iter();
    let columns = columns.map(|column| format!("{quote}{}{quote}, ", column.as_str()));
    format!(" RETURNING {}{has_triggers}", columns.collect::<String>())
}

/// Selects the rows that the session numbered from the first id on. The step is the session's, because
/// a change of the server's step does not affect existing sessions.
fn select_numbered<E: EntityTrait>() -> String {
    let id = id_column::<E>();
    let id = id.as_str();
    let step = "CAST(@@SESSION.auto_increment_increment AS SIGNED)";
    let numbered = format!("`{id}` BETWEEN ? AND ? + ? * {step} AND MOD(`{id}` - ?, {step}) = 0");
    let select = E::find().filter(Expr::cust(numbered));
    select.build(DbBackend::MySql).sql
}
