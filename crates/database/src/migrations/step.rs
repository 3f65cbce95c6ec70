//! The steps of migrations. Each can be repeated after an interrupted run.

use async_trait::async_trait;
use sea_orm::sea_query::{ColumnDef, Expr, ExprTrait, Func, Table, TableCreateStatement, TableRef};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, QueryResult, Statement};
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use crate::columns::columns;

/// A migration of the tables of a service.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// Its name, which begins with the day it was written, such as `m20261124_000001_add_color`. Stored in
    /// the table `seaql_migrations` once it is applied.
    pub name: &'static str,
    /// What it does, in the SQL of a database. Instances of the release before must still be able to read and
    /// write the tables.
    pub steps: fn(DbBackend) -> Vec<Step>,
}

/// A step of a migration, and what reverts it.
#[derive(Clone, Debug)]
pub enum Step {
    /// Creates a table, or drops it. On MySQL it has the collation of utf8mb4 that compares text most exactly.
    CreateTable(TableCreateStatement),
    /// Adds a column that is nullable or has a default, or drops it.
    AddColumn {
        /// The name of the table.
        table: &'static str,
        /// The column.
        column: ColumnDef,
    },
    /// Creates an index, or drops it. PostgreSQL and MySQL create it while rows are written; for this,
    /// PostgreSQL runs the migration outside of a transaction.
    CreateIndex(Index),
    /// Executes SQL. It is repeated after an interrupted run on MySQL, and on PostgreSQL in a migration that also creates
    /// an index.
    Sql {
        /// The statements that apply the step.
        up: &'static str,
        /// The statements that revert it.
        down: &'static str,
    },
}

/// An index of a table.
#[derive(Clone, Copy, Debug)]
pub struct Index {
    /// Its name.
    pub name: &'static str,
    /// The name of the table.
    pub table: &'static str,
    /// Whether its values are unique.
    pub is_unique: bool,
    /// Its columns in parentheses, and the condition of a partial index.
    pub columns: &'static str,
}

/// These queries return the name of each index of a table, and whether its values are unique.
const POSTGRES_INDEXES: &str = "SELECT CAST(relname AS text), CAST(indisunique AS int)::bigint \
     FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid \
     WHERE indrelid = to_regclass($1) AND indisvalid";

const MYSQL_INDEXES: &str = "SELECT CAST(index_name AS CHAR), CAST(MIN(non_unique) = 0 AS SIGNED) \
     FROM information_schema.statistics \
     WHERE table_schema = DATABASE() AND table_name = ? GROUP BY index_name";

const SQLITE_INDEXES: &str = "SELECT name, CAST(\"unique\" AS INTEGER) FROM pragma_index_list(?)";

/// The names of the indexes of a table, and whether each is unique.
pub(crate) async fn indexes(
    db: &impl ConnectionTrait,
    table: &str,
) -> Result<Vec<(String, bool)>, DbErr> {
    let backend = db.get_database_backend();
    let query = match backend {
        DbBackend::Postgres => POSTGRES_INDEXES,
        DbBackend::MySql => MYSQL_INDEXES,
        _ => SQLITE_INDEXES,
    };
    let statement = Statement::from_sql_and_values(backend, query, [table.into()]);
    let rows = db.query_all_raw(statement).await?;
    let index = |row: &QueryResult| {
        Ok((
            row.try_get_by_index(0)?,
            row.try_get_by_index::<i64>(1)? == 1,
        ))
    };
    rows.iter().map(index).collect()
}

/// A column of text with a maximum number of characters, which SQLite checks by a constraint: it ignores the
/// length of a type.
pub fn text_column(name: &'static str, characters: u32, backend: DbBackend) -> ColumnDef {
    let mut column = ColumnDef::new(name);
    column.string_len(characters);
    if backend == DbBackend::Sqlite {
        column.check(Func::cust("length").arg(Expr::col(name)).lte(characters));
    }
    column
}

/// Of the collations that compare text exactly, the best that the server has: that of MariaDB, or of MySQL since
/// 8.0.17, or one that ignores trailing spaces.
const EXACT_COLLATION: &str = "SELECT CAST(collation_name AS CHAR) FROM information_schema.collations \
     WHERE collation_name IN ('utf8mb4_nopad_bin', 'utf8mb4_0900_bin', 'utf8mb4_bin') \
     ORDER BY FIELD(collation_name, 'utf8mb4_nopad_bin', 'utf8mb4_0900_bin', 'utf8mb4_bin') LIMIT 1";

impl MigrationName for Migration {
    fn name(&self) -> &str {
        self.name
    }
}

#[async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        for step in (self.steps)(db.get_database_backend()) {
            step.apply(db).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        let steps = (self.steps)(db.get_database_backend());
        for step in steps.into_iter().rev() {
            step.revert(db).await?;
        }
        Ok(())
    }

    /// On MySQL a change of a table ends the transaction, and PostgreSQL cannot create an index in one while rows are
    /// written.
    fn use_transaction(&self) -> Option<bool> {
        let mut steps = (self.steps)(DbBackend::Postgres).into_iter();
        steps
            .any(|step| matches!(step, Step::CreateIndex(_)))
            .then_some(false)
    }
}

impl Step {
    async fn apply(self, db: &impl ConnectionTrait) -> Result<(), DbErr> {
        match self {
            Self::CreateTable(table) => create_or_accept_table(db, table).await,
            Self::AddColumn { table, column } => {
                if has_column(db, table, &column).await? {
                    return Ok(());
                }
                let alter = Table::alter().table(table).add_column(column).take();
                db.execute(&alter).await.map(drop)
            }
            Self::CreateIndex(index) => index.create(db).await,
            Self::Sql { up, .. } => db.execute_unprepared(up).await.map(drop),
        }
    }

    async fn revert(self, db: &impl ConnectionTrait) -> Result<(), DbErr> {
        match self {
            Self::CreateTable(table) => {
                let drop_table = Table::drop().table(name(&table)).if_exists().take();
                db.execute(&drop_table).await.map(drop)
            }
            Self::AddColumn { table, column } => {
                if !has_column(db, table, &column).await? {
                    return Ok(());
                }
                let column = column.get_column_name();
                let alter = Table::alter().table(table).drop_column(column).take();
                db.execute(&alter).await.map(drop)
            }
            Self::CreateIndex(index) => index.drop(db).await,
            Self::Sql { down, .. } => db.execute_unprepared(down).await.map(drop),
        }
    }
}

pub(super) fn name(table: &TableCreateStatement) -> TableRef {
    let name = table.get_table_name();
    name.cloned().expect("the statement names the table")
}

async fn has_column(
    db: &impl ConnectionTrait,
    table: &str,
    column: &ColumnDef,
) -> Result<bool, DbErr> {
    let name = column.get_column_name();
    let columns = columns(db, table).await?;
    Ok(columns.iter().any(|column| column.name == name))
}

/// Creates a table, or accepts the one that an interrupted run has created.
async fn create_or_accept_table(
    db: &impl ConnectionTrait,
    mut table: TableCreateStatement,
) -> Result<(), DbErr> {
    table.if_not_exists();
    if db.get_database_backend() == DbBackend::MySql {
        let query = Statement::from_string(DbBackend::MySql, EXACT_COLLATION);
        let row = db.query_one_raw(query).await?;
        let missing = || DbErr::Custom("the server has no exact collation of utf8mb4".to_owned());
        let collation: String = row.ok_or_else(missing)?.try_get_by_index(0)?;
        table.engine("InnoDB").character_set("utf8mb4");
        table.collate(collation);
    }
    db.execute(&table).await.map(drop)
}

impl Index {
    async fn create(self, db: &impl ConnectionTrait) -> Result<(), DbErr> {
        let Self { name, table, .. } = self;
        let kind = if self.is_unique {
            "UNIQUE INDEX"
        } else {
            "INDEX"
        };
        let on = format!("ON {table} {}", self.columns);
        let create = match db.get_database_backend() {
            DbBackend::Postgres => {
                drop_invalid(db, name).await?;
                format!("CREATE {kind} CONCURRENTLY IF NOT EXISTS {name} {on}")
            }
            DbBackend::MySql if self.exists(db).await? => return Ok(()),
            // Refused by the server if it would block writes.
            DbBackend::MySql => {
                format!("CREATE {kind} {name} {on} ALGORITHM = INPLACE LOCK = NONE")
            }
            _ => format!("CREATE {kind} IF NOT EXISTS {name} {on}"),
        };
        db.execute_unprepared(&create).await.map(drop)
    }

    async fn drop(self, db: &impl ConnectionTrait) -> Result<(), DbErr> {
        let Self { name, table, .. } = self;
        let sql = match db.get_database_backend() {
            DbBackend::MySql if self.exists(db).await? => format!("DROP INDEX {name} ON {table}"),
            DbBackend::MySql => return Ok(()),
            _ => format!("DROP INDEX IF EXISTS {name}"),
        };
        db.execute_unprepared(&sql).await.map(drop)
    }

    async fn exists(self, db: &impl ConnectionTrait) -> Result<bool, DbErr> {
        let indexes = indexes(db, self.table).await?;
        Ok(indexes.iter().any(|(name, _)| name == self.name))
    }
}

/// Drops the invalid index that an interrupted `CREATE INDEX CONCURRENTLY` leaves.
async fn drop_invalid(db: &impl ConnectionTrait, name: &str) -> Result<(), DbErr> {
    let query = Statement::from_sql_and_values(
        DbBackend::Postgres,
        "SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid",
        [name.into()],
    );
    if db.query_one_raw(query).await?.is_some() {
        let drop = format!("DROP INDEX CONCURRENTLY {name}");
        db.execute_unprepared(&drop).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::application::Application;
    use crate::database::Database;

    const MIGRATIONS: &[Migration] = &[
        Migration {
            name: "create_book",
            steps: |backend| {
                let mut id = ColumnDef::new("id");
                id.big_integer().not_null().auto_increment().primary_key();
                let table = Table::create()
                    .table("book")
                    .col(id)
                    .col(text_column("title", 9, backend).not_null())
                    .take();
                let insert = Step::Sql {
                    up: "INSERT INTO book (title) VALUES ('Emma'); INSERT INTO book (title) VALUES ('Ulysses')",
                    down: "DELETE FROM book",
                };
                vec![Step::CreateTable(table), insert]
            },
        },
        Migration {
            name: "add_genre",
            steps: |backend| {
                let index = Step::CreateIndex(Index {
                    name: "book_genre",
                    table: "book",
                    is_unique: false,
                    columns: "(genre)",
                });
                let column = text_column("genre", 9, backend);
                vec![
                    Step::AddColumn {
                        table: "book",
                        column,
                    },
                    index,
                ]
            },
        },
    ];

    #[tokio::test]
    async fn every_kind_of_step_can_be_applied_and_reverted_again_and_again() {
        let application = Application {
            migrations: MIGRATIONS,
            ..Application::BOOKSHOP
        };
        let database = Database::in_memory(application).await;
        let names = ["create_book", "add_genre"];
        for _ in 0..2 {
            let applied = database.migrate_up().await;
            assert_eq!(applied.expect("the database is empty"), names);
            let writer = database.write_connection();
            let long = "UPDATE book SET genre = 'A long text' WHERE title = 'Emma'";
            let refused = writer.execute_unprepared(long).await;
            assert!(refused.is_err(), "{refused:?}");
            let short = "UPDATE book SET genre = 'NOVEL' WHERE title = 'Emma'";
            let updated = writer.execute_unprepared(short).await;
            assert_eq!(updated.expect("it is stored").rows_affected(), 1);
            let reverted = database.migrate_down(2).await;
            assert_eq!(
                reverted.expect("all are applied"),
                ["add_genre", "create_book"]
            );
        }
        let tables = columns(&database.pools.reader.db, "book").await;
        assert_eq!(tables.expect("it can be read"), []);
    }

    #[test]
    fn only_the_creation_of_an_index_runs_outside_of_a_transaction() {
        let outside = MIGRATIONS.iter().map(Migration::use_transaction);
        assert_eq!(outside.collect::<Vec<_>>(), [None, Some(false)]);
    }
}
