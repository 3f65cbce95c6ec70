//! Too many connections: thousands of idle ones, and more than the limit of open files.

use std::{io::Write, net::TcpStream, process::Command, thread, time::Duration};

use super::service::{Service, post, read_to_end, wait_until};

testkit::tests![
    bounds_the_memory_of_ten_thousand_idle_connections,
    reserves_open_files_for_the_database_and_logs_a_warning,
];

/// Number of connections, unless the hard limit of open files is lower.
const CONNECTIONS: usize = 10_000;

/// Open files of this process besides those connections: other tests run at the same time.
const OTHER_FILES: usize = 4_000;

/// Raises the limit of open files of this process, and returns it.
fn raise_own_limit() -> usize {
    let id = std::process::id().to_string();
    let limit = |name: &str| {
        let output = Command::new("prlimit")
            .args(["--pid", &id, "--nofile", "--raw", "--noheadings", "--output", name])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.trim().parse().unwrap_or(usize::MAX)
    };
    let hard = limit("HARD");
    let files = hard.min(CONNECTIONS + OTHER_FILES);
    let raised = Command::new("prlimit").args(["--pid", &id, &format!("--nofile={files}:{hard}")]).status();
    assert!(raised.unwrap().success());
    files
}

fn bounds_the_memory_of_ten_thousand_idle_connections() {
    let count = raise_own_limit().saturating_sub(OTHER_FILES).max(500);
    let service = Service::start(&["--connection-limit=20000"]);
    let before = service.memory();
    let idle: Vec<TcpStream> = (0..count).map(|_| service.connect()).collect();
    service.assert_unaffected();
    let each = service.memory().saturating_sub(before) / count as u64;
    println!("{count} idle connections, {each} bytes each");
    assert!(each < 32 * 1024, "{each} bytes per connection");
    drop(idle);
    // Later clients are served, too.
    service.assert_unaffected();
}

/// If the connection limit exceeds the limit of open files, some files stay reserved for the database.
fn reserves_open_files_for_the_database_and_logs_a_warning() {
    let service = Service::start_with_files(128, 128, &[]);
    wait_until("the log contains a warning", || service.log().contains("open files"));
    let mut earlier = service.connect();
    let idle: Vec<TcpStream> = (0..300).map(|_| service.connect()).collect();
    thread::sleep(Duration::from_millis(200));
    let list = post(r#"{"query":"{ vehicles { id } }"}"#, "Connection: close\r\n");
    earlier.write_all(&list).unwrap();
    let response = read_to_end(&mut earlier);
    assert!(response.ends_with(r#"{"data":{"vehicles":[]}}"#), "{response}");
    drop(idle);
    service.assert_unaffected();
    let log = service.log();
    assert!(!log.contains("cannot accept connections"), "{log}");
    assert!(!log.contains("request failed"), "{log}");
}
