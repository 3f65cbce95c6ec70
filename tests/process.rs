//! The started process: what it prints, how it refuses wrong settings and how it stops.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "process/schema.rs"]
mod schema;
#[path = "process/sources.rs"]
mod sources;

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    process::{Child, Command, ExitStatus, Output, Stdio},
    time::{Duration, Instant},
};

use tempfile::TempDir;

const BODY: &str = r#"{"query":"{ __typename }"}"#;

/// The binary with a database of its own and without settings of the surrounding environment.
struct Catalogue {
    folder: TempDir,
}

/// A service that has said where it listens; killed when a test ends without stopping it.
struct Running {
    process: Child,
    lines: [String; 2],
    addr: SocketAddr,
    _catalogue: Catalogue,
}

impl Catalogue {
    fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vehicle-catalogue"));
        command
            .env_clear()
            .current_dir(self.folder.path())
            .args(arguments);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn serve(self, arguments: &[&str]) -> Running {
        let arguments = [&["--listen", "127.0.0.1:0"], arguments].concat();
        let mut process = self
            .command(&arguments)
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(process.stdout.take().unwrap()).lines();
        let lines = [(); 2].map(|()| stdout.next().expect("two lines at start").unwrap());
        let addr = lines[0]
            .split(['/', ' '])
            .find_map(|part| part.parse().ok())
            .unwrap();
        Running {
            process,
            lines,
            addr,
            _catalogue: self,
        }
    }
}

impl Running {
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.addr).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        stream
    }

    /// Opens a connection, has one request answered on it and leaves it open.
    fn idle_connection(&self) -> TcpStream {
        let mut stream = self.connect();
        write!(stream, "{}{BODY}", head()).unwrap();
        assert!(read_answer(&mut stream).starts_with("HTTP/1.1 200 OK"));
        stream
    }

    fn terminate(&self) {
        let id = self.process.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &id])
                .status()
                .unwrap()
                .success()
        );
    }

    /// Waits until no more connections are accepted, which is what a stop begins with.
    fn wait_until_closed(&self) {
        while TcpStream::connect(self.addr).is_ok() {
            std::thread::yield_now();
        }
    }

    fn wait(&mut self) -> ExitStatus {
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

fn head() -> String {
    format!(
        "POST /graphql HTTP/1.1\r\nHost: catalogue\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        BODY.len()
    )
}

/// The one response to [`BODY`].
fn read_answer(stream: &mut TcpStream) -> String {
    read_until(stream, "\"Query\"}}")
}

/// What is received up to `end`, or up to the end of the connection.
fn read_until(stream: &mut TcpStream, end: &str) -> String {
    let mut text = String::new();
    let mut byte = [0];
    while !text.ends_with(end) && stream.read(&mut byte).unwrap() == 1 {
        text.push(char::from(byte[0]));
    }
    text
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn serve_prints_where_it_listens_and_nothing_else() {
    let running = Catalogue::new().serve(&[]);
    let addr = running.addr;
    assert_ne!(addr.port(), 0);
    assert_eq!(running.lines[0], format!("GraphQL  http://{addr}/graphql"));
    assert_eq!(running.lines[1], format!("GraphiQL http://{addr}/graphiql"));
    running.idle_connection();
}

#[test]
fn a_certificate_that_cannot_be_used_is_one_sentence_and_exit_code_1() {
    let catalogue = Catalogue::new();
    let path = catalogue.folder.path().join("empty.pem");
    std::fs::write(&path, "").unwrap();
    let path = path.to_str().unwrap();
    for (file, expected) in [
        (
            "missing.pem",
            "error: cannot use TLS: cannot read missing.pem: ",
        ),
        (path, "error: cannot use TLS: "),
    ] {
        let output = catalogue.run(&["--tls-certificate-file", file, "--tls-key-file", file]);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).starts_with(expected), "{}", stderr(&output));
        assert_eq!(stderr(&output).lines().count(), 1);
    }
}

#[test]
fn a_wrong_setting_is_refused_with_one_sentence_and_exit_code_2() {
    let wrong: [&[&str]; 8] = [
        &["--listen", "nonsense"],
        &["--listen", "localhost:8000"],
        &["--pool-size", "0"],
        &["--list-limit", "many"],
        &["--migrate", "true"],
        &["--log-level", "loud"],
        &["--database-url", "oracle://user:secret@host/db"],
        &["serve", "--database-url", ""],
    ];
    for arguments in wrong {
        let output = Catalogue::new().run(arguments);
        let sentence = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {sentence}");
        assert!(
            sentence.starts_with("error: --") && sentence.contains(" must be "),
            "{sentence}"
        );
        assert_eq!(sentence.lines().count(), 1, "{sentence}");
        assert!(
            output.stdout.is_empty() && !sentence.contains("secret"),
            "{sentence}"
        );
    }
}

#[test]
fn a_wrong_variable_is_refused_like_a_wrong_flag() {
    let output = Catalogue::new()
        .command(&[])
        .env("CATALOGUE_POOL_SIZE", "lots")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        stderr(&output),
        "error: --pool-size (CATALOGUE_POOL_SIZE) must be a whole number from 1 to 1000, not \"lots\"\n"
    );
}

#[test]
fn help_does_not_show_the_database_url_of_the_environment() {
    let url = "postgres://user:secret@host/db";
    let output = Catalogue::new()
        .command(&["--help"])
        .env("DATABASE_URL", url)
        .output()
        .unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && help.contains("DATABASE_URL") && !help.contains("secret"));
}

#[test]
fn an_address_in_use_is_one_sentence_and_exit_code_1() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = taken.local_addr().unwrap();
    let output = Catalogue::new().run(&["--listen", &addr.to_string()]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stderr(&output),
        format!(
            "error: another process already listens on {addr}; stop it, or choose another address with --listen\n"
        )
    );
}

#[test]
fn an_address_of_another_machine_is_one_sentence_and_exit_code_1() {
    let output = Catalogue::new().run(&["--listen", "192.0.2.1:8000"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).starts_with("error: cannot listen on 192.0.2.1:8000: "));
    assert_eq!(stderr(&output).lines().count(), 1);
}

#[test]
fn sigterm_does_not_wait_for_idle_connections() {
    let mut running = Catalogue::new().serve(&["--drain-timeout-seconds", "600"]);
    let used = running.idle_connection();
    let never_used = running.connect();
    running.terminate();
    assert_eq!(running.wait().code(), Some(0));
    drop((used, never_used));
}

#[test]
fn sigterm_lets_a_request_in_flight_finish() {
    let mut running = Catalogue::new().serve(&["--drain-timeout-seconds", "600"]);
    let mut stream = running.connect();
    let expecting = head().replace("Host:", "Expect: 100-continue\r\nHost:");
    write!(stream, "{expecting}").unwrap();
    // The server says so once it waits for the body: the request is in flight from here on.
    assert_eq!(
        read_until(&mut stream, "\r\n\r\n"),
        "HTTP/1.1 100 Continue\r\n\r\n"
    );
    running.terminate();
    running.wait_until_closed();
    write!(stream, "{BODY}").unwrap();
    let answer = read_answer(&mut stream);
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(
        answer.ends_with(r#"{"data":{"__typename":"Query"}}"#),
        "{answer}"
    );
    assert_eq!(running.wait().code(), Some(0));
}

#[test]
fn a_request_that_never_ends_holds_a_stop_up_for_the_drain_timeout_at_most() {
    let mut running = Catalogue::new().serve(&["--drain-timeout-seconds", "1"]);
    let mut stream = running.connect();
    write!(stream, "{}", head()).unwrap();
    let start = Instant::now();
    running.terminate();
    assert_eq!(running.wait().code(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(15));
}

#[test]
fn migrate_tells_which_migrations_are_applied() {
    let catalogue = Catalogue::new();
    for (arguments, state) in [
        (["migrate", "up"], "applied "),
        (["migrate", "status"], "applied "),
    ] {
        let output = catalogue.run(&arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        let lines = String::from_utf8(output.stdout).unwrap();
        assert!(
            !lines.is_empty() && lines.lines().all(|line| line.starts_with(state)),
            "{lines}"
        );
    }
}
