//! The encoding of a PostgreSQL database, which decides which characters it can store and what the length of a text is.

use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement};

use crate::connection_pool::ConnectionPool;

const ENCODING: &str = "SELECT current_database()::text, current_setting('server_encoding')";

/// Rejects a database with another encoding than UTF-8: most lack characters, and `SQL_ASCII` counts bytes.
pub(crate) async fn require_utf8(pool: &ConnectionPool) -> Result<(), DbErr> {
    let connection = pool.acquire().await?;
    let query = Statement::from_string(DbBackend::Postgres, ENCODING);
    let rows = connection.query_all_raw(query).await;
    for row in connection.release(rows)? {
        let (name, encoding): (String, String) =
            (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        if !encoding.eq_ignore_ascii_case("UTF8") {
            return Err(DbErr::Custom(format!(
                "the database {name} has the encoding {encoding}, which cannot store every text; make another with CREATE \
                 DATABASE {name}_utf8 ENCODING 'UTF8' TEMPLATE template0, copy the tables with pg_dump and pg_restore, and \
                 name it in the database URL"
            )));
        }
    }
    Ok(())
}
