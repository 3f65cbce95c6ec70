//! Adds the column `version`, with a default, so that older instances can still insert vehicles.

use database::Step;
use sea_orm::DbBackend;
use sea_orm::sea_query::ColumnDef;

use crate::TABLE;

pub(crate) fn steps(backend: DbBackend) -> Vec<Step> {
    let mut column = ColumnDef::new("version");
    match backend {
        // `integer` is the type of 64-bit columns of SQLite.
        DbBackend::Sqlite => column.custom("int"),
        _ => column.integer(),
    };
    vec![Step::AddColumn {
        table: TABLE,
        column: column.not_null().default(1).take(),
    }]
}
