//! The service under test, started in this process and reached over TCP.

use std::io;
use std::sync::Arc;

use clap::Parser;
use reqwest::{Client, Method, RequestBuilder, redirect::Policy};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use serde_json::{Value, json};
use testkit::{Backend, Context, FromContext, TestDatabase, http};
use tokio::{net::TcpStream, sync::oneshot, task::JoinHandle};
use vehicle_catalogue::app::App;
use vehicle_catalogue::commands::CommandLine;
use vehicle_catalogue::settings::Settings;

use super::response::Response;

/// Selects the fields of a vehicle that a create sets, and its id.
const VEHICLE: &str = "{ id type modelCode brandName launchDate }";

/// [`VEHICLE`], and the version.
const VERSIONED: &str = "{ id type modelCode brandName launchDate version }";

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

impl FromContext for TestApp {
    async fn from_context(context: Context) -> Self {
        Self::start_with(context.backend, context.database(), Vec::new()).await
    }
}

impl TestApp {
    async fn start_with(backend: Backend, database: Arc<TestDatabase>, flags: Vec<String>) -> Self {
        let settings = settings(&database, &flags);
        let app = App::start(settings, None).await;
        let app = app.expect("the service starts");
        let url = format!("http://{}", app.address);
        let (stop, stopping) = oneshot::channel();
        let stopped = tokio::spawn(app.run_until(async { stopping.await.unwrap_or(()) }));
        let client = http::client().redirect(Policy::none()).build().expect("a client needs nothing");
        Self { backend, database, flags, url, client, stop, stopped }
    }

    /// Drains the service and starts another one on the same database.
    pub(crate) async fn restart(self) -> Self {
        let _ = self.stop.send(());
        let stopped = self.stopped.await.expect("the service does not panic");
        stopped.expect("the service stops in order");
        Self::start_with(self.backend, self.database, self.flags).await
    }

    /// Restarts with other command line flags.
    pub(crate) async fn restart_with(mut self, flags: &[&str]) -> Self {
        self.flags = flags.iter().map(|&flag| flag.to_owned()).collect();
        self.restart().await
    }

    /// A second instance on the same database.
    pub(crate) async fn start_second_instance(&self) -> Self {
        let database = Arc::clone(&self.database);
        Self::start_with(self.backend, database, self.flags.clone()).await
    }

    /// Executes `createVehicle`; `arguments` is a JSON object with its arguments.
    pub(crate) async fn create_vehicle(&self, arguments: Value) -> Response {
        let document = format!(
            "mutation ($type: String!, $modelCode: String!, $brandName: String, $launchDate: String) {{
                createVehicle(type: $type, modelCode: $modelCode, brandName: $brandName,
                    launchDate: $launchDate) {VEHICLE} }}"
        );
        self.query(&document, arguments).await
    }

    /// Executes `updateVehicle`; `changes` is a JSON object, `expected_version` a number or null.
    pub(crate) async fn update_vehicle(
        &self,
        id: &str,
        changes: Value,
        expected_version: impl Into<Value>,
    ) -> Response {
        let document = format!(
            "mutation ($id: ID!, $changes: VehicleChanges!, $expectedVersion: Int) {{
                updateVehicle(id: $id, changes: $changes, expectedVersion: $expectedVersion)
                    {VERSIONED} }}"
        );
        let expected_version = expected_version.into();
        let variables = json!({
            "id": id, "changes": changes, "expectedVersion": expected_version,
        });
        self.query(&document, variables).await
    }

    /// Executes `deleteVehicle`; `expected_version` is a number or null.
    pub(crate) async fn delete_vehicle(&self, id: &str, expected_version: impl Into<Value>) -> Response {
        let document = format!(
            "mutation ($id: ID!, $expectedVersion: Int) {{
                deleteVehicle(id: $id, expectedVersion: $expectedVersion) {VERSIONED} }}"
        );
        let expected_version = expected_version.into();
        let variables = json!({ "id": id, "expectedVersion": expected_version });
        self.query(&document, variables).await
    }

    /// The vehicle with its version, or null.
    pub(crate) async fn versioned_vehicle(&self, id: &str) -> Value {
        let document = format!("query ($id: ID) {{ vehicle(id: $id) {VERSIONED} }}");
        let found = self.query(&document, json!({ "id": id })).await;
        found.data()["vehicle"].take()
    }

    /// Creates a vehicle and returns its id.
    pub(crate) async fn given_vehicle(&self, model_code: &str) -> String {
        let arguments = json!({ "type": "SUV", "modelCode": model_code });
        let data = self.create_vehicle(arguments).await.data();
        let id = data["createVehicle"]["id"].as_str();
        id.expect("a vehicle has an id").to_owned()
    }

    /// Creates the vehicles 1 to 3: XC40, XC60 and XC90.
    pub(crate) async fn given_three_vehicles(&self) {
        for (model_code, id) in [("XC40", "1"), ("XC60", "2"), ("XC90", "3")] {
            assert_eq!(self.given_vehicle(model_code).await, id);
        }
    }

    pub(crate) async fn vehicle(&self, id: impl Into<Value>) -> Response {
        let document = format!("query ($id: ID) {{ vehicle(id: $id) {VEHICLE} }}");
        self.query(&document, json!({ "id": id.into() })).await
    }

    pub(crate) async fn vehicles(&self, count: impl Into<Value>) -> Response {
        let document = format!("query ($count: Int) {{ vehicles(count: $count) {VEHICLE} }}");
        self.query(&document, json!({ "count": count.into() })).await
    }

    /// Queries `vehicles` without the argument `count`.
    pub(crate) async fn all_vehicles(&self) -> Response {
        self.query(&format!("{{ vehicles {VEHICLE} }}"), json!({})).await
    }

    /// Executes a document.
    pub(crate) async fn query(&self, query: &str, variables: Value) -> Response {
        let body = json!({ "query": query, "variables": variables });
        self.post(body.to_string()).await
    }

    /// Posts any body as JSON.
    pub(crate) async fn post(&self, body: impl Into<String>) -> Response {
        let body = body.into();
        let request = self.request(Method::POST, "/graphql");
        let request = request.header("content-type", "application/json");
        self.send(&body.clone(), request.body(body)).await
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        self.send(path, self.request(Method::GET, path)).await
    }

    /// A request builder for any method and path.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, self.url(path))
    }

    /// The absolute URL of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// An unused TCP connection.
    pub(crate) async fn connect(&self) -> TcpStream {
        let addr = self.url.trim_start_matches("http://");
        TcpStream::connect(addr).await.expect("the service listens")
    }

    /// A request builder for a GraphQL request by POST.
    pub(crate) fn post_request(&self, body: &str) -> RequestBuilder {
        self.request(Method::POST, "/graphql").header("content-type", "application/json").body(body.to_owned())
    }

    /// A request builder for a GraphQL request by GET.
    pub(crate) fn get_request(&self, parameters: &[(&str, &str)]) -> RequestBuilder {
        let escape = |text: &str| text.bytes().fold(String::new(), |text, byte| format!("{text}%{byte:02X}"));
        let pairs = parameters.iter();
        let pairs: Vec<String> = pairs.map(|(name, value)| format!("{name}={}", escape(value))).collect();
        self.request(Method::GET, &format!("/graphql?{}", pairs.join("&")))
    }

    /// Sends a request; failed assertions on the response show `label`.
    pub(crate) async fn send(&self, label: &str, request: RequestBuilder) -> Response {
        let response = request.send().await;
        let response = response.unwrap_or_else(|error| panic!("{label}: {error:?}"));
        Response::read(label.to_owned(), response).await
    }

    /// A database connection outside the service.
    pub(crate) async fn other_connection(&self) -> DatabaseConnection {
        testkit::connect(self.database.url()).await
    }

    /// Locks the table of vehicles until this connection is closed; on SQLite only against writes.
    pub(crate) async fn lock_vehicles(&self) -> DatabaseConnection {
        let other_connection = self.other_connection().await;
        let lock = match self.backend {
            Backend::Sqlite => "BEGIN IMMEDIATE",
            Backend::Postgres => "BEGIN; LOCK TABLE vehicle IN ACCESS EXCLUSIVE MODE",
            Backend::Mariadb | Backend::Mysql => "LOCK TABLES vehicle WRITE",
        };
        let locked = other_connection.execute_unprepared(lock).await;
        locked.expect("nobody else holds the lock");
        other_connection
    }

    /// The result of a statement with one row and one column, on a new connection.
    pub(crate) async fn query_scalar<T: sea_orm::TryGetable>(&self, statement: &str) -> T {
        let other_connection = self.other_connection().await;
        let query = Statement::from_string(other_connection.get_database_backend(), statement);
        let row = other_connection.query_one_raw(query).await;
        let row = row.unwrap_or_else(|error| panic!("{statement}: {error}"));
        let row = row.unwrap_or_else(|| panic!("{statement}: there is no row"));
        row.try_get_by_index(0).unwrap_or_else(|error| panic!("{statement}: {error}"))
    }

    /// Number of stored vehicles, read from the database directly.
    pub(crate) async fn stored_vehicles(&self) -> i64 {
        self.query_scalar("SELECT COUNT(*) FROM vehicle").await
    }
}

/// Passes every setting as a flag, since flags take precedence over environment variables.
fn settings(database: &TestDatabase, flags: &[String]) -> Settings {
    let defaults = [
        "--listen=127.0.0.1:0".to_owned(),
        "--admin-listen=none".to_owned(),
        "--allowed-hosts=auto".to_owned(),
        format!("--database-url={}", database.url()),
        "--body-limit-bytes=1048576".to_owned(),
        "--concurrency-limit=1024".to_owned(),
        "--connection-limit=4096".to_owned(),
        "--cors-origins=none".to_owned(),
        "--graphiql=auto".to_owned(),
        "--introspection=auto".to_owned(),
        "--production=off".to_owned(),
        "--database-timeout-seconds=30".to_owned(),
        "--drain-timeout-seconds=10".to_owned(),
        "--bulk-limit=100".to_owned(),
        "--list-limit=1000".to_owned(),
        "--migrate=at-start".to_owned(),
        "--pool-size=4".to_owned(),
    ];
    let name = |flag: &str| flag.split('=').next().map(str::to_owned);
    let named = |default: &String| flags.iter().any(|flag| name(flag) == name(default));
    let program = ["vehicle-catalogue".to_owned()];
    let arguments =
        program.into_iter().chain(defaults.into_iter().filter(|default| !named(default))).chain(flags.iter().cloned());
    let command_line = CommandLine::try_parse_from(arguments);
    command_line.expect("the flags are right").settings
}
