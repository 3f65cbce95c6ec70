//! Subscriptions over WebSocket: who may open a connection, and the bound of a message.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{future::pending, net::SocketAddr, pin::pin};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{
        Error, Message,
        client::IntoClientRequest as _,
        http::{HeaderName, HeaderValue},
    },
};

async fn start() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async { bookshop::serve(listener, pending()).await.unwrap() });
    address
}

async fn open(
    bookshop: SocketAddr,
    (name, value): (&'static str, &str),
) -> Result<WebSocketStream<MaybeTlsStream<TcpStream>>, Error> {
    let url = format!("ws://{bookshop}/subscriptions");
    let mut request = url.into_client_request()?;
    let protocol = ("sec-websocket-protocol", "graphql-transport-ws");
    for (name, value) in [protocol, (name, value)] {
        let name = HeaderName::from_static(name);
        let value = HeaderValue::from_str(value).unwrap();
        request.headers_mut().insert(name, value);
    }
    Ok(connect_async(request).await?.0)
}

async fn refused(bookshop: SocketAddr, header: (&'static str, &str)) -> u16 {
    match open(bookshop, header).await {
        Err(Error::Http(response)) => response.status().as_u16(),
        other => panic!("{header:?}: {other:?}"),
    }
}

#[tokio::test]
async fn pages_of_other_origins_and_other_hosts_are_refused() {
    let bookshop = start().await;
    let own = format!("http://{bookshop}");
    assert!(open(bookshop, ("origin", &own)).await.is_ok());
    let other = ("origin", "https://evil.example");
    assert_eq!(refused(bookshop, other).await, 403);
    assert_eq!(refused(bookshop, ("host", "evil.example")).await, 421);
}

#[tokio::test]
async fn a_connection_is_closed_with_the_code_of_the_protocol() {
    let bookshop = start().await;
    let long = json!({ "type": "z".repeat(200) }).to_string();
    let subscribe = json!({ "type": "subscribe", "id": "1", "payload": { "query": "{ __typename }" } });
    let (init, subscribe) = (json!({ "type": "connection_init" }), subscribe.to_string());
    let init = init.to_string();
    for (messages, code, reason) in [
        (&[&long[..]][..], 4400, "Invalid message"),
        (&["{"], 4400, "Invalid message"),
        (&[&subscribe], 4401, "Unauthorized"),
        (&[&init, &init], 4429, "Too many initialisation requests."),
    ] {
        let mut socket = open(bookshop, ("x-any", "")).await.unwrap();
        for message in messages {
            socket.send(Message::text(*message)).await.unwrap();
        }
        let closed = socket.filter_map(async |message| match message {
            Ok(Message::Close(frame)) => frame,
            _ => None,
        });
        let frame = pin!(closed).next().await.unwrap();
        assert_eq!((frame.code.into(), &*frame.reason), (code, reason), "{messages:?}");
    }
}

#[tokio::test]
async fn a_message_has_at_most_64_kib() {
    let bookshop = start().await;
    let mut socket = open(bookshop, ("x-any", "")).await.unwrap();
    for (bytes, is_read) in [(65_000, true), (66_000, false)] {
        let payload = json!({ "text": "a".repeat(bytes) });
        let init = json!({ "type": "connection_init", "payload": payload });
        socket.send(Message::text(init.to_string())).await.unwrap();
        let received = socket.next().await;
        let is_acknowledged = matches!(&received, Some(Ok(Message::Text(text))) if text.contains("ack"));
        assert_eq!(is_acknowledged, is_read, "{received:?}");
    }
}
