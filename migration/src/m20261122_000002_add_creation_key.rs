//! Adds the columns `creation_key` and `creation_digest` for idempotent creates, which older instances leave null.

use database::Step;
use sea_orm::DbBackend;
use sea_orm::sea_query::ColumnDef;

use crate::TABLE;

pub(crate) fn steps(_: DbBackend) -> Vec<Step> {
    let binary = |name, bytes| Step::AddColumn {
        table: TABLE,
        column: ColumnDef::new(name).binary_len(bytes).null().take(),
    };
    vec![binary("creation_key", 16), binary("creation_digest", 8)]
}
