//! The commands of the service about contracts, and those of `schema-review`.

use std::{env, process::Command};

use testkit::Program;

/// The first argument with which these tests are the program `schema-review`.
pub(crate) const SCHEMA_REVIEW: &str = "schema-review";

/// The stdout, stderr and exit code of a command of the service, or of `schema-review`.
pub(super) fn run(catalogue: &Program, arguments: &[&str]) -> (String, String, i32) {
    let is_url = arguments.iter().any(|argument| argument.contains("://"));
    if !matches!(arguments[0], "check" | "hash" | "print") || is_url {
        return review(catalogue, env!("PATH"), arguments);
    }
    let output = catalogue.run(&[&["schema"], arguments].concat());
    (output.stdout, output.stderr, output.code.unwrap())
}

/// The stdout, stderr and exit code of a command of `schema-review`, which finds git in `PATH`.
pub(super) fn review(catalogue: &Program, path: &str, arguments: &[&str]) -> (String, String, i32) {
    let mut command = Command::new(env::current_exe().unwrap());
    command.arg(SCHEMA_REVIEW).args(arguments);
    let command = command.current_dir(catalogue.folder()).env_clear().env("PATH", path);
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}
