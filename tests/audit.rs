//! The public audit of GraphQL over HTTP (npm package `graphql-http`) against the started service.
//!
//! Its package is installed from a lock file below `target/` when Node is there. Where it can't be
//! had the test is ignored by name, or fails with `TEST_REQUIRE_ALL=1`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on fails"
)]

use std::{
    fs,
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Output, Stdio},
};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use tempfile::TempDir;

const AUDITS: usize = 61;
const NAME: &str = "every_audit_of_graphql_over_http_is_ok";

fn main() {
    let arguments = Arguments::from_args();
    let trial = match if arguments.list {
        Ok(folder())
    } else {
        install()
    } {
        Ok(folder) => Trial::test(NAME, move || audit(&folder)),
        Err(reason) => {
            tell(&reason);
            Trial::test(NAME, move || Err(reason.into())).with_ignored_flag(!all_is_required())
        }
    };
    libtest_mimic::run(&arguments, vec![trial]).exit();
}

/// Fails for every result but `ok`: a warning is a SHOULD of the specification that does not hold.
fn audit(folder: &Path) -> Result<(), Failed> {
    let service = Service::start()?;
    let script = Command::new("node")
        .current_dir(folder)
        .args(["audit.js", &service.url])
        .output()?;
    let script = succeeded("node audit.js", script)?;
    let results: Vec<Value> = serde_json::from_slice(&script.stdout)?;
    let wrong: Vec<String> = results
        .iter()
        .filter(|result| result["status"] != "ok")
        .map(ToString::to_string)
        .collect();
    if !wrong.is_empty() {
        return Err(wrong.join("\n").into());
    }
    if results.len() != AUDITS {
        return Err(format!("there are {} audits, not {AUDITS}", results.len()).into());
    }
    Ok(())
}

/// The folder that the package is installed in.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit")
}

/// Installs the package unless the same one is there, or says why it can't be had.
fn install() -> Result<PathBuf, String> {
    let node = Command::new("node").arg("--version").output();
    node.map_err(|error| format!("Node cannot be started: {error}"))?;
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/audit");
    let (folder, lock) = (folder(), "package-lock.json");
    let read = |path: PathBuf| fs::read(path).ok();
    let installed = folder.join("installed-lock.json");
    let copy = |file: &str| fs::copy(source.join(file), folder.join(file));
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    copy("audit.js").map_err(|error| error.to_string())?;
    if read(installed.clone()) == read(source.join(lock)) {
        return Ok(folder);
    }
    for file in ["package.json", lock] {
        copy(file).map_err(|error| error.to_string())?;
    }
    let npm = Command::new("npm")
        .current_dir(&folder)
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .args(["--fetch-retries=2", "--fetch-timeout=20000"])
        .output()
        .map_err(|error| format!("npm, which comes with Node, cannot be started: {error}"))?;
    succeeded("npm ci", npm).map_err(|error| error.to_string())?;
    fs::copy(source.join(lock), installed).map_err(|error| error.to_string())?;
    Ok(folder)
}

fn succeeded(command: &str, output: Output) -> io::Result<Output> {
    if output.status.success() {
        return Ok(output);
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!("{command} fails: {stderr}")))
}

#[expect(
    clippy::disallowed_methods,
    reason = "tests have settings of their own"
)]
fn all_is_required() -> bool {
    std::env::var("TEST_REQUIRE_ALL").is_ok_and(|value| value == "1")
}

#[expect(
    clippy::print_stderr,
    reason = "who reads the summary has to know why the audit was left out"
)]
fn tell(reason: &str) {
    eprintln!("the audit cannot run: {reason}");
}

/// The started program with a database of its own; killed when it is dropped.
struct Service {
    process: Child,
    url: String,
    _stdout: BufReader<ChildStdout>,
    _folder: TempDir,
}

impl Service {
    fn start() -> io::Result<Self> {
        let folder = TempDir::new()?;
        let mut process = Command::new(env!("CARGO_BIN_EXE_vehicle-catalogue"))
            .env_clear()
            .current_dir(folder.path())
            .args(["--listen", "127.0.0.1:0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut stdout = BufReader::new(process.stdout.take().expect("it is piped"));
        let mut line = String::new();
        stdout.read_line(&mut line)?;
        let url = line.split_whitespace().last().unwrap_or_default();
        Ok(Self {
            process,
            url: url.to_owned(),
            _stdout: stdout,
            _folder: folder,
        })
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
