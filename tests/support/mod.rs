//! The service as a started program, and verbs of its contract.

#![allow(dead_code, reason = "no test binary uses every verb")]

use reqwest::Error;
use serde_json::Value;
use testkit::{Program, Running, Started};

/// The program, in an empty folder.
pub(crate) fn program() -> Program {
    testkit::program!("vehicle-catalogue")
}

/// The names of the migrations, oldest first.
pub(crate) fn migrations() -> Vec<String> {
    let status = program().run(&["migrate", "up"]);
    let applied = status.stdout.lines().filter_map(|line| line.strip_prefix("applied "));
    applied.map(str::to_owned).collect()
}

/// Starts the service; on a free port unless a flag has an address.
pub(crate) fn start(database_url: &str, flags: &[&str]) -> Started {
    start_in(on_database(database_url), flags)
}

/// Like [`start`], but run by a wrapper program that takes the command as its arguments.
pub(crate) fn start_under(wrapper: &[&str], database_url: &str, flags: &[&str]) -> Started {
    start_in(on_database(database_url).under(wrapper), flags)
}

/// Starts the service and waits until it listens.
pub(crate) async fn serve(database_url: &str, flags: &[&str]) -> Running {
    start(database_url, flags).listening().await
}

/// Starts the service in the folder of this program, and blocks the thread until it listens.
pub(crate) fn serve_in(program: Program, flags: &[&str]) -> Running {
    start_in(program, flags).wait_until_listening()
}

fn on_database(url: &str) -> Program {
    program().with_variable("DATABASE_URL", url)
}

fn start_in(program: Program, flags: &[&str]) -> Started {
    let has_address = flags.iter().any(|flag| flag.starts_with("--listen"));
    let listen: &[&str] = if has_address { &[] } else { &["--listen=127.0.0.1:0"] };
    program.start(&[listen, flags].concat())
}

/// Verbs of the contract.
pub(crate) trait Vehicles {
    /// Creates a vehicle of this model.
    async fn create(&self, model: &str) -> Result<Value, Error>;

    /// Gives a vehicle this model and returns its version.
    async fn update(&self, id: &str, model: &str) -> u64;

    /// Deletes a vehicle that exists.
    async fn delete(&self, id: &str);

    /// The models of all vehicles in ascending order of id.
    async fn models(&self) -> Vec<String>;
}

impl Vehicles for Running {
    async fn create(&self, model: &str) -> Result<Value, Error> {
        let arguments = format!(r#"type: "SUV", modelCode: "{model}""#);
        self.query(&format!("mutation {{ createVehicle({arguments}) {{ id }} }}")).await
    }

    async fn update(&self, id: &str, model: &str) -> u64 {
        let arguments = format!(r#"id: "{id}", changes: {{ modelCode: "{model}" }}"#);
        let response = self.query(&format!("mutation {{ updateVehicle({arguments}) {{ version }} }}")).await.unwrap();
        let version = response["data"]["updateVehicle"]["version"].as_u64();
        version.unwrap_or_else(|| panic!("{response}\n{}", self.log()))
    }

    async fn delete(&self, id: &str) {
        let document = format!(r#"mutation {{ deleteVehicle(id: "{id}") {{ id }} }}"#);
        let response = self.query(&document).await.unwrap();
        let deleted = &response["data"]["deleteVehicle"]["id"];
        assert_eq!(deleted, id, "{response}\n{}", self.log());
    }

    async fn models(&self) -> Vec<String> {
        let response = self.query("{ vehicles(count: 1000) { modelCode } }").await.unwrap();
        let vehicles = response["data"]["vehicles"].as_array();
        let vehicles = vehicles.unwrap_or_else(|| panic!("{response}"));
        let model = |vehicle: &Value| vehicle["modelCode"].as_str().unwrap().to_owned();
        vehicles.iter().map(model).collect()
    }
}
