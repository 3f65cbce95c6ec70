//! What the service tells those who watch it, and the command that asks.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpListener},
};

use crate::program::{Program, Running, address, connect, get};

const BODY: &str = r#"{"query":"{ __typename }"}"#;

/// A service with an address for operators, and that address.
fn with_admin(arguments: &[&str]) -> (Running, SocketAddr) {
    let arguments = [&["--admin-listen", "127.0.0.1:0"], arguments].concat();
    let (running, lines) = Program::new().serve(&arguments, 3);
    assert!(lines[2].starts_with("Health   http://"), "{lines:?}");
    let admin = address(&lines[2]);
    (running, admin)
}

fn url(addr: SocketAddr) -> String {
    format!("--url=http://{addr}")
}

#[test]
fn health_is_told_at_the_address_for_operators_alone_if_there_is_one() {
    let (running, admin) = with_admin(&[]);
    for path in ["/health/live", "/health/ready"] {
        assert_eq!(get(admin, path).0, 200);
        assert_eq!(get(running.addr, path).0, 404);
    }
    for path in ["/graphql", "/limits", "/schema.graphql", "/"] {
        let (status, answer) = get(admin, path);
        assert_eq!(status, 404, "{answer}");
        assert!(answer.contains("/health/ready"), "{answer}");
    }
}

#[test]
fn a_service_that_stops_is_alive_and_not_ready() {
    let (mut running, admin) = with_admin(&["--drain-timeout-seconds", "600"]);
    let mut stream = connect(running.addr);
    let length = BODY.len();
    let head = format!(
        "POST /graphql HTTP/1.1\r\nHost: catalogue\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\nExpect: 100-continue\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    // The service says so once it waits for the body: the request is in flight from here on.
    let mut continues = [0; 25];
    stream.read_exact(&mut continues).unwrap();
    assert_eq!(get(admin, "/health/ready").0, 200);
    running.terminate();
    let (status, answer) = loop {
        let (status, answer) = get(admin, "/health/ready");
        if status != 200 {
            break (status, answer);
        }
    };
    assert_eq!(status, 503, "{answer}");
    let lifecycle = r#""lifecycle":{"ready":false,"detail":"the service is stopping"}"#;
    assert!(answer.contains(lifecycle), "{answer}");
    assert_eq!(get(admin, "/health/live").0, 200);
    stream.write_all(BODY.as_bytes()).unwrap();
    assert_eq!(running.wait().code(), Some(0));
}

#[test]
fn the_command_tells_whether_the_service_is_well() {
    let (running, _) = Program::new().serve(&[], 2);
    let program = &running.program;
    let ready = program.run(&["health", &url(running.addr)]);
    assert_eq!((ready.code, ready.stderr.as_str()), (Some(0), ""));
    assert!(
        ready.stdout.starts_with(r#"{"status":"ready","#),
        "{ready:?}"
    );
    let live = program.run(&["health", "--live", &url(running.addr)]);
    assert_eq!(
        (live.code, live.stdout.as_str()),
        (Some(0), "{\"status\":\"live\"}\n")
    );
}

#[test]
fn the_command_asks_the_service_that_the_settings_describe() {
    // Free at this moment; whoever takes it meanwhile lets the test fail, not pass.
    let free = || {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let (port, admin_port) = (free(), free());
    let file = format!("listen = \"0.0.0.0:{port}\"\nadmin-listen = \"0.0.0.0:{admin_port}\"\n");
    let program = Program::new().with_file("catalogue.toml", &file);
    let nobody = program.run(&["health", "--config", "catalogue.toml"]);
    assert_eq!((nobody.code, nobody.stdout.as_str()), (Some(1), ""));
    let start = format!("error: no answer from http://127.0.0.1:{admin_port}/health/ready: ");
    assert!(nobody.stderr.starts_with(&start), "{nobody:?}");
    let listen = format!("--listen=0.0.0.0:{port}");
    let admin_listen = format!("--admin-listen=127.0.0.1:{admin_port}");
    let (running, _) = program.serve_at(&[&listen, &admin_listen], 3);
    let ready = running
        .program
        .run(&["health", "--config", "catalogue.toml"]);
    assert_eq!(ready.code, Some(0), "{ready:?}");
}

#[test]
fn the_command_asks_a_service_that_speaks_tls() {
    let certified = rcgen::generate_simple_self_signed(["catalogue.example".to_owned()]).unwrap();
    let program = Program::new()
        .with_file("certificate.pem", &certified.cert.pem())
        .with_file("key.pem", &certified.signing_key.serialize_pem());
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let listen = format!("--listen=127.0.0.1:{port}");
    let tls = [
        listen.as_str(),
        "--tls-certificate-file=certificate.pem",
        "--tls-key-file=key.pem",
    ];
    let (running, _) = program.serve_at(&tls, 2);
    let arguments = [&["health"], tls.as_slice()].concat();
    let ready = running.program.run(&arguments);
    assert_eq!(ready.code, Some(0), "{ready:?}");
    // Whoever names a service wants to know that it is the one.
    let named = format!("--url=https://127.0.0.1:{port}");
    let named = running.program.run(&["health", &named]);
    assert_eq!(
        (named.code, named.stdout.as_str()),
        (Some(1), ""),
        "{named:?}"
    );
}

#[test]
fn a_service_without_its_migrations_is_not_well() {
    let (running, _) = Program::new().serve(&["--migrate", "never"], 2);
    let ended = running.program.run(&["health", &url(running.addr)]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(
        ended.stdout.starts_with(r#"{"status":"not ready","#),
        "{ended:?}"
    );
    assert!(
        ended.stdout.contains("vehicle-catalogue migrate up"),
        "{ended:?}"
    );
    let expected = format!(
        "error: http://{}/health/ready answers 503 Service Unavailable\n",
        running.addr
    );
    assert_eq!(ended.stderr, expected);
    let live = running
        .program
        .run(&["health", "--live", &url(running.addr)]);
    assert_eq!(live.code, Some(0), "{live:?}");
    let up = running.program.run(&["migrate", "up"]);
    assert_eq!(up.code, Some(0), "{up:?}");
    while running.program.run(&["health", &url(running.addr)]).code != Some(0) {}
}

#[test]
fn the_command_is_refused_without_a_service_to_ask() {
    let program = Program::new();
    program.run(&["health", "--listen=127.0.0.1:0"]).assert_refused(&[
        "port 0 takes a free port, which nobody else knows; say with --url which service to ask",
    ]);
    program.run(&["health", "--url=catalogue:8000"]).assert_refused(&[
        "--url must be a URL such as http://127.0.0.1:8000 or https://catalogue.example, not \"catalogue:8000\"",
    ]);
}
