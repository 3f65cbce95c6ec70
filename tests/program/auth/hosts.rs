//! Allowed hosts: protection against DNS rebinding, where a web page resolves its own name to the
//! address of the service.

use std::net::SocketAddr;

use reqwest::{Client, Method};
use serde_json::json;
use testkit::http;

use super::service::{Service, send};

testkit::tests![
    a_page_with_a_rebound_name_reads_and_stores_nothing,
    the_host_of_each_protocol_is_read,
    the_rule_follows_the_addresses_of_both_listeners,
];

const CREATE: &str = "mutation { createVehicle(type: \"SUV\", modelCode: \"EVIL\") { id } }";

/// The client of a page of `host` that resolves to the address of the service.
fn page_client(host: &str, addr: SocketAddr, is_http_2: bool) -> Client {
    let client = Client::builder().no_proxy().resolve(host, addr);
    let client = if is_http_2 { client.http2_prior_knowledge() } else { client };
    client.build().unwrap()
}

async fn a_page_with_a_rebound_name_reads_and_stores_nothing() {
    let service = Service::without_keys(&["--cors-origins=*"]).await;
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
        let preflight = page.request(Method::OPTIONS, format!("http://evil.example:{}/graphql", addr.port()));
        let preflight =
            preflight.header("origin", "http://evil.example").header("access-control-request-method", "POST");
        assert_eq!(preflight.send().await.unwrap().status(), 421);
    }
    let stored = send(service.post(&json!({ "query": "{ vehicles { id } }" }))).await;
    assert_eq!(stored.body["data"]["vehicles"], json!([]));
}

/// RFC 9112, sections 3.2 and 3.2.2; the forms of a host are tested in `poem-graphql`.
async fn the_host_of_each_protocol_is_read() {
    let service = Service::without_keys(&[]).await;
    let addr = service.running.addr;
    for (target, host, expected) in [
        ("/schema.graphql HTTP/1.1", "", " 400 "),
        ("http://localhost/schema.graphql HTTP/1.1", "Host: evil.example\r\n", " 200 "),
        ("http://evil.example/schema.graphql HTTP/1.1", "Host: localhost\r\n", " 421 "),
        ("http://localhost/schema.graphql HTTP/1.1", "", " 400 "),
        ("/schema.graphql HTTP/1.0", "", " 200 "),
    ] {
        let request = format!("GET {target}\r\n{host}Connection: close\r\n\r\n");
        let response = http::exchange(addr, request.as_bytes());
        assert!(response[8..].starts_with(expected), "{target} {host}: {response}");
    }
    // In HTTP/2, :authority and Host must agree.
    let page = page_client("localhost", addr, true);
    let url = format!("http://localhost:{}/schema.graphql", addr.port());
    assert_eq!(page.get(&url).send().await.unwrap().status(), 200);
    let two = page.get(&url).header("host", "evil.example").send().await;
    assert_eq!(two.unwrap().status(), 400);
}

/// Kubernetes probes and metrics scrapers send the address of an instance as the host.
async fn the_rule_follows_the_addresses_of_both_listeners() {
    let status = async |addr: SocketAddr, path: &str, host: &str| {
        let request = http::client().build().unwrap().get(format!("http://{addr}{path}")).header("host", host);
        request.send().await.unwrap().status().as_u16()
    };
    for (admin, flags, client_status, admin_status) in [
        ("127.0.0.1", &[][..], 421, 421),
        ("127.0.0.1", &["--allowed-hosts=a.example"], 200, 200),
        ("0.0.0.0", &[], 421, 200),
        ("0.0.0.0", &["--allowed-hosts=b.example"], 421, 421),
    ] {
        let port = testkit::free_port();
        let listen = format!("--admin-listen={admin}:{port}");
        let flags = [&[listen.as_str()], flags].concat();
        let service = Service::without_keys(&flags).await;
        let (addr, admin_addr) = (service.running.addr, SocketAddr::from(([127, 0, 0, 1], port)));
        for (host, client_status, admin_status) in
            [("a.example", client_status, admin_status), ("192.0.2.1:9000", 200, 200)]
        {
            assert_eq!(status(addr, "/schema.graphql", host).await, client_status, "{host} {flags:?}");
            assert_eq!(status(admin_addr, "/metrics", host).await, admin_status, "{host} {flags:?}");
        }
    }
    let service = Service::without_keys(&["--listen=0.0.0.0:0"]).await;
    let addr = SocketAddr::from(([127, 0, 0, 1], service.running.addr.port()));
    assert_eq!(status(addr, "/schema.graphql", "a.example").await, 200);
}
