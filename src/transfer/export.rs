//! Writes every vehicle to a file.

use std::io;

use graphql_sdl::counted;

use super::sink::Sink;
use super::{FileOrStdio, Format, progress, write_header, write_row};
use crate::store::{Error, Snapshot, Store};

const PAGE_VEHICLES: u64 = 2000;

/// Why the export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The file cannot be created or written; an existing file is unchanged.
    #[error("cannot write {0}; it is unchanged")]
    File(String, #[source] io::Error),
    /// The file is complete under its name, but its folder could not be synced to disk.
    #[error("{0} is written, but could not be synced to disk; run sync")]
    Folder(String, #[source] io::Error),
    /// Stdout, a pipe or a device cannot be written, or its reader has closed it; a part of the vehicles can be written.
    #[error("cannot write every vehicle to {0}")]
    InPlace(String, #[source] io::Error),
    /// A query failed; an existing file is unchanged.
    #[error("cannot read the vehicles")]
    Store(#[from] Error),
    /// Stopped by a signal; an existing file is unchanged.
    #[error("stopped by a signal; {0} is unchanged")]
    Interrupted(String),
}

/// Writes all vehicles of one snapshot in ascending order of id. A file is replaced when it is complete. Ends early when
/// `stop` does; a blocked write to a pipe cannot be cancelled, so its signals should keep their default action.
pub async fn export(
    target: &FileOrStdio,
    format: Format,
    store: &Store,
    stop: impl Future<Output = ()>,
) -> Result<(), ExportError> {
    let mut snapshot = store.snapshot().await?;
    tokio::select! {
        biased;
        () = stop => Err(ExportError::Interrupted(target.name("stdout"))),
        written = write(target, format, &mut snapshot) => written,
    }
}

async fn write(target: &FileOrStdio, format: Format, snapshot: &mut Snapshot) -> Result<(), ExportError> {
    let name = target.name("stdout");
    let variant = if target.is_written_in_place() { ExportError::InPlace } else { ExportError::File };
    let to_error = |error| variant(name.clone(), error);
    let progress = progress::without_end();
    if let Some(highest) = snapshot.highest_id().await? {
        progress::set_end(&progress, highest.unsigned_abs());
    }
    let sink = Sink::open(target);
    let mut sink = sink.map_err(|error| ExportError::File(name.clone(), error))?;
    write_header(&mut sink.bytes, format).map_err(to_error)?;
    let mut vehicles = 0_u64;
    loop {
        let page = snapshot.next(PAGE_VEHICLES).await?;
        let Some(last) = page.last() else { break };
        for vehicle in &page {
            write_row(&mut sink.bytes, format, vehicle).map_err(to_error)?;
        }
        vehicles += page.len() as u64;
        progress.set_position(last.id.unsigned_abs());
        progress.set_message(counted(vehicles, "vehicle"));
    }
    if let Some(folder) = sink.complete().map_err(to_error)? {
        let to_error = |error| ExportError::Folder(name.clone(), error);
        folder.sync_all().map_err(to_error)?;
    }
    let line = format!("{} written", counted(vehicles, "vehicle"));
    progress.finish();
    progress::print_summary(&progress, &line, vehicles);
    Ok(())
}
