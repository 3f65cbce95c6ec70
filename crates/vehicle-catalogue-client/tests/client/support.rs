//! A mock server with scripted replies.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};
use vehicle_catalogue_client::{Builder, CatalogueClient};

/// The reaction of the server to a request.
pub(crate) enum Reply {
    /// A response: status, header lines and body.
    Response(u16, Vec<String>, String),
    /// Closes the connection without a response.
    HangUp,
    /// Keeps the connection open without a response, until the timeout of the client.
    NoResponse,
}

impl Reply {
    pub(crate) fn json(body: &Value) -> Self {
        Self::status(200, body.to_string())
    }

    pub(crate) fn status(status: u16, body: impl Into<String>) -> Self {
        Self::Response(status, Vec::new(), body.into())
    }

    pub(crate) fn header(self, line: impl Into<String>) -> Self {
        match self {
            Self::Response(status, mut headers, body) => {
                headers.push(line.into());
                Self::Response(status, headers, body)
            }
            other => other,
        }
    }
}

/// A server on a free port of the loopback interface, stopped when it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Server {
    /// Sends the replies in order; further connections are closed without a response.
    pub(crate) async fn with_replies(replies: impl IntoIterator<Item = Reply>) -> Self {
        let mut replies = replies.into_iter().collect::<Vec<_>>().into_iter();
        Self::with_handler(move |_| replies.next().unwrap_or(Reply::HangUp)).await
    }

    /// Computes each reply from the request, head and body.
    pub(crate) async fn with_handler(mut handler: impl FnMut(&str) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let received = Arc::clone(&requests);
        let task = tokio::spawn(async move {
            let mut open = Vec::new();
            loop {
                let (mut connection, _) = listener.accept().await.unwrap();
                let request = read(&mut connection).await;
                received.lock().unwrap().push(request.clone());
                match handler(&request) {
                    Reply::Response(status, headers, body) => {
                        respond(&mut connection, status, &headers, &body).await;
                    }
                    Reply::HangUp => drop(connection),
                    Reply::NoResponse => open.push(connection),
                }
            }
        });
        Self { address, requests, task }
    }

    pub(crate) fn client(&self) -> Builder {
        CatalogueClient::builder(format!("http://{}/graphql", self.address))
    }

    /// The received requests, head and body.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn read(connection: &mut TcpStream) -> String {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&request).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                let is_length = name.eq_ignore_ascii_case("content-length");
                is_length.then(|| value.trim().parse::<usize>().unwrap())
            });
            if body.len() >= length.unwrap_or(0) {
                return text;
            }
        }
        let count = connection.read(&mut buffer).await.unwrap();
        assert_ne!(count, 0, "the request is incomplete: {text}");
        request.extend_from_slice(&buffer[..count]);
    }
}

async fn respond(connection: &mut TcpStream, status: u16, headers: &[String], body: &str) {
    let status_line = format!("HTTP/1.1 {status} Status");
    let length = format!("Content-Length: {}", body.len());
    let mut head = vec![status_line, length, "Connection: close".to_owned()];
    head.extend_from_slice(headers);
    let response = format!("{}\r\n\r\n{body}", head.join("\r\n"));
    connection.write_all(response.as_bytes()).await.unwrap();
}
