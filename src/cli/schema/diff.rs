//! `vehicle-catalogue schema diff`: what changed between two contracts, and what it means.

use std::{fs, path::PathBuf, time::SystemTime};

use chrono::{DateTime, NaiveDate, Utc};
use contract::{Level, Review, accepted::Accepted, diff, report};

use super::{
    super::Failure,
    Unreadable, colours, git, print,
    source::{SCHEMA_FILE, Source, read},
};
use crate::config::Format;

/// The accepted changes, beside the contract.
const ACCEPTED_FILE: &str = "schema.accepted.toml";

pub(super) async fn run(
    old: Option<&str>,
    new: &str,
    accepted: Option<PathBuf>,
    format: Format,
) -> Result<(), Failure> {
    let old = match old {
        Some(old) => Source::parse(old),
        None => Source::Git {
            revision: git::merge_base().map_err(Unreadable::Git)?,
            path: SCHEMA_FILE.to_owned(),
        },
    };
    let new = Source::parse(new);
    let accepted = accepted.or_else(|| beside(&new));
    let (old, new) = (read(&old).await?, read(&new).await?);
    let changes = diff(&old, &new);
    let review = match accepted {
        None => Review::of(changes),
        Some(path) => {
            let text = fs::read_to_string(&path);
            let text = text.map_err(|error| Unreadable::Accepted(path.clone(), error))?;
            let accepted = Accepted::parse(path.to_string_lossy(), &text);
            let accepted = accepted.map_err(Unreadable::Wrong)?;
            accepted.review(&old, &new, changes, today())
        }
    };
    print(&match format {
        Format::Text => report::text(&review, colours()),
        Format::Json => report::json(&review),
        Format::Markdown => report::markdown(&review),
    })?;
    let breaking = review.count(Level::Breaking);
    match review.problems {
        // JSON has no place for them, so they are said here.
        Some(problems) => Err(Failure::Accepted(problems)),
        None if breaking > 0 => Err(Failure::Breaking(breaking)),
        None => Ok(()),
    }
}

fn beside(new: &Source) -> Option<PathBuf> {
    let Source::File(path) = new else { return None };
    let accepted = path.with_file_name(ACCEPTED_FILE);
    accepted.exists().then_some(accepted)
}

fn today() -> NaiveDate {
    DateTime::<Utc>::from(SystemTime::now()).date_naive()
}
