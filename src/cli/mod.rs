//! What the command line can ask for.

mod migrate;
mod serve;

use std::io;

pub use self::serve::StopSignal;
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
    /// `serve` was told to stop a second time.
    #[error("stopped at once by a second signal, {0}: requests in flight were cut off")]
    StoppedAtOnce(StopSignal),
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

impl Failure {
    /// How the program ends.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::StoppedAtOnce(signal) => signal.exit_code(),
            _ => 1,
        }
    }
}

/// Runs the command that was asked for.
pub async fn run(command_line: CommandLine) -> Result<(), Failure> {
    match command_line.requested() {
        Command::Serve => Box::pin(serve::run(command_line.settings)).await,
        Command::Migrate(migration) => migrate::run(migration, &command_line.settings).await,
    }
}
