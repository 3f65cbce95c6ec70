//! The public audit of GraphQL over HTTP (npm package `graphql-http`) against the running service.
//!
//! With Node, the package is installed from a lock file into `target/`.

use std::process::Command;

use serde_json::Value;

use crate::{
    packages::{folder, install_packages, succeeded},
    support::{program, serve_in},
};

testkit::tests![every_audit_of_graphql_over_http_is_ok];

const AUDITS: usize = 61;

/// Fails for every result except `ok`; a warning is a violated SHOULD of the specification.
fn every_audit_of_graphql_over_http_is_ok() {
    let service = serve_in(program(), &[]);
    let script = Command::new("node")
        .current_dir(folder("audit"))
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

/// Installs the package; the error states why it is not available.
pub(crate) fn install() -> Result<(), String> {
    install_packages("audit", &["audit.js"])
}
