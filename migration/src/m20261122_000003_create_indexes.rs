//! Creates the indexes of idempotency keys and of pages in the order of launch dates.

use database::{Index, Step};
use sea_orm::DbBackend;

use crate::TABLE;

pub(crate) fn steps(backend: DbBackend) -> Vec<Step> {
    let index = |name, columns| Index {
        name,
        table: TABLE,
        is_unique: false,
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
}
