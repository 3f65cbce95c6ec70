//! Adds the columns `creation_key` and `creation_digest` for idempotent creates, and a unique index, which rows
//! without a key do not enter.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

const TABLE: &str = "vehicle";
const KEY: &str = "creation_key";
const DIGEST: &str = "creation_digest";
const INDEX: &str = "vehicle_creation_key";

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // MySQL and SQLite can have a part of it without the record of this migration after a crash.
        for (name, bytes) in [(KEY, 16), (DIGEST, 8)] {
            if !manager.has_column(TABLE, name).await? {
                let mut column = ColumnDef::new(name);
                column.binary_len(bytes).null();
                let mut table = Table::alter();
                table.table(TABLE).add_column(column);
                manager.alter_table(table).await?;
            }
        }
        if manager.has_index(TABLE, INDEX).await? {
            return Ok(());
        }
        let mut index = Index::create();
        index.name(INDEX).table(TABLE).col(KEY).unique();
        if manager.get_database_backend() != DbBackend::MySql {
            index.and_where(Expr::col(KEY).is_not_null());
        }
        manager.create_index(index).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if manager.has_index(TABLE, INDEX).await? {
            let mut index = Index::drop();
            manager
                .drop_index(index.name(INDEX).table(TABLE).to_owned())
                .await?;
        }
        for name in [DIGEST, KEY] {
            if manager.has_column(TABLE, name).await? {
                let mut table = Table::alter();
                table.table(TABLE).drop_column(name);
                manager.alter_table(table).await?;
            }
        }
        Ok(())
    }
}
