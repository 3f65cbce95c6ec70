//! `schema-review`: compares and lints GraphQL schemas, and checks the operations of clients.

use std::process::ExitCode;

fn main() -> ExitCode {
    graphql_schema_review::cli::main(std::env::args_os())
}
