//! Subscriptions over WebSocket: who may open a connection, and the bound of a message.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::json;
use testkit::{Program, Running};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{
        Error, Message,
        client::IntoClientRequest as _,
        http::{HeaderName, HeaderValue},
    },
};

const KEYS: &str = r#"{"keys": [{"kty": "oct", "k": "YSBzZWNyZXQgb2YgdGhlIHRlc3RzLCAzMiBieXRlcy4", "kid": "a", "alg": "HS256"}]}"#;

async fn start(program: Program, arguments: &[&str]) -> Running {
    let arguments = [&["--listen=127.0.0.1:0"], arguments].concat();
    program.start(&arguments).listening().await
}

async fn open(
    bookshop: &Running,
    (name, value): (&'static str, &str),
) -> Result<WebSocketStream<MaybeTlsStream<TcpStream>>, Error> {
    let url = format!("ws://{}/subscriptions", bookshop.addr);
    let mut request = url.into_client_request()?;
    let protocol = ("sec-websocket-protocol", "graphql-transport-ws");
    for (name, value) in [protocol, (name, value)] {
        let name = HeaderName::from_static(name);
        let value = HeaderValue::from_str(value).unwrap();
        request.headers_mut().insert(name, value);
    }
    Ok(connect_async(request).await?.0)
}

async fn refused(bookshop: &Running, header: (&'static str, &str)) -> u16 {
    match open(bookshop, header).await {
        Err(Error::Http(response)) => response.status().as_u16(),
        other => panic!("{header:?}: {other:?}"),
    }
}

#[tokio::test]
async fn other_origins_other_hosts_and_callers_without_a_token_are_refused() {
    let program = testkit::program!("bookshop");
    let bookshop = start(program, &["--cors-origins=https://shop.example"]).await;
    assert!(
        open(&bookshop, ("origin", "https://shop.example"))
            .await
            .is_ok()
    );
    let other = ("origin", "https://evil.example");
    assert_eq!(refused(&bookshop, other).await, 403);
    assert_eq!(refused(&bookshop, ("host", "evil.example")).await, 421);
    let program = testkit::program!("bookshop").with_file("keys.json", KEYS);
    let tokens = [
        "--auth-keys-file=keys.json",
        "--auth-issuer=i",
        "--auth-audience=a",
    ];
    let bookshop = start(program, &tokens).await;
    assert_eq!(refused(&bookshop, ("x-any", "")).await, 401);
}

#[tokio::test]
async fn a_message_is_as_large_as_a_body() {
    let bookshop = start(testkit::program!("bookshop"), &["--body-limit-bytes=10000"]).await;
    let mut socket = open(&bookshop, ("x-any", "")).await.unwrap();
    for (bytes, is_read) in [(9_000, true), (10_000, false)] {
        let payload = json!({ "text": "a".repeat(bytes) });
        let init = json!({ "type": "connection_init", "payload": payload });
        socket.send(Message::text(init.to_string())).await.unwrap();
        let received = socket.next().await;
        let is_acknowledged =
            matches!(&received, Some(Ok(Message::Text(text))) if text.contains("ack"));
        assert_eq!(is_acknowledged, is_read, "{received:?}");
    }
}
