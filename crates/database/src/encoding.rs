//! The encoding of a PostgreSQL database, which decides which characters it can store and what the length of a text is.

use sea_orm::{DbErr, Values};

use crate::connection_pool::ConnectionPool;
use crate::row::{FromRow, Row};

const ENCODING: &str = "SELECT current_database()::text, current_setting('server_encoding')";

/// The name of a database and its encoding.
struct Encoding(String, String);

impl FromRow for Encoding {
    fn from_row(row: &Row<'_>) -> Result<Self, DbErr> {
        Ok(Self(row.get(0)?, row.get(1)?))
    }
}

/// Rejects a database with another encoding than UTF-8: most lack characters, and `SQL_ASCII` counts bytes.
pub(crate) async fn require_utf8(pool: &ConnectionPool) -> Result<(), DbErr> {
    let mut connection = pool.acquire().await?;
    let rows = connection.rows(ENCODING, Values(Vec::new())).await;
    for Encoding(name, encoding) in connection.release(rows)? {
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
