//! A started process, its log, and what clients ask of it.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Lines},
    net::SocketAddr,
    process::{Child, ChildStdout, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use reqwest::Client;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{task::spawn_blocking, time::sleep};

/// How long anything that is waited for may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Waits until something holds.
pub(crate) async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    let start = Instant::now();
    while !holds().await {
        assert!(start.elapsed() < PATIENCE, "waited in vain: {what}");
        sleep(Duration::from_millis(5)).await;
    }
}

/// A process that was started and may not listen yet; killed when it is dropped.
pub(crate) struct Started {
    process: Child,
    folder: TempDir,
}

/// A process that listens.
pub(crate) struct Running {
    started: Started,
    /// Kept open, since nobody can write to a closed one.
    _stdout: Lines<BufReader<ChildStdout>>,
    pub(crate) addr: SocketAddr,
    pub(crate) client: Client,
}

impl Started {
    /// Starts the program on a free port, without settings of the surrounding environment.
    pub(crate) fn new(database_url: &str, flags: &[&str]) -> Self {
        Self::under(&[], database_url, flags)
    }

    /// As `new`, started by another program that takes it as its arguments.
    pub(crate) fn under(starter: &[&str], database_url: &str, flags: &[&str]) -> Self {
        let program = [env!("CARGO_BIN_EXE_vehicle-catalogue")];
        let mut command = starter.iter().chain(&program);
        let first = command.next().expect("there is the program at least");
        let folder = TempDir::new().unwrap();
        let log = File::create(folder.path().join("log")).unwrap();
        let process = Command::new(first)
            .args(command)
            .env_clear()
            .env("DATABASE_URL", database_url)
            .current_dir(folder.path())
            .args(["--listen", "127.0.0.1:0", "--log-format", "human"])
            .args(flags)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        Self { process, folder }
    }

    /// Waits until it has said where it listens.
    pub(crate) async fn listening(mut self) -> Running {
        let mut stdout = BufReader::new(self.process.stdout.take().unwrap()).lines();
        let first = spawn_blocking(move || (stdout.next(), stdout));
        let (Some(Ok(line)), stdout) = first.await.unwrap() else {
            panic!("it has ended:\n{}", self.log());
        };
        let addr = line.split(['/', ' ']).find_map(|part| part.parse().ok());
        Running {
            started: self,
            _stdout: stdout,
            addr: addr.unwrap(),
            client: Client::builder()
                .no_proxy()
                .timeout(PATIENCE)
                .build()
                .unwrap(),
        }
    }

    /// The number that the system knows it by.
    #[allow(dead_code, reason = "not every test program asks the system")]
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// What it has logged so far.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    /// Waits until it has logged this.
    #[allow(dead_code, reason = "not every test program needs it")]
    pub(crate) async fn logged(&self, text: &str) {
        until(text, async || self.log().contains(text)).await;
    }

    /// Sends it a signal, by the name that `kill` knows.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.process.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits until it has ended.
    pub(crate) async fn ended(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return status;
            }
            assert!(
                start.elapsed() < PATIENCE,
                "it does not end:\n{}",
                self.log()
            );
            sleep(Duration::from_millis(5)).await;
        }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // It has ended already where a test was about its end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl std::ops::Deref for Running {
    type Target = Started;

    fn deref(&self) -> &Started {
        &self.started
    }
}

impl Running {
    pub(crate) async fn start(database_url: &str, flags: &[&str]) -> Self {
        Started::new(database_url, flags).listening().await
    }

    pub(crate) async fn ended(&mut self) -> ExitStatus {
        self.started.ended().await
    }

    /// Asks, and answers what was answered, or why nothing was.
    #[allow(dead_code, reason = "not every test program needs it")]
    pub(crate) async fn ask(&self, query: &str) -> Result<Value, reqwest::Error> {
        let url = format!("http://{}/graphql", self.addr);
        let request = self.client.post(url).json(&json!({ "query": query }));
        request.send().await?.json().await
    }

    /// Has a vehicle of this model stored.
    #[allow(dead_code, reason = "not every test program needs it")]
    pub(crate) async fn create(&self, model: &str) -> Result<Value, reqwest::Error> {
        let arguments = format!(r#"type: "SUV", modelCode: "{model}""#);
        self.ask(&format!(
            "mutation {{ createVehicle({arguments}) {{ id }} }}"
        ))
        .await
    }

    /// The models of all vehicles, in the order they were stored.
    #[allow(dead_code, reason = "not every test program needs it")]
    pub(crate) async fn models(&self) -> Vec<String> {
        let answer = self
            .ask("{ vehicles(count: 1000) { modelCode } }")
            .await
            .unwrap();
        let vehicles = answer["data"]["vehicles"].as_array();
        let vehicles = vehicles.unwrap_or_else(|| panic!("{answer}\n{}", self.log()));
        let model = |vehicle: &Value| vehicle["modelCode"].as_str().unwrap().to_owned();
        vehicles.iter().map(model).collect()
    }

    /// The status of `/health/ready`.
    pub(crate) async fn readiness(&self) -> u16 {
        let url = format!("http://{}/health/ready", self.addr);
        self.client.get(url).send().await.unwrap().status().as_u16()
    }
}
