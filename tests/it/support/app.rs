//! The service under test, started in this process and asked over TCP.

use std::io;
use std::sync::Arc;

use clap::Parser;
use reqwest::{Client, Method, RequestBuilder, redirect::Policy};
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, Statement};
use serde_json::{Value, json};
use tokio::{net::TcpStream, sync::oneshot, task::JoinHandle};
use vehicle_catalogue::app::{self, App};
use vehicle_catalogue::config::{CommandLine, Settings};
use vehicle_catalogue::store::Store;

use super::answer::Answer;
use super::databases::{Backend, TestDatabase};
use super::http;

/// Everything that can be asked of a vehicle.
const VEHICLE: &str = "{ id type modelCode brandName launchDate }";

/// A running service with a database of its own.
pub(crate) struct TestApp {
    pub(crate) backend: Backend,
    database: Arc<TestDatabase>,
    flags: Vec<String>,
    url: String,
    client: Client,
    stop: oneshot::Sender<()>,
    stopped: JoinHandle<io::Result<()>>,
}

impl TestApp {
    pub(super) async fn start(backend: Backend, database: Arc<TestDatabase>) -> Self {
        Self::start_with(backend, database, Vec::new()).await
    }

    async fn start_with(backend: Backend, database: Arc<TestDatabase>, flags: Vec<String>) -> Self {
        let settings = settings(&database, &flags);
        let app = App::start(settings).await.expect("the service starts");
        let url = format!("http://{}", app.addr());
        let (stop, stopping) = oneshot::channel();
        let stopped = tokio::spawn(app.run_until(async { stopping.await.unwrap_or(()) }));
        let client = http::client()
            .redirect(Policy::none())
            .build()
            .expect("a client needs nothing");
        Self {
            backend,
            database,
            flags,
            url,
            client,
            stop,
            stopped,
        }
    }

    /// Stops the service and starts another one on the same database.
    pub(crate) async fn restart(self) -> Self {
        let _ = self.stop.send(());
        let stopped = self.stopped.await.expect("the service does not panic");
        stopped.expect("the service stops in order");
        Self::start_with(self.backend, self.database, self.flags).await
    }

    /// The same with other settings, given as flags of the command line.
    pub(crate) async fn restart_with(mut self, flags: &[&str]) -> Self {
        self.flags = flags.iter().map(|&flag| flag.to_owned()).collect();
        self.restart().await
    }

    /// A second instance of the service beside this one.
    pub(crate) async fn another_on_the_same_database(&self) -> Self {
        let database = Arc::clone(&self.database);
        Self::start_with(self.backend, database, self.flags.clone()).await
    }

    /// The same with other settings.
    pub(crate) async fn another_on_the_same_database_with(&self, flags: &[&str]) -> Self {
        let flags = flags.iter().map(|&flag| flag.to_owned()).collect();
        Self::start_with(self.backend, Arc::clone(&self.database), flags).await
    }

    /// Why another instance does not start with these flags.
    pub(crate) async fn cannot_start_with(&self, flags: &[&str]) -> String {
        let flags: Vec<_> = flags.iter().map(|&flag| flag.to_owned()).collect();
        let started = App::start(settings(&self.database, &flags)).await;
        started
            .err()
            .expect("the service does not start")
            .to_string()
    }

    /// Asks for a vehicle to be created; `arguments` is an object of those of `createVehicle`.
    pub(crate) async fn create_vehicle(&self, arguments: Value) -> Answer {
        let document = format!(
            "mutation ($type: String!, $modelCode: String!, $brandName: String, $launchDate: String) {{
                createVehicle(type: $type, modelCode: $modelCode, brandName: $brandName,
                    launchDate: $launchDate) {VEHICLE} }}"
        );
        self.ask(&document, arguments).await
    }

    /// Has a vehicle created and answers its id.
    pub(crate) async fn given_vehicle(&self, model_code: &str) -> String {
        let arguments = json!({ "type": "SUV", "modelCode": model_code });
        let data = self.create_vehicle(arguments).await.data();
        let id = data["createVehicle"]["id"].as_str();
        id.expect("a vehicle has an id").to_owned()
    }

    /// Has the vehicles 1 to 3 created: XC40, XC60 and XC90.
    pub(crate) async fn given_three_vehicles(&self) {
        for (model_code, id) in [("XC40", "1"), ("XC60", "2"), ("XC90", "3")] {
            assert_eq!(self.given_vehicle(model_code).await, id);
        }
    }

    pub(crate) async fn vehicle(&self, id: impl Into<Value>) -> Answer {
        let document = format!("query ($id: ID) {{ vehicle(id: $id) {VEHICLE} }}");
        self.ask(&document, json!({ "id": id.into() })).await
    }

    pub(crate) async fn vehicles(&self, count: impl Into<Value>) -> Answer {
        let document = format!("query ($count: Int) {{ vehicles(count: $count) {VEHICLE} }}");
        self.ask(&document, json!({ "count": count.into() })).await
    }

    /// Asks for `vehicles` without the argument `count`.
    pub(crate) async fn all_vehicles(&self) -> Answer {
        self.ask(&format!("{{ vehicles {VEHICLE} }}"), json!({}))
            .await
    }

    /// Asks any query.
    pub(crate) async fn ask(&self, query: &str, variables: Value) -> Answer {
        let body = json!({ "query": query, "variables": variables });
        self.post(body.to_string()).await
    }

    /// Posts a body, whatever it is.
    pub(crate) async fn post(&self, body: impl Into<String>) -> Answer {
        let body = body.into();
        let request = self.request(Method::POST, "/graphql");
        let request = request.header("content-type", "application/json");
        self.send(&body.clone(), request.body(body)).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(path, self.request(Method::GET, path)).await
    }

    /// A request to be made different from those that the other verbs send.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, self.address(path))
    }

    /// The whole URL of a path.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// A connection on which nothing is sent yet.
    pub(crate) async fn connect(&self) -> TcpStream {
        let addr = self.url.trim_start_matches("http://");
        TcpStream::connect(addr).await.expect("the service listens")
    }

    /// A request of GraphQL with a body, to be made different from those that the other verbs send.
    pub(crate) fn posting(&self, body: &str) -> RequestBuilder {
        self.request(Method::POST, "/graphql")
            .header("content-type", "application/json")
            .body(body.to_owned())
    }

    /// A request of GraphQL with parameters in its URL.
    pub(crate) fn getting(&self, parameters: &[(&str, &str)]) -> RequestBuilder {
        let escape = |text: &str| {
            text.bytes()
                .fold(String::new(), |text, byte| format!("{text}%{byte:02X}"))
        };
        let pairs = parameters.iter();
        let pairs: Vec<String> = pairs
            .map(|(name, value)| format!("{name}={}", escape(value)))
            .collect();
        self.request(Method::GET, &format!("/graphql?{}", pairs.join("&")))
    }

    /// Sends a request; `asked` is shown when an assertion on the answer fails.
    pub(crate) async fn send(&self, asked: &str, request: RequestBuilder) -> Answer {
        let response = request.send().await;
        let response = response.unwrap_or_else(|error| panic!("{asked}: {error:?}"));
        Answer::read(asked.to_owned(), response).await
    }

    /// How the database is reached.
    pub(crate) fn database_url(&self) -> &str {
        self.database.url()
    }

    /// A store of somebody else on the same database.
    pub(crate) async fn store(&self) -> Store {
        let settings = settings(&self.database, &self.flags);
        let store = app::connect(&settings).await;
        store.expect("the database is there")
    }

    /// A connection of somebody who does not know the service.
    pub(crate) async fn stranger(&self) -> DatabaseConnection {
        let mut options = ConnectOptions::new(self.database.url());
        options.max_connections(1).sqlx_logging(false);
        let connection = Database::connect(options).await;
        connection.expect("the database is there")
    }

    /// What a statement of one row and one column answers, on a connection of its own.
    pub(crate) async fn look_up<T: sea_orm::TryGetable>(&self, statement: &str) -> T {
        let stranger = self.stranger().await;
        let query = Statement::from_string(stranger.get_database_backend(), statement);
        let row = stranger.query_one_raw(query).await;
        let row = row.unwrap_or_else(|error| panic!("{statement}: {error}"));
        let row = row.unwrap_or_else(|| panic!("{statement}: there is no row"));
        row.try_get_by_index(0)
            .unwrap_or_else(|error| panic!("{statement}: {error}"))
    }

    /// How many vehicles there are, not asking the service.
    pub(crate) async fn stored_vehicles(&self) -> i64 {
        self.look_up("SELECT COUNT(*) FROM vehicle").await
    }
}

/// Every setting that a variable of the environment could change is given as a flag, which wins.
fn settings(database: &TestDatabase, flags: &[String]) -> Settings {
    let defaults = [
        "--listen=127.0.0.1:0".to_owned(),
        "--admin-listen=none".to_owned(),
        format!("--database-url={}", database.url()),
        "--batch-limit=0".to_owned(),
        "--body-limit-bytes=1048576".to_owned(),
        "--compression-threshold-bytes=1024".to_owned(),
        "--concurrency-limit=1024".to_owned(),
        "--connection-limit=4096".to_owned(),
        "--cors-origins=none".to_owned(),
        "--graphiql=auto".to_owned(),
        "--introspection=auto".to_owned(),
        "--production=off".to_owned(),
        "--read-timeout-seconds=75".to_owned(),
        "--schema-document=auto".to_owned(),
        "--url-limit-bytes=8192".to_owned(),
        "--database-timeout-seconds=30".to_owned(),
        "--drain-timeout-seconds=10".to_owned(),
        "--list-limit=1000".to_owned(),
        "--migrate=at-start".to_owned(),
        "--pool-size=4".to_owned(),
        "--readiness-timeout-seconds=2".to_owned(),
    ];
    let name = |flag: &str| flag.split('=').next().map(str::to_owned);
    let named = |default: &String| flags.iter().any(|flag| name(flag) == name(default));
    let program = ["vehicle-catalogue".to_owned()];
    let arguments = program
        .into_iter()
        .chain(defaults.into_iter().filter(|default| !named(default)))
        .chain(flags.iter().cloned());
    let command_line = CommandLine::try_parse_from(arguments);
    command_line.expect("the flags are right").settings
}
