//! A server that a test controls.

use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use super::backend::Backend;
use super::watchdog::Watchdog;
use super::{admin, programs};

/// A throwaway server of one test, which may stop it or start it with other arguments.
pub struct OwnServer {
    pub(super) admin_url: String,
    pub(super) watchdog: Watchdog,
}

impl OwnServer {
    /// Whether such a server is available, or why not.
    pub fn availability(backend: Backend) -> Result<(), String> {
        if backend == Backend::Sqlite {
            return Err("SQLite has no server".to_owned());
        }
        let missing = || format!("no program of a {} server was found", backend.name());
        programs::server(backend).map(drop).ok_or_else(missing)
    }

    /// Whether a PostgreSQL server with a standby is available, or why not.
    pub fn standby_availability() -> Result<(), String> {
        Self::availability(Backend::Postgres)?;
        let missing = || "no `pg_basebackup` was found".to_owned();
        programs::pg_basebackup().map(drop).ok_or_else(missing)
    }

    /// The URL of its administrative database.
    pub fn admin_url(&self) -> &str {
        &self.admin_url
    }

    /// Its host and port.
    pub fn address(&self) -> &str {
        let address = self.admin_url.split(['@', '/']).nth(3);
        address.expect("the URL was made here")
    }

    /// Creates an empty database, which is removed with the server.
    pub fn database(&self) -> String {
        admin::create_database(&self.admin_url, &admin::unique_name())
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
        self.watchdog.freeze();
    }

    /// Resumes its processes (`SIGCONT`).
    pub fn thaw(&mut self) {
        self.watchdog.send("thaw");
    }

    /// Starts it again. Does not wait until it is ready.
    pub fn start_again(&mut self) {
        self.watchdog.send("start");
    }

    fn shut_down(&mut self, command: &str) {
        self.watchdog.send(command);
        while self.is_listening() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Whether it accepts connections.
    pub(crate) fn is_listening(&self) -> bool {
        TcpStream::connect(self.address()).is_ok()
    }
}
