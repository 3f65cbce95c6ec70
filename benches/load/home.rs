//! A database of its own, with as many vehicles as are wanted, stored durably.

use std::path::Path;

use clap::ValueEnum;
use sea_orm::{ConnectOptions, ConnectionTrait, Database};
use serde::{Deserialize, Serialize};
use tokio::runtime;

use crate::{
    Outcome,
    databases::{Backend, Databases, Extras, OwnServer, TestDatabase},
    vehicles,
};

/// A kind of database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DatabaseKind {
    /// A file.
    Sqlite,
    /// A PostgreSQL server.
    Postgres,
    /// A MariaDB or MySQL server.
    Mysql,
}

impl DatabaseKind {
    pub(crate) const ALL: [Self; 3] = [Self::Sqlite, Self::Postgres, Self::Mysql];

    /// Its name in tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
            Self::Mysql => "MariaDB",
        }
    }

    /// Its name in the names of files.
    pub(crate) fn file_name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
            Self::Mysql => "mysql",
        }
    }

    /// What makes a server of the tests, which forget everything in a crash, one that forgets nothing.
    fn durable(self) -> Extras {
        let arguments: &[&str] = match self {
            Self::Sqlite => &[],
            Self::Postgres => &[
                "-cfsync=on",
                "-cfull_page_writes=on",
                "-csynchronous_commit=on",
                "-cshared_buffers=128MB",
            ],
            Self::Mysql => &[
                "--innodb-flush-log-at-trx-commit=1",
                "--innodb-buffer-pool-size=128M",
                "--character-set-server=utf8mb4",
            ],
        };
        Extras {
            files: Vec::new(),
            arguments: arguments.iter().map(ToString::to_string).collect(),
        }
    }

    /// What is left to do after many rows were stored, so that it is not done while measuring.
    fn settling(self) -> &'static [&'static str] {
        match self {
            Self::Sqlite => &["PRAGMA wal_checkpoint(TRUNCATE)"],
            Self::Postgres => &["VACUUM ANALYZE vehicle", "CHECKPOINT"],
            Self::Mysql => &["ANALYZE TABLE vehicle"],
        }
    }
}

/// A database that ends with this value.
pub(crate) struct Home {
    pub(crate) url: String,
    pub(crate) kind: DatabaseKind,
    /// How many vehicles it was filled with.
    pub(crate) rows: u64,
    _kept: Kept,
}

#[expect(dead_code, reason = "held for what happens when it is dropped")]
enum Kept {
    File(TestDatabase),
    Server(OwnServer),
}

impl Home {
    /// Starts a server if it takes one, and has the program store so many vehicles.
    pub(crate) fn with(binary: &Path, kind: DatabaseKind, rows: u64) -> Outcome<Self> {
        let backend = match kind {
            DatabaseKind::Sqlite => Backend::Sqlite,
            DatabaseKind::Postgres => Backend::Postgres,
            DatabaseKind::Mysql => Backend::Mysql,
        };
        let (url, kept) = if kind == DatabaseKind::Sqlite {
            let file = Databases::new().fresh(backend);
            (file.url().to_owned(), Kept::File(file))
        } else {
            OwnServer::availability(backend)?;
            let server = OwnServer::start(backend, &kind.durable());
            (server.database(), Kept::Server(server))
        };
        let home = Self {
            url,
            kind,
            rows,
            _kept: kept,
        };
        vehicles::store(binary, &home.url, rows)?;
        home.settle()?;
        Ok(home)
    }

    fn settle(&self) -> Outcome<()> {
        let runtime = runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let mut options = ConnectOptions::new(&self.url);
            options.max_connections(1).sqlx_logging(false);
            let db = Database::connect(options).await?;
            for statement in self.kind.settling() {
                db.execute_unprepared(statement).await?;
            }
            Ok(db.close().await?)
        })
    }
}
