//! Finds rows by a key.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use sea_orm::{DbBackend, Value, Values};

use crate::batcher::BatchedQuery;
use crate::database::{Database, ReadBatcher};
use crate::error::{Error, fan_out_error};
use crate::reader::Reader;
use crate::row::FromRow;

/// The maximum number of keys in a statement.
const MAX_BATCH: usize = 128;

/// Finds the rows of a table by the value of a column: one statement for all concurrent requests, as for the relations of
/// the objects of a list.
pub struct Lookup<K, R> {
    reader: Reader,
    table: &'static str,
    column: &'static str,
    limit: u32,
    key: fn(&R) -> K,
}

impl Database {
    /// Finds the rows of a table by the value of a column, at most `limit` for each value, in the order of the column `id`.
    /// The table has the columns of `R` in their order; `key` is the value of the column in a row.
    pub fn lookup<K, R>(
        &self,
        table: &'static str,
        column: &'static str,
        limit: u32,
        key: fn(&R) -> K,
    ) -> Arc<ReadBatcher<Lookup<K, R>>>
    where
        Lookup<K, R>: BatchedQuery,
    {
        let query = |reader| Lookup {
            reader,
            table,
            column,
            limit,
            key,
        };
        self.read_batcher(query, MAX_BATCH)
    }
}

impl<K, R> Lookup<K, R> {
    /// The statement for this number of keys.
    fn sql(&self, keys: usize) -> String {
        let placeholder = |number: usize| match self.reader.backend() {
            DbBackend::Postgres => format!("${number}"),
            _ => "?".to_owned(),
        };
        let keys: Vec<_> = (1..=keys).map(placeholder).collect();
        let keys = keys.join(", ");
        let (table, column, limit) = (self.table, self.column, self.limit);
        format!(
            "SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY {column} ORDER BY id) AS number
             FROM {table} WHERE {column} IN ({keys})) AS numbered WHERE number <= {limit} ORDER BY id"
        )
    }
}

impl<K, R> BatchedQuery for Lookup<K, R>
where
    K: Clone + Eq + Hash + Into<Value> + Send + 'static,
    R: FromRow + Clone + Send + Sync + 'static,
{
    type Request = K;
    /// The rows in the order of their ids.
    type Output = Result<Vec<R>, Error>;
    type Observer = ();

    const NAME: &'static str = "SELECT by key";

    fn can_batch(_: &K, _: &K) -> bool {
        true
    }

    async fn run(&self, requests: Vec<K>) -> Vec<Self::Output> {
        tracing::debug!("{} for {} requests", Self::NAME, requests.len());
        let mut keys = HashMap::new();
        for key in &requests {
            keys.insert(key.clone(), Vec::new());
        }
        // A power of two, so that a connection can cache all prepared statements.
        let size = keys.len().next_power_of_two();
        let last = &requests[requests.len() - 1];
        let values = keys.keys().chain(std::iter::repeat(last)).take(size);
        let values = Values(values.cloned().map(Into::into).collect());
        let rows = match self.reader.rows::<R>(&self.sql(size), &values).await {
            Ok(rows) => rows,
            Err(error) => return fan_out_error(&error, requests.len()),
        };
        for row in rows {
            keys.entry((self.key)(&row)).or_default().push(row);
        }
        let rows = requests.iter().map(|key| Ok(keys[key].clone()));
        rows.collect()
    }
}
