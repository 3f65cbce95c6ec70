//! What the command line can ask for.

mod migrate;
mod serve;

use std::io;

use crate::{
    app::StartError,
    config::{Command, CommandLine},
    store::StoreError,
};

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// `serve` did not come up.
    #[error(transparent)]
    Start(#[from] StartError),
    /// `serve` broke off.
    #[error("the service stopped")]
    Run(#[source] io::Error),
    /// The operating system does not report its signals.
    #[error("cannot listen for SIGTERM and Ctrl-C")]
    Signal(#[source] io::Error),
    /// `migrate` has no database.
    #[error("cannot use the database")]
    Database(#[source] StoreError),
    /// `migrate` did not get through.
    #[error("cannot migrate the database")]
    Migration(#[source] StoreError),
    /// The answer of the command could not be written.
    #[error("cannot write to stdout")]
    Print(#[source] io::Error),
}

/// Runs the command that was asked for.
pub async fn run(command_line: CommandLine) -> Result<(), Failure> {
    match command_line.requested() {
        Command::Serve => serve::run(command_line.settings).await,
        Command::Migrate(migration) => migrate::run(migration, &command_line.settings).await,
    }
}
