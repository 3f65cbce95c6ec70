//! The public audit of GraphQL over HTTP (npm package `graphql-http`) against the running service.
//!
//! With Node, the package is installed from a lock file into `target/`.

use std::path::Path;

use serde_json::Value;
use testkit::npm::Packages;

use crate::support::{program, serve_in};

testkit::tests![every_audit_of_graphql_over_http_is_ok];

const AUDITS: usize = 61;

/// Fails for every result except `ok`; a warning is a violated SHOULD of the specification.
fn every_audit_of_graphql_over_http_is_ok() {
    let service = serve_in(program(), &[]);
    let printed = packages().unwrap().run("audit.js", &[&service.url("/graphql")]);
    let results: Vec<Value> = serde_json::from_slice(&printed).unwrap();
    let failures: Vec<String> =
        results.iter().filter(|result| result["status"] != "ok").map(ToString::to_string).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(results.len(), AUDITS);
}

/// Installs the package unless the same version is installed; the error states why it is not available.
pub(crate) fn packages() -> Result<Packages, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/external/audit");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit");
    Packages::install(&source, &folder)
}
