//! Adds the column `version`, with a default, so that older instances can still insert vehicles.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

const TABLE: &str = "vehicle";
const COLUMN: &str = "version";

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // MySQL and SQLite can have the column without the record of this migration after a crash.
        if manager.has_column(TABLE, COLUMN).await? {
            return Ok(());
        }
        let mut column = ColumnDef::new(COLUMN);
        match manager.get_database_backend() {
            // `integer` is the type of 64-bit columns of SQLite.
            DbBackend::Sqlite => column.custom("int"),
            _ => column.integer(),
        };
        column.not_null().default(1);
        let mut table = Table::alter();
        manager
            .alter_table(table.table(TABLE).add_column(column).to_owned())
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if !manager.has_column(TABLE, COLUMN).await? {
            return Ok(());
        }
        let mut table = Table::alter();
        manager
            .alter_table(table.table(TABLE).drop_column(COLUMN).to_owned())
            .await
    }
}
