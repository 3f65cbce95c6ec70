//! `vehicle-catalogue export`: writes every vehicle to a file.

mod sink;

use std::io;

use self::sink::Sink;
use super::{
    Failure,
    progress::Progress,
    serve::{StopSignal, StopSignals},
    tables,
};
use crate::{
    config::{ExportArguments, MigrateWhen, Place, Settings},
    store::{Snapshot, StoreError},
    transfer::Writer,
};

/// How many vehicles are in memory at once.
const PAGE_VEHICLES: u64 = 2000;

/// Why the vehicles are not all written.
#[derive(Debug, thiserror::Error)]
pub enum ExportFailure {
    /// The file cannot be made or written; one that was there is as it was.
    #[error("cannot write {0}, it is as it was")]
    File(String, #[source] io::Error),
    /// Whoever reads stdout has stopped, or it cannot be written.
    #[error("stdout was closed before every vehicle was written")]
    Stdout(#[source] io::Error),
    /// The database did not answer; a file is as it was.
    #[error("cannot read the vehicles")]
    Store(#[source] StoreError),
    /// A signal has ended it; the file is as it was.
    #[error("stopped by a signal; {0} is as it was")]
    Interrupted(String),
}

pub(super) async fn run(arguments: &ExportArguments, settings: &Settings) -> Result<(), Failure> {
    let mut stop = match arguments.file {
        // A reader of stdout that does not read holds the program up, and the signal then ends it.
        Place::Standard => None,
        Place::File(_) => Some(StopSignals::listen().map_err(Failure::Signal)?),
    };
    // Whoever only reads does not change the tables.
    let store = tables::open(settings, MigrateWhen::Never).await?;
    let outcome = async {
        let mut snapshot = store.snapshot().await.map_err(ExportFailure::Store)?;
        let written = write(arguments, &mut snapshot, stop.as_mut()).await;
        // A snapshot has nothing to lose, and the outcome is that of the file.
        let _ = snapshot.end().await;
        written
    };
    let outcome = outcome.await;
    tables::close(&store, settings).await;
    Ok(outcome?)
}

async fn write(
    arguments: &ExportArguments,
    snapshot: &mut Snapshot,
    mut stop: Option<&mut StopSignals>,
) -> Result<(), ExportFailure> {
    let place = &arguments.file;
    let failed = |error| failure(place, error);
    let highest = snapshot.highest_id().await.map_err(ExportFailure::Store)?;
    let progress = highest.map_or_else(Progress::endless, |id| {
        Progress::to(id.get().unsigned_abs())
    });
    let sink = Sink::open(place).map_err(failed)?;
    let mut writer = Writer::begin(sink, arguments.format()).map_err(failed)?;
    let mut vehicles = 0_u64;
    loop {
        let page = tokio::select! {
            biased;
            _ = signal(&mut stop) => {
                let name = place.path().map_or("stdout".into(), |path| path.to_string_lossy());
                return Err(ExportFailure::Interrupted(name.into_owned()));
            }
            page = snapshot.next(PAGE_VEHICLES) => page.map_err(ExportFailure::Store)?,
        };
        let Some(last) = page.last() else { break };
        for vehicle in &page {
            writer.write(vehicle).map_err(failed)?;
        }
        vehicles += page.len() as u64;
        progress.show(last.id.get().unsigned_abs(), format!("{vehicles} vehicles"));
    }
    let sink = writer.finish().map_err(failed)?;
    sink.complete().map_err(failed)?;
    progress.end(&format!("{vehicles} vehicles written"), vehicles);
    Ok(())
}

/// Waits for a signal, for ever if none is listened for.
async fn signal(stop: &mut Option<&mut StopSignals>) -> StopSignal {
    match stop {
        Some(stop) => stop.next().await,
        None => std::future::pending().await,
    }
}

fn failure(place: &Place, error: io::Error) -> ExportFailure {
    match place.path() {
        None => ExportFailure::Stdout(error),
        Some(path) => ExportFailure::File(path.display().to_string(), error),
    }
}
