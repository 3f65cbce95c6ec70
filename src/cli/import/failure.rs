//! Why an import ended before its end, and how to go on.

use std::{fmt, io};

use crate::{store::StoreError, transfer::Unreadable};

/// Why not every row of a file is stored.
#[derive(Debug, thiserror::Error)]
pub enum ImportFailure {
    /// The file is not there, or may not be read.
    #[error("cannot open {0}")]
    Open(String, #[source] io::Error),
    /// Rows that could not be stored were passed over.
    #[error("{0} of the rows cannot be stored, see above")]
    RowsRefused(u64),
    /// A row cannot be stored.
    #[error("line {line} cannot be stored, see above; {resume}")]
    Stopped {
        /// The line on which the row begins.
        line: u64,
        /// How to go on.
        resume: Resume,
    },
    /// The file cannot be read any further.
    #[error("cannot go on reading {file}; {resume}")]
    Unreadable {
        /// Its name.
        file: String,
        /// How to go on.
        resume: Resume,
        /// What is wrong with it.
        source: Unreadable,
    },
    /// The database did not store a batch.
    #[error("the rows after row {} are not stored; {resume}", .resume.done)]
    NotStored {
        /// How to go on.
        resume: Resume,
        /// What the database said.
        source: Box<StoreError>,
    },
    /// The database did not say whether it stored a batch.
    #[error(
        "it is not known whether the rows {} to {last} (from line {} to line {}) are stored: if they \
         are, go on with --skip-rows {last}, and else with --skip-rows {}; if the file has ids, with \
         the latter in any case",
        .resume.done + 1, .lines.0, .lines.1, .resume.done
    )]
    InDoubt {
        /// The last row of the batch, counted from 1.
        last: u64,
        /// The lines on which its first and its last sound row begin.
        lines: (u64, u64),
        /// How to go on if the rows are not there.
        resume: Resume,
        /// What was heard last.
        source: Box<StoreError>,
    },
    /// The database did not say whether it stored the one batch that is everything.
    #[error(
        "it is not known whether the import is stored: look whether its rows are there, all or none"
    )]
    WholeInDoubt(#[source] Box<StoreError>),
    /// A signal has ended it between two batches.
    #[error("stopped by a signal; {0}")]
    Interrupted(Resume),
}

/// How far an import has come, which is where the next one begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resume {
    /// How many rows, from the first of the file, have been dealt with for good.
    pub(super) done: u64,
    /// Whether that is of no use, since nothing is stored without the end.
    pub(super) all_or_nothing: bool,
}

impl fmt::Display for Resume {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self {
                all_or_nothing: true,
                ..
            } => f.write_str("nothing is stored"),
            Self { done: 0, .. } => f.write_str("no row has been stored"),
            Self { done, .. } => write!(f, "go on with --skip-rows {done}"),
        }
    }
}
