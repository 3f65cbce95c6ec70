//! What the settings name cannot be used: the messages name the cause and the remedy.

use std::{fs, net::TcpListener, os::unix::fs::MetadataExt};

use testkit::{Backend, Context};

use crate::support::{start, start_under};

testkit::tests![
    every_wrong_database_is_one_line_with_cause_and_remedy on Sqlite,
    a_server_without_a_response_is_reported_at_once on Sqlite,
    a_server_of_another_kind_is_named on Postgres Mariadb Mysql,
    a_message_of_the_server_has_no_line_of_its_source on Postgres,
    a_port_that_needs_a_privilege_is_named on Sqlite,
];

/// The log of a start that fails.
async fn failed_start(url: &str, flags: &[&str]) -> String {
    let mut started = start(url, flags);
    assert_eq!(started.ended().await.code(), Some(1), "{}", started.log());
    started.log()
}

/// What is wrong with these URLs, and what to do about it.
const WRONG_URLS: &[(&str, &str)] = &[
    ("", "must be sqlite:FILE, postgres://USER"),
    ("oracle://u:secret@h/db", "must be sqlite:FILE, postgres://USER"),
    ("sqlite:?mode=rwc", "it has no file; use sqlite:PATH"),
    ("mysql://u:secret@h", "it has no database name; use mysql://"),
    ("postgres://h/?sslmode=require", "it has no database name; use postgres://"),
    ("mysql://u@one,two/db", "use the address of a load balancer"),
    ("postgres:///db?host=one,two", "use the address of a load balancer"),
    ("postgres://h/db?target_session_attrs=read-write", "use the address of a load balancer"),
    ("postgres://u:1?secret@h/db", "must be percent-encoded"),
    ("mysql://u:1/secret@h/db", "must be percent-encoded"),
    ("mysql://u:1#secret@h/db", "must be percent-encoded"),
    ("postgres://h/db?sslmod=require", "the parameter sslmod, which is none of sslmode"),
    ("postgres://h/db?password=a&secret", "a parameter which is none of sslmode"),
    ("postgres://h/db?sslmode=allow", "sslmode must be one of disable, prefer, require"),
    ("mysql://h/db?ssl-mode=verify-full", "ssl-mode must be one of disabled, preferred"),
    ("postgres://h/db?sslrootcert=/ca.pem&sslmode=require", "sslrootcert is looked at only with"),
    ("sqlite:/no/such/folder/vehicles.db", "the folder of the file must exist"),
    ("sqlite:/no/such/file.db?mode=rw", "the folder of the file must exist"),
    ("sqlite:/tmp", "the folder of the file must exist"),
    ("sqlite:/proc/self/exe?mode=ro", "the file is something else, or damaged: name another one"),
    ("mysql://u:secret@127.0.0.1:1/db", "nothing listens at this address: start the database"),
    ("postgres://u:secret@127.0.0.1:1/db", "nothing listens at this address: start the database"),
];

async fn every_wrong_database_is_one_line_with_cause_and_remedy(_: Context) {
    for (url, expected) in WRONG_URLS {
        let mut started = start(url, &["--database-connect-timeout-seconds=1"]);
        let code = started.ended().await.code();
        let log = started.log();
        let is_of_url = log.starts_with("error: --database-url (DATABASE_URL) ");
        assert_eq!(code, Some(if is_of_url { 2 } else { 1 }), "{url}: {log}");
        let is_logged = |line: &&str| line.contains("waiting for the ");
        let errors: Vec<_> = log.lines().filter(|line| !is_logged(line)).collect();
        assert_eq!(errors.len(), 1, "{url}: {log}");
        assert!(errors[0].starts_with("error: ") && errors[0].contains(expected), "{url}: {log}");
        assert!(!log.contains("secret"), "{url}: {log}");
    }
}

async fn a_server_without_a_response_is_reported_at_once(_: Context) {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap();
    let url = format!("postgres://user:secret@{address}/vehicles");
    let log = failed_start(&url, &["--database-connect-timeout-seconds=3"]).await;
    let database = format!("PostgreSQL database vehicles at {address}; the server does not respond");
    let [waiting, failed] = log.lines().collect::<Vec<_>>()[..] else {
        panic!("{log}");
    };
    for part in [
        &format!("waiting for the {database}"),
        "correct the scheme, the host and the port in the database URL",
        "\"waited_s\":1",
        "\"cause\":\"no response within 1 s",
    ] {
        assert!(waiting.contains(part), "{part} in {log}");
    }
    let start = format!("error: cannot use the database: cannot connect to the {database}");
    assert!(failed.starts_with(&start), "{log}");
    assert!(failed.ends_with(": no response within 3 s"), "{log}");
}

async fn a_server_of_another_kind_is_named(context: Context) {
    let database = context.database();
    let (_, rest) = database.url().split_once("://").unwrap();
    let (scheme, hint) = match context.backend {
        Backend::Postgres => ("mysql", "PostgreSQL does not respond to a client of MySQL"),
        _ => ("postgres", "the server at this address has another protocol than the scheme of the database URL"),
    };
    let url = format!("{scheme}://{rest}");
    let log = failed_start(&url, &["--database-connect-timeout-seconds=2"]).await;
    let (waiting, _) = log.split_once('\n').unwrap();
    assert!(waiting.contains(hint), "{log}");
    assert!(!log.contains("line "), "{log}");
}

async fn a_message_of_the_server_has_no_line_of_its_source(context: Context) {
    let database = context.database();
    let url = format!("{}_missing", database.url());
    let log = failed_start(&url, &[]).await;
    assert!(log.contains("_missing\" does not exist\n"), "{log}");
}

/// The first port that needs no privilege is a setting of the system.
async fn a_port_that_needs_a_privilege_is_named(_: Context) {
    let first = fs::read_to_string("/proc/sys/net/ipv4/ip_unprivileged_port_start");
    let first = first.map_or(1024, |first| first.trim().parse::<u16>().unwrap());
    if first <= 1 {
        return;
    }
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let unprivileged = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"];
    let wrapper: &[&str] = if is_root { &unprivileged } else { &["env"] };
    let mut started = start_under(wrapper, "sqlite::memory:", &["--listen=127.0.0.1:1"]);
    assert_eq!(started.ended().await.code(), Some(1), "{}", started.log());
    let expected =
        "error: 127.0.0.1:1 has a port below 1024, which needs a privilege: choose another port with --listen";
    assert!(started.log().contains(expected), "{}", started.log());
}
