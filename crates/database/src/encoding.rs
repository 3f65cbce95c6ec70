//! The encoding of a PostgreSQL database, which decides which characters it can store and what the length of a text is.

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, Statement};

const ENCODING: &str = "SELECT current_database()::text, current_setting('server_encoding')";

/// Rejects a database with another encoding than UTF-8: most lack characters, and `SQL_ASCII` counts bytes.
pub(crate) async fn require_utf8(db: &DatabaseConnection) -> Result<(), DbErr> {
    let query = Statement::from_string(DbBackend::Postgres, ENCODING);
    let Some(row) = db.query_one_raw(query).await? else {
        return Ok(());
    };
    let (name, encoding): (String, String) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
    if encoding.eq_ignore_ascii_case("UTF8") {
        return Ok(());
    }
    Err(DbErr::Custom(format!(
        "the database {name} has the encoding {encoding}, which cannot store every text; make one with CREATE DATABASE \
         {name} ENCODING 'UTF8' TEMPLATE template0, and copy the tables with pg_dump and pg_restore"
    )))
}
