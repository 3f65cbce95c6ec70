//! `schema-review`: compares and lints GraphQL schemas, and checks the operations of clients.

use std::process::ExitCode;

fn main() -> ExitCode {
    review::cli::main(std::env::args_os())
}
