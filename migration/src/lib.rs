//! The database migrations of the vehicle catalogue, which define its tables.

use database::{Index, Migration, Step, text_column};
use sea_orm::DbBackend;
use sea_orm::sea_query::{ColumnDef, Table};

const TABLE: &str = "vehicle";

const TEXT_CHARACTERS: u32 = 255;

/// The migrations, oldest first.
pub const MIGRATIONS: &[Migration] = &[
    Migration {
        name: "m20261121_000001_create_vehicle",
        steps: |backend| {
            let text = |name| text_column(name, TEXT_CHARACTERS, backend);
            let mut id = ColumnDef::new("id");
            id.big_integer().not_null().auto_increment().primary_key();
            let table = Table::create()
                .table(TABLE)
                .col(id)
                .col(text("type").not_null())
                .col(text("model_code").not_null())
                .col(text("brand_name").null())
                .col(ColumnDef::new("launch_date").date().null())
                .take();
            vec![Step::CreateTable(table)]
        },
    },
    Migration {
        // With a default, so that older instances can still insert vehicles.
        name: "m20261122_000001_add_version",
        steps: |backend| {
            let mut column = ColumnDef::new("version");
            match backend {
                // `integer` is the type of 64-bit columns of SQLite.
                DbBackend::Sqlite => column.custom("int"),
                _ => column.integer(),
            };
            vec![add_column(column.not_null().default(1))]
        },
    },
    Migration {
        // For idempotent creates; older instances leave them null.
        name: "m20261122_000002_add_creation_key",
        steps: |_| {
            let binary = |name, bytes| add_column(ColumnDef::new(name).binary_len(bytes).null());
            vec![binary("creation_key", 16), binary("creation_digest", 8)]
        },
    },
    Migration {
        // For idempotency keys, and for pages in the order of launch dates.
        name: "m20261122_000003_create_indexes",
        steps: |backend| {
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
            let indexes = [
                Index {
                    is_unique: true,
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
            ];
            indexes.map(Step::CreateIndex).into()
        },
    },
];

fn add_column(column: &mut ColumnDef) -> Step {
    Step::AddColumn {
        table: TABLE,
        column: column.take(),
    }
}

fn index(name: &'static str, columns: &'static str) -> Index {
    Index {
        name,
        table: TABLE,
        is_unique: false,
        columns,
    }
}

/// The names of the migrations, oldest first.
pub fn known() -> Vec<String> {
    let names = MIGRATIONS.iter().map(|migration| migration.name.to_owned());
    names.collect()
}
