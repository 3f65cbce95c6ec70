//! `diff`: the changes between two contracts, and their levels.

use std::{fs, path::PathBuf, time::SystemTime};

use chrono::{DateTime, NaiveDate, Utc};

use super::{
    Failure, Fetched, Output, Source, Unreadable, UsageArguments, documents, print, read_usage,
    source::{old_source, read},
};
use crate::{Level, Review, accepted::Accepted, diff, operations::check, report};

/// The default name of the file of accepted changes, in the folder of the contract.
const ACCEPTED_FILE: &str = "schema.accepted.toml";

/// What is known beside the two contracts.
pub(super) struct Evidence {
    pub(super) accepted: Option<PathBuf>,
    pub(super) operations: Vec<PathBuf>,
    pub(super) usage: UsageArguments,
}

pub(super) fn run(
    old: Option<&str>,
    new: &str,
    evidence: Evidence,
    output: Output,
    fetched: &Fetched,
) -> Result<(), Failure> {
    let Evidence {
        accepted,
        operations,
        usage,
    } = evidence;
    let new = Source::parse(new);
    let old = old_source(old, &new)?;
    let accepted = accepted.or_else(|| accepted_file(&new));
    let (old, new) = (read(&old, fetched)?, read(&new, fetched)?);
    let changes = diff(&old, &new);
    let mut checked = None;
    if !operations.is_empty() {
        checked = Some(check(
            &documents::read(&operations)?,
            Some(&old),
            &new,
            &changes,
        ));
    }
    let mut review = match accepted {
        None => Review::new(changes),
        Some(path) => {
            let text = fs::read_to_string(&path);
            let text = text.map_err(|error| Unreadable::Accepted(path.clone(), error))?;
            let accepted = Accepted::parse(path.to_string_lossy(), &text);
            let accepted = accepted.map_err(Unreadable::Invalid)?;
            accepted.review(&old, &new, changes, today())
        }
    };
    if let Some(checked) = checked {
        review.add_operations(checked);
    }
    if !usage.files.is_empty() {
        let recorded = read_usage(&usage.files)?;
        let window = recorded.window(usage.days, SystemTime::now().into());
        review.add_usage(&recorded, &window, &old, &new);
    }
    print(&output.choose(
        |colours| report::text(&review, colours),
        || report::json(&review),
        || report::markdown(&review),
    ))?;
    let breaking = review.count(Level::Breaking);
    let broken = review.broken_operations().count();
    match review.problems {
        // The JSON report does not contain them.
        Some(problems) => Err(Failure::Accepted(problems)),
        None if breaking > 0 => Err(Failure::Breaking(breaking)),
        None if broken > 0 => Err(Failure::Operations(broken)),
        None => Ok(()),
    }
}

fn accepted_file(new: &Source) -> Option<PathBuf> {
    let Source::File(path) = new else { return None };
    let accepted = path.with_file_name(ACCEPTED_FILE);
    accepted.exists().then_some(accepted)
}

fn today() -> NaiveDate {
    DateTime::<Utc>::from(SystemTime::now()).date_naive()
}
