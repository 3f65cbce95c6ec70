//! Reads the policy.

use std::{fs, path::PathBuf, time::SystemTime};

use chrono::{DateTime, NaiveDate, Utc};

use super::source::{Source, Unreadable};
use crate::Policy;

/// The default name of the policy, in the folder of the contract.
const POLICY_FILE: &str = "schema.toml";

/// The policy of a file, or of the default one if it is there.
pub(super) fn read_policy(path: Option<PathBuf>, contract: &Source) -> Result<Policy, Unreadable> {
    let Some(path) = path.or_else(|| beside(contract, POLICY_FILE)) else {
        return Ok(Policy::default());
    };
    let text = fs::read_to_string(&path);
    let text = text.map_err(|error| Unreadable::Policy(path.clone(), error))?;
    Policy::parse(path.to_string_lossy(), &text).map_err(Unreadable::Invalid)
}

/// The file of a name in the folder of a contract, or in a contract that is a folder, if it is there.
pub(super) fn beside(contract: &Source, name: &str) -> Option<PathBuf> {
    let Source::File(path) = contract else {
        return None;
    };
    let beside = if path.is_dir() {
        path.join(name)
    } else {
        path.with_file_name(name)
    };
    beside.exists().then_some(beside)
}

pub(super) fn today() -> NaiveDate {
    DateTime::<Utc>::from(SystemTime::now()).date_naive()
}
