//! More clients than anybody wants: idle ones by the thousand, and more than there are open files.

use std::{net::TcpStream, process::Command, thread, time::Duration};

use crate::service::{Service, until};

/// How many connections are asked for; as many as the system permits are made.
const CROWD: usize = 10_000;

/// What a process has open besides connections, and some more.
const OTHER_FILES: usize = 500;

/// Raises the number of files that this process may have open as far as possible.
fn raise_own_limit() -> usize {
    let id = std::process::id().to_string();
    let limit = |name: &str| {
        let output = Command::new("prlimit")
            .args([
                "--pid",
                &id,
                "--nofile",
                "--raw",
                "--noheadings",
                "--output",
                name,
            ])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.trim().parse().unwrap_or(usize::MAX)
    };
    let hard = limit("HARD");
    let files = hard.min(CROWD + 2 * OTHER_FILES);
    let raised = Command::new("prlimit")
        .args(["--pid", &id, &format!("--nofile={files}:{hard}")])
        .status();
    assert!(raised.unwrap().success());
    files
}

#[test]
fn ten_thousand_idle_connections_cost_bounded_memory_and_nobody_else() {
    let crowd = CROWD.min(raise_own_limit() - OTHER_FILES);
    let service = Service::start(&["--connection-limit=20000", "--read-timeout-seconds=600"]);
    let before = service.memory();
    let idle: Vec<TcpStream> = (0..crowd).map(|_| service.connect()).collect();
    service.assert_unharmed();
    let each = service.memory().saturating_sub(before) / crowd as u64;
    println!("{crowd} idle connections, {each} bytes each");
    assert!(each < 32 * 1024, "{each} bytes a connection");
    drop(idle);
    // Those who come later are answered, too.
    service.assert_unharmed();
}

#[test]
fn beyond_the_connection_limit_everybody_waits_and_nobody_is_lost() {
    let service = Service::start(&["--connection-limit=100", "--read-timeout-seconds=2"]);
    let idle: Vec<TcpStream> = (0..300).map(|_| service.connect()).collect();
    // Those in front lose their connections after some seconds, and this client has its turn.
    service.assert_unharmed();
    drop(idle);
    let log = service.log();
    assert!(
        log.contains("as many connections as permitted are open"),
        "{log}"
    );
}

/// With more connections permitted than files, the database must still be reached.
#[test]
fn too_few_open_files_are_told_and_leave_some_for_the_database() {
    let service = Service::start_with_files(128, 128, &["--read-timeout-seconds=2"]);
    until("the log tells of it", || {
        service.log().contains("open files")
    });
    let idle: Vec<TcpStream> = (0..300).map(|_| service.connect()).collect();
    thread::sleep(Duration::from_millis(200));
    service.assert_unharmed();
    drop(idle);
    let log = service.log();
    assert!(!log.contains("cannot accept connections"), "{log}");
    assert!(!log.contains("a request failed"), "{log}");
}

#[test]
fn the_soft_limit_of_open_files_is_raised() {
    let service = Service::start_with_files(
        64,
        1024,
        &["--connection-limit=500", "--read-timeout-seconds=600"],
    );
    let idle: Vec<TcpStream> = (0..400).map(|_| service.connect()).collect();
    service.assert_unharmed();
    drop(idle);
    until("it is quiet", || {
        !service.log().contains("cannot accept connections")
    });
}
