//! Subscriptions over WebSocket: the limits of a connection, who may open one, and how it ends.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use testkit::{Program, Running};
use tokio::{net::TcpStream, time::sleep};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{
        Error, Message,
        client::IntoClientRequest as _,
        http::{HeaderName, HeaderValue},
        protocol::CloseFrame,
    },
};

/// Keys, and a token of theirs with each scope, which expires in 2286.
const KEYS: &str = r#"{"keys": [{"kty": "oct", "k": "YSBzZWNyZXQgb2YgdGhlIHRlc3RzLCAzMiBieXRlcy4", "kid": "a", "alg": "HS256"}]}"#;
const READS: &str = "eyJhbGciOiJIUzI1NiIsImtpZCI6ImEifQ.eyJpc3MiOiJpIiwiYXVkIjoiYSIsImV4cCI6OTk5OTk5OTk5OSwic3ViIjoiYWRhIiwic2NvcGUiOiJyZWFkIn0.uwr8iY44DS35j9Je71LfSvoUqr1Jui2pNF3GYojcz9E";
const WRITES: &str = "eyJhbGciOiJIUzI1NiIsImtpZCI6ImEifQ.eyJpc3MiOiJpIiwiYXVkIjoiYSIsImV4cCI6OTk5OTk5OTk5OSwic3ViIjoiYWRhIiwic2NvcGUiOiJ3cml0ZSJ9.bqwmPCkMes8vWGQs9QNhyyvAk0pPJ7SV2iwYchXNbAU";

const NOVELS: &str = "subscription { bookAdded(genre: NOVEL) { title } }";

async fn start(program: Program, arguments: &[&str]) -> Running {
    let arguments = [&["--listen=127.0.0.1:0"], arguments].concat();
    program.start(&arguments).listening().await
}

async fn bookshop(arguments: &[&str]) -> Running {
    start(testkit::program!("bookshop"), arguments).await
}

/// A connection of a client.
struct Client(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Client {
    async fn open(bookshop: &Running, headers: &[(&'static str, &str)]) -> Result<Self, Error> {
        let url = format!("ws://{}/subscriptions", bookshop.addr);
        let mut request = url.into_client_request()?;
        let protocol = [("sec-websocket-protocol", "graphql-transport-ws")];
        for (name, value) in protocol.iter().chain(headers) {
            let value = HeaderValue::from_str(value).unwrap();
            let name = HeaderName::from_static(name);
            request.headers_mut().insert(name, value);
        }
        Ok(Self(connect_async(request).await?.0))
    }

    async fn start(bookshop: &Running, headers: &[(&'static str, &str)]) -> Self {
        let mut client = Self::open(bookshop, headers).await.unwrap();
        client.send(&json!({ "type": "connection_init" })).await;
        let acknowledged = json!({ "type": "connection_ack" });
        assert_eq!(client.receive().await, acknowledged);
        client
    }

    async fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.0.send(Message::text(text)).await.unwrap();
    }

    async fn subscribe(&mut self, id: &str, query: &str) {
        let payload = json!({ "query": query });
        let message = json!({ "type": "subscribe", "id": id, "payload": payload });
        self.send(&message).await;
    }

    async fn message(&mut self) -> Message {
        self.0.next().await.unwrap().unwrap()
    }

    async fn receive(&mut self) -> Value {
        let message = self.message().await;
        serde_json::from_str(message.to_text().unwrap()).unwrap()
    }

    /// Waits until the server has started the subscriptions: it polls them before a query that waits for the database is
    /// answered.
    async fn subscribed(&mut self) {
        self.subscribe("query", "{ book(by: {id: 3}) { title } }")
            .await;
        let data = json!({ "book": { "title": "Gulliver's Travels" } });
        let next = json!({ "type": "next", "id": "query", "payload": { "data": data } });
        assert_eq!(self.receive().await, next);
        assert_eq!(self.receive().await["type"], "complete");
    }

    /// The code and the reason with which the server closes the connection.
    async fn closed(&mut self) -> (u16, String) {
        match self.message().await {
            Message::Close(Some(CloseFrame { code, reason })) => (code.into(), reason.to_string()),
            message => panic!("{message}"),
        }
    }
}

async fn add_novel(bookshop: &Running, isbn: &str) -> Value {
    let query = format!(
        "mutation {{ addBook(book: {{isbn: \"{isbn}\", title: \"Persuasion\", genre: NOVEL, publisher: \"Murray\",
        author: \"Jane Austen\"}}) {{ id }} }}"
    );
    let url = format!("http://{}/graphql", bookshop.addr);
    let request = bookshop.client.post(url).json(&json!({ "query": query }));
    request.send().await.unwrap().json().await.unwrap()
}

fn added(id: &str) -> Value {
    let data = json!({ "bookAdded": { "title": "Persuasion" } });
    json!({ "type": "next", "id": id, "payload": { "data": data } })
}

/// The message of the first error in a response.
fn refused(message: &Value) -> &str {
    message["payload"]["errors"][0]["message"].as_str().unwrap()
}

#[tokio::test]
async fn each_subscriber_receives_an_added_book() {
    let bookshop = bookshop(&[]).await;
    let mut clients = [
        Client::start(&bookshop, &[]).await,
        Client::start(&bookshop, &[]).await,
    ];
    for client in &mut clients {
        client.subscribe("a", NOVELS).await;
        client.subscribed().await;
    }
    let stored = add_novel(&bookshop, "9780000000019").await;
    assert_eq!(stored, json!({ "data": { "addBook": { "id": "5" } } }));
    for client in &mut clients {
        assert_eq!(client.receive().await, added("a"));
        client.send(&json!({ "type": "complete", "id": "a" })).await;
        let complete = json!({ "type": "complete", "id": "a" });
        assert_eq!(client.receive().await, complete);
    }
}

#[tokio::test]
async fn an_open_connection_exceeds_the_timeouts_of_requests() {
    let bookshop = bookshop(&["--read-timeout-seconds=1"]).await;
    let mut client = Client::start(&bookshop, &[]).await;
    client.subscribe("a", NOVELS).await;
    client.subscribed().await;
    sleep(Duration::from_millis(2500)).await;
    // More than the maximum size of the head of a request.
    let payload = json!({ "text": "a".repeat(30_000) });
    for _ in 0..5 {
        client
            .send(&json!({ "type": "ping", "payload": payload }))
            .await;
        assert_eq!(client.receive().await["type"], "pong");
    }
    add_novel(&bookshop, "9780000000019").await;
    assert_eq!(client.receive().await, added("a"));
}

#[tokio::test]
async fn a_connection_has_at_most_16_operations() {
    let bookshop = bookshop(&[]).await;
    let mut client = Client::start(&bookshop, &[]).await;
    for id in 1..=17 {
        client.subscribe(&id.to_string(), NOVELS).await;
    }
    let message = client.receive().await;
    assert_eq!(message["id"], "17");
    let expected = "the connection has 16 operations, the maximum; complete one of them";
    assert_eq!(refused(&message), expected);
    assert_eq!(client.receive().await["type"], "complete");
    client.send(&json!({ "type": "complete", "id": "1" })).await;
    assert_eq!(client.receive().await["id"], "1");
    client.subscribed().await;
}

#[tokio::test]
async fn a_message_is_as_large_as_a_body() {
    let bookshop = bookshop(&["--body-limit-bytes=10000"]).await;
    let mut client = Client::start(&bookshop, &[]).await;
    let payload = json!({ "text": "a".repeat(9_000) });
    client
        .send(&json!({ "type": "ping", "payload": payload }))
        .await;
    assert_eq!(client.receive().await["type"], "pong");
    let payload = json!({ "text": "a".repeat(10_000) });
    client
        .send(&json!({ "type": "ping", "payload": payload }))
        .await;
    let ended = client.0.next().await;
    assert!(!matches!(ended, Some(Ok(Message::Text(_)))), "{ended:?}");
}

#[tokio::test]
async fn a_client_has_to_initialize_its_connection() {
    let bookshop = bookshop(&[]).await;
    let mut client = Client::open(&bookshop, &[]).await.unwrap();
    let reason = "Connection initialisation timeout".to_owned();
    assert_eq!(client.closed().await, (4408, reason));
}

#[tokio::test]
async fn a_stop_ends_connections_and_does_not_wait_for_them() {
    let mut bookshop = bookshop(&[]).await;
    let mut client = Client::start(&bookshop, &[]).await;
    client.subscribe("a", NOVELS).await;
    client.subscribed().await;
    bookshop.signal("TERM");
    let began = Instant::now();
    assert_eq!(client.closed().await, (1001, "the server stops".to_owned()));
    assert!(bookshop.ended().await.success());
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn pages_of_other_origins_and_other_hosts_are_refused() {
    let bookshop = bookshop(&["--cors-origins=https://shop.example"]).await;
    let own = format!("http://{}", bookshop.addr);
    for origin in [own.as_str(), "https://shop.example"] {
        Client::start(&bookshop, &[("origin", origin)]).await;
    }
    let page = format!("http://{}.evil.example", bookshop.addr);
    for (header, status, message) in [
        (("origin", page.as_str()), 403, "cors-origins"),
        (("origin", "null"), 403, "cors-origins"),
        (("host", "evil.example"), 421, "allowed-hosts"),
    ] {
        let Err(Error::Http(response)) = Client::open(&bookshop, &[header]).await else {
            panic!("{header:?} was permitted");
        };
        assert_eq!(response.status(), status, "{header:?}");
        let body = response.into_body().unwrap_or_default();
        let body = String::from_utf8(body).unwrap();
        assert!(body.contains(message), "{body}");
    }
}

#[tokio::test]
async fn a_connection_requires_a_token_and_a_subscription_its_scope() {
    let program = testkit::program!("bookshop").with_file("keys.json", KEYS);
    let arguments = [
        "--auth-keys-file=keys.json",
        "--auth-issuer=i",
        "--auth-audience=a",
    ];
    let bookshop = start(program, &arguments).await;
    let Err(Error::Http(response)) = Client::open(&bookshop, &[]).await else {
        panic!("it was permitted");
    };
    assert_eq!(response.status(), 401);
    let reads = format!("Bearer {READS}");
    let mut client = Client::start(&bookshop, &[("authorization", &reads)]).await;
    client.subscribe("a", NOVELS).await;
    client.subscribed().await;
    let writes = format!("Bearer {WRITES}");
    let mut client = Client::start(&bookshop, &[("authorization", &writes)]).await;
    client.subscribe("a", NOVELS).await;
    let message = client.receive().await;
    let expected = "a subscription requires a token with the scope ";
    assert!(refused(&message).starts_with(expected), "{message}");
}

#[tokio::test]
async fn operations_of_a_connection_count_for_the_rate_limit() {
    let bookshop = bookshop(&["--rate-limit=1", "--rate-limit-burst=3"]).await;
    let mut client = Client::start(&bookshop, &[]).await;
    for id in ["a", "b", "c"] {
        client.subscribe(id, NOVELS).await;
    }
    let message = client.receive().await;
    let expected = "too many requests from this caller (rate-limit 1 per second); retry after the time in Retry-After";
    assert_eq!(refused(&message), expected);
}

#[tokio::test]
async fn a_book_is_validated() {
    let bookshop = bookshop(&[]).await;
    let response = add_novel(&bookshop, "9780000000019").await;
    assert_eq!(response.get("errors"), None);
    let url = format!("http://{}/graphql", bookshop.addr);
    for (title, author, expected) in [
        (" ", "Jane Austen", "title: must have 1 to 200 characters"),
        (
            &*"a".repeat(201),
            "Jane Austen",
            "title: must have 1 to 200 characters",
        ),
        ("a", "Nobody", "author: no author in the shop has this name"),
    ] {
        let book = json!({ "isbn": "9780140436433", "title": title, "genre": "NOVEL", "publisher": "a", "author": author });
        let query = "mutation ($book: NewBook!) { addBook(book: $book) { id } }";
        let body = json!({ "query": query, "variables": { "book": book } });
        let request = bookshop.client.post(&url).json(&body);
        let response: Value = request.send().await.unwrap().json().await.unwrap();
        let message = response["errors"][0]["message"].as_str().unwrap();
        assert!(message.starts_with(expected), "{message}");
    }
}
