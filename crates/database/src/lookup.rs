//! Finds rows by a key.

use std::collections::HashMap;
use std::hash::Hash;

use sea_orm::{DbBackend, Value, Values};

use crate::batcher::{BatchedQuery, Observer};
use crate::error::Error;
use crate::reader::{Reader, fan_out_error};
use crate::row::FromRow;

/// Finds the rows with a key: one statement for all concurrent requests, as for the relations of the objects of a list.
pub struct Lookup<K, R> {
    reader: Reader,
    sql: String,
    key: fn(&R) -> K,
}

impl<K, R> Lookup<K, R> {
    /// Where the statement has the keys.
    const KEYS: &'static str = "{keys}";

    /// The maximum number of keys in a statement.
    pub const MAX_BATCH: usize = 128;

    /// `sql` selects the columns of `R` and has `{keys}` in place of the keys, for example `SELECT id, title, author_id
    /// FROM book WHERE author_id IN ({keys}) ORDER BY id`. It limits the rows of a key if there can be many, for example
    /// by `ROW_NUMBER()`. `key` is the key of a row.
    pub fn new(reader: Reader, sql: String, key: fn(&R) -> K) -> Self {
        debug_assert!(sql.contains(Self::KEYS), "{sql} has no {}", Self::KEYS);
        Self { reader, sql, key }
    }

    /// The statement for this number of keys.
    fn sql(&self, keys: usize) -> String {
        let placeholder = |number: usize| match self.reader.backend() {
            DbBackend::Postgres => format!("${number}"),
            _ => "?".to_owned(),
        };
        let placeholders: Vec<_> = (1..=keys).map(placeholder).collect();
        self.sql.replacen(Self::KEYS, &placeholders.join(", "), 1)
    }
}

impl<K, R> BatchedQuery for Lookup<K, R>
where
    K: Clone + Eq + Hash + Into<Value> + Send + 'static,
    R: FromRow + Clone + Send + Sync + 'static,
{
    type Request = K;
    /// The rows in the order of the statement.
    type Output = Result<Vec<R>, Error>;
    type Observer = LogStatements;

    const NAME: &'static str = "SELECT by key";

    fn can_batch(_: &K, _: &K) -> bool {
        true
    }

    async fn run(&self, requests: Vec<K>) -> Vec<Self::Output> {
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

/// Logs each statement at the level `DEBUG` with the number of requests that share it.
#[derive(Debug)]
pub struct LogStatements;

impl Observer for LogStatements {
    type Queued = ();
    type Statement = ();

    fn queued() {}

    fn begin<'a>(name: &'static str, batch: impl ExactSizeIterator<Item = &'a ()>) {
        tracing::debug!("{name} for {} requests", batch.len());
    }
}
