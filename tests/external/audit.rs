//! The public audit of GraphQL over HTTP (npm package `graphql-http`) against the running service.
//!
//! With Node, the package is installed from a lock file into `target/`.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

use crate::support::{program, serve_in};

testkit::tests![every_audit_of_graphql_over_http_is_ok];

const AUDITS: usize = 61;

/// Fails for every result except `ok`; a warning is a violated SHOULD of the specification.
fn every_audit_of_graphql_over_http_is_ok() {
    let service = serve_in(program(), &[]);
    let script = Command::new("node")
        .current_dir(folder())
        .args(["audit.js", &service.url("/graphql")])
        .output()
        .unwrap();
    let script = succeeded("node audit.js", script).unwrap();
    let results: Vec<Value> = serde_json::from_slice(&script.stdout).unwrap();
    let failures: Vec<String> = results
        .iter()
        .filter(|result| result["status"] != "ok")
        .map(ToString::to_string)
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(results.len(), AUDITS);
}

/// The folder of the installed package.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit")
}

/// Installs the package unless the same version is installed; the error states why it is not available.
pub(crate) fn install() -> Result<(), String> {
    let node = Command::new("node").arg("--version").output();
    node.map_err(|error| format!("Node cannot be started: {error}"))?;
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/external/audit");
    let (folder, lock) = (folder(), "package-lock.json");
    let read = |path: PathBuf| fs::read(path).ok();
    let installed = folder.join("installed-lock.json");
    let copy = |file: &str| fs::copy(source.join(file), folder.join(file));
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    copy("audit.js").map_err(|error| error.to_string())?;
    if read(installed.clone()) == read(source.join(lock)) {
        return Ok(());
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
    Ok(())
}

fn succeeded(command: &str, output: Output) -> io::Result<Output> {
    if output.status.success() {
        return Ok(output);
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!("{command} fails: {stderr}")))
}
