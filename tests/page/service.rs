//! The started program on a database of its own.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A running service; killed when it is dropped.
pub(crate) struct Service {
    process: Child,
    /// Where it is, without a slash at the end.
    pub(crate) url: String,
    _folder: TempDir,
}

impl Service {
    pub(crate) fn start() -> Self {
        let folder = TempDir::with_prefix("vehicle-page-").unwrap();
        let mut process = Command::new(env!("CARGO_BIN_EXE_vehicle-catalogue"))
            .env_clear()
            .current_dir(folder.path())
            .args(["--listen", "127.0.0.1:0", "--log-level", "error"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        // `GraphQL  http://127.0.0.1:8000/graphql`.
        let [line, _] = [(); 2].map(|()| lines.next().expect("two lines at start").unwrap());
        let url = line.split(' ').next_back().unwrap();
        Self {
            process,
            url: url.strip_suffix("/graphql").unwrap().to_owned(),
            _folder: folder,
        }
    }

    /// Asks without the page.
    pub(crate) async fn ask(&self, query: &str) -> Value {
        let client = crate::http::client().build().unwrap();
        let request = client.post(format!("{}/graphql", self.url));
        let request = request.json(&json!({ "query": query }));
        request.send().await.unwrap().json().await.unwrap()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
