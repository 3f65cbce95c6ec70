//! GraphQL over HTTP, through the front door of a service in this process.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use clap::Parser;
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, redirect::Policy};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{sync::oneshot, task::JoinHandle};
use vehicle_catalogue::{app::App, config::CommandLine};

const NEW: &str = "application/graphql-response+json";
const LEGACY: &str = "application/json";
const TYPENAME: &str = r#"{"query":"{ __typename }"}"#;

struct TestApp {
    url: String,
    client: Client,
    stop: oneshot::Sender<()>,
    stopped: JoinHandle<std::io::Result<()>>,
    _folder: TempDir,
}

impl TestApp {
    async fn start() -> Self {
        let folder = TempDir::new().unwrap();
        let database = format!("sqlite:{}", folder.path().join("vehicles.db").display());
        let arguments = [
            "vehicle-catalogue",
            "--listen=127.0.0.1:0",
            "--body-limit-bytes=2048",
            "--database-url",
            &database,
        ];
        let settings = CommandLine::try_parse_from(arguments).unwrap().settings;
        let app = App::start(settings).await.unwrap();
        let url = format!("http://{}", app.addr());
        let (stop, stopping) = oneshot::channel();
        let stopped = tokio::spawn(app.run_until(async { stopping.await.unwrap_or(()) }));
        let client = Client::builder()
            .no_proxy()
            .redirect(Policy::none())
            .build()
            .unwrap();
        Self {
            url,
            client,
            stop,
            stopped,
            _folder: folder,
        }
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.url))
    }

    fn post(&self, accept: &str, body: impl Into<reqwest::Body>) -> RequestBuilder {
        self.request(Method::POST, "/graphql")
            .header("accept", accept)
            .header("content-type", "application/json")
            .body(body)
    }

    fn get(&self, parameters: &[(&str, &str)]) -> RequestBuilder {
        let pairs: Vec<String> = parameters
            .iter()
            .map(|(name, value)| format!("{name}={}", escape(value)))
            .collect();
        self.request(Method::GET, &format!("/graphql?{}", pairs.join("&")))
    }

    async fn stop(self) {
        self.stop.send(()).unwrap();
        self.stopped.await.unwrap().unwrap();
    }
}

fn escape(text: &str) -> String {
    text.bytes()
        .fold(String::new(), |text, byte| format!("{text}%{byte:02X}"))
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response
        .headers()
        .get(name)
        .map_or("", |value| value.to_str().unwrap())
}

async fn refused(request: RequestBuilder) -> (StatusCode, String) {
    let response = request.send().await.unwrap();
    let status = response.status();
    assert!(header(&response, "content-type").ends_with("json; charset=utf-8"));
    let body: Value = response.json().await.unwrap();
    assert_eq!(body.get("data"), None, "{body}");
    assert_eq!(
        body["errors"][0]["extensions"]["code"], "BAD_REQUEST",
        "{body}"
    );
    (
        status,
        body["errors"][0]["message"].as_str().unwrap().to_owned(),
    )
}

#[tokio::test]
async fn the_accept_header_chooses_the_media_type_of_the_answer() {
    let app = TestApp::start().await;
    for accept in [NEW, LEGACY] {
        let response = app.post(accept, TYPENAME).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(
            header(&response, "content-type"),
            format!("{accept}; charset=utf-8")
        );
        assert_eq!(header(&response, "vary"), "Accept");
        assert_eq!(
            response.json::<Value>().await.unwrap(),
            json!({ "data": { "__typename": "Query" } })
        );
    }
    app.stop().await;
}

#[tokio::test]
async fn only_the_legacy_media_type_says_200_for_a_document_that_is_refused() {
    let app = TestApp::start().await;
    for document in ["{", "{ nothing }", "{ vehicles(count: \"two\") { id } }"] {
        for (accept, status) in [(NEW, StatusCode::BAD_REQUEST), (LEGACY, StatusCode::OK)] {
            let response = app
                .post(accept, json!({ "query": document }).to_string())
                .send()
                .await
                .unwrap();
            assert_eq!(response.status(), status, "{document} {accept}");
            let body: Value = response.json().await.unwrap();
            assert_eq!(body.get("data"), None, "{body}");
            assert!(body["errors"][0]["message"].is_string(), "{body}");
        }
    }
    app.stop().await;
}

#[tokio::test]
async fn a_malformed_body_has_the_status_400_in_both_media_types() {
    let app = TestApp::start().await;
    for (body, sentence) in [
        ("", "the request body is empty"),
        ("[]", "the request body is a list"),
        ("{\"query\":", "the request body is not valid JSON"),
        ("{}", "`query` is missing"),
        (
            r#"{"query":"{ __typename }","variables":[7]}"#,
            "`variables` must be an object, not a list",
        ),
    ] {
        for accept in [NEW, LEGACY] {
            let (status, message) = refused(app.post(accept, body)).await;
            assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
            assert!(message.starts_with(sentence), "{message}");
        }
    }
    app.stop().await;
}

#[tokio::test]
async fn the_body_limit_counts_the_bytes_that_are_sent_not_those_announced() {
    let app = TestApp::start().await;
    let fitting = format!("{TYPENAME}{}", " ".repeat(2048 - TYPENAME.len()));
    let larger = format!("{fitting} ");
    assert_eq!(
        app.post(LEGACY, fitting).send().await.unwrap().status(),
        StatusCode::OK
    );
    let (status, message) = refused(app.post(LEGACY, larger)).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(
        message,
        "the request body is larger than 2048 bytes, the limit of this server"
    );
    app.stop().await;
}

#[tokio::test]
async fn other_media_types_are_refused_with_what_is_supported() {
    let app = TestApp::start().await;
    let plain = app
        .request(Method::POST, "/graphql")
        .header("content-type", "text/plain")
        .body(TYPENAME);
    let none = app.request(Method::POST, "/graphql").body(TYPENAME);
    let compressed = app
        .post(LEGACY, TYPENAME)
        .header("content-encoding", "gzip");
    for request in [plain, none, compressed] {
        assert_eq!(refused(request).await.0, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
    let (status, message) = refused(app.post("text/html", TYPENAME)).await;
    assert_eq!(status, StatusCode::NOT_ACCEPTABLE);
    assert!(
        message.contains(NEW) && message.contains(LEGACY),
        "{message}"
    );
    app.stop().await;
}

#[tokio::test]
async fn get_reads_the_parameters_of_the_url() {
    let app = TestApp::start().await;
    let document = "query A($t: Boolean!) { a: __typename ... @include(if: $t) { b: __typename } } query B { c: __typename }";
    let parameters = [
        ("query", document),
        ("operationName", "A"),
        ("variables", r#"{"t":true}"#),
    ];
    let response = app.get(&parameters).send().await.unwrap();
    assert_eq!(
        response.json::<Value>().await.unwrap(),
        json!({ "data": { "a": "Query", "b": "Query" } })
    );

    let (status, message) =
        refused(app.get(&[("query", "{ __typename }"), ("variables", "{")])).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(message.contains("`variables`"), "{message}");
    assert_eq!(
        refused(app.get(&[("query", "{a}"), ("query", "{b}")]))
            .await
            .0,
        StatusCode::BAD_REQUEST
    );
    assert_eq!(refused(app.get(&[])).await.0, StatusCode::BAD_REQUEST);
    app.stop().await;
}

#[tokio::test]
async fn a_mutation_needs_post() {
    let app = TestApp::start().await;
    let mutation = r#"mutation { createVehicle(type: "SUV", modelCode: "XC60") { id } }"#;
    for accept in [NEW, LEGACY] {
        let request = app.get(&[("query", mutation)]).header("accept", accept);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(header(&response, "allow"), "POST");
        assert_eq!(response.json::<Value>().await.unwrap().get("data"), None);
    }
    app.stop().await;
}

#[tokio::test]
async fn other_methods_are_told_the_right_ones() {
    let app = TestApp::start().await;
    for method in [Method::PUT, Method::DELETE, Method::OPTIONS, Method::HEAD] {
        let response = app
            .request(method, "/graphql")
            .header("accept", "text/html")
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(header(&response, "allow"), "GET, POST");
    }
    let response = app.request(Method::POST, "/graphiql").send().await.unwrap();
    assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(header(&response, "allow"), "GET, HEAD");
    app.stop().await;
}

#[tokio::test]
async fn a_browser_is_led_to_the_page_on_which_graphql_can_be_tried() {
    let app = TestApp::start().await;
    let accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for path in ["/", "/graphql"] {
        let response = app
            .request(Method::GET, path)
            .header("accept", accept)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), StatusCode::SEE_OTHER);
        assert_eq!(
            response
                .url()
                .join(header(&response, "location"))
                .unwrap()
                .path(),
            "/graphiql"
        );
    }
    let page = app.request(Method::GET, "/graphiql").send().await.unwrap();
    assert_eq!(header(&page, "content-type"), "text/html; charset=utf-8");
    let page = page.text().await.unwrap();
    assert!(
        !page.contains("http://") && !page.contains("https://"),
        "the page needs another host"
    );
    app.stop().await;
}

#[tokio::test]
async fn the_schema_is_served_as_it_is_in_the_file() {
    let app = TestApp::start().await;
    let response = app
        .request(Method::GET, "/schema.graphql")
        .send()
        .await
        .unwrap();
    assert_eq!(
        header(&response, "content-type"),
        "text/plain; charset=utf-8"
    );
    assert_eq!(
        response.text().await.unwrap(),
        include_str!("../schema.graphql")
    );
    app.stop().await;
}

#[tokio::test]
async fn an_unknown_path_is_told_the_known_ones() {
    let app = TestApp::start().await;
    for path in ["/nothing", "/graphql/", "/GraphQL", "/graphql/x"] {
        let response = app.request(Method::GET, path).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
        assert!(response.text().await.unwrap().contains("/graphql,"));
    }
    app.stop().await;
}
