//! Why an import failed, and how far it came.

use std::{fmt, io};

use schema::counted;

use crate::{import_export::Unreadable, store::StoreError};

/// Why not every row of a file is stored.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file does not exist or cannot be opened.
    #[error("cannot open {0}")]
    Open(String, #[source] io::Error),
    /// Invalid rows were skipped.
    #[error("{} rejected, see above", counted(*.0, "row"))]
    RowsRejected(u64),
    /// The import stopped at an invalid row.
    #[error("line {line} was rejected, see above; {processed}")]
    Stopped {
        /// The first line of the row.
        line: u64,
        /// How far it came.
        processed: Processed,
    },
    /// The rest of the file cannot be read.
    #[error("cannot read {file} further; {processed}")]
    Unreadable {
        /// The name of the file.
        file: String,
        /// How far it came.
        processed: Processed,
        /// The error of the reader.
        source: Unreadable,
    },
    /// The database did not store a batch.
    #[error("a batch is not stored; {processed}")]
    NotStored {
        /// How far it came.
        processed: Processed,
        /// The error of the store.
        source: Box<StoreError>,
    },
    /// The connection was lost during a commit, so it is unknown whether the batch is stored.
    #[error("the outcome is unknown for the lines {} to {}; check the database", .lines.0, .lines.1)]
    BatchOutcomeUnknown {
        /// The first lines of the first and the last valid row of the batch.
        lines: (u64, u64),
        /// The error of the store.
        source: Box<StoreError>,
    },
    /// The same for the one transaction of an all-or-nothing import.
    #[error("the outcome is unknown: either all rows are stored or none; check the database")]
    OutcomeUnknown(#[source] Box<StoreError>),
    /// Stopped by a signal between two batches.
    #[error("stopped by a signal; {0}")]
    Interrupted(Processed),
}

/// How far an import came that ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Processed {
    /// Rows from the start of the file whose outcome is final.
    pub(super) rows: u64,
    /// Whether the import was one transaction, so that nothing is stored.
    pub(super) all_or_nothing: bool,
}

impl fmt::Display for Processed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self {
                all_or_nothing: true,
                ..
            } => f.write_str("nothing is stored"),
            Self { rows: 0, .. } => f.write_str("no row has been stored"),
            Self { rows, .. } => write!(f, "the import ended after {}", counted(*rows, "row")),
        }
    }
}
