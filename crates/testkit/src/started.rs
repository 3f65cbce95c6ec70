//! A started process, its log, and requests to it.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpStream};
use std::ops::{Deref, DerefMut};
use std::process::{Child, Command, ExitStatus};
use std::thread;

use reqwest::Client;
use serde_json::{Value, json};

use crate::{Program, TIMEOUT, http, log, until, wait_until};

/// A process that may not listen yet. It is killed when it is dropped; if that is because of a panic, its
/// log is printed.
pub struct Started {
    process: Child,
    program: Program,
}

/// A process that listens.
pub struct Running {
    started: Started,
    /// The first address that it printed.
    pub addr: SocketAddr,
    /// An HTTP client with a timeout.
    pub client: Client,
}

impl Program {
    /// Starts a process, with its output in files.
    pub fn start(self, arguments: &[&str]) -> Started {
        let create = |name| File::create(self.path(name)).unwrap();
        let mut command = self.command(arguments);
        command.stdout(create("stdout")).stderr(create("log"));
        let process = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        Started { process, program: self }
    }
}

impl Started {
    /// Waits until the process has printed its address.
    pub async fn listening(mut self) -> Running {
        until("it prints its address", async || self.is_decided()).await;
        self.running()
    }

    /// Blocks the thread until the process has printed its address.
    pub fn wait_until_listening(mut self) -> Running {
        wait_until("it prints its address", || self.is_decided());
        self.running()
    }

    /// Whether it has printed an address or has exited.
    fn is_decided(&mut self) -> bool {
        self.printed().contains('\n') || self.status().is_some()
    }

    fn running(self) -> Running {
        let printed = self.printed();
        let line = printed.lines().next();
        let addr = line.and_then(address);
        Running {
            addr: addr.unwrap_or_else(|| panic!("it has exited without printing an address")),
            client: http::client().timeout(TIMEOUT).build().unwrap(),
            started: self,
        }
    }

    /// The program, to run further commands in the same folder.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// The text on stderr so far.
    pub fn log(&self) -> String {
        let log = fs::read(self.program.path("log")).unwrap_or_default();
        String::from_utf8_lossy(&log).into_owned()
    }

    /// The text on stdout so far.
    pub fn printed(&self) -> String {
        let stdout = fs::read(self.program.path("stdout")).unwrap_or_default();
        String::from_utf8_lossy(&stdout).into_owned()
    }

    /// Blocks the thread until this many lines are on stdout.
    pub fn printed_lines(&self, count: usize) -> Vec<String> {
        let complete = || self.printed().matches('\n').count() >= count;
        wait_until("it prints lines", complete);
        let printed = self.printed();
        printed.lines().take(count).map(str::to_owned).collect()
    }

    /// Waits until the log contains a text.
    pub async fn logged(&self, text: &str) {
        until(text, async || self.log().contains(text)).await;
    }

    /// Sends a signal by its name for `kill`.
    pub fn signal(&self, name: &str) {
        let id = self.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.unwrap().success());
    }

    /// The exit status, if the process has exited.
    pub fn status(&mut self) -> Option<ExitStatus> {
        self.process.try_wait().unwrap()
    }

    /// Waits until the process has exited.
    pub async fn ended(&mut self) -> ExitStatus {
        until("it exits", async || self.status().is_some()).await;
        self.status().unwrap()
    }

    /// Blocks the thread until the process has exited.
    pub fn wait(&mut self) -> ExitStatus {
        wait_until("it exits", || self.status().is_some());
        self.status().unwrap()
    }

    /// The bytes of a memory field of `/proc/ID/status`, such as `VmRSS` (current) or `VmHWM` (peak).
    pub fn memory(&self, field: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap();
        let mut lines = status.lines();
        let value = lines.find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
        let kib = value.unwrap().trim().trim_end_matches(" kB");
        kib.parse::<u64>().unwrap() * 1024
    }

    /// The number of open files, including connections.
    pub fn open_files(&self) -> usize {
        let files = fs::read_dir(format!("/proc/{}/fd", self.id()));
        files.unwrap().count()
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // Both fail if the process has exited and was waited for.
        let _ = self.process.kill();
        let _ = self.process.wait();
        if thread::panicking() {
            log::print(&format!("process {}", self.id()), &self.log());
        }
    }
}

impl Deref for Running {
    type Target = Started;

    fn deref(&self) -> &Started {
        &self.started
    }
}

impl DerefMut for Running {
    fn deref_mut(&mut self) -> &mut Started {
        &mut self.started
    }
}

impl Running {
    /// The URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    /// Sends a GraphQL document and returns the response.
    pub async fn query(&self, document: &str) -> Result<Value, reqwest::Error> {
        let request = self.client.post(self.url("/graphql"));
        let request = request.json(&json!({ "query": document }));
        request.send().await?.json().await
    }

    /// The status of `/health/ready`.
    pub async fn readiness(&self) -> u16 {
        let request = self.client.get(self.url("/health/ready"));
        request.send().await.unwrap().status().as_u16()
    }

    /// The value of a metric, named with its labels.
    pub fn metric(&self, name: &str) -> f64 {
        self.metric_text(name).parse().unwrap()
    }

    /// The value of a metric that is a count.
    pub fn count(&self, name: &str) -> usize {
        let count = self.metric_text(name);
        // Exporters may write counts as decimal numbers.
        count.trim_end_matches(".0").parse().unwrap()
    }

    fn metric_text(&self, name: &str) -> String {
        let (_, metrics) = http::get(self.addr, "/metrics");
        let mut values = metrics.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let value = values.next();
        value.unwrap_or_else(|| panic!("no {name} in {metrics}")).to_owned()
    }

    /// A new connection.
    pub fn connect(&self) -> TcpStream {
        http::connect(self.addr)
    }

    /// Sends these bytes on a new connection, and returns everything that is received until it is closed.
    pub fn exchange(&self, bytes: &[u8]) -> String {
        http::exchange(self.addr, bytes)
    }

    /// Stops the process in order, and returns its log.
    pub fn stop(mut self) -> String {
        self.signal("TERM");
        let (code, log) = (self.wait().code(), self.log());
        assert_eq!(code, Some(0), "{log}");
        log
    }
}

/// The address in a line such as `GraphQL  http://127.0.0.1:8000/graphql`.
pub(crate) fn address(line: &str) -> Option<SocketAddr> {
    line.split(['/', ' ']).find_map(|part| part.parse().ok())
}
