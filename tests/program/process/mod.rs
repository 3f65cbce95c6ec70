//! The process: its output and its exit codes.

mod commands;
mod pull_request;
mod schema;
mod sources;

use std::{
    env,
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::TcpListener,
    process::{Command, Stdio},
};

use testkit::{Module, http::get};

pub(crate) use self::commands::SCHEMA_REVIEW;
use crate::support::{program, serve_in};

pub(crate) const MODULES: &[Module] =
    &[("", TESTS), ("pull_request", pull_request::TESTS), ("schema", schema::TESTS), ("sources", sources::TESTS)];

testkit::tests![
    serve_prints_only_its_addresses,
    an_address_in_use_is_one_error_message_and_exit_code_1,
    a_closed_pipe_is_not_reported_and_does_not_change_the_exit_code,
    a_start_on_a_terminal_ends_with_the_addresses,
    an_invalid_setting_is_one_error_message_and_exit_code_2,
];

fn serve_prints_only_its_addresses() {
    let running = serve_in(program(), &[]);
    let addr = running.addr;
    assert_ne!(addr.port(), 0);
    let expected = [format!("GraphQL  http://{addr}/graphql"), format!("GraphiQL http://{addr}/graphiql")];
    assert_eq!(running.printed_lines(2), expected);
    assert_eq!(get(addr, "/graphql?query={__typename}").0, 200);
}

fn an_address_in_use_is_one_error_message_and_exit_code_1() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = listener.local_addr().unwrap();
    let output = program().run(&["--listen", &addr.to_string()]);
    assert_eq!(output.code, Some(1));
    assert_eq!(
        output.stderr,
        format!("error: another process already listens on {addr}; stop it, or choose another address with --listen\n")
    );
}

fn a_closed_pipe_is_not_reported_and_does_not_change_the_exit_code() {
    let catalogue = program().with_file("bare.graphql", "type Query { a: Int }");
    let closed = || {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        writer
    };
    let to_closed_pipe = |arguments: &[&str]| {
        let output = catalogue.command(arguments).stdout(closed()).output();
        let output = output.unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        (stderr, output.status.code())
    };
    let printed = to_closed_pipe(&["schema", "print"]);
    assert_eq!(printed, (String::new(), Some(0)));
    for arguments in [&["migrate", "up"][..], &["migrate", "down", "--yes"]] {
        assert_eq!(catalogue.run(arguments).code, Some(0), "{arguments:?}");
    }
    let check = ["schema", "check"];
    let (stderr, code) = to_closed_pipe(&check);
    assert_eq!((stderr.as_str(), code), ("error: the tables do not fit the contract\n", Some(1)));
    for (arguments, code) in [
        (&check[..], 1),
        (&["config", "--tls-key-file=x"], 2),
        (&["config", "--unknown"], 2),
        (&["import", "bare.graphql", "--format=csv", "--dry-run"], 1),
    ] {
        let mut command = catalogue.command(arguments);
        let status = command.stdout(closed()).stderr(closed()).status();
        assert_eq!(status.unwrap().code(), Some(code), "{arguments:?}");
    }
    for (arguments, code) in [(["hash", "missing.graphql"], 2), (["hash", "--unknown"], 2)] {
        let mut command = Command::new(env::current_exe().unwrap());
        command.arg(SCHEMA_REVIEW).args(arguments);
        let status = command.stdout(closed()).stderr(closed()).status();
        assert_eq!(status.unwrap().code(), Some(code), "{arguments:?}");
    }
}

/// Lines of the log come from a thread of their own; `script` provides the terminal. `exec`, since a shell in between,
/// such as dash, would end by the signal too.
fn a_start_on_a_terminal_ends_with_the_addresses() {
    let catalogue = program();
    let service = env!("CARGO_BIN_EXE_vehicle-catalogue");
    let mut process = Command::new("script")
        .current_dir(catalogue.folder())
        .args(["-q", "-e", "-c"])
        .arg(format!("exec {service} --listen 127.0.0.1:0"))
        .arg("/dev/null")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut terminal = BufReader::new(process.stdout.take().unwrap());
    let mut text = String::new();
    while !text.contains("/graphiql") {
        assert_ne!(terminal.read_line(&mut text).unwrap(), 0, "{text}");
    }
    // What is read next is a line of the end. The keyboard stays open, since `script` ends at its end.
    let mut keyboard = process.stdin.take().unwrap();
    keyboard.write_all(b"\x03").unwrap();
    let (start, addresses) = text.split_once("GraphQL  http://").expect(&text);
    assert!(start.contains("open to clients and operators") && !start.contains("{\""), "{text}");
    assert_eq!(addresses.lines().count(), 2, "{text}");
    text.clear();
    terminal.read_to_string(&mut text).unwrap();
    assert!(text.contains("SIGINT: draining"), "{text}");
    let status = process.wait().unwrap();
    assert!(status.success(), "{status}: {text}");
    drop(keyboard);
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
        assert!(sentence.starts_with("error: --") && sentence.contains(" must be "), "{sentence}");
        assert_eq!(sentence.lines().count(), 1, "{sentence}");
        assert!(output.stdout.is_empty() && !sentence.contains("secret"), "{sentence}");
    }
}
