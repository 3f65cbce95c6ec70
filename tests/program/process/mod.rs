//! The process: its output, its errors for invalid settings, and graceful shutdown.

mod commands;
mod pull_request;
mod schema;
mod sources;

use std::{
    io::{self, Write},
    net::{TcpListener, TcpStream},
};

use testkit::{
    Module, Running,
    http::{post_head, read_until},
};

pub(crate) use self::commands::SCHEMA_REVIEW;
use crate::support::{program, serve_in};

pub(crate) const MODULES: &[Module] = &[
    ("", TESTS),
    ("pull_request", pull_request::TESTS),
    ("schema", schema::TESTS),
    ("sources", sources::TESTS),
];

testkit::tests![
    serve_prints_only_its_addresses,
    an_invalid_setting_is_one_error_message_and_exit_code_2,
    an_address_in_use_is_one_error_message_and_exit_code_1,
    sigterm_lets_a_request_in_flight_finish,
    migrate_prints_the_applied_migrations,
    a_closed_pipe_is_not_reported_and_does_not_change_the_exit_code,
];

const BODY: &str = r#"{"query":"{ __typename }"}"#;

/// A service that waits up to ten minutes for requests in flight.
fn patient() -> Running {
    serve_in(program(), &["--drain-timeout-seconds=600"])
}

/// Opens a connection, sends one request, reads its response and keeps the connection open.
fn idle_connection(running: &Running) -> TcpStream {
    let mut stream = running.connect();
    write!(stream, "{}{BODY}", request_head()).unwrap();
    assert!(read_response(&mut stream).starts_with("HTTP/1.1 200 OK"));
    stream
}

/// Waits until no more connections are accepted, which is the first step of the shutdown.
fn wait_until_closed(running: &Running) {
    while TcpStream::connect(running.addr).is_ok() {
        std::thread::yield_now();
    }
}

fn request_head() -> String {
    format!("{}Content-Length: {}\r\n\r\n", post_head(), BODY.len())
}

/// The one response to [`BODY`].
fn read_response(stream: &mut TcpStream) -> String {
    read_until(stream, "\"Query\"}}")
}

fn serve_prints_only_its_addresses() {
    let running = serve_in(program(), &[]);
    let addr = running.addr;
    assert_ne!(addr.port(), 0);
    let expected = [
        format!("GraphQL  http://{addr}/graphql"),
        format!("GraphiQL http://{addr}/graphiql"),
    ];
    assert_eq!(running.printed_lines(2), expected);
    idle_connection(&running);
}

fn an_invalid_setting_is_one_error_message_and_exit_code_2() {
    let wrong: [&[&str]; 12] = [
        &["--listen", "nonsense"],
        &["--listen", "localhost:8000"],
        &["--pool-size", "0"],
        &["--list-limit", "many"],
        &["--migrate", "true"],
        &["--log-level", "loud"],
        &["--database-url", "oracle://user:secret@host/db"],
        &["--database-url", "postgres://user:?secret@host/db"],
        &["--database-url", "mysql://user:1/secret@host/db"],
        &["--database-url", "postgres://user:secret@host"],
        &["--trace-endpoint", "http://user:secret@host/v1/traces"],
        &["serve", "--database-url", ""],
    ];
    for arguments in wrong {
        let output = program().run(arguments);
        let sentence = output.stderr;
        assert_eq!(output.code, Some(2), "{arguments:?}: {sentence}");
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

fn an_address_in_use_is_one_error_message_and_exit_code_1() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = listener.local_addr().unwrap();
    let output = program().run(&["--listen", &addr.to_string()]);
    assert_eq!(output.code, Some(1));
    assert_eq!(
        output.stderr,
        format!(
            "error: another process already listens on {addr}; stop it, or choose another address with --listen\n"
        )
    );
}

fn sigterm_lets_a_request_in_flight_finish() {
    let mut running = patient();
    let mut stream = running.connect();
    let expecting = request_head().replace("Host:", "Expect: 100-continue\r\nHost:");
    write!(stream, "{expecting}").unwrap();
    // The server sends this when it waits for the body: the request is in flight from here on.
    assert_eq!(
        read_until(&mut stream, "\r\n\r\n"),
        "HTTP/1.1 100 Continue\r\n\r\n"
    );
    running.signal("TERM");
    wait_until_closed(&running);
    write!(stream, "{BODY}").unwrap();
    let response = read_response(&mut stream);
    assert!(response.starts_with("HTTP/1.1 200 OK"), "{response}");
    assert!(
        response.ends_with(r#"{"data":{"__typename":"Query"}}"#),
        "{response}"
    );
    assert_eq!(running.wait().code(), Some(0));
}

fn migrate_prints_the_applied_migrations() {
    let catalogue = program();
    for (arguments, state) in [
        (["migrate", "up"], "applied "),
        (["migrate", "status"], "applied "),
    ] {
        let output = catalogue.run(&arguments);
        assert!(output.code == Some(0), "{}", output.stderr);
        let lines = output.stdout;
        assert!(
            !lines.is_empty() && lines.lines().all(|line| line.starts_with(state)),
            "{lines}"
        );
    }
}

fn a_closed_pipe_is_not_reported_and_does_not_change_the_exit_code() {
    let catalogue = program().with_file("bare.graphql", "type Query { a: Int }");
    let to_closed_pipe = |arguments: &[&str]| {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let mut command = catalogue.command(arguments);
        let output = command.stdout(writer).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        (stderr, output.status.code())
    };
    let printed = to_closed_pipe(&["schema", "print"]);
    assert_eq!(printed, (String::new(), Some(0)));
    let check = ["schema", "check", "--without-database", "bare.graphql"];
    let (stderr, code) = to_closed_pipe(&check);
    assert!(
        stderr.starts_with("error: the contract, the served schema and the database differ"),
        "{stderr}"
    );
    assert_eq!((stderr.lines().count(), code), (1, Some(1)));
}
