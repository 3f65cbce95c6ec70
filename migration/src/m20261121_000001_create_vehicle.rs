//! Creates the table `vehicle`.

use database::{Step, text_column};
use sea_orm::DbBackend;
use sea_orm::sea_query::{ColumnDef, Table};

use crate::TABLE;

const TEXT_CHARACTERS: u32 = 255;

pub(crate) fn steps(backend: DbBackend) -> Vec<Step> {
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
}
