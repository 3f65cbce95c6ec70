//! The kinds of databases.

use std::str::FromStr;

/// A kind of database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// A file.
    Sqlite,
    /// PostgreSQL.
    Postgres,
    /// MariaDB.
    Mariadb,
    /// MySQL.
    Mysql,
}

impl Backend {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Sqlite, Self::Postgres, Self::Mariadb, Self::Mysql];

    /// Its name in test names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
            Self::Mariadb => "mariadb",
            Self::Mysql => "mysql",
        }
    }

    /// Whether it has the protocol and the SQL dialect of MySQL.
    pub fn is_mysql_family(self) -> bool {
        matches!(self, Self::Mariadb | Self::Mysql)
    }
}

impl FromStr for Backend {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let backend = Self::ALL.into_iter().find(|one| one.name() == name);
        backend.ok_or_else(|| format!("use one of {:?}", Self::ALL.map(Self::name)))
    }
}
