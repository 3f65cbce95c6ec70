//! The commands.

mod command_line;
mod config;
mod export;
mod file_or_stdio;
mod health;
mod import;
mod manual;
mod migrate;
mod program;
mod progress;
mod schema;
mod serve;
mod tables;

use std::{error::Error, io};

use reqwest::{StatusCode, Url};
use settings::Parsed;
use tokio::signal::unix::{SignalKind, signal};

use self::command_line::Command;
pub use self::{
    command_line::CommandLine,
    export::ExportError,
    health::UnknownPort,
    import::{ImportError, Resume},
    program::main,
    schema::ServiceError,
    serve::StopSignal,
};
use crate::{
    app::StartError,
    store::{DatabaseUrl, StoreError},
};

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
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
    Database(#[source] StoreError),
    /// A command could not apply or revert migrations.
    #[error("cannot migrate the database")]
    Migration(#[source] StoreError),
    /// The database of a command that does not create one does not exist.
    #[error(
        "{0} does not exist: check --database-url (serve, import and migrate up create the file)"
    )]
    NoDatabase(Box<DatabaseUrl>),
    /// Migrations are pending, and the command must not apply them.
    #[error(
        "pending migrations: {}; run migrate up first", .0.join(", ")
    )]
    TablesOutdated(Vec<String>),
    /// Neither a flag nor the name of a file states its format.
    #[error(
        "--format must be csv or ndjson, since the name {0} does not end in .csv, .ndjson or .jsonl"
    )]
    UnknownFormat(String),
    /// `import` did not store every row.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// `export` did not write every vehicle.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// `config check` found invalid files.
    #[error("{}", .0.join("\nerror: "))]
    InvalidSettings(Vec<String>),
    /// `schema` cannot fetch the contract of a service.
    #[error("cannot read the contract of {0}")]
    Service(String, #[source] ServiceError),
    /// `schema` cannot read a contract, or found something.
    #[error(transparent)]
    Review(#[from] review::cli::Failure),
    /// `schema check` found differences, or could not check the database.
    #[error("{0}")]
    SchemaCheck(&'static str),
    /// `health` does not know the port of the service.
    #[error(transparent)]
    UnknownPort(#[from] UnknownPort),
    /// The request of `health` failed.
    #[error("no response from {0}")]
    HealthRequest(Url, #[source] reqwest::Error),
    /// The service is not healthy.
    #[error("{0} returned {1}")]
    Unhealthy(Url, StatusCode),
    /// The output of the command could not be written.
    #[error("cannot write to stdout")]
    Print(#[source] io::Error),
}

impl Failure {
    /// The exit code: 2 for invalid settings and unreadable contracts, 128 plus the signal number for
    /// an abort by a signal, 1 for everything else.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::InvalidSettings(_)
            | Self::UnknownFormat(_)
            | Self::UnknownPort(_)
            | Self::Service(..) => 2,
            Self::Review(failure) => failure.exit_code(),
            Self::StoppedAtOnce(signal) => signal.exit_code(),
            _ => 1,
        }
    }
}

/// Runs the requested command.
async fn run(parsed: Parsed<CommandLine>) -> Result<(), Failure> {
    for warning in &parsed.warnings {
        tracing::warn!("{warning}");
    }
    handle_file_size_signal().map_err(Failure::FileSize)?;
    let settings = &parsed.command_line.settings;
    match parsed.command_line.requested() {
        Command::Schema(command) => schema::run(command, settings).await,
        Command::Serve => Box::pin(serve::run(parsed.command_line.settings)).await,
        Command::Completions { shell } => manual::completions(shell),
        Command::Man => manual::page(),
        Command::Config(command) => config::run(command, &parsed).await,
        Command::Health(health) => health::run(&health, settings).await,
        Command::Import(arguments) => import::run(arguments, settings).await,
        Command::Export(arguments) => export::run(&arguments, settings).await,
        Command::Migrate(migration) => migrate::run(migration, settings).await,
    }
}

/// Handles SIGXFSZ, so that a write beyond the file size limit (`ulimit -f`) fails instead of
/// terminating the program.
fn handle_file_size_signal() -> io::Result<()> {
    // Tokio never removes the handler, so the stream can be dropped.
    signal(SignalKind::from_raw(libc::SIGXFSZ)).map(drop)
}

/// An error and its causes, in one line.
fn error_chain(error: &dyn Error) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        // Some errors contain the message of their cause.
        if !line.ends_with(&text) {
            line.push_str(": ");
            line.push_str(&text);
        }
        cause = error.source();
    }
    line
}
