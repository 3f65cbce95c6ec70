//! A client of the Chrome DevTools Protocol: commands, and the recorded events of a page.

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::{
    net::TcpStream,
    time::{sleep, timeout},
};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async, tungstenite::Message};

const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A page of a browser, together with its workers.
pub(crate) struct Devtools {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// The page; its workers have sessions of their own.
    session: String,
    last_id: u64,
    /// The URLs requested by the page and its workers.
    pub(crate) requests: Vec<String>,
    /// The values of sent `Authorization` headers.
    pub(crate) authorizations: Vec<String>,
    /// Console errors and warnings, exceptions, and failed requests.
    pub(crate) errors: Vec<String>,
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
            errors: Vec::new(),
        };
        let target = devtools.command("Target.createTarget", json!({ "url": "about:blank" })).await;
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = devtools.command("Target.attachToTarget", attach).await;
        attached["sessionId"].as_str().unwrap().clone_into(&mut devtools.session);
        let session = devtools.session.clone();
        devtools.enable_events(&session).await;
        devtools.command("Page.enable", json!({})).await;
        devtools
    }

    /// Sends a command to the page and returns its result.
    pub(crate) async fn command(&mut self, method: &str, parameters: Value) -> Value {
        let session = self.session.clone();
        let id = self.send(&session, method, parameters).await;
        loop {
            let message = self.receive(method).await;
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
            self.record_event(&message).await;
        }
    }

    /// Evaluates a JavaScript expression in the page.
    pub(crate) async fn evaluate(&mut self, expression: &str) -> Value {
        let parameters = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true,
        });
        let response = self.command("Runtime.evaluate", parameters).await;
        let exception = &response["exceptionDetails"];
        assert!(exception.is_null(), "{expression}: {exception}");
        response["result"]["value"].clone()
    }

    /// Waits until a JavaScript expression is neither null nor false, and returns its value.
    pub(crate) async fn until(&mut self, expression: &str) -> Value {
        let start = Instant::now();
        loop {
            let value = self.evaluate(expression).await;
            if !value.is_null() && value != false {
                return value;
            }
            if start.elapsed() > RESPONSE_TIMEOUT {
                let text = self.evaluate("document.body.innerText").await;
                let errors = &self.errors;
                panic!("never became true: {expression}\npage: {text}\nerrors: {errors:?}");
            }
            sleep(POLL_INTERVAL).await;
        }
    }

    /// Waits until the page or a worker has requested a URL that contains `part`.
    pub(crate) async fn until_requested(&mut self, part: &str) {
        let start = Instant::now();
        while !self.requests.iter().any(|request| request.contains(part)) {
            let requests = &self.requests;
            assert!(start.elapsed() < RESPONSE_TIMEOUT, "{part}: {requests:#?}");
            self.evaluate("true").await;
            sleep(POLL_INTERVAL).await;
        }
    }

    /// Enables the events of a page or worker, and attaches to the workers it starts.
    async fn enable_events(&mut self, session: &str) {
        let workers = json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true });
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
        let message = timeout(RESPONSE_TIMEOUT, self.socket.next()).await;
        let message = message.unwrap_or_else(|_| panic!("no response to {waiting_for}"));
        let message = message.expect("the browser is running").unwrap();
        serde_json::from_str(message.to_text().unwrap()).unwrap()
    }

    async fn record_event(&mut self, message: &Value) {
        let parameters = &message["params"];
        match message["method"].as_str().unwrap_or_default() {
            "Target.attachedToTarget" => {
                let session = parameters["sessionId"].as_str().unwrap().to_owned();
                Box::pin(self.enable_events(&session)).await;
            }
            "Network.requestWillBeSent" => {
                let request = &parameters["request"];
                self.requests.push(text(&request["url"]));
                let headers = request["headers"].as_object().unwrap().iter();
                let authorizations = headers.filter(|(name, _)| name.eq_ignore_ascii_case("authorization"));
                self.authorizations.extend(authorizations.map(|(_, value)| text(value)));
            }
            "Network.webSocketCreated" => self.requests.push(text(&parameters["url"])),
            "Network.loadingFailed" | "Runtime.exceptionThrown" => {
                self.errors.push(parameters.to_string());
            }
            "Log.entryAdded" if is_error(&parameters["entry"]["level"]) => {
                self.errors.push(parameters["entry"].to_string());
            }
            "Runtime.consoleAPICalled" if is_error(&parameters["type"]) => {
                self.errors.push(parameters["args"].to_string());
            }
            _ => {}
        }
    }
}

fn is_error(level: &Value) -> bool {
    ["error", "warning", "assert"].iter().any(|error| level == error)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
