//! Versions of MySQL and MariaDB.

use sea_orm::DbErr;
use sea_orm::sqlx::{self, MySqlConnection};

use crate::row::query_error;

/// The version of a MySQL or MariaDB server.
#[derive(Debug)]
pub(crate) struct ServerVersion {
    pub(crate) is_mariadb: bool,
    pub(crate) number: [u32; 3],
}

impl ServerVersion {
    /// Reads the version.
    pub(crate) async fn read(connection: &mut MySqlConnection) -> Result<Self, DbErr> {
        // Not `SELECT VERSION()`: a change of a table of a Galera cluster blocks that.
        let query = sqlx::query_as("SHOW VARIABLES LIKE 'version'");
        let version = query.fetch_one(connection).await;
        let (_, version): (String, String) = version.map_err(query_error)?;
        Ok(Self::parse(&version))
    }

    /// Parses `8.4.0` or `10.11.6-MariaDB-…`.
    pub(crate) fn parse(text: &str) -> Self {
        // Replication made older versions of MariaDB pretend to be a MySQL of this version.
        let version = text.strip_prefix("5.5.5-").unwrap_or(text);
        let version = version.split('-').next().unwrap_or(version);
        let mut numbers = version.split('.').map_while(|part| part.parse().ok());
        Self {
            is_mariadb: text.contains("MariaDB"),
            number: [(); 3].map(|()| numbers.next().unwrap_or(0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ServerVersion;

    #[test]
    fn reads_the_product_and_the_number() {
        for (text, is_mariadb, number) in [
            ("8.4.0-pretended", false, [8, 4, 0]),
            ("10.11.6-MariaDB-0+deb12u1", true, [10, 11, 6]),
            ("5.5.5-10.11.6-MariaDB", true, [10, 11, 6]),
        ] {
            let version = ServerVersion::parse(text);
            assert_eq!((version.is_mariadb, version.number), (is_mariadb, number));
        }
    }
}
