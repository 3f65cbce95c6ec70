//! A database in the terms of OpenTelemetry's semantic conventions.

use crate::database_url::{DatabaseUrl, MARIADB, Target};

impl DatabaseUrl {
    /// The name of the database system, `db.system.name`.
    pub fn system(&self) -> &'static str {
        match &self.0 {
            Target::SqliteFile(_) | Target::SqliteMemory(_) => "sqlite",
            Target::Postgres(_) => "postgresql",
            Target::MySql(_, MARIADB) => "mariadb",
            Target::MySql(..) => "mysql",
        }
    }

    /// The name of the database on its server.
    pub fn database_name(&self) -> Option<&str> {
        match &self.0 {
            Target::SqliteFile(_) | Target::SqliteMemory(_) => None,
            Target::Postgres(server) => server.get_database(),
            Target::MySql(server, _) => server.get_database(),
        }
    }

    /// The host and the port of the server.
    pub fn server(&self) -> Option<(&str, u16)> {
        match &self.0 {
            Target::SqliteFile(_) | Target::SqliteMemory(_) => None,
            Target::Postgres(server) => Some((server.get_host(), server.get_port())),
            Target::MySql(server, _) => Some((server.get_host(), server.get_port())),
        }
    }
}
