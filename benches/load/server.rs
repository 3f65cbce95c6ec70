//! The process that is measured: the service, or the yardstick.

use std::{
    env, fs,
    fs::File,
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

use crate::{Outcome, process, workload::Workload};

/// How long a server may take to start, to answer and to end.
const PATIENCE: Duration = Duration::from_secs(30);

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// The product.
    Service,
    /// A handler written by hand, see `yardstick.rs`.
    Yardstick,
}

/// A started server; killed when it is dropped.
pub(crate) struct Server {
    pub(crate) kind: Kind,
    pub(crate) addr: SocketAddr,
    process: Child,
    folder: TempDir,
    /// From the start of the process to the end of its first answer.
    pub(crate) first_answer: Duration,
}

impl Server {
    /// Starts it on a free port, and waits for the answer to its first request, a vehicle.
    pub(crate) fn start(kind: Kind, binary: &Path, database_url: &str) -> Outcome<Self> {
        let addr = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?;
        let listen = addr.to_string();
        let folder = TempDir::with_prefix("vehicle-load-")?;
        let log = File::create(folder.path().join("log"))?;
        let mut command = match kind {
            Kind::Service => {
                let mut command = Command::new(binary);
                // More than the default, which `connections` exceeds.
                command.args(["--listen", &listen, "--concurrency-limit", "4096"]);
                command
            }
            Kind::Yardstick => {
                let mut command = Command::new(env::current_exe()?);
                command.args(["yardstick", "--listen", &listen]);
                command
            }
        };
        command
            .env_clear()
            .env("DATABASE_URL", database_url)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log);
        let started = Instant::now();
        let process = command
            .spawn()
            .map_err(|error| format!("{command:?}: {error}"))?;
        let mut server = Self {
            kind,
            addr,
            process,
            folder,
            first_answer: Duration::ZERO,
        };
        let body = Workload::W1.body(kind).replace("@ID@", "1");
        while TcpStream::connect(addr).is_err() {
            if let Some(status) = server.process.try_wait()? {
                return Err(server.failed(&format!("has ended with {status}")));
            }
            if started.elapsed() > PATIENCE {
                return Err(server.failed("does not start"));
            }
            sleep(Duration::from_micros(200));
        }
        let answered = server.ask(Workload::W1, &body);
        server.first_answer = started.elapsed();
        match answered {
            Ok(_) => Ok(server),
            Err(error) => Err(server.failed(&error.to_string())),
        }
    }

    /// Asks once, on a connection of its own.
    pub(crate) fn ask(&self, workload: Workload, body: &str) -> Outcome<Value> {
        let path = workload.path(self.kind);
        let mut stream = TcpStream::connect(self.addr)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
            self.addr,
            body.len()
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, body) = answer
            .split_once("\r\n\r\n")
            .ok_or("the answer has no end of its head")?;
        if !head.starts_with("HTTP/1.1 200 ") {
            return Err(format!("{workload:?} is answered with {answer}").into());
        }
        Ok(serde_json::from_str(body)?)
    }

    /// Whether it answers each of these with what is in a database of so many rows.
    pub(crate) fn check(&self, workloads: &[Workload], rows: u64) -> Outcome<()> {
        workloads.iter().try_for_each(|&workload| {
            workload.check(self.kind, |body| self.ask(workload, body), rows)
        })
    }

    pub(crate) fn cpu(&self) -> Outcome<Duration> {
        process::cpu(self.process.id())
    }

    /// `VmHWM` or `VmRSS` in MiB.
    pub(crate) fn memory_mib(&self, which: &str) -> Outcome<f64> {
        process::memory_mib(self.process.id(), which)
    }

    /// Tells it to end, and waits.
    pub(crate) fn stop(mut self) -> Outcome<()> {
        let id = self.process.id().to_string();
        Command::new("kill").args(["-s", "TERM", &id]).status()?;
        let told = Instant::now();
        while told.elapsed() < PATIENCE {
            match (self.process.try_wait()?, self.kind) {
                (Some(status), Kind::Service) if !status.success() => {
                    return Err(self.failed(&format!("has ended with {status}")));
                }
                (Some(_), _) => return Ok(()),
                (None, _) => sleep(Duration::from_millis(10)),
            }
        }
        Err(self.failed("does not end"))
    }

    fn failed(&self, what: &str) -> Box<dyn std::error::Error> {
        let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        format!("the {:?} {what}\n{log}", self.kind).into()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It has ended already where it was stopped.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
