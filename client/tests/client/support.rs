//! A server that answers what a test says, whatever it is asked.

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

/// What the server does with a request.
pub(crate) enum Reply {
    /// It answers: the status, lines of the head, and the body.
    Answer(u16, Vec<String>, String),
    /// It closes the connection without a word.
    HangUp,
    /// It says nothing until the client gives up.
    Silence,
}

impl Reply {
    pub(crate) fn json(body: &Value) -> Self {
        Self::status(200, body.to_string())
    }

    pub(crate) fn status(status: u16, body: impl Into<String>) -> Self {
        Self::Answer(status, Vec::new(), body.into())
    }

    pub(crate) fn header(self, line: impl Into<String>) -> Self {
        match self {
            Self::Answer(status, mut lines, body) => {
                lines.push(line.into());
                Self::Answer(status, lines, body)
            }
            other => other,
        }
    }
}

/// A server on a free port of the loopback interface. It ends with the test.
pub(crate) struct Server {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Server {
    /// Answers the requests one after the other; more than these are closed without a word.
    pub(crate) async fn replying(replies: impl IntoIterator<Item = Reply>) -> Self {
        let mut replies = replies.into_iter().collect::<Vec<_>>().into_iter();
        Self::answering(move |_| replies.next().unwrap_or(Reply::HangUp)).await
    }

    /// Answers each request, head and body, as `reply` says.
    pub(crate) async fn answering(mut reply: impl FnMut(&str) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&asked);
        let task = tokio::spawn(async move {
            let mut silent = Vec::new();
            loop {
                let (mut connection, _) = listener.accept().await.unwrap();
                let request = read(&mut connection).await;
                noted.lock().unwrap().push(request.clone());
                match reply(&request) {
                    Reply::Answer(status, lines, body) => {
                        answer(&mut connection, status, &lines, &body).await;
                    }
                    Reply::HangUp => drop(connection),
                    Reply::Silence => silent.push(connection),
                }
            }
        });
        Self {
            address,
            asked,
            task,
        }
    }

    pub(crate) fn client(&self) -> Builder {
        CatalogueClient::builder(format!("http://{}/graphql", self.address)).no_proxy()
    }

    /// The requests so far, head and body.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn read(connection: &mut TcpStream) -> String {
    let mut request = Vec::new();
    let mut part = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&request).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                let names_length = name.eq_ignore_ascii_case("content-length");
                names_length.then(|| value.trim().parse::<usize>().unwrap())
            });
            if body.len() >= length.unwrap_or(0) {
                return text;
            }
        }
        let count = connection.read(&mut part).await.unwrap();
        assert_ne!(count, 0, "the request is not complete: {text}");
        request.extend_from_slice(&part[..count]);
    }
}

async fn answer(connection: &mut TcpStream, status: u16, lines: &[String], body: &str) {
    let first = format!("HTTP/1.1 {status} Answer");
    let length = format!("Content-Length: {}", body.len());
    let mut head = vec![first, length, "Connection: close".to_owned()];
    head.extend_from_slice(lines);
    let answer = format!("{}\r\n\r\n{body}", head.join("\r\n"));
    connection.write_all(answer.as_bytes()).await.unwrap();
}
