//! The databases that tests run on: SQLite always, PostgreSQL, MariaDB and MySQL where available.
//!
//! A server is the one that `TEST_POSTGRES_URL`, `TEST_MARIADB_URL` or `TEST_MYSQL_URL` names, or a
//! throwaway one, started from installed binaries when the first test needs it. Every test gets its own
//! empty database.

mod admin;
mod programs;
mod server;
mod watchdog;

use std::str::FromStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

pub use server::Extras;
use server::Server;
use tempfile::TempDir;

use crate::harness::variable;

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

/// The database servers of the tests, each started on first use and stopped when this is dropped.
#[derive(Default)]
pub struct Databases {
    /// By kind of database.
    servers: [OnceLock<Server>; Backend::ALL.len()],
}

impl Databases {
    /// Whether databases of this kind are available, or why not. Starts no server.
    pub fn availability(backend: Backend) -> Result<(), String> {
        let missing = match backend {
            Backend::Sqlite => return Ok(()),
            Backend::Postgres => {
                "no PostgreSQL: TEST_POSTGRES_URL is not set and `initdb` and `postgres` were not found"
            }
            Backend::Mariadb => {
                "no MariaDB: TEST_MARIADB_URL is not set and `mariadbd` was not found"
            }
            Backend::Mysql => {
                "no MySQL: TEST_MYSQL_URL is not set, no `mysqld` of MySQL was found, and .ci/fetch-mysql \
                 has not fetched one"
            }
        };
        let server = server::configured_url(backend);
        let is_available = server.is_some() || programs::server(backend).is_some();
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
        let server = &self.servers[backend as usize];
        let server = server.get_or_init(|| Server::configured_or_throwaway(backend));
        let (admin_url, name) = (server.admin_url().to_owned(), unique_name());
        TestDatabase {
            url: admin::create_database(&admin_url, &name),
            _folder: None,
            on_server: Some((admin_url, name)),
        }
    }
}

/// A throwaway server of one test, which may stop it or start it with other arguments.
pub struct OwnServer(Server);

impl OwnServer {
    /// Whether such a server is available, or why not.
    pub fn availability(backend: Backend) -> Result<(), String> {
        if backend == Backend::Sqlite {
            return Err("SQLite has no server".to_owned());
        }
        let missing = || format!("no program of a {} server was found", backend.name());
        programs::server(backend).map(drop).ok_or_else(missing)
    }

    /// Whether a PostgreSQL server with a replica is available, or why not.
    pub fn standby_availability() -> Result<(), String> {
        Self::availability(Backend::Postgres)?;
        let missing = || "no `pg_basebackup` was found".to_owned();
        programs::pg_basebackup().map(drop).ok_or_else(missing)
    }

    /// Starts a server of this kind.
    pub fn start(backend: Backend, extras: &Extras) -> Self {
        Self(Server::throwaway(backend, extras))
    }

    /// A streaming replica of this PostgreSQL server.
    #[must_use]
    pub fn standby(&self, extras: &Extras) -> Self {
        Self(server::postgres_standby(&self.0, extras))
    }

    /// The URL of its administrative database.
    pub fn admin_url(&self) -> &str {
        self.0.admin_url()
    }

    /// Its host and port.
    pub fn address(&self) -> &str {
        self.0.address()
    }

    /// Creates an empty database, which is removed with the server.
    pub fn database(&self) -> String {
        admin::create_database(self.admin_url(), &unique_name())
    }

    /// A server with durable commits, which survive a crash.
    pub fn durable(backend: Backend) -> Self {
        let mut extras = Extras::default();
        // `synchronous_commit` of PostgreSQL is off by default here; the service turns it on.
        if backend.is_mysql_family() {
            let durable = "--innodb-flush-log-at-trx-commit=1";
            extras.arguments.push(durable.to_owned());
        }
        Self::start(backend, &extras)
    }

    /// Stops it as a crash would, and waits until it no longer listens.
    pub fn stop(&mut self) {
        self.shut_down("stop");
    }

    /// Kills all its processes, and waits until it no longer listens.
    pub fn kill(&mut self) {
        self.shut_down("kill");
    }

    /// Shuts it down gracefully, and waits until it no longer listens.
    pub fn end(&mut self) {
        self.shut_down("end");
    }

    /// Freezes all its processes (`SIGSTOP`): connections stay open without a response.
    pub fn freeze(&mut self) {
        self.0.watchdog().freeze();
    }

    /// Resumes its processes (`SIGCONT`).
    pub fn thaw(&mut self) {
        self.0.watchdog().send("thaw");
    }

    /// Starts it again. Does not wait until it is ready.
    pub fn start_again(&mut self) {
        self.0.watchdog().send("start");
    }

    fn shut_down(&mut self, command: &str) {
        self.0.watchdog().send(command);
        while self.is_listening() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    /// Whether it accepts connections.
    pub fn is_listening(&self) -> bool {
        std::net::TcpStream::connect(self.address()).is_ok()
    }
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

/// A name that differs between test runs, since a killed run leaves its databases on a given server.
fn unique_name() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since_epoch| since_epoch.as_millis());
    format!("testkit_{now}_{}_{number}", std::process::id())
}
