//! Inserts rows in batches and returns them as stored.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sea_orm::sea_query::{Alias, Expr, InsertStatement, Order, Query, ValueTuple};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbBackend, DbErr, EntityTrait, FromQueryResult,
    IdenStatic, Iterable, ModelTrait, PrimaryKeyToColumn, QueryFilter, QueryResult, QueryTrait,
    Select, Statement,
};
use tokio::time::timeout;

use crate::connection_pool::{ConnectionPool, PooledConnection};
use crate::error::{
    Error, failed_before_send, fan_out_error, is_lost_connection, is_refusal, timeout_error,
};
use crate::ids::{IdStrategy, id_column};
use crate::ids_left;
use crate::retry::{Backoff, retry, retry_rolled_back};

/// Inserts rows with one multi-row `INSERT` per batch, which commits by itself, atomically. If the rows have to be read
/// back, a transaction also includes that, so that nobody can delete them before.
///
/// The key of the table is a 64-bit integer that the database generates. A new row sets all other columns, and `R` decodes
/// a row as stored.
pub struct Inserter<E> {
    pool: Arc<ConnectionPool>,
    ids: IdStrategy,
    /// Whether the table had triggers at the last insert.
    has_triggers: AtomicBool,
    entity: PhantomData<fn() -> E>,
}

impl<E: EntityTrait<ActiveModel: Sync>> Inserter<E> {
    /// The maximum number of rows in a statement: a connection can cache prepared statements of all sizes.
    pub const MAX_ROWS: usize = 64;

    pub(crate) fn new(pool: Arc<ConnectionPool>, ids: IdStrategy) -> Self {
        Self {
            pool,
            ids,
            has_triggers: AtomicBool::new(false),
            entity: PhantomData,
        }
    }

    /// Stores at most [`MAX_ROWS`](Self::MAX_ROWS) rows and returns them in the order of `new`. All have one
    /// outcome, unless the database refuses one of them: then each is stored by itself.
    pub async fn insert<R: FromQueryResult>(
        &self,
        new: &[E::ActiveModel],
    ) -> Vec<Result<R, Error>> {
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
    pub async fn insert_all<R: FromQueryResult>(
        &self,
        new: &[E::ActiveModel],
    ) -> Result<Vec<R>, Error> {
        retry_rolled_back(self.pool.query_timeout, || self.store(new)).await
    }

    async fn insert_each<R: FromQueryResult>(
        &self,
        new: &[E::ActiveModel],
    ) -> Vec<Result<R, Error>> {
        let mut results = Vec::with_capacity(new.len());
        for one in new.chunks(1) {
            let stored = retry_rolled_back(self.pool.query_timeout, || self.store(one)).await;
            results.push(stored.map(|mut stored| stored.swap_remove(0)));
        }
        results
    }

    /// Stores all rows or none. Errors other than an unknown outcome can be retried.
    async fn store<R: FromQueryResult>(&self, new: &[E::ActiveModel]) -> Result<Vec<R>, Error> {
        let connection = self.pool.with_timeout(self.acquire()).await?;
        // The database aborts a statement after the query timeout and reports that. Only if it does
        // not respond either is the outcome unknown.
        let commit_timeout = self.pool.query_timeout * 2;
        match timeout(commit_timeout, self.send(connection, new)).await {
            Ok(Err(error)) => Err(ids_left::classify::<E>(error, new.len(), &self.pool.db).await),
            Ok(stored) => stored,
            Err(_) => Err(Error::OutcomeUnknown(timeout_error(commit_timeout).into())),
        }
    }

    /// Acquires a connection and retries failures: no statement has been sent yet.
    async fn acquire(&self) -> Result<PooledConnection<'_>, DbErr> {
        let pool = &self.pool;
        // A ping of an idle connection is no statement.
        let is_retryable = |error: &DbErr| failed_before_send(error) || is_lost_connection(error);
        retry(Backoff::STATEMENT, || pool.acquire(), is_retryable).await
    }

    async fn send<R: FromQueryResult>(
        &self,
        connection: PooledConnection<'_>,
        new: &[E::ActiveModel],
    ) -> Result<Vec<R>, Error> {
        if self.ids != IdStrategy::Returning || self.has_triggers.load(Ordering::Relaxed) {
            return self.send_transaction(connection, new).await;
        }
        let inserted = match self.insert_rows(&connection, new).await {
            Ok(inserted) => inserted,
            Err(error) => {
                return connection.release(Err(error)).map_err(Error::from_commit);
            }
        };
        // The rows are stored: any later failure leaves the outcome unknown.
        let stored = self.stored(inserted, &connection, new).await;
        let released = connection.release(stored);
        released.map_err(|error| Error::OutcomeUnknown(error.into()))
    }

    /// Stores the rows and reads them back in a transaction. A connection that may still be in it is not released, but
    /// closed, which rolls back.
    async fn send_transaction<R: FromQueryResult>(
        &self,
        connection: PooledConnection<'_>,
        new: &[E::ActiveModel],
    ) -> Result<Vec<R>, Error> {
        match self.insert_in_transaction(&connection, new).await {
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
    async fn insert_in_transaction<R: FromQueryResult>(
        &self,
        connection: &PooledConnection<'_>,
        new: &[E::ActiveModel],
    ) -> Result<Vec<R>, DbErr> {
        connection.begin().await?;
        let statement_rows = match self.ids {
            IdStrategy::SingleRow => 1,
            IdStrategy::Returning | IdStrategy::FirstId => new.len().max(1),
        };
        let mut all = Vec::with_capacity(new.len());
        for rows in new.chunks(statement_rows) {
            let inserted = self.insert_rows(connection, rows).await?;
            all.extend(self.stored(inserted, connection, rows).await?);
        }
        Ok(all)
    }

    /// Runs the statement that inserts these rows.
    async fn insert_rows(
        &self,
        connection: &PooledConnection<'_>,
        new: &[E::ActiveModel],
    ) -> Result<Inserted, DbErr> {
        let insert = statement::<E>(self.pool.backend(), self.ids, new);
        if self.ids != IdStrategy::Returning {
            let done = connection.execute_raw(insert).await?;
            return Ok(Inserted::First(done.last_insert_id()));
        }
        let rows = connection.query_all_raw(insert).await?;
        let has_triggers = has_triggers(&rows)?;
        // A trigger can suppress all rows, and then there is none that tells whether there are triggers.
        if !rows.is_empty() {
            self.has_triggers.store(has_triggers, Ordering::Relaxed);
        }
        Ok(Inserted::Rows(rows, has_triggers))
    }

    /// The rows of an insert as stored, in the order of `new`.
    async fn stored<R: FromQueryResult>(
        &self,
        inserted: Inserted,
        connection: &PooledConnection<'_>,
        new: &[E::ActiveModel],
    ) -> Result<Vec<R>, DbErr> {
        let id = id_column::<E>();
        // MariaDB does not tell whether the table has triggers.
        let is_reordered = match &inserted {
            Inserted::Rows(_, has_triggers) => {
                *has_triggers || self.pool.backend() == DbBackend::MySql
            }
            Inserted::First(_) => false,
        };
        let mut rows = match inserted {
            Inserted::Rows(rows, false) => rows,
            // A trigger may have changed a row after `RETURNING`.
            Inserted::Rows(rows, true) => {
                let ids = rows.iter().map(|row| row.try_get::<i64>("", id.as_str()));
                let ids = ids.collect::<Result<Vec<_>, _>>()?;
                let select = E::find().filter(id.is_in(ids));
                connection.query_all(select.as_query()).await?
            }
            Inserted::First(first) => {
                let too_high = |_| DbErr::Custom("the first id has more than 63 bits".to_owned());
                let first = i64::try_from(first).map_err(too_high)?;
                let steps = i64::try_from(new.len().saturating_sub(1)).unwrap_or(i64::MAX);
                let select = select_numbered::<E>(first, steps);
                connection.query_all(select.as_query()).await?
            }
        };
        if rows.len() != new.len() {
            let (count, read) = (new.len(), rows.len());
            let message = format!("of an insert of {count} rows, {read} can be read back");
            return Err(DbErr::Custom(message));
        }
        if rows.len() > 1 {
            sort_by_id(&mut rows, id.as_str());
            if is_reordered {
                rows = sort_by_content::<E>(new, rows)?;
            }
        }
        rows.iter()
            .map(|row| R::from_query_result(row, ""))
            .collect()
    }
}

/// The result of an insert.
enum Inserted {
    /// The rows as they were inserted, and whether the table has triggers.
    Rows(Vec<QueryResult>, bool),
    /// The id of the first row.
    First(u64),
}

fn statement<E: EntityTrait>(
    backend: DbBackend,
    ids: IdStrategy,
    new: &[E::ActiveModel],
) -> Statement {
    let insert = match backend {
        DbBackend::Postgres => ordered_insert::<E>(new),
        // SQLite and MySQL number the rows of `VALUES` in their order.
        _ => E::insert_many(new.iter().cloned()).into_query(),
    };
    let mut statement = backend.build(&insert);
    if ids == IdStrategy::Returning {
        statement.sql.push_str(&returning::<E>(backend));
    }
    statement
}

/// An insert that generates ids in the order of the rows: PostgreSQL guarantees that for a query with
/// `ORDER BY`, but not for `VALUES`.
fn ordered_insert<E: EntityTrait>(rows: &[E::ActiveModel]) -> InsertStatement {
    let columns = E::Column::iter().filter(|column| E::PrimaryKey::from_column(*column).is_none());
    let columns: Vec<_> = columns.collect();
    let rows = rows.iter().zip(0_i64..).map(|(row, index)| {
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

/// Sorts rows by id, because no database guarantees the order of returned rows.
fn sort_by_id(rows: &mut [QueryResult], id: &str) {
    // Every row has an id.
    rows.sort_by_cached_key(|row| row.try_get::<i64>("", id).unwrap_or_default());
}

/// Sorts rows in the order of the new ones by content. If a trigger has changed it, they stay in the order of their ids.
fn sort_by_content<E: EntityTrait>(
    new: &[E::ActiveModel],
    mut rows: Vec<QueryResult>,
) -> Result<Vec<QueryResult>, DbErr> {
    let models = rows.iter().map(|row| E::Model::from_query_result(row, ""));
    let mut models = models
        .map(|model| model.map(Some))
        .collect::<Result<Vec<_>, _>>()?;
    let has_content = |new: &E::ActiveModel, stored: &E::Model| {
        let mut columns = E::Column::iter().map(|column| (new.get(column), stored.get(column)));
        columns.all(|(new, stored)| new.into_value().is_none_or(|new| new == stored))
    };
    let find = |new| {
        let is_same = |model: &Option<E::Model>| {
            let model = model.as_ref();
            model.is_some_and(|model| has_content(new, model))
        };
        let index = models.iter().position(is_same)?;
        models[index] = None;
        Some(index)
    };
    let order: Option<Vec<usize>> = new.iter().map(find).collect();
    if let Some(order) = order {
        let mut unordered: Vec<_> = rows.into_iter().map(Some).collect();
        rows = order
            .into_iter()
            .filter_map(|index| unordered[index].take())
            .collect();
    }
    Ok(rows)
}

/// Whether the table has triggers, from the rows of a statement with [`returning`].
pub(crate) fn has_triggers(rows: &[QueryResult]) -> Result<bool, DbErr> {
    match rows.first() {
        Some(row) => Ok(row.try_get::<i64>("", HAS_TRIGGERS)? == 1),
        None => Ok(false),
    }
}

const HAS_TRIGGERS: &str = "has_triggers";

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
    let columns = columns.collect::<String>();
    format!(" RETURNING {columns}{has_triggers} AS {HAS_TRIGGERS}")
}

/// Selects the rows that the session numbered from the first id on. The step is the session's, because
/// a change of the server's step does not affect existing sessions.
fn select_numbered<E: EntityTrait>(first: i64, steps: i64) -> Select<E> {
    let id = id_column::<E>();
    let id = id.as_str();
    let step = "CAST(@@SESSION.auto_increment_increment AS SIGNED)";
    let numbered = format!("`{id}` BETWEEN ? AND ? + ? * {step} AND MOD(`{id}` - ?, {step}) = 0");
    let values = [first, first, steps, first];
    E::find().filter(Expr::cust_with_values(numbered, values))
}
