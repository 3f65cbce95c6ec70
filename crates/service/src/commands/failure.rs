//! The error of the commands, and its exit code.

use std::{error::Error, io, path::PathBuf};

use database::{DatabaseUrl, Error as DatabaseError};
use reqwest::StatusCode;
use schema::{Problems, file_name};

use super::stop_signal::StopSignal;
use crate::StartError;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The log or the threads cannot be started.
    #[error(transparent)]
    Runtime(io::Error),
    /// `serve` did not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// `serve` failed.
    #[error("the service stopped")]
    Run(#[source] io::Error),
    /// `serve` was aborted by a second signal.
    #[error("aborted by a second signal, {0}: requests in flight were cut off")]
    StoppedAtOnce(StopSignal),
    /// The signal handlers cannot be installed.
    #[error("cannot listen for SIGTERM and Ctrl-C")]
    Signal(#[source] io::Error),
    /// The handler of SIGXFSZ cannot be installed.
    #[error("cannot handle SIGXFSZ")]
    FileSize(#[source] io::Error),
    /// A command cannot connect to its database.
    #[error("cannot use the database")]
    Database(#[source] DatabaseError),
    /// A command could not apply or revert migrations.
    #[error("cannot migrate the database")]
    Migration(#[source] DatabaseError),
    /// The database of a command that does not create one does not exist.
    #[error("{0} does not exist: check --database-url (serve and migrate up create the file)")]
    NoDatabase(Box<DatabaseUrl>),
    /// Reverting migrations deletes data, which was not confirmed.
    #[error(
        "nothing was reverted: migrate down deletes the data of {0}; repeat it with --yes to do that"
    )]
    NotConfirmed(String),
    /// Migrations are pending, and the command must not apply them.
    #[error(
        "pending migrations: {}; run migrate up first", .0.join(", ")
    )]
    TablesOutdated(Vec<String>),
    /// A command that only this service has failed.
    #[error("{source}")]
    Command {
        /// Why it failed.
        source: Box<dyn Error + Send + Sync>,
        /// The exit code.
        exit_code: u8,
    },
    /// `config check` found invalid files.
    #[error("{}", .0.join("\nerror: "))]
    InvalidSettings(Vec<String>),
    /// `schema` cannot read a contract.
    #[error("cannot read {}; name another file", file_name(&.0.to_string_lossy()))]
    Contract(PathBuf, #[source] io::Error),
    /// `schema` has read a contract that is not valid.
    #[error("{0}")]
    InvalidContract(Problems),
    /// `schema check` found differences, or could not check the database.
    #[error("{0}")]
    SchemaCheck(&'static str),
    /// `health` does not know the port of the service: the settings have it listen on port 0.
    #[error("--listen has port 0, so the actual port is unknown; set --url")]
    UnknownPort,
    /// The request of `health` to this URL, which is masked, failed.
    #[error("no response from {0}")]
    HealthRequest(String, #[source] reqwest::Error),
    /// The service at this URL, which is masked, is not healthy.
    #[error("{0} returned {1}")]
    Unhealthy(String, StatusCode),
    /// The output of the command could not be written.
    #[error("cannot write to stdout")]
    Print(#[source] io::Error),
}

impl Failure {
    /// A command that only this service has failed.
    pub fn command(error: impl Error + Send + Sync + 'static, exit_code: u8) -> Self {
        Self::Command {
            source: Box::new(error),
            exit_code,
        }
    }

    /// The exit code: 2 for invalid settings and unreadable contracts, 128 plus the signal number for
    /// an abort by a signal, 1 for everything else.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::InvalidSettings(_)
            | Self::UnknownPort
            | Self::Contract(..)
            | Self::InvalidContract(_) => 2,
            Self::Command { exit_code, .. } => *exit_code,
            Self::StoppedAtOnce(signal) => signal.exit_code(),
            _ => 1,
        }
    }
}
