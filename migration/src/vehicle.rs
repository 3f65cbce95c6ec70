//! The migrations. Instances of the release before must still be able to read and write the tables, so a new column is
//! nullable or has a default.

use async_trait::async_trait;
use sea_orm::{
    ConnectionTrait, DbBackend, DbErr, Statement,
    sea_query::{ColumnDef, Expr, ExprTrait, Func, Index, Table},
};
use sea_orm_migration::{MigrationName, MigrationTrait, MigratorTrait, SchemaManager};

pub(crate) const TABLE: &str = "vehicle";

/// The migrations, oldest first.
pub(crate) struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(CreateVehicle), Box::new(AddVersion), Box::new(AddCreationKey), Box::new(CreateIndexes)]
    }
}

const TEXT_CHARACTERS: u32 = 255;

/// Of the collations that compare text exactly, the best that the server has: that of MariaDB, or of MySQL since
/// 8.0.17, or one that ignores trailing spaces.
const EXACT_COLLATION: &str = "SELECT CAST(collation_name AS CHAR) FROM information_schema.collations \
     WHERE collation_name IN ('utf8mb4_nopad_bin', 'utf8mb4_0900_bin', 'utf8mb4_bin') \
     ORDER BY FIELD(collation_name, 'utf8mb4_nopad_bin', 'utf8mb4_0900_bin', 'utf8mb4_bin') LIMIT 1";

macro_rules! migration {
    ($migration:ident, $name:literal) => {
        pub(crate) struct $migration;

        impl MigrationName for $migration {
            fn name(&self) -> &str {
                $name
            }
        }
    };
}

migration!(CreateVehicle, "m20261121_000001_create_vehicle");

impl CreateVehicle {
    /// The columns of the first version, by which its table is recognised.
    pub(crate) const COLUMNS: [&str; 5] = ["id", "type", "model_code", "brand_name", "launch_date"];
}

#[async_trait]
impl MigrationTrait for CreateVehicle {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        let backend = db.get_database_backend();
        let mut id = ColumnDef::new("id");
        id.big_integer().not_null().auto_increment().primary_key();
        let text = |name| text_column(name, backend);
        let mut table = Table::create()
            .table(TABLE)
            .if_not_exists()
            .col(id)
            .col(text("type").not_null())
            .col(text("model_code").not_null())
            .col(text("brand_name").null())
            .col(ColumnDef::new("launch_date").date().null())
            .take();
        if backend == DbBackend::MySql {
            let query = Statement::from_string(DbBackend::MySql, EXACT_COLLATION);
            let row = db.query_one_raw(query).await?;
            let missing = || DbErr::Custom("the server has no exact collation of utf8mb4".to_owned());
            let collation: String = row.ok_or_else(missing)?.try_get_by_index(0)?;
            table.engine("InnoDB").character_set("utf8mb4").collate(collation);
        }
        manager.create_table(table).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::drop().table(TABLE).if_exists().take();
        manager.drop_table(table).await
    }
}

/// A column of text, whose length SQLite checks by a constraint: it ignores the length of a type.
fn text_column(name: &'static str, backend: DbBackend) -> ColumnDef {
    let mut column = ColumnDef::new(name);
    column.string_len(TEXT_CHARACTERS);
    if backend == DbBackend::Sqlite {
        column.check(Func::cust("length").arg(Expr::col(name)).lte(TEXT_CHARACTERS));
    }
    column
}

migration!(AddVersion, "m20261122_000001_add_version");

#[async_trait]
impl MigrationTrait for AddVersion {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut column = ColumnDef::new("version");
        match manager.get_database_backend() {
            // `integer` is the type of 64-bit columns of SQLite.
            DbBackend::Sqlite => column.custom("int"),
            _ => column.integer(),
        };
        add_column(manager, "version", column.not_null().default(1)).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_column(manager, "version").await
    }
}

migration!(AddCreationKey, "m20261122_000002_add_creation_key");

#[async_trait]
impl MigrationTrait for AddCreationKey {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (name, bytes) in [("creation_key", 16), ("creation_digest", 8)] {
            let mut column = ColumnDef::new(name);
            add_column(manager, name, column.binary_len(bytes).null()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_column(manager, "creation_digest").await?;
        drop_column(manager, "creation_key").await
    }
}

async fn add_column(manager: &SchemaManager<'_>, name: &str, column: &mut ColumnDef) -> Result<(), DbErr> {
    if manager.has_column(TABLE, name).await? {
        return Ok(());
    }
    let alter = Table::alter().table(TABLE).add_column(column.take()).take();
    manager.alter_table(alter).await
}

async fn drop_column(manager: &SchemaManager<'_>, name: &'static str) -> Result<(), DbErr> {
    if !manager.has_column(TABLE, name).await? {
        return Ok(());
    }
    let alter = Table::alter().table(TABLE).drop_column(name).take();
    manager.alter_table(alter).await
}

migration!(CreateIndexes, "m20261122_000003_create_indexes");

/// The names and the columns of the indexes.
#[rustfmt::skip]
pub const INDEXES: [(&str, &str); 5] = [
    ("vehicle_creation_key", "creation_key"),
    ("vehicle_launch_date", "launch_date, id"),
    ("vehicle_type_launch_date", "type, launch_date, id"),
    ("vehicle_model_code_launch_date", "model_code, launch_date, id"),
    ("vehicle_brand_name_launch_date", "brand_name, launch_date, id"),
];

/// The index of these whose values are unique.
pub const UNIQUE_INDEX: &str = "vehicle_creation_key";

/// The statement that creates an index.
pub fn create_index(backend: DbBackend, name: &str, columns: &str) -> String {
    let unique = if name == UNIQUE_INDEX { "UNIQUE " } else { "" };
    let columns = match (backend, columns) {
        // Nulls first, so that pages with a text, whose order has them last, do not use it.
        (DbBackend::Postgres, "launch_date, id") => "(launch_date NULLS FIRST, id)".to_owned(),
        // MySQL has no partial indexes.
        (DbBackend::MySql, _) => format!("({columns}) ALGORITHM = INPLACE LOCK = NONE"),
        (_, "creation_key") => "(creation_key) WHERE creation_key IS NOT NULL".to_owned(),
        _ => format!("({columns})"),
    };
    format!("CREATE {unique}INDEX {name} ON {TABLE} {columns}")
}

#[async_trait]
impl MigrationTrait for CreateIndexes {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let backend = manager.get_database_backend();
        for (name, columns) in INDEXES {
            if !manager.has_index(TABLE, name).await? {
                let create = create_index(backend, name, columns);
                manager.get_connection().execute_unprepared(&create).await?;
            }
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (name, _) in INDEXES.into_iter().rev() {
            if manager.has_index(TABLE, name).await? {
                manager.drop_index(Index::drop().name(name).table(TABLE).to_owned()).await?;
            }
        }
        Ok(())
    }
}
