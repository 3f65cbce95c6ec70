//! The databases that tests run on: SQLite always, PostgreSQL and MySQL/MariaDB where they can be had.
//!
//! A server is the one that `TEST_POSTGRES_URL` or `TEST_MYSQL_URL` names, or else a throwaway one,
//! started from installed binaries when the first test asks for it. Every test gets an empty
//! database of its own.

mod admin;
mod programs;
mod server;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) use server::Extras;
use server::Server;
use tempfile::TempDir;

/// A kind of database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backend {
    /// A file.
    Sqlite,
    /// PostgreSQL.
    Postgres,
    /// MySQL or MariaDB.
    Mysql,
}

impl Backend {
    /// Every kind there is.
    #[allow(dead_code, reason = "not every test program runs on all")]
    pub(crate) const ALL: [Self; 3] = [Self::Sqlite, Self::Postgres, Self::Mysql];

    /// Its name in the names of tests.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
            Self::Mysql => "mysql",
        }
    }
}

/// The servers behind the tests, each started when it is first needed.
#[derive(Default)]
pub(crate) struct Databases {
    postgres: OnceLock<Server>,
    mysql: OnceLock<Server>,
}

impl Databases {
    /// Starts nothing yet.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Whether databases of this kind can be had here, or why not. Starts nothing.
    pub(crate) fn availability(backend: Backend) -> Result<(), String> {
        match backend {
            Backend::Sqlite => Ok(()),
            Backend::Postgres => server::postgres_availability(),
            Backend::Mysql => server::mysql_availability(),
        }
    }

    /// Whether a database that cannot be had is a failure instead of a reason to leave tests out.
    pub(crate) fn all_are_required() -> bool {
        programs::variable("TEST_REQUIRE_ALL").is_some_and(|value| value == "1")
    }

    /// An empty database of its own.
    pub(crate) fn fresh(&self, backend: Backend) -> TestDatabase {
        match backend {
            Backend::Sqlite => in_a_folder(),
            Backend::Postgres => on_a_server(self.postgres.get_or_init(server::postgres)),
            Backend::Mysql => on_a_server(self.mysql.get_or_init(server::mysql)),
        }
    }

    /// Stops the servers that were started here and removes what they left. Dropping does the same.
    pub(crate) fn stop(self) {
        drop(self);
    }
}

/// A throwaway server of its own, for tests that stop it or start it in an unusual way.
#[allow(dead_code, reason = "not every test program has such tests")]
pub(crate) struct OwnServer(Server);

#[allow(dead_code, reason = "not every test program has such tests")]
impl OwnServer {
    /// Why such a server cannot be had here.
    pub(crate) fn availability(backend: Backend) -> Result<(), String> {
        let program = match backend {
            Backend::Sqlite => return Err("SQLite has no server".to_owned()),
            Backend::Postgres => programs::postgres_folder(),
            Backend::Mysql => programs::mysql_server(),
        };
        let missing = || format!("no program of a {} server was found", backend.name());
        program.map(|_| ()).ok_or_else(missing)
    }

    pub(crate) fn start(backend: Backend, extras: &Extras) -> Self {
        Self(match backend {
            Backend::Mysql => server::throwaway_mysql(extras),
            _ => server::throwaway_postgres(extras),
        })
    }

    /// An empty database on it, which ends with the server.
    pub(crate) fn database(&self) -> String {
        let name = unique_name();
        admin::create_database(self.0.admin_url(), &name);
        admin::with_database(self.0.admin_url(), &name)
    }

    /// One that keeps what it has acknowledged, however it ends.
    pub(crate) fn durable(backend: Backend) -> Self {
        let durable = match backend {
            Backend::Mysql => "--innodb-flush-log-at-trx-commit=1",
            // Its own `synchronous_commit` is off: the service turns it on.
            _ => "--log_min_messages=warning",
        };
        let extras = Extras {
            arguments: vec![durable.to_owned()],
            ..Extras::default()
        };
        Self::start(backend, &extras)
    }

    /// Ends it as a crash would, and waits until nobody answers.
    pub(crate) fn stop(&mut self) {
        self.order("stop");
        self.is_gone();
    }

    /// Kills all its processes, and waits until nobody answers.
    pub(crate) fn kill(&mut self) {
        self.order("kill");
        self.is_gone();
    }

    /// Ends it in order, and waits until nobody answers.
    pub(crate) fn end(&mut self) {
        self.order("end");
        self.is_gone();
    }

    /// Stops the clock of all its processes.
    pub(crate) fn freeze(&mut self) {
        self.order("freeze");
    }

    /// Lets them go on.
    pub(crate) fn thaw(&mut self) {
        self.order("thaw");
    }

    /// Starts it again. Does not wait until it answers.
    pub(crate) fn start_again(&mut self) {
        self.order("start");
    }

    fn order(&mut self, order: &str) {
        self.0.order(order);
    }

    fn is_gone(&self) {
        while self.answers() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    /// Whether somebody listens.
    pub(crate) fn answers(&self) -> bool {
        let address = self.0.admin_url().split(['@', '/']).nth(3);
        std::net::TcpStream::connect(address.expect("the URL was made here")).is_ok()
    }
}

/// A database that is dropped with this value.
pub(crate) struct TestDatabase {
    url: String,
    _kept: Kept,
}

impl TestDatabase {
    /// How to reach it.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }
}

#[expect(dead_code, reason = "held for what happens when it is dropped")]
enum Kept {
    Folder(TempDir),
    Database(OnServer),
}

struct OnServer {
    admin_url: String,
    name: String,
}

impl Drop for OnServer {
    fn drop(&mut self) {
        admin::drop_database(&self.admin_url, &self.name);
    }
}

fn in_a_folder() -> TestDatabase {
    let folder = TempDir::with_prefix("vehicle-test-").expect("a temporary folder can be made");
    let url = format!("sqlite:{}", folder.path().join("vehicles.db").display());
    TestDatabase {
        url,
        _kept: Kept::Folder(folder),
    }
}

fn on_a_server(server: &Server) -> TestDatabase {
    let name = unique_name();
    let admin_url = server.admin_url().to_owned();
    admin::create_database(&admin_url, &name);
    let url = admin::with_database(&admin_url, &name);
    TestDatabase {
        url,
        _kept: Kept::Database(OnServer { admin_url, name }),
    }
}

/// No two test runs on one server may meet, even if one was killed and left its databases.
fn unique_name() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |age| age.as_millis());
    format!("vehicle_test_{now}_{}_{number}", std::process::id())
}
