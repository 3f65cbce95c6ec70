//! Adds the columns `creation_key` and `creation_digest` for idempotent creates, which older instances leave null.

use sea_orm_migration::prelude::*;

const TABLE: &str = "vehicle";

/// The columns and their lengths in bytes.
const COLUMNS: [(&str, u32); 2] = [("creation_key", 16), ("creation_digest", 8)];

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (name, bytes) in COLUMNS {
            // MySQL and SQLite can have a part of it without the record of this migration after a crash.
            if !manager.has_column(TABLE, name).await? {
                let mut column = ColumnDef::new(name);
                column.binary_len(bytes).null();
                let mut table = Table::alter();
                table.table(TABLE).add_column(column);
                manager.alter_table(table).await?;
            }
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (name, _) in COLUMNS.into_iter().rev() {
            if manager.has_column(TABLE, name).await? {
                let mut table = Table::alter();
                table.table(TABLE).drop_column(name);
                manager.alter_table(table).await?;
            }
        }
        Ok(())
    }
}
