//! Creates the indexes of pages in the order of launch dates.
//!
//! PostgreSQL creates them while vehicles are written, which takes no transaction; so it can be interrupted, as
//! on MySQL, and be repeated.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{DbBackend, Statement};

const TABLE: &str = "vehicle";
const LAUNCH_DATE: &str = "launch_date";
const ID: &str = "id";

/// The indexes: name, and the column before the launch date and the id.
const INDEXES: [(&str, Option<&str>); 4] = [
    ("vehicle_launch_date", None),
    ("vehicle_type_launch_date", Some("type")),
    ("vehicle_model_code_launch_date", Some("model_code")),
    ("vehicle_brand_name_launch_date", Some("brand_name")),
];

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let backend = manager.get_database_backend();
        for (name, column) in INDEXES {
            if backend == DbBackend::Postgres {
                drop_unfinished(manager, name).await?;
                create_concurrently(manager, name, column).await?;
                continue;
            }
            if manager.has_index(TABLE, name).await? {
                continue;
            }
            let mut index = Index::create();
            index.name(name).table(TABLE);
            if let Some(column) = column {
                index.col(column);
            }
            index.col(LAUNCH_DATE).col(ID);
            manager.create_index(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (name, _) in INDEXES {
            if manager.has_index(TABLE, name).await? {
                let mut index = Index::drop();
                manager
                    .drop_index(index.name(name).table(TABLE).to_owned())
                    .await?;
            }
        }
        Ok(())
    }

    fn use_transaction(&self) -> Option<bool> {
        Some(false)
    }
}

/// Creates an index of PostgreSQL. That without a text has nulls first, so that pages with a text, whose order
/// has them last, do not use it.
async fn create_concurrently(
    manager: &SchemaManager<'_>,
    name: &str,
    column: Option<&str>,
) -> Result<(), DbErr> {
    let columns = match column {
        Some(column) => format!("\"{column}\", {LAUNCH_DATE}, {ID}"),
        None => format!("{LAUNCH_DATE} NULLS FIRST, {ID}"),
    };
    let create = format!("CREATE INDEX CONCURRENTLY IF NOT EXISTS {name} ON {TABLE} ({columns})");
    let db = manager.get_connection();
    db.execute_unprepared(&create).await?;
    Ok(())
}

/// Drops the invalid index that an interrupted `CREATE INDEX CONCURRENTLY` leaves.
async fn drop_unfinished(manager: &SchemaManager<'_>, name: &str) -> Result<(), DbErr> {
    let db = manager.get_connection();
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
