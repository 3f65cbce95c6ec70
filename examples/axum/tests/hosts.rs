//! The responses of axum and of poem to the same requests.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::future::pending;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Message, client::IntoClientRequest as _},
};

/// The addresses of axum and of poem.
async fn hosts() -> [String; 2] {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let axum = listener.local_addr().unwrap();
    let app = bookshop_axum::app().await.unwrap();
    tokio::spawn(async { axum::serve(listener, app).await });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let poem = listener.local_addr().unwrap();
    tokio::spawn(async { bookshop::serve(listener, pending()).await.unwrap() });
    [axum, poem].map(|address| address.to_string())
}

async fn execute(host: &str, body: &Value) -> String {
    let client = testkit::http::client().build().unwrap();
    let request = client.post(format!("http://{host}/graphql")).json(body);
    request.send().await.unwrap().text().await.unwrap()
}

/// The number of errors in two responses, which are equal.
fn compare(axum: &str, poem: &str, body: &Value) -> usize {
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let (of_axum, of_poem) = (read(axum), read(poem));
    for member in ["data", "errors", "extensions"] {
        // A request that is refused has no data, or null.
        assert_eq!(of_axum[member], of_poem[member], "{body}");
    }
    let errors = of_axum["errors"].as_array().map_or(0, Vec::len);
    if errors == 0 {
        // With the same order of fields.
        assert_eq!(axum, poem, "{body}");
    }
    errors
}

#[tokio::test]
async fn responses_of_both_hosts_are_equal() {
    let [axum, poem] = hosts().await;
    let book = |isbn: &str, author: &str| json!({ "isbn": isbn, "title": "Persuasion", "genre": "NOVEL", "publisher": "Murray", "author": author });
    let add = "mutation ($book: NewBook!) { addBook(book: $book) { id isbn title genre author { name } } }";
    let (isbn, author) = ("9780000000019", "Jane Austen");
    let introspection =
        "{ __schema { queryType { name } subscriptionType { fields { name } } types { kind name description
        fields { name args { name defaultValue } } specifiedByURL isOneOf } directives { name } } }";
    for (query, variables, errors) in [
        ("{ books(genre: NOVEL) { title author { name books { title } } } }", json!(null), 0),
        ("{ b: book(by: {id: 3}) { genre id } a: book(by: {id: 99}) { id } __typename }", json!(null), 0),
        (
            "{ named(name: \"Emma\") { __typename ... on Author { name } ... on Book { contributors { name } } } }",
            json!(null),
            0,
        ),
        ("query ($by: BookKey!) { book(by: $by) { title } }", json!({ "by": { "isbn": "9780141439518" } }), 0),
        (
            "query ($on: Boolean!) { book(by: {id: 1}) { title @skip(if: $on) isbn @include(if: $on) } }",
            json!({ "on": true }),
            0,
        ),
        (introspection, json!(null), 0),
        ("{ __type(name: \"Isbn\") { name specifiedByURL } }", json!(null), 0),
        (add, json!({ "book": book(isbn, author) }), 0),
        ("{ books(genre: NOVEL) { id title } }", json!(null), 0),
        (add, json!({ "book": book(isbn, author) }), 1),
        (add, json!({ "book": book("9780140436433", "Nobody") }), 1),
        (add, json!({ "book": book("1", author) }), 1),
        ("{ book(by: {isbn: \"9780141439494\"}) { id } }", json!(null), 1),
        ("{ book(by: {id: 1, isbn: null}) { id } }", json!(null), 1),
        ("{ books(genre: POEM) { titel } }", json!(null), 2),
        ("{ books(", json!(null), 1),
        ("query A { __typename } query B { __typename }", json!(null), 1),
        ("query ($by: BookKey!) { book(by: $by) { title } }", json!({}), 1),
        ("subscription { bookAdded { title } }", json!(null), 1),
    ] {
        let body = json!({ "query": query, "variables": variables });
        let responses = [execute(&axum, &body).await, execute(&poem, &body).await];
        let found = compare(&responses[0], &responses[1], &body);
        assert_eq!(found, errors, "{query}: {}", responses[0]);
    }
}

async fn receive(socket: &mut WebSocketStream<MaybeTlsStream<TcpStream>>) -> Value {
    let message = socket.next().await.unwrap().unwrap();
    serde_json::from_str(message.to_text().unwrap()).unwrap()
}

/// The messages of a subscription, of which the last one is the event of an added book.
async fn subscribed(host: &str) -> Vec<Value> {
    let mut request = format!("ws://{host}/subscriptions").into_client_request().unwrap();
    let protocol = "graphql-transport-ws".parse().unwrap();
    request.headers_mut().insert("sec-websocket-protocol", protocol);
    let (mut socket, _) = connect_async(request).await.unwrap();
    let added = "subscription { bookAdded(genre: NOVEL) { id title author { name } } }";
    let add = "mutation { addBook(book: {isbn: \"9780000000019\", title: \"a\", genre: NOVEL, publisher: \"b\",
        author: \"Emma\"}) { id } }";
    let subscribe = |id: &str, query: &str| json!({ "type": "subscribe", "id": id, "payload": { "query": query } });
    let mut messages = Vec::new();
    for (sent, received) in [
        (json!({ "type": "connection_init" }), 1),
        (subscribe("invalid", "subscription { bookRemoved }"), 2),
        (subscribe("added", added), 0),
        // The subscription is polled before a query that waits for the database is answered.
        (subscribe("query", "{ book(by: {id: 3}) { title } }"), 2),
    ] {
        let message = Message::text(sent.to_string());
        socket.send(message).await.unwrap();
        for _ in 0..received {
            messages.push(receive(&mut socket).await);
        }
    }
    execute(host, &json!({ "query": add })).await;
    messages.push(receive(&mut socket).await);
    messages
}

#[tokio::test]
async fn events_of_both_hosts_are_equal() {
    let [axum, poem] = hosts().await;
    let messages = subscribed(&axum).await;
    assert_eq!(messages, subscribed(&poem).await);
    let book = json!({ "id": "5", "title": "a", "author": { "name": "Emma" } });
    assert_eq!(messages[5]["payload"], json!({ "data": { "bookAdded": book } }));
}
