//! `vehicle-catalogue export`: writes every vehicle to a file.

mod sink;

use std::io;

use clap::Args;
use schema::counted;
use service::{
    Failure, MigrateWhen, Settings, StopSignal, StopSignals, close_database, open_database,
};

use self::sink::{Sink, is_written_in_place};
use super::{
    file_or_stdio::{FileOrStdio, file_or_stdio, format},
    progress::{self, End},
};
use crate::{
    import_export::{Format, write_header, write_row},
    store::{APPLICATION, Snapshot, Store, StoreError},
};

/// The number of vehicles per query.
const PAGE_VEHICLES: u64 = 2000;

pub(super) const ABOUT: &str = "\
Export all vehicles to a CSV or NDJSON file in ascending order of id

The export is a consistent snapshot, and importing it restores identical vehicles. The file is
created or replaced atomically when it is complete.";

/// The arguments of `export`.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub(crate) struct ExportArguments {
    /// The file, or - for stdout
    #[arg(value_name = "FILE", default_value = "-", value_parser = file_or_stdio())]
    file: FileOrStdio,

    /// csv or ndjson; required if the file name does not end in .csv, .ndjson or .jsonl. The default of stdout is csv
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    format: Option<Format>,
}

/// Why the export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The file cannot be created or written; an existing file is unchanged.
    #[error("cannot write {0}; it is unchanged")]
    File(String, #[source] io::Error),
    /// The file is complete under its name, but its folder could not be synced to disk.
    #[error("{0} is written, but could not be synced to disk; run sync")]
    Folder(String, #[source] io::Error),
    /// A pipe or device cannot be written; a part of the vehicles can be written.
    #[error("cannot write every vehicle to {0}")]
    InPlace(String, #[source] io::Error),
    /// Stdout was closed by its reader, or cannot be written.
    #[error("stdout was closed before every vehicle was written")]
    Stdout(#[source] io::Error),
    /// A query failed; an existing file is unchanged.
    #[error("cannot read the vehicles")]
    Store(#[source] StoreError),
    /// Stopped by a signal; an existing file is unchanged.
    #[error("stopped by a signal; {0} is unchanged")]
    Interrupted(String),
}

pub(super) async fn run(arguments: ExportArguments, settings: Settings) -> Result<(), Failure> {
    let stdout = (arguments.file == FileOrStdio::Stdio).then_some(Format::Csv);
    let format = arguments.file.format(arguments.format.or(stdout))?;
    // An export is read-only, so it applies no migrations.
    let database = open_database(APPLICATION, &settings, MigrateWhen::Never).await?;
    // A blocked write to a pipe cannot be cancelled, so signals keep their default action.
    let stop = (!is_written_in_place(&arguments.file)).then(StopSignals::listen);
    let mut stop = stop.transpose().map_err(Failure::Signal)?;
    let store = Store::new(database);
    let outcome = async {
        let mut snapshot = store.snapshot().await.map_err(ExportError::Store)?;
        let written = write(&arguments.file, format, &mut snapshot, &mut stop).await;
        // The snapshot is read-only, so an error at its end does not affect the file.
        let _ = snapshot.end().await;
        written
    };
    let outcome = outcome.await;
    close_database(store.database(), settings.database.database_timeout_seconds).await;
    outcome.map_err(|error| Failure::command(error, 1))
}

async fn write(
    target: &FileOrStdio,
    format: Format,
    snapshot: &mut Snapshot,
    stop: &mut Option<StopSignals>,
) -> Result<(), ExportError> {
    let (name, is_replaced) = (target.name("stdout"), stop.is_some());
    let to_error = |error| match target {
        FileOrStdio::Stdio => ExportError::Stdout(error),
        FileOrStdio::File(_) if is_replaced => ExportError::File(name.clone(), error),
        FileOrStdio::File(_) => ExportError::InPlace(name.clone(), error),
    };
    let highest = snapshot.highest_id().await.map_err(ExportError::Store)?;
    let progress = progress::hidden(highest.map(|id| id.get().unsigned_abs()));
    progress::begin(&progress);
    let sink = Sink::open(target);
    let mut sink = sink.map_err(|error| ExportError::File(name.clone(), error))?;
    write_header(&mut sink.bytes, format).map_err(to_error)?;
    let mut vehicles = 0_u64;
    loop {
        let page = tokio::select! {
            biased;
            _ = signal(stop) => return Err(ExportError::Interrupted(name.clone())),
            page = snapshot.next(PAGE_VEHICLES) => page.map_err(ExportError::Store)?,
        };
        let Some(last) = page.last() else { break };
        for vehicle in &page {
            write_row(&mut sink.bytes, format, vehicle).map_err(to_error)?;
        }
        vehicles += page.len() as u64;
        progress.set_position(last.id.get().unsigned_abs());
        progress.set_message(counted(vehicles, "vehicle"));
    }
    if let Some(folder) = sink.complete().map_err(to_error)? {
        let to_error = |error| ExportError::Folder(name.clone(), error);
        folder.sync_all().map_err(to_error)?;
    }
    let line = format!("{} written", counted(vehicles, "vehicle"));
    progress::end(&progress, End::Complete, &line, vehicles);
    Ok(())
}

/// Waits for a signal; never resolves if signals are not handled.
async fn signal(stop: &mut Option<StopSignals>) -> StopSignal {
    match stop {
        Some(stop) => stop.next().await,
        None => std::future::pending().await,
    }
}
