//! The Chrome DevTools Protocol, as far as the tests need it: commands, and what the page did meanwhile.

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::{
    net::TcpStream,
    time::{sleep, timeout},
};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async, tungstenite::Message};

const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A page of a browser, together with its workers.
pub(crate) struct Devtools {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// The page; its workers have sessions of their own.
    session: String,
    last_id: u64,
    /// The addresses that the page and its workers asked for.
    pub(crate) requests: Vec<String>,
    /// The values of the header `Authorization` that were sent.
    pub(crate) authorizations: Vec<String>,
    /// Errors and warnings in the console, exceptions, refusals of the browser.
    pub(crate) complaints: Vec<String>,
}

impl Devtools {
    pub(crate) async fn connect(address: &str) -> Self {
        let (socket, _) = connect_async(address).await.unwrap();
        let mut devtools = Self {
            socket,
            session: String::new(),
            last_id: 0,
            requests: Vec::new(),
            authorizations: Vec::new(),
            complaints: Vec::new(),
        };
        let target = devtools
            .command("Target.createTarget", json!({ "url": "about:blank" }))
            .await;
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = devtools.command("Target.attachToTarget", attach).await;
        attached["sessionId"]
            .as_str()
            .unwrap()
            .clone_into(&mut devtools.session);
        let session = devtools.session.clone();
        devtools.observe(&session).await;
        devtools.command("Page.enable", json!({})).await;
        devtools
    }

    /// Sends a command to the page and answers its result.
    pub(crate) async fn command(&mut self, method: &str, parameters: Value) -> Value {
        let session = self.session.clone();
        let id = self.send(&session, method, parameters).await;
        loop {
            let message = self.receive(method).await;
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
            self.note(&message).await;
        }
    }

    /// What a JavaScript expression evaluates to in the page.
    pub(crate) async fn evaluate(&mut self, expression: &str) -> Value {
        let parameters = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true,
        });
        let answer = self.command("Runtime.evaluate", parameters).await;
        let exception = &answer["exceptionDetails"];
        assert!(exception.is_null(), "{expression}: {exception}");
        answer["result"]["value"].clone()
    }

    /// Waits until a JavaScript expression is neither null nor false, and answers its value.
    pub(crate) async fn until(&mut self, expression: &str) -> Value {
        let start = Instant::now();
        loop {
            let value = self.evaluate(expression).await;
            if !value.is_null() && value != false {
                return value;
            }
            if start.elapsed() > ANSWER_TIMEOUT {
                let text = self.evaluate("document.body.innerText").await;
                let complaints = &self.complaints;
                panic!("never became true: {expression}\npage: {text}\ncomplaints: {complaints:?}");
            }
            sleep(POLL_INTERVAL).await;
        }
    }

    /// Waits until the page or a worker has asked for an address with this part.
    pub(crate) async fn until_asked_for(&mut self, part: &str) {
        let start = Instant::now();
        while !self.requests.iter().any(|request| request.contains(part)) {
            let requests = &self.requests;
            assert!(start.elapsed() < ANSWER_TIMEOUT, "{part}: {requests:#?}");
            self.evaluate("true").await;
            sleep(POLL_INTERVAL).await;
        }
    }

    /// Has a page or a worker tell what it does, and waits for its workers to start others.
    async fn observe(&mut self, session: &str) {
        let workers =
            json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true });
        for (method, parameters) in [
            ("Runtime.enable", json!({})),
            ("Network.enable", json!({})),
            ("Log.enable", json!({})),
            ("Target.setAutoAttach", workers),
            ("Runtime.runIfWaitingForDebugger", json!({})),
        ] {
            self.send(session, method, parameters).await;
        }
    }

    async fn send(&mut self, session: &str, method: &str, parameters: Value) -> u64 {
        self.last_id += 1;
        let mut message = json!({ "id": self.last_id, "method": method, "params": parameters });
        if !session.is_empty() {
            message["sessionId"] = session.into();
        }
        let message = Message::text(message.to_string());
        self.socket.send(message).await.unwrap();
        self.last_id
    }

    async fn receive(&mut self, waiting_for: &str) -> Value {
        let message = timeout(ANSWER_TIMEOUT, self.socket.next()).await;
        let message = message.unwrap_or_else(|_| panic!("no answer to {waiting_for}"));
        let message = message.expect("the browser lives").unwrap();
        serde_json::from_str(message.to_text().unwrap()).unwrap()
    }

    async fn note(&mut self, message: &Value) {
        let parameters = &message["params"];
        match message["method"].as_str().unwrap_or_default() {
            "Target.attachedToTarget" => {
                let session = parameters["sessionId"].as_str().unwrap().to_owned();
                Box::pin(self.observe(&session)).await;
            }
            "Network.requestWillBeSent" => {
                let request = &parameters["request"];
                self.requests.push(text(&request["url"]));
                let headers = request["headers"].as_object().unwrap().iter();
                let authorizations =
                    headers.filter(|(name, _)| name.eq_ignore_ascii_case("authorization"));
                self.authorizations
                    .extend(authorizations.map(|(_, value)| text(value)));
            }
            "Network.webSocketCreated" => self.requests.push(text(&parameters["url"])),
            "Network.loadingFailed" | "Runtime.exceptionThrown" => {
                self.complaints.push(parameters.to_string());
            }
            "Log.entryAdded" if is_complaint(&parameters["entry"]["level"]) => {
                self.complaints.push(parameters["entry"].to_string());
            }
            "Runtime.consoleAPICalled" if is_complaint(&parameters["type"]) => {
                self.complaints.push(parameters["args"].to_string());
            }
            _ => {}
        }
    }
}

fn is_complaint(level: &Value) -> bool {
    ["error", "warning", "assert"]
        .iter()
        .any(|complaint| level == complaint)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
