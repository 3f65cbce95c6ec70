//! What reverting migrations deletes.

use std::fmt;

use futures_util::future::BoxFuture;
use sea_orm::sea_query::{Asterisk, Expr, ExprTrait, Query, SelectStatement};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr};

use super::step::{Migration, Step, has_column, name};
use crate::columns::columns;
use crate::connect;
use crate::database::Database;
use crate::error::Error;

/// Data that reverting a migration deletes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loss {
    /// All rows of a table.
    Rows {
        /// The table.
        table: String,
        /// Their number.
        count: i64,
    },
    /// Values of a column that are not its default.
    Values {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// Their number.
        count: i64,
    },
    /// Whatever the SQL of a migration deletes.
    Unknown {
        /// The migration.
        migration: String,
    },
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: &i64| if *count == 1 { "" } else { "s" };
        match self {
            Self::Rows { table, count } => {
                write!(f, "the table {table} with {count} row{}", plural(count))
            }
            Self::Values {
                table,
                column,
                count,
            } => write!(
                f,
                "the column {table}.{column} with {count} value{}",
                plural(count)
            ),
            Self::Unknown { migration } => {
                write!(f, "what the SQL of the migration {migration} deletes")
            }
        }
    }
}

impl Database {
    /// What [`migrate_down`](Self::migrate_down) would delete. Only reads.
    pub fn losses(&self, steps: u32) -> BoxFuture<'_, Result<Vec<Loss>, Error>> {
        Box::pin(async move {
            let applied = self.applied().await?;
            let known = self.application.migrations.iter().rev();
            let known = known.filter(|known| applied.iter().any(|name| name == known.name));
            let newest: Vec<_> = known.take(steps as usize).collect();
            // It has no statement timeout, because a large table takes long to count.
            let db = connect::dedicated(&self.settings, &self.pools.writer);
            let losses = losses(&db, &newest).await;
            if db.get_database_backend() != DbBackend::Sqlite {
                // Closing a pool never fails.
                let _ = db.close().await;
            }
            losses.map_err(Error::classify)
        })
    }
}

async fn losses(db: &DatabaseConnection, newest: &[&Migration]) -> Result<Vec<Loss>, DbErr> {
    let backend = db.get_database_backend();
    let mut losses = Vec::new();
    for migration in newest {
        for step in (migration.steps)(backend).into_iter().rev() {
            losses.extend(loss(db, migration, step).await?);
        }
    }
    let dropped: Vec<_> = losses.iter().filter_map(dropped_table).collect();
    // The values of a table that is dropped are counted with it.
    losses.retain(|loss| match loss {
        Loss::Values { table, .. } => !dropped.contains(table),
        Loss::Rows { .. } | Loss::Unknown { .. } => true,
    });
    Ok(losses)
}

fn dropped_table(loss: &Loss) -> Option<String> {
    match loss {
        Loss::Rows { table, .. } => Some(table.clone()),
        Loss::Values { .. } | Loss::Unknown { .. } => None,
    }
}

async fn loss(
    db: &DatabaseConnection,
    migration: &Migration,
    step: Step,
) -> Result<Option<Loss>, DbErr> {
    let loss = match step {
        Step::CreateTable(created) => {
            let table = name(&created);
            let text = table.sea_orm_table().to_string();
            if columns(db, &text).await?.is_empty() {
                return Ok(None);
            }
            let count = count(db, Query::select().from(table)).await?;
            Loss::Rows { table: text, count }
        }
        Step::AddColumn { table, column } => {
            if !has_column(db, table, &column).await? {
                return Ok(None);
            }
            let name = column.get_column_name();
            let value = Expr::col(name.clone());
            let differs = match &column.get_column_spec().default {
                Some(default) => value.ne(default.clone()),
                None => value.is_not_null(),
            };
            let count = count(db, Query::select().from(table).and_where(differs)).await?;
            Loss::Values {
                table: table.to_owned(),
                column: name,
                count,
            }
        }
        Step::CreateIndex(_) => return Ok(None),
        Step::Sql { .. } => Loss::Unknown {
            migration: migration.name.to_owned(),
        },
    };
    Ok(match loss {
        Loss::Rows { count: 0, .. } | Loss::Values { count: 0, .. } => None,
        loss => Some(loss),
    })
}

async fn count(db: &DatabaseConnection, rows: &mut SelectStatement) -> Result<i64, DbErr> {
    let count = rows.expr(Expr::col(Asterisk).count());
    let row = db.query_one(count).await?;
    row.map_or(Ok(0), |row| row.try_get_by_index(0))
}
