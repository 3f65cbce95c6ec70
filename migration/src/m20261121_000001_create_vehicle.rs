//! Creates the table `vehicle`.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{DbBackend, Statement};

const TEXT_CHARACTERS: u32 = 255;

/// Of the collations that compare text exactly, the best that the server has: that of MariaDB, or of MySQL since
/// 8.0.17, or one that ignores trailing spaces.
const EXACT_COLLATION: &str = "SELECT CAST(collation_name AS CHAR) FROM information_schema.collations \
     WHERE collation_name IN ('utf8mb4_nopad_bin', 'utf8mb4_0900_bin', 'utf8mb4_bin') \
     ORDER BY FIELD(collation_name, 'utf8mb4_nopad_bin', 'utf8mb4_0900_bin', 'utf8mb4_bin') LIMIT 1";

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let backend = manager.get_database_backend();
        let mut table = table(backend);
        if backend == DbBackend::MySql {
            // MySQL commits DDL implicitly, so a crash can leave the table without the record of this
            // migration, and the next run must accept the existing table.
            table.if_not_exists();
            table
                .engine("InnoDB")
                .character_set("utf8mb4")
                .collate(exact_collation(manager).await?);
        }
        manager.create_table(table).await?;
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
    table
}

async fn exact_collation(manager: &SchemaManager<'_>) -> Result<String, DbErr> {
    let query = Statement::from_string(DbBackend::MySql, EXACT_COLLATION);
    let row = manager.get_connection().query_one_raw(query).await?;
    let missing = || DbErr::Custom("the server has no exact collation of utf8mb4".to_owned());
    row.ok_or_else(missing)?.try_get_by_index(0)
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
