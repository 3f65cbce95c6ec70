//! The program.

use std::process::ExitCode;

fn main() -> ExitCode {
    service::main::<bookshop::CommandLine>()
}
