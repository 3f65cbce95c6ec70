//! Why a vehicle was not changed or deleted.

use crate::catalogue::{ExpectedVersion, Vehicle};

/// Why a vehicle was not changed or deleted; nothing was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no vehicle with this id.
    #[error("there is no vehicle with this id")]
    NotFound,
    /// The vehicle has another version than expected.
    #[error("the vehicle has version {current}, not {expected}")]
    Conflict {
        /// The expected version.
        expected: i32,
        /// The version of the vehicle.
        current: i32,
    },
    /// The vehicle has the highest version, [`i32::MAX`].
    #[error(
        "the vehicle has the highest version, {}: set its column `version` to 1",
        i32::MAX
    )]
    NoVersionLeft,
}

/// Refuses a vehicle that has another version than the expected one.
pub(super) fn check_version(
    current: &Vehicle,
    expected: Option<ExpectedVersion>,
) -> Result<(), Refusal> {
    let current = current.version;
    match expected.map(ExpectedVersion::get) {
        Some(expected) if expected != current => Err(Refusal::Conflict { expected, current }),
        _ => Ok(()),
    }
}
