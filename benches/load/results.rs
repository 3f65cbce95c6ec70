//! What was measured, as rows of CSV files.

use std::{fs, path::Path};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Outcome, home::DatabaseKind, server::Kind};

/// One run of a workload.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Measured {
    pub(crate) database: DatabaseKind,
    /// Vehicles that the database was filled with.
    pub(crate) rows: u64,
    pub(crate) server: Kind,
    pub(crate) workload: String,
    pub(crate) connections: u32,
    pub(crate) round: u32,
    pub(crate) requests: u64,
    /// Requests that were not answered.
    pub(crate) lost: u64,
    pub(crate) requests_per_second: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    /// CPU time of a request, in microseconds.
    pub(crate) server_us: f64,
    pub(crate) database_us: f64,
    pub(crate) generator_us: f64,
    /// The part of the machine's CPU time that anything else has taken meanwhile.
    pub(crate) disturbance: f64,
    /// The most memory that the server has had since its start.
    pub(crate) peak_mib: f64,
}

/// One start of a server.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Start {
    pub(crate) database: DatabaseKind,
    pub(crate) server: Kind,
    pub(crate) round: u32,
    /// From the start of the process to the end of the first answer.
    pub(crate) first_answer_ms: f64,
    /// A second later.
    pub(crate) idle_mib: f64,
}

/// The memory of a service after so many requests.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Memory {
    pub(crate) database: DatabaseKind,
    pub(crate) requests: u64,
    pub(crate) resident_mib: f64,
    pub(crate) peak_mib: f64,
}

/// A property of the machine.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) value: String,
}

/// Writes rows as a file `name.csv`, in the place of an older one.
pub(crate) fn write<T: Serialize>(folder: &Path, name: &str, rows: &[T]) -> Outcome<()> {
    fs::create_dir_all(folder)?;
    let mut file = csv::Writer::from_path(folder.join(name).with_extension("csv"))?;
    rows.iter().try_for_each(|row| file.serialize(row))?;
    Ok(file.flush()?)
}

/// Reads them. None if there is no such file.
pub(crate) fn read<T: DeserializeOwned>(folder: &Path, name: &str) -> Outcome<Vec<T>> {
    let path = folder.join(name).with_extension("csv");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let rows: Result<_, _> = csv::Reader::from_path(&path)?.deserialize().collect();
    Ok(rows.map_err(|error| format!("{}: {error}", path.display()))?)
}
