//! The databases that tests run on: SQLite always, PostgreSQL, MariaDB and MySQL where available.
//!
//! A server is the one that `TEST_POSTGRES_URL`, `TEST_MARIADB_URL` or `TEST_MYSQL_URL` names, or a
//! throwaway one, started from installed binaries when the first test needs it. Every test gets its own
//! empty database.

mod admin;
mod backend;
mod own_server;
mod programs;
mod server;
mod watchdog;

use std::sync::OnceLock;

use tempfile::TempDir;

pub use self::admin::{connect, is_ready};
pub use self::backend::Backend;
pub use self::own_server::OwnServer;
pub use self::server::{Extras, free_port};
use crate::variables::variable;

/// The database servers of the tests, each started on first use and stopped when this is dropped.
#[derive(Default)]
pub struct Databases {
    /// By kind of database: the administrative URL, and the server unless a variable names it.
    servers: [OnceLock<(String, Option<OwnServer>)>; Backend::ALL.len()],
}

impl Databases {
    /// Whether databases of this kind are available, or why not. Starts no server.
    pub fn availability(backend: Backend) -> Result<(), String> {
        let missing = match backend {
            Backend::Sqlite => return Ok(()),
            Backend::Postgres => {
                "no PostgreSQL: TEST_POSTGRES_URL is not set and `initdb` and `postgres` were not found"
            }
            Backend::Mariadb => "no MariaDB: TEST_MARIADB_URL is not set and `mariadbd` was not found",
            Backend::Mysql => {
                "no MySQL: TEST_MYSQL_URL is not set, no `mysqld` of MySQL was found, and .ci/fetch-mysql \
                 has not fetched one"
            }
        };
        let configured = configured_url(backend);
        let is_available = configured.is_some() || programs::server(backend).is_some();
        is_available.then_some(()).ok_or_else(|| missing.to_owned())
    }

    /// Whether a missing database fails the tests instead of skipping them. MySQL has its own variable,
    /// since stable Debian has no package of it.
    pub fn is_required(backend: Backend) -> bool {
        let name = match backend {
            Backend::Mysql => "TEST_REQUIRE_MYSQL",
            _ => "TEST_REQUIRE_ALL",
        };
        variable(name).is_some_and(|value| value == "1")
    }

    /// Creates an empty database.
    pub fn fresh(&self, backend: Backend) -> TestDatabase {
        if backend == Backend::Sqlite {
            let folder = TempDir::with_prefix("testkit-").expect("a temporary folder can be made");
            return TestDatabase {
                url: format!("sqlite:{}", folder.path().join("test.db").display()),
                _folder: Some(folder),
                on_server: None,
            };
        }
        let (admin_url, _) = self.servers[backend as usize].get_or_init(|| {
            if let Some(admin_url) = configured_url(backend) {
                return (admin_url, None);
            }
            let server = OwnServer::start(backend, &without_tls(backend));
            (server.admin_url().to_owned(), Some(server))
        });
        let name = admin::unique_name();
        TestDatabase {
            url: admin::create_database(admin_url, &name),
            _folder: None,
            on_server: Some((admin_url.clone(), name)),
        }
    }
}

/// MySQL without TLS, whose handshakes are most of the time of a short test.
fn without_tls(backend: Backend) -> Extras {
    let mut extras = Extras::default();
    if backend == Backend::Mysql {
        extras.arguments.push("--tls-version=".to_owned());
    }
    extras
}

/// A database that is dropped with this value.
pub struct TestDatabase {
    url: String,
    /// The folder of a SQLite database.
    _folder: Option<TempDir>,
    /// The administrative URL and the name of a database on a server.
    on_server: Option<(String, String)>,
}

impl TestDatabase {
    /// Its URL.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        if let Some((admin_url, name)) = &self.on_server {
            admin::drop_database(admin_url, name);
        }
    }
}

/// The URL in `TEST_POSTGRES_URL`, `TEST_MARIADB_URL` or `TEST_MYSQL_URL`.
fn configured_url(backend: Backend) -> Option<String> {
    let name = format!("TEST_{}_URL", backend.name().to_uppercase());
    Some(variable(&name)?.replacen("mariadb://", "mysql://", 1))
}
