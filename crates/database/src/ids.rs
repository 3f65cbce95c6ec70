//! The generated ids of a table: their column, and how those of inserted rows are read.

use sea_orm::sqlx::MySqlConnection;
use sea_orm::{DbErr, EntityTrait, Iterable, PrimaryKeyToColumn};

use crate::galera;
use crate::row::query_error;
use crate::server_version::ServerVersion;

/// How the ids of inserted rows are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdStrategy {
    /// `INSERT … RETURNING` returns the stored rows.
    Returning,
    /// The database reports the first id. MySQL numbers the rows of one `INSERT … VALUES` in order,
    /// in steps of the session's `auto_increment_increment`, in every mode of
    /// `innodb_autoinc_lock_mode`, because the number of rows is known beforehand:
    /// <https://dev.mysql.com/doc/refman/8.4/en/innodb-auto-increment-handling.html>.
    FirstId,
    /// The database reports the first id, and the step changes at run time: a Galera cluster sets it
    /// to the number of nodes. Each row is inserted by a statement of its own.
    SingleRow,
}

impl IdStrategy {
    /// MariaDB returns rows since 10.5; MySQL does not.
    pub(crate) async fn of_mysql(
        version: &ServerVersion,
        connection: &mut MySqlConnection,
    ) -> Result<Self, DbErr> {
        if version.is_mariadb && version.number >= [10, 5, 0] {
            return Ok(Self::Returning);
        }
        if galera::is_node(connection).await.map_err(query_error)? {
            return Ok(Self::SingleRow);
        }
        Ok(Self::FirstId)
    }
}

/// The column of the primary key.
pub(crate) fn id_column<E: EntityTrait>() -> E::Column {
    let key = E::PrimaryKey::iter().next();
    key.expect("an entity has a primary key").into_column()
}
