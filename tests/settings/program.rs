//! The program under test, in a folder of its own and without settings of the surrounding environment.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    path::Path,
    process::{Child, Command, ExitStatus, Output, Stdio},
    time::Duration,
};

use tempfile::TempDir;

/// The program and its working directory.
pub(crate) struct Program {
    folder: TempDir,
}

/// How a command has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A service that has said where it listens; killed when a test ends without stopping it.
pub(crate) struct Running {
    process: Child,
    pub(crate) addr: SocketAddr,
    pub(crate) program: Program,
}

impl Program {
    pub(crate) fn new() -> Self {
        let folder = TempDir::with_prefix("vehicle-settings-").unwrap();
        Self { folder }
    }

    /// Writes a file into the working directory.
    pub(crate) fn with_file(self, name: &str, text: &str) -> Self {
        fs::write(self.folder.path().join(name), text).unwrap();
        self
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        self.run_with(&[], arguments)
    }

    /// The same with variables of the environment.
    pub(crate) fn run_with(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Ended {
        let mut command = self.command(arguments);
        let output = command.envs(variables.iter().copied()).output().unwrap();
        Ended::from(output)
    }

    /// Starts the service on a free port, and answers the lines in which it says where it listens.
    pub(crate) fn serve(self, arguments: &[&str], lines: usize) -> (Running, Vec<String>) {
        let arguments = [&["--listen", "127.0.0.1:0"], arguments].concat();
        self.serve_at(&arguments, lines)
    }

    /// The same where the arguments say.
    pub(crate) fn serve_at(self, arguments: &[&str], lines: usize) -> (Running, Vec<String>) {
        let mut process = self
            .command(arguments)
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(process.stdout.take().unwrap()).lines();
        let lines: Vec<_> = (0..lines)
            .map(|_| stdout.next().expect("it says where it listens").unwrap())
            .collect();
        let addr = address(&lines[0]);
        let program = self;
        let running = Running {
            process,
            addr,
            program,
        };
        (running, lines)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vehicle-catalogue"));
        command
            .env_clear()
            .current_dir(self.folder.path())
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ended {
    /// Fails unless the command was refused, with these sentences and nothing else.
    #[track_caller]
    pub(crate) fn assert_refused(&self, sentences: &[&str]) {
        let expected = format!("error: {}\n", sentences.join("\nerror: "));
        assert_eq!(self.stderr, expected);
        assert_eq!(self.code, Some(2), "{self:?}");
        assert_eq!(self.stdout, "");
    }
}

impl Running {
    pub(crate) fn terminate(&self) {
        let id = self.process.id().to_string();
        let killed = Command::new("kill").args(["-TERM", &id]).status();
        assert!(killed.unwrap().success());
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        self.process.wait().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended already where a test was about its end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The address in a line such as `GraphQL  http://127.0.0.1:8000/graphql`.
pub(crate) fn address(line: &str) -> SocketAddr {
    line.split(['/', ' '])
        .find_map(|part| part.parse().ok())
        .unwrap()
}

/// A connection on which nothing is sent yet.
pub(crate) fn connect(addr: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(addr).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    stream
}

/// Status and text of the answer to a GET.
pub(crate) fn get(addr: SocketAddr, path: &str) -> (u16, String) {
    let mut stream = connect(addr);
    let head = format!("GET {path} HTTP/1.1\r\nHost: catalogue\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    (status, answer)
}
