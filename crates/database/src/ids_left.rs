//! Recognises exhausted ids. SQLite has the same error code for those and for a full disk.

use sea_orm::{ConnectionTrait, DbErr, EntityTrait, IdenStatic, Statement};

use crate::error::{Error, has_no_id_left, is_full};
use crate::ids::id_column;

/// Replaces the error of an insert of `rows` rows by `NoIdLeft` if the ids of the table are exhausted.
pub(crate) async fn classify<E: EntityTrait>(
    error: Error,
    rows: usize,
    db: &impl ConnectionTrait,
) -> Error {
    let table = || E::default().table_name().to_owned();
    match error {
        Error::Unexpected(source) if has_no_id_left(&source) => Error::NoIdLeft {
            table: table(),
            source,
        },
        Error::Unavailable(source) if is_full(&source) => match highest::<E>(db).await {
            Ok(highest) if highest > i64::MAX - i64::try_from(rows).unwrap_or(i64::MAX) => {
                Error::NoIdLeft {
                    table: table(),
                    source,
                }
            }
            _ => Error::Unavailable(source),
        },
        error => error,
    }
}

/// The highest id that SQLite has generated: of an existing or of a deleted row.
async fn highest<E: EntityTrait>(db: &impl ConnectionTrait) -> Result<i64, DbErr> {
    let (table, id) = (E::default(), id_column::<E>());
    let (table, id) = (table.table_name(), id.as_str());
    let highest = format!(
        "SELECT max((SELECT coalesce(max(\"{id}\"), 0) FROM \"{table}\"), \
         (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = '{table}'))"
    );
    let highest = Statement::from_string(db.get_database_backend(), highest);
    let row = db.query_one_raw(highest).await?;
    row.ok_or_else(|| DbErr::Custom("the highest id is missing".to_owned()))?
        .try_get_by_index(0)
}
