//! The databases that tests run on: SQLite always, PostgreSQL, MariaDB and MySQL where available.
//!
//! A server is the one that `TEST_POSTGRES_URL`, `TEST_MARIADB_URL` or `TEST_MYSQL_URL` names, or a
//! throwaway one, started from installed binaries when the first test needs it. Every test gets its own
//! empty database.

mod admin;
mod programs;
mod server;
mod watchdog;

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

/// The database servers of the tests, each started on first use.
#[derive(Default)]
pub struct Databases {
    postgres: OnceLock<Server>,
    mariadb: OnceLock<Server>,
    mysql: OnceLock<Server>,
}

impl Databases {
    /// Starts no server yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether databases of this kind are available, or why not. Starts no server.
    pub fn availability(backend: Backend) -> Result<(), String> {
        match backend {
            Backend::Sqlite => Ok(()),
            Backend::Postgres => server::postgres_availability(),
            Backend::Mariadb => server::mariadb_availability(),
            Backend::Mysql => server::mysql_availability(),
        }
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
        match backend {
            Backend::Sqlite => sqlite_database(),
            Backend::Postgres => server_database(self.postgres.get_or_init(server::postgres)),
            Backend::Mariadb => server_database(self.mariadb.get_or_init(server::mariadb)),
            Backend::Mysql => server_database(self.mysql.get_or_init(server::mysql)),
        }
    }

    /// Stops the started servers and removes their folders. Dropping does the same.
    pub fn stop(self) {
        drop(self);
    }
}

/// A throwaway server of one test, which may stop it or start it with other arguments.
pub struct OwnServer(Server);

impl OwnServer {
    /// Whether such a server is available, or why not.
    pub fn availability(backend: Backend) -> Result<(), String> {
        let program = match backend {
            Backend::Sqlite => return Err("SQLite has no server".to_owned()),
            Backend::Postgres => programs::postgres_folder(),
            Backend::Mariadb => programs::mariadb_server(),
            Backend::Mysql => programs::mysql_server(),
        };
        let missing = || format!("no program of a {} server was found", backend.name());
        program.map(|_| ()).ok_or_else(missing)
    }

    /// Whether a PostgreSQL server with a replica is available, or why not.
    pub fn standby_availability() -> Result<(), String> {
        Self::availability(Backend::Postgres)?;
        let missing = || "no `pg_basebackup` was found".to_owned();
        programs::pg_basebackup().map(|_| ()).ok_or_else(missing)
    }

    /// Starts a server of this kind.
    pub fn start(backend: Backend, extras: &Extras) -> Self {
        Self(match backend {
            Backend::Mariadb => server::throwaway_mariadb(extras),
            Backend::Mysql => server::throwaway_mysql(extras),
            _ => server::throwaway_postgres(extras),
        })
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
        let address = self.admin_url().split(['@', '/']).nth(3);
        address.expect("the URL was made here")
    }

    /// Creates an empty database, which is removed with the server.
    pub fn database(&self) -> String {
        let name = unique_name();
        admin::create_database(self.0.admin_url(), &name);
        admin::with_database(self.0.admin_url(), &name)
    }

    /// A server with durable commits, which survive a crash.
    pub fn durable(backend: Backend) -> Self {
        let durable = match backend {
            Backend::Mariadb | Backend::Mysql => "--innodb-flush-log-at-trx-commit=1",
            // `synchronous_commit` is off by default here; the service turns it on.
            _ => "--log_min_messages=warning",
        };
        let extras = Extras {
            arguments: vec![durable.to_owned()],
            ..Extras::default()
        };
        Self::start(backend, &extras)
    }

    /// Stops it as a crash would, and waits until it no longer listens.
    pub fn stop(&mut self) {
        self.send_command("stop");
        self.wait_until_stopped();
    }

    /// Kills all its processes, and waits until it no longer listens.
    pub fn kill(&mut self) {
        self.send_command("kill");
        self.wait_until_stopped();
    }

    /// Shuts it down gracefully, and waits until it no longer listens.
    pub fn end(&mut self) {
        self.send_command("end");
        self.wait_until_stopped();
    }

    /// Freezes all its processes (`SIGSTOP`): connections stay open without a response.
    pub fn freeze(&mut self) {
        self.0.watchdog().freeze();
    }

    /// Resumes its processes (`SIGCONT`).
    pub fn thaw(&mut self) {
        self.send_command("thaw");
    }

    /// Starts it again. Does not wait until it is ready.
    pub fn start_again(&mut self) {
        self.send_command("start");
    }

    fn send_command(&mut self, command: &str) {
        self.0.watchdog().send(command);
    }

    fn wait_until_stopped(&self) {
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
    _cleanup: Cleanup,
}

impl TestDatabase {
    /// Its URL.
    pub fn url(&self) -> &str {
        &self.url
    }
}

#[expect(dead_code, reason = "held for what happens when it is dropped")]
enum Cleanup {
    Folder(TempDir),
    Database(DropDatabase),
}

struct DropDatabase {
    admin_url: String,
    name: String,
}

impl Drop for DropDatabase {
    fn drop(&mut self) {
        admin::drop_database(&self.admin_url, &self.name);
    }
}

fn sqlite_database() -> TestDatabase {
    let folder = TempDir::with_prefix("testkit-").expect("a temporary folder can be made");
    let url = format!("sqlite:{}", folder.path().join("test.db").display());
    TestDatabase {
        url,
        _cleanup: Cleanup::Folder(folder),
    }
}

fn server_database(server: &Server) -> TestDatabase {
    let name = unique_name();
    let admin_url = server.admin_url().to_owned();
    admin::create_database(&admin_url, &name);
    let url = admin::with_database(&admin_url, &name);
    TestDatabase {
        url,
        _cleanup: Cleanup::Database(DropDatabase { admin_url, name }),
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
