//! An empty database that is durable: a commit is on disk before it is acknowledged.

use testkit::{Backend, Databases, Extras, OwnServer, TestDatabase};

/// A SQLite file, or a server, which stops when this is dropped, with a database.
pub(crate) struct DurableDatabase {
    pub(crate) url: String,
    _file: Option<TestDatabase>,
    _server: Option<OwnServer>,
}

impl DurableDatabase {
    pub(crate) fn create(backend: Backend) -> Self {
        if backend == Backend::Sqlite {
            let file = Databases::default().fresh(backend);
            return Self { url: file.url().to_owned(), _file: Some(file), _server: None };
        }
        // The servers of the tests are not durable by default.
        let arguments: &[&str] = if backend == Backend::Postgres {
            &["-cfsync=on", "-cfull_page_writes=on", "-csynchronous_commit=on", "-cshared_buffers=128MB"]
        } else {
            &["--innodb-flush-log-at-trx-commit=1", "--innodb-buffer-pool-size=128M", "--character-set-server=utf8mb4"]
        };
        let extras = Extras { files: Vec::new(), arguments: arguments.iter().map(ToString::to_string).collect() };
        let server = OwnServer::start(backend, &extras);
        Self { url: server.database(), _file: None, _server: Some(server) }
    }
}
