//! The program under attack, in a folder and with a database of its own.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Lines, Read, Write},
    net::{SocketAddr, TcpStream},
    process::{Child, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// How long anything that is waited for may take on a loaded machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// A query that everybody may send.
pub(crate) const QUERY: &str = r#"{"query":"{ __typename }"}"#;

/// What an attacker wants to have done.
pub(crate) const CREATE: &str =
    r#"{"query":"mutation { createVehicle(type: \"SUV\", modelCode: \"EVIL\") { id } }"}"#;

/// A service that has said where it listens; killed when a test ends.
pub(crate) struct Service {
    process: Child,
    pub(crate) addr: SocketAddr,
    folder: TempDir,
    /// Kept open, since nobody can write to a closed one.
    _stdout: Lines<BufReader<ChildStdout>>,
}

impl Service {
    pub(crate) fn start(flags: &[&str]) -> Self {
        Self::launch(Command::new(env!("CARGO_BIN_EXE_vehicle-catalogue")), flags)
    }

    /// The same where the system permits the process only so many open files.
    pub(crate) fn start_with_files(soft: u32, hard: u32, flags: &[&str]) -> Self {
        let mut command = Command::new("prlimit");
        command
            .arg(format!("--nofile={soft}:{hard}"))
            .arg(env!("CARGO_BIN_EXE_vehicle-catalogue"));
        Self::launch(command, flags)
    }

    fn launch(mut command: Command, flags: &[&str]) -> Self {
        let folder = TempDir::with_prefix("vehicle-hostile-").unwrap();
        let mut process = command
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .current_dir(folder.path())
            .args(["--listen=127.0.0.1:0", "--log-level=info,access=off"])
            .args(flags)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(folder.path().join("log")).unwrap())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(process.stdout.take().unwrap()).lines();
        let Some(Ok(line)) = stdout.next() else {
            let log = fs::read_to_string(folder.path().join("log")).unwrap();
            panic!("it has ended:\n{log}");
        };
        let addr = line.split(['/', ' ']).find_map(|part| part.parse().ok());
        Self {
            process,
            addr: addr.unwrap(),
            folder,
            _stdout: stdout,
        }
    }

    /// What it has logged so far.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    /// A connection on which nothing is sent yet.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.addr).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// All that is answered to these bytes until the connection ends, without the service being
    /// told that nothing more comes.
    pub(crate) fn exchange(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // Who is refused before everything is read may find the connection closed.
        let _ = stream.write_all(bytes);
        read_to_the_end(&mut stream)
    }

    /// Asks as everybody does, on a connection of its own, and answers the body.
    pub(crate) fn ask(&self, query: &str) -> String {
        let body = format!(r#"{{"query":"{query}"}}"#);
        let answer = self.exchange(&post(&body, "Connection: close\r\n"));
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200 "), "{answer}");
        body.to_owned()
    }

    /// Fails unless everybody else is answered, and nothing was stored for an attacker.
    #[track_caller]
    pub(crate) fn assert_unharmed(&self) {
        let all = self.ask("{ vehicles { id } }");
        assert_eq!(all, r#"{"data":{"vehicles":[]}}"#);
        let log = self.log();
        assert!(!log.contains("panicked"), "{log}");
    }

    /// How much memory it takes now, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.unwrap().trim().trim_end_matches(" kB").parse::<u64>();
        kib.unwrap() * 1024
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It has ended already where a test has failed for that.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A request of GraphQL with more lines in its head.
pub(crate) fn post(body: &str, more: &str) -> Vec<u8> {
    let length = body.len();
    let head = format!("{}Content-Length: {length}\r\n{more}\r\n", head());
    [head.as_bytes(), body.as_bytes()].concat()
}

/// A head without a length and without its end.
pub(crate) fn head() -> &'static str {
    "POST /graphql HTTP/1.1\r\nHost: catalogue\r\nContent-Type: application/json\r\n"
}

/// Everything that comes until the end of a connection, which has to be near.
pub(crate) fn read_to_the_end(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let started = Instant::now();
    // A reset is an end too.
    let _ = stream.read_to_end(&mut bytes);
    assert!(started.elapsed() < PATIENCE, "the connection stays open");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Waits until something holds.
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < PATIENCE, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
