//! Reads the columns and indexes of the tables, to compare them with those that the service expects.

use std::collections::BTreeSet;

use futures_util::future::BoxFuture;
use sea_orm::DbBackend;

use crate::columns::{Column, columns};
use crate::database::Database;
use crate::error::Error;
use crate::migrations::step::{Index, Step, indexes};

impl Database {
    /// The columns of the tables that the service uses. Only reads.
    pub fn columns(&self) -> BoxFuture<'_, Result<Vec<Column>, Error>> {
        Box::pin(async {
            let expected = self.expected_columns().into_iter();
            let tables: BTreeSet<_> = expected.map(|column| column.table).collect();
            let pool = &self.pools.reader;
            let mut found = Vec::new();
            for table in &tables {
                found.extend(pool.with_timeout(columns(&pool.db, table)).await?);
            }
            Ok(found)
        })
    }

    /// The columns that the service reads and writes.
    pub fn expected_columns(&self) -> Vec<Column> {
        (self.application.columns)()
    }

    /// What the database does not enforce about its columns.
    pub fn unchecked(&self) -> Option<&'static str> {
        match self.pools.reader.backend() {
            DbBackend::Sqlite => Some(
                "SQLite does not enforce the types of columns: what the rows hold was not looked at",
            ),
            _ => None,
        }
    }

    /// The indexes that the migrations of these names create and the database does not have, or has with another
    /// uniqueness. Only reads.
    pub fn missing_indexes<'a>(
        &'a self,
        migrations: &'a [&str],
    ) -> BoxFuture<'a, Result<Vec<Index>, Error>> {
        Box::pin(async move {
            let pool = &self.pools.reader;
            let known = self.application.migrations.iter();
            let steps = known
                .filter(|migration| migrations.contains(&migration.name))
                .flat_map(|migration| (migration.steps)(pool.backend()));
            let mut missing: Vec<Index> = steps
                .filter_map(|step| match step {
                    Step::CreateIndex(index) => Some(index),
                    _ => None,
                })
                .collect();
            let tables: BTreeSet<_> = missing.iter().map(|index| index.table).collect();
            for table in tables {
                let found = pool.with_timeout(indexes(&pool.db, table)).await?;
                missing.retain(|index| {
                    let is_found = |(name, is_unique): &(String, bool)| {
                        name == index.name && *is_unique == index.is_unique
                    };
                    index.table != table || !found.iter().any(is_found)
                });
            }
            Ok(missing)
        })
    }
}
