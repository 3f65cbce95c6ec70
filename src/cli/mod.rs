//! What the command line can ask for.

mod config;
mod export;
mod health;
mod import;
mod manual;
mod migrate;
mod progress;
mod schema;
mod serve;
mod tables;

use std::{error::Error, io};

use reqwest::{StatusCode, Url};
use tokio::signal::unix::{SignalKind, signal};

pub use self::{
    export::ExportFailure,
    import::{ImportFailure, Resume},
    schema::Unreadable,
    serve::StopSignal,
};
use crate::{
    app::StartError,
    config::{Command, CommandLine, UnknownPort},
    store::{DatabaseUrl, StoreError},
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
    /// The operating system does not take the program's word for a signal.
    #[error("cannot have writes fail that exceed the limit of a file's size")]
    FileSize(#[source] io::Error),
    /// A command has no database.
    #[error("cannot use the database")]
    Database(#[source] StoreError),
    /// A command could not bring the tables up to date.
    #[error("cannot migrate the database")]
    Migration(#[source] StoreError),
    /// A command that makes no database was told to use one that is not there.
    #[error(
        "there is no {0}: --database-url names the wrong file, or nothing was stored yet (serve, \
         import and migrate up make the file)"
    )]
    NoDatabase(Box<DatabaseUrl>),
    /// The tables lack migrations, and the command may not apply them.
    #[error(
        "the tables of the database are not those of this version: apply the migrations {} first \
         (migrate up)", .0.join(", ")
    )]
    TablesOutdated(Vec<String>),
    /// `import` did not store every row.
    #[error(transparent)]
    Import(#[from] ImportFailure),
    /// `export` did not write every vehicle.
    #[error(transparent)]
    Export(#[from] ExportFailure),
    /// `config check` has found files that can't be used.
    #[error("{}", .0.join("\nerror: "))]
    WrongSettings(Vec<String>),
    /// `schema` can't read a contract.
    #[error(transparent)]
    Contract(#[from] Unreadable),
    /// `schema lint` has found errors.
    #[error(
        "the contract has errors; correct them, or allow them with # lint:allow RULE reason: WHY"
    )]
    Lint,
    /// `schema diff` has found changes that break clients.
    #[error(
        "breaking changes: {0}; take them back, or accept them in schema.accepted.toml with a reason"
    )]
    Breaking(usize),
    /// The file of accepted changes says what does not hold.
    #[error("accepted changes do not hold:\n{0}")]
    Accepted(contract::Problems),
    /// `schema check` has found differences, or could not look everywhere.
    #[error("{0}")]
    Unproved(&'static str),
    /// `health` does not know whom to ask.
    #[error(transparent)]
    UnknownPort(#[from] UnknownPort),
    /// `health` got no answer.
    #[error("no answer from {0}")]
    NoHealth(Url, #[source] reqwest::Error),
    /// `health` got an answer that is not good.
    #[error("{0} answers {1}")]
    Unhealthy(Url, StatusCode),
    /// The answer of the command could not be written.
    #[error("cannot write to stdout")]
    Print(#[source] io::Error),
}

impl Failure {
    /// How the program ends: 2 for wrong settings and contracts that can't be read, 128 and the
    /// signal for one that did not let it finish, 1 for everything else.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::WrongSettings(_) | Self::UnknownPort(_) | Self::Contract(_) => 2,
            Self::StoppedAtOnce(signal) => signal.exit_code(),
            _ => 1,
        }
    }
}

/// Runs the command that was asked for.
pub async fn run(command_line: CommandLine) -> Result<(), Failure> {
    for doubt in &command_line.doubts {
        tracing::warn!("{doubt}");
    }
    survive_full_files().map_err(Failure::FileSize)?;
    match command_line.requested() {
        Command::Schema(command) => schema::run(command, &command_line.settings).await,
        Command::Serve => Box::pin(serve::run(command_line.settings)).await,
        Command::Completions { shell } => manual::completions(shell),
        Command::Man => manual::page(),
        Command::Config(command) => config::run(command, &command_line).await,
        Command::Health(health) => health::run(&health, &command_line.settings).await,
        Command::Import(arguments) => import::run(arguments, &command_line.settings).await,
        Command::Export(arguments) => export::run(&arguments, &command_line.settings).await,
        Command::Migrate(migration) => migrate::run(migration, &command_line.settings).await,
    }
}

/// Has a write beyond the limit of a file's size (`ulimit -f`) fail, as one on a full disk does,
/// instead of ending the program.
fn survive_full_files() -> io::Result<()> {
    // Listened to once, the signal is harmless for as long as the program lives.
    signal(SignalKind::from_raw(libc::SIGXFSZ)).map(drop)
}

/// An error and what caused it, in one line.
pub fn error_chain(error: &dyn Error) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        // Some errors say themselves what caused them.
        if !line.ends_with(&text) {
            line.push_str(": ");
            line.push_str(&text);
        }
        cause = error.source();
    }
    line
}
