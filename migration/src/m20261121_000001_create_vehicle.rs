//! Creates the table `vehicle`.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

const TEXT_CHARACTERS: u32 = 255;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let backend = manager.get_database_backend();
        manager.create_table(table(backend)).await?;
        if backend == DbBackend::MySql {
            // A table that already exists may be another of the same name: selecting the columns fails then.
            manager.execute(select_no_rows()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut drop = Table::drop();
        drop.table(Vehicle::Table);
        if manager.get_database_backend() == DbBackend::MySql {
            drop.if_exists();
        }
        manager.drop_table(drop).await
    }
}

fn table(backend: DbBackend) -> TableCreateStatement {
    let mut table = Table::create();
    table
        .table(Vehicle::Table)
        .col(
            ColumnDef::new(Vehicle::Id)
                .big_integer()
                .not_null()
                .auto_increment()
                .primary_key(),
        )
        .col(text(Vehicle::Type, backend).not_null())
        .col(text(Vehicle::ModelCode, backend).not_null())
        .col(text(Vehicle::BrandName, backend).null())
        .col(ColumnDef::new(Vehicle::LaunchDate).date().null());
    if backend == DbBackend::MySql {
        // MySQL commits DDL implicitly, so a crash can leave the table without the record of this
        // migration, and the next run must accept the existing table.
        table.if_not_exists();
        // A binary collation compares text exactly.
        table
            .engine("InnoDB")
            .character_set("utf8mb4")
            .collate("utf8mb4_bin");
    }
    table
}

fn select_no_rows() -> SelectStatement {
    use Vehicle::{BrandName, Id, LaunchDate, ModelCode, Table, Type};
    let mut select = Query::select();
    select
        .columns([Id, Type, ModelCode, BrandName, LaunchDate])
        .from(Table)
        .limit(0);
    select
}

fn text(column: Vehicle, backend: DbBackend) -> ColumnDef {
    let mut definition = ColumnDef::new(column);
    definition.string_len(TEXT_CHARACTERS);
    if backend == DbBackend::Sqlite {
        // SQLite does not enforce the length of a column type.
        definition.check(
            Func::cust("length")
                .arg(Expr::col(column))
                .lte(TEXT_CHARACTERS),
        );
    }
    definition
}

#[derive(Clone, Copy, DeriveIden)]
enum Vehicle {
    Table,
    Id,
    Type,
    ModelCode,
    BrandName,
    LaunchDate,
}
