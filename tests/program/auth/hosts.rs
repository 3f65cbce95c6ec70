//! Allowed hosts: protection against DNS rebinding, where a web page resolves its own name to the
//! address of the service.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use reqwest::Client;
use serde_json::{Value, json};

use super::service::{Service, send};

testkit::tests![
    a_page_with_a_rebound_name_reads_and_stores_nothing,
    a_request_needs_exactly_one_valid_host,
    a_cors_preflight_of_a_disallowed_host_is_refused,
    both_listeners_have_the_rule_and_accept_addresses,
];

const CREATE: &str = "mutation { createVehicle(type: \"SUV\", modelCode: \"EVIL\") { id } }";

/// The status of the response to a request with this target and these header lines.
fn status(addr: SocketAddr, target: &str, headers: &str) -> u16 {
    let mut stream = TcpStream::connect(addr).unwrap();
    let timeout = Some(Duration::from_secs(30));
    stream.set_read_timeout(timeout).unwrap();
    write!(stream, "GET {target}\r\n{headers}Connection: close\r\n\r\n").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    let status = response.strip_prefix("HTTP/1.1 ").or(response.strip_prefix("HTTP/1.0 "));
    let status = status.unwrap_or_else(|| panic!("{target} {headers}: {response}"));
    status[..3].parse().unwrap()
}

fn status_for_host(addr: SocketAddr, host: &str) -> u16 {
    status(addr, "/schema.graphql HTTP/1.1", &format!("Host: {host}\r\n"))
}

/// The client of a page of `host` that resolves to the address of the service.
fn page_client(host: &str, addr: SocketAddr, is_http_2: bool) -> Client {
    let client = Client::builder().no_proxy().resolve(host, addr);
    let client = if is_http_2 { client.http2_prior_knowledge() } else { client };
    client.build().unwrap()
}

async fn a_page_with_a_rebound_name_reads_and_stores_nothing() {
    let service = Service::without_keys(&[]).await;
    let addr = service.running.addr;
    for is_http_2 in [false, true] {
        let page = page_client("evil.example", addr, is_http_2);
        let url = format!("http://evil.example:{}/graphql", addr.port());
        let request = page.post(url).json(&json!({ "query": CREATE }));
        let response = send(request).await;
        assert_eq!(response.status, 421, "{response:?}");
        assert_eq!(response.code(), Some("BAD_REQUEST"), "{response:?}");
        let message = response.body["errors"][0]["message"].as_str().unwrap();
        let host = format!("\"evil.example:{}\"", addr.port());
        assert!(message.contains(&host) && message.contains("allowed-hosts"), "{message}");
        for path in ["", "graphiql", "schema.graphql", "metrics", "health/ready"] {
            let url = format!("http://evil.example:{}/{path}", addr.port());
            let response = page.get(url).send().await.unwrap();
            assert_eq!(response.status(), 421, "{path}");
        }
    }
    let stored = send(service.post(&json!({ "query": "{ vehicles { id } }" }))).await;
    assert_eq!(stored.body["data"]["vehicles"], json!([]));
}

/// RFC 9112, sections 3.2 and 3.2.2.
async fn a_request_needs_exactly_one_valid_host() {
    let service = Service::without_keys(&["--allowed-hosts=*"]).await;
    let addr = service.running.addr;
    let local = "Host: localhost\r\n";
    let several = [local, local].concat();
    for (target, headers, expected) in [
        ("/schema.graphql HTTP/1.1", local, 200),
        ("/schema.graphql HTTP/1.1", "Host: evil.example\r\n", 200),
        ("/schema.graphql HTTP/1.1", "", 400),
        ("/schema.graphql HTTP/1.0", "", 200),
        ("/schema.graphql HTTP/1.1", several.as_str(), 400),
        ("/schema.graphql HTTP/1.0", several.as_str(), 400),
        ("/schema.graphql HTTP/1.1", "Host: a@localhost\r\n", 400),
        ("/schema.graphql HTTP/1.1", "Host: local host\r\n", 400),
        ("/schema.graphql HTTP/1.1", "Host: localhost:http\r\n", 400),
        ("http://localhost/schema.graphql HTTP/1.1", "", 400),
    ] {
        assert_eq!(status(addr, target, headers), expected, "{target} {headers}");
    }
    let service = Service::without_keys(&[]).await;
    let addr = service.running.addr;
    for (target, headers, expected) in [
        ("http://localhost/schema.graphql HTTP/1.1", "Host: evil.example\r\n", 200),
        ("http://evil.example/schema.graphql HTTP/1.1", local, 421),
        ("http://localhost@evil.example/schema.graphql HTTP/1.1", local, 400),
    ] {
        assert_eq!(status(addr, target, headers), expected, "{target} {headers}");
    }
    // In HTTP/2, :authority and Host must agree.
    let page = page_client("localhost", addr, true);
    let url = format!("http://localhost:{}/schema.graphql", addr.port());
    assert_eq!(page.get(&url).send().await.unwrap().status(), 200);
    let two = page.get(&url).header("host", "evil.example").send().await;
    assert_eq!(two.unwrap().status(), 400);
}

async fn a_cors_preflight_of_a_disallowed_host_is_refused() {
    let service = Service::without_keys(&["--cors-origins=*"]).await;
    let preflight = |host: &'static str| {
        let request = service.running.client.request(reqwest::Method::OPTIONS, service.url("/graphql"));
        let request = request.header("origin", "http://evil.example").header("host", host);
        request.header("access-control-request-method", "POST").send()
    };
    assert_eq!(preflight("evil.example").await.unwrap().status(), 421);
    assert_eq!(preflight("localhost").await.unwrap().status(), 204);
}

/// Kubernetes probes and metrics scrapers send the address of an instance as the host.
async fn both_listeners_have_the_rule_and_accept_addresses() {
    for (admin, flags, client_status, admin_status) in [
        ("127.0.0.1", &[][..], 421, 421),
        ("127.0.0.1", &["--allowed-hosts=a.example"], 200, 200),
        ("0.0.0.0", &[], 421, 200),
        ("0.0.0.0", &["--allowed-hosts=b.example"], 421, 421),
        ("0.0.0.0", &["--allowed-hosts=*"], 200, 200),
    ] {
        let port = testkit::free_port();
        let listen = format!("--admin-listen={admin}:{port}");
        let flags = [&[listen.as_str()], flags].concat();
        let service = Service::without_keys(&flags).await;
        assert_eq!(status_for_host(service.running.addr, "a.example"), client_status, "{flags:?}");
        let admin_addr = SocketAddr::from(([127, 0, 0, 1], port));
        for path in ["/health/live", "/metrics"] {
            let status = |host| {
                let target = format!("{path} HTTP/1.1");
                status(admin_addr, &target, &format!("Host: {host}\r\n"))
            };
            assert_eq!(status("a.example"), admin_status, "{path} {flags:?}");
            for host in ["192.0.2.1:9000", "[2001:db8::1]", "localhost"] {
                assert_eq!(status(host), 200, "{path} {flags:?}");
            }
        }
        assert_eq!(status_for_host(service.running.addr, "192.0.2.1"), 200, "{flags:?}");
    }
    let service = Service::without_keys(&["--listen=0.0.0.0:0"]).await;
    let addr = SocketAddr::from(([127, 0, 0, 1], service.running.addr.port()));
    assert_eq!(status_for_host(addr, "a.example"), 200);
    let live: Value =
        service.running.client.get(format!("http://{addr}/health/live")).send().await.unwrap().json().await.unwrap();
    assert_eq!(live, json!({ "status": "live" }));
}
