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
    /// Reads the version. Rejects servers that reuse ids.
    pub(crate) async fn read(connection: &mut MySqlConnection) -> Result<Self, DbErr> {
        // Not `SELECT VERSION()`: a change of a table of a Galera cluster blocks that.
        let query = sqlx::query_as("SHOW VARIABLES LIKE 'version'");
        let version = query.fetch_one(connection).await;
        let (_, version): (String, String) = version.map_err(query_error)?;
        let version = Self::parse(&version);
        version.require_persistent_ids()?;
        Ok(version)
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

    /// Rejects a server that forgets the counter of the ids when it restarts: it would give the id of a
    /// deleted row to a new one.
    pub(crate) fn require_persistent_ids(&self) -> Result<(), DbErr> {
        let (name, required) = if self.is_mariadb {
            ("MariaDB", [10, 2, 4])
        } else {
            ("MySQL", [8, 0, 0])
        };
        if self.number >= required {
            return Ok(());
        }
        let [version, required] =
            [self.number, required].map(|number| number.map(|part| part.to_string()).join("."));
        Err(DbErr::Custom(format!(
            "{name} {version} is not supported, because it can reuse the ids of deleted rows after a restart; \
             use {name} {required} or later"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::ServerVersion;

    #[test]
    fn requires_servers_that_persist_the_counter_of_the_ids() {
        for supported in [
            "8.0.11",
            "8.4.0-pretended",
            "9.7.0",
            "10.2.4-MariaDB",
            "10.11.6-MariaDB-0+deb12u1",
            "5.5.5-10.11.6-MariaDB",
            "11.4.2-MariaDB-log",
        ] {
            let version = ServerVersion::parse(supported);
            assert!(version.require_persistent_ids().is_ok(), "{supported}");
        }
        for (refused, message) in [
            ("5.7.44-log", "MySQL 5.7.44 is not supported"),
            ("5.5.5-10.2.3-MariaDB", "MariaDB 10.2.3 is not supported"),
            ("5.5.68-MariaDB", "MariaDB 5.5.68 is not supported"),
        ] {
            let error = ServerVersion::parse(refused).require_persistent_ids();
            let error = error.expect_err("it can reuse ids").to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
