//! A measured process: the service or the reference server.

use std::{
    env,
    fs::{self, File},
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tempfile::TempDir;

use testkit::Backend;

use crate::{Outcome, process, vehicles::LoadedDatabase, workload::Workload};

/// Timeout for the start, for a response and for the shutdown.
const TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Service,
    /// See `reference.rs`.
    Reference,
}

/// A running server, killed when it is dropped.
pub(crate) struct Server {
    pub(crate) kind: Kind,
    pub(crate) backend: Backend,
    /// Number of stored vehicles.
    pub(crate) rows: u64,
    pub(crate) addr: SocketAddr,
    /// From the start of the process to the end of the first response.
    pub(crate) first_response: Duration,
    process: Child,
    folder: TempDir,
}

impl Server {
    /// Starts a server on a free port and waits for the response to the first request.
    pub(crate) fn start(kind: Kind, binary: &Path, loaded: &LoadedDatabase) -> Outcome<Self> {
        let addr = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?;
        let folder = TempDir::with_prefix("vehicle-load-")?;
        let mut command = match kind {
            Kind::Service => {
                let mut command = Command::new(binary);
                // `connections` exceeds the default limit.
                command.args(["--concurrency-limit", "4096"]);
                command
            }
            Kind::Reference => {
                let mut command = Command::new(env::current_exe()?);
                command.arg("reference");
                command
            }
        };
        command
            .args(["--listen", &addr.to_string()])
            .env_clear()
            .env("DATABASE_URL", &loaded.database.url)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(folder.path().join("log"))?);
        let started = Instant::now();
        let mut server = Self {
            kind,
            backend: loaded.backend,
            rows: loaded.rows,
            addr,
            first_response: Duration::ZERO,
            process: command.spawn()?,
            folder,
        };
        while TcpStream::connect(addr).is_err() {
            if started.elapsed() > TIMEOUT || server.process.try_wait()?.is_some() {
                return Err(server.failure("did not start"));
            }
            sleep(Duration::from_micros(200));
        }
        server.post(Workload::W1, &Workload::W1.body(kind).replace("@ID@", "1"))?;
        server.first_response = started.elapsed();
        Ok(server)
    }

    /// Sends one request on a new connection.
    pub(crate) fn post(&self, workload: Workload, body: &str) -> Outcome<Value> {
        let mut stream = TcpStream::connect(self.addr)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        write!(
            stream,
            "POST {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
            workload.path(self.kind),
            self.addr,
            body.len()
        )?;
        let mut response = String::new();
        stream.read_to_string(&mut response)?;
        match response.split_once("\r\n\r\n") {
            Some((head, body)) if head.starts_with("HTTP/1.1 200 ") => {
                Ok(serde_json::from_str(body)?)
            }
            _ => Err(self.failure(&format!("responded to {workload:?} with {response}"))),
        }
    }

    pub(crate) fn cpu(&self) -> Outcome<Duration> {
        process::cpu(self.process.id())
    }

    /// `VmHWM` (peak) or `VmRSS` (current) in MiB.
    pub(crate) fn memory_mib(&self, field: &str) -> Outcome<f64> {
        process::memory_mib(self.process.id(), field)
    }

    /// Shuts the server down gracefully.
    pub(crate) fn stop(mut self) -> Outcome<()> {
        let id = self.process.id().to_string();
        Command::new("kill").args(["-s", "TERM", &id]).status()?;
        let stopping = Instant::now();
        while stopping.elapsed() < TIMEOUT {
            match self.process.try_wait()? {
                Some(status) if status.success() => return Ok(()),
                Some(status) => return Err(self.failure(&format!("exited with {status}"))),
                None => sleep(Duration::from_millis(10)),
            }
        }
        Err(self.failure("did not stop"))
    }

    fn failure(&self, problem: &str) -> Box<dyn std::error::Error> {
        let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        format!("the {:?} server {problem}\n{log}", self.kind).into()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail if the process has exited.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
