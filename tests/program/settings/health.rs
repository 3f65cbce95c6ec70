//! The health endpoints, and the command `health`.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    thread,
    time::{Duration, Instant},
};

use poem_graphql::ConnectionLimits;
use testkit::{Running, free_port, http::get};

use crate::support::{program, serve_in};

testkit::tests![
    only_the_admin_listener_serves_health_if_there_is_one,
    idle_connections_to_operators_do_not_block_probes_for_long,
    the_command_finds_the_service_by_its_settings,
    the_command_supports_tls,
    a_service_with_pending_migrations_is_not_ready,
    the_command_requires_a_known_service,
    a_draining_service_is_live_and_not_ready,
    the_command_reads_a_bounded_part_of_a_response,
];

const BODY: &str = r#"{"query":"{ __typename }"}"#;

/// A service with an admin listener, and the address of that.
fn with_admin(arguments: &[&str]) -> (Running, SocketAddr) {
    let arguments = [&["--admin-listen", "127.0.0.1:0"], arguments].concat();
    let running = serve_in(program(), &arguments);
    let line = running.printed_lines(3).remove(2);
    assert!(line.starts_with("Health   http://"), "{line}");
    let admin = line.split('/').find_map(|part| part.parse().ok());
    let admin = admin.expect("the line has an address");
    (running, admin)
}

fn url(addr: SocketAddr) -> String {
    format!("--url=http://{addr}")
}

fn only_the_admin_listener_serves_health_if_there_is_one() {
    let (running, admin) = with_admin(&[]);
    for path in ["/health/live", "/health/ready"] {
        assert_eq!(get(admin, path).0, 200);
        assert_eq!(get(running.addr, path).0, 404);
    }
    for path in ["/graphql", "/schema.graphql", "/"] {
        let (status, response) = get(admin, path);
        assert_eq!(status, 404, "{response}");
        assert!(response.contains("/health/ready"), "{response}");
    }
}

/// The limits of the connections of clients do not apply to those of operators.
fn idle_connections_to_operators_do_not_block_probes_for_long() {
    let (running, admin) = with_admin(&["--connection-limit=1"]);
    let connections = ConnectionLimits::OPERATORS.connections;
    let _client = running.connect();
    let _idle: Vec<_> = (0..connections).map(|_| TcpStream::connect(admin).unwrap()).collect();
    let started = Instant::now();
    assert_eq!(get(admin, "/health/live").0, 200);
    assert!(started.elapsed() < Duration::from_secs(5));
}

fn a_draining_service_is_live_and_not_ready() {
    let (mut running, admin) = with_admin(&["--drain-timeout-seconds", "600"]);
    let mut stream = running.connect();
    let length = BODY.len();
    let head = format!(
        "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\nExpect: 100-continue\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    // The server sends this when it waits for the body: the request is in flight from here on.
    let mut continues = [0; 25];
    stream.read_exact(&mut continues).unwrap();
    assert_eq!(get(admin, "/health/ready").0, 200);
    running.signal("TERM");
    let (status, response) = loop {
        let (status, response) = get(admin, "/health/ready");
        if status != 200 {
            break (status, response);
        }
    };
    assert_eq!(status, 503, "{response}");
    let lifecycle = r#""lifecycle":{"ready":false,"detail":"the service is stopping"}"#;
    assert!(response.contains(lifecycle), "{response}");
    assert_eq!(get(admin, "/health/live").0, 200);
    stream.write_all(BODY.as_bytes()).unwrap();
    assert_eq!(running.wait().code(), Some(0));
}

fn the_command_finds_the_service_by_its_settings() {
    let (port, admin_port) = (free_port(), free_port());
    let settings = [format!("--listen=0.0.0.0:{port}"), format!("--admin-listen=127.0.0.1:{admin_port}")];
    let settings = settings.each_ref().map(String::as_str);
    let health = [&["health"], &settings[..]].concat();
    let program = program();
    let unreachable = program.run(&health);
    assert_eq!((unreachable.code, unreachable.stdout.as_str()), (Some(1), ""));
    let start = format!("error: no response from http://127.0.0.1:{admin_port}/health/ready: ");
    assert!(unreachable.stderr.starts_with(&start), "{unreachable:?}");
    let running = serve_in(program, &settings);
    let ready = running.program().run(&health);
    assert_eq!((ready.code, ready.stderr.as_str()), (Some(0), ""), "{ready:?}");
    assert!(ready.stdout.starts_with(r#"{"status":"ready","#), "{ready:?}");
}

fn the_command_supports_tls() {
    let certified = rcgen::generate_simple_self_signed(["catalogue.example".to_owned()]).unwrap();
    let program = program()
        .with_file("certificate.pem", certified.cert.pem())
        .with_file("key.pem", certified.signing_key.serialize_pem());
    let port = free_port();
    let listen = format!("--listen=127.0.0.1:{port}");
    let tls = [listen.as_str(), "--tls-certificate-file=certificate.pem", "--tls-key-file=key.pem"];
    let running = serve_in(program, &tls);
    let arguments = [&["health"], tls.as_slice()].concat();
    let ready = running.program().run(&arguments);
    assert_eq!(ready.code, Some(0), "{ready:?}");
    // With an explicit URL the certificate is verified.
    let named = format!("--url=https://127.0.0.1:{port}");
    let named = running.program().run(&["health", &named]);
    assert_eq!((named.code, named.stdout.as_str()), (Some(1), ""), "{named:?}");
}

fn the_command_reads_a_bounded_part_of_a_response() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = url(server.local_addr().unwrap());
    let endless = thread::spawn(move || {
        let (mut stream, _) = server.accept().unwrap();
        assert!(stream.read(&mut [0; 4096]).unwrap() > 0, "a request");
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
        // Until the client disconnects.
        while stream.write_all(&[b'a'; 4096]).is_ok() {}
    });
    let output = program().run(&["health", &url]);
    assert_eq!((output.code, output.stdout.len()), (Some(0), 64 * 1024 + 1), "{}", output.stderr);
    endless.join().unwrap();
}

fn a_service_with_pending_migrations_is_not_ready() {
    let running = serve_in(program(), &["--migrate", "never"]);
    let output = running.program().run(&["health", &url(running.addr)]);
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(output.stdout.starts_with(r#"{"status":"not ready","#), "{output:?}");
    assert!(output.stdout.contains("vehicle-catalogue migrate up"), "{output:?}");
    let expected = format!("error: http://{}/health/ready returned 503 Service Unavailable\n", running.addr);
    assert_eq!(output.stderr, expected);
    let live = running.program().run(&["health", "--live", &url(running.addr)]);
    assert_eq!((live.code, live.stdout.as_str()), (Some(0), "{\"status\":\"live\"}\n"));
    let up = running.program().run(&["migrate", "up"]);
    assert_eq!(up.code, Some(0), "{up:?}");
    while running.program().run(&["health", &url(running.addr)]).code != Some(0) {}
}

fn the_command_requires_a_known_service() {
    let program = program();
    program
        .run(&["health", "--listen=127.0.0.1:0"])
        .assert_rejected(&["--listen has port 0, so the actual port is unknown; set --url"]);
    let wrong = program.run(&["health", "--url=catalogue:8000"]);
    let expected =
        "error: invalid value 'catalogue:8000' for '--url <URL>': must be a URL such as http://127.0.0.1:8000";
    assert!(wrong.code == Some(2) && wrong.stderr.starts_with(expected), "{wrong:?}");
}
