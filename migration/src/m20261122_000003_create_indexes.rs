//! Creates the indexes of idempotency keys and of pages in the order of launch dates.
//!
//! PostgreSQL and MySQL create them while vehicles are written, which takes no transaction; so it can be
//! interrupted, and be repeated.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{DbBackend, Statement};

const TABLE: &str = "vehicle";

/// An index of the table.
struct TableIndex {
    name: &'static str,
    kind: &'static str,
    columns: &'static str,
}

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let backend = manager.get_database_backend();
        for TableIndex {
            name,
            kind,
            columns,
        } in indexes(backend)
        {
            let create = match backend {
                DbBackend::Postgres => {
                    drop_invalid(manager, name).await?;
                    format!("CREATE {kind} CONCURRENTLY IF NOT EXISTS {name} ON {TABLE} {columns}")
                }
                DbBackend::MySql if manager.has_index(TABLE, name).await? => continue,
                // Refused by the server if it would block writes.
                DbBackend::MySql => format!(
                    "CREATE {kind} {name} ON {TABLE} {columns} ALGORITHM = INPLACE LOCK = NONE"
                ),
                _ => format!("CREATE {kind} IF NOT EXISTS {name} ON {TABLE} {columns}"),
            };
            let db = manager.get_connection();
            db.execute_unprepared(&create).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for TableIndex { name, .. } in indexes(manager.get_database_backend()) {
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

fn indexes(backend: DbBackend) -> [TableIndex; 5] {
    let index = |name, columns| TableIndex {
        name,
        kind: "INDEX",
        columns,
    };
    let creation_key = match backend {
        // It has no partial indexes.
        DbBackend::MySql => "(creation_key)",
        _ => "(creation_key) WHERE creation_key IS NOT NULL",
    };
    let launch_date = match backend {
        // Nulls first, so that pages with a text, whose order has them last, do not use it.
        DbBackend::Postgres => "(launch_date NULLS FIRST, id)",
        _ => "(launch_date, id)",
    };
    [
        TableIndex {
            kind: "UNIQUE INDEX",
            ..index("vehicle_creation_key", creation_key)
        },
        index("vehicle_launch_date", launch_date),
        index("vehicle_type_launch_date", "(type, launch_date, id)"),
        index(
            "vehicle_model_code_launch_date",
            "(model_code, launch_date, id)",
        ),
        index(
            "vehicle_brand_name_launch_date",
            "(brand_name, launch_date, id)",
        ),
    ]
}

/// Drops the invalid index that an interrupted `CREATE INDEX CONCURRENTLY` leaves.
async fn drop_invalid(manager: &SchemaManager<'_>, name: &str) -> Result<(), DbErr> {
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
