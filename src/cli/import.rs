//! `vehicle-catalogue import`: stores the vehicles of a file.

mod arguments;
mod error;
mod source;

use indicatif::ProgressBar;
use schema::counted;
use service::{Failure, Settings, StopSignals, close_database, open_database};
use tokio::sync::mpsc::Receiver;

pub(super) use self::arguments::{ImportArguments, about};
pub use self::error::{ImportError, Processed};
use self::source::Rows;
use super::progress::{self, End};
use crate::{
    import_export::{InvalidRow, Row, Unreadable},
    store::{APPLICATION, Bulk, Commit, NewRow, OnConflict, Store, StoreError},
};

pub(super) async fn run(arguments: ImportArguments, settings: Settings) -> Result<(), Failure> {
    let format = arguments.file.format(arguments.format)?;
    let name = arguments.file.name("stdin");
    let (mut batches, progress) = source::open(&arguments, format)
        .map_err(|error| ImportError::Open(name.clone(), error))
        .map_err(|error| Failure::command(error, 1))?;
    let (store, bulk) = if arguments.dry_run {
        (None, None)
    } else {
        let database = open_database(APPLICATION, &settings, settings.database.migrate).await?;
        let store = Store::new(database);
        let commit = if arguments.all_or_nothing {
            Commit::AtEnd
        } else {
            Commit::EachBatch
        };
        let bulk = store.bulk(commit).await;
        (Some(store), Some(bulk.map_err(Failure::Database)?))
    };
    // Until here signals have their default action: opening a pipe or a database can block.
    let mut stop = StopSignals::listen().map_err(Failure::Signal)?;
    progress::begin(&progress);
    let mut import = Import {
        progress,
        counts: RowCounts::default(),
        name,
        bulk,
        arguments,
    };
    let outcome = import.rows(&mut batches, &mut stop).await;
    // Rolls back uncommitted rows, which releases the connection.
    import.bulk = None;
    import.print_summary(outcome.as_ref().err());
    if let Some(store) = store {
        close_database(store.database(), settings.database.database_timeout_seconds).await;
    }
    outcome.map_err(|error| Failure::command(error, 1))
}

/// The number of rows by outcome.
#[derive(Default)]
struct RowCounts {
    /// Rows from the start of the file whose outcome is final.
    done: u64,
    valid: u64,
    stored: u64,
    unchanged: u64,
    rejected: u64,
}

struct Import {
    arguments: ImportArguments,
    name: String,
    /// The transaction that stores the rows; `None` in a dry run.
    bulk: Option<Bulk>,
    counts: RowCounts,
    progress: ProgressBar,
}

impl Import {
    async fn rows(
        &mut self,
        batches: &mut Receiver<Result<Rows, Unreadable>>,
        stop: &mut StopSignals,
    ) -> Result<(), ImportError> {
        loop {
            let rows = tokio::select! {
                biased;
                _ = stop.next() => return Err(ImportError::Interrupted(self.processed())),
                rows = batches.recv() => rows,
            };
            match rows {
                None => break,
                Some(Ok(rows)) => self.batch(rows).await?,
                Some(Err(source)) => {
                    return Err(ImportError::Unreadable {
                        file: self.name.clone(),
                        processed: self.processed(),
                        source,
                    });
                }
            }
            self.progress.set_message(counted(self.counts.done, "row"));
        }
        if let Some(bulk) = self.bulk.take() {
            bulk.finish().await.map_err(|error| match error {
                StoreError::OutcomeUnknown(_) => ImportError::OutcomeUnknown(error.into()),
                error => self.not_stored(error),
            })?;
        }
        match self.counts.rejected {
            0 => Ok(()),
            rejected => Err(ImportError::RowsRejected(rejected)),
        }
    }

    async fn batch(&mut self, rows: Rows) -> Result<(), ImportError> {
        let covered = rows.len();
        let mut valid = Vec::with_capacity(covered);
        for row in rows {
            match row {
                Ok(row) => valid.push(row),
                Err(row) if self.stops_on_error() => {
                    let covered = valid.len();
                    self.store(valid, covered).await?;
                    self.reject(&row);
                    return Err(self.stopped(row.line));
                }
                Err(row) => self.reject(&row),
            }
        }
        self.store(valid, covered).await
    }

    /// Stores the valid rows out of the next `covered` rows of the file. All are valid if the import
    /// stops at an invalid row.
    async fn store(&mut self, rows: Vec<Row>, covered: usize) -> Result<(), ImportError> {
        self.counts.valid += rows.len() as u64;
        if let Some(bulk) = self.bulk.as_ref().filter(|_| !rows.is_empty()) {
            let lines: Vec<_> = rows.iter().map(|row| row.line).collect();
            let rows = rows.into_iter().map(|row| NewRow {
                id: row.id,
                vehicle: row.vehicle,
                version: row.version,
            });
            let rows: Vec<_> = rows.collect();
            let outcome = bulk.store(&rows, self.arguments.on_error).await;
            let outcome = outcome.map_err(|error| self.batch_error(error, &lines))?;
            self.counts.stored += outcome.stored;
            self.counts.unchanged += outcome.unchanged;
            for index in &outcome.conflicting {
                let reason = "id belongs to another stored vehicle";
                self.reject(&InvalidRow::new(lines[*index], reason));
            }
            if let (true, Some(&first)) = (self.stops_on_error(), outcome.conflicting.first()) {
                self.counts.done += first as u64;
                return Err(self.stopped(lines[first]));
            }
        }
        self.counts.done += covered as u64;
        Ok(())
    }

    fn batch_error(&self, error: StoreError, lines: &[u64]) -> ImportError {
        match (&error, lines) {
            (StoreError::OutcomeUnknown(_), [first, .., last] | [first @ last])
                if !self.arguments.all_or_nothing =>
            {
                ImportError::BatchOutcomeUnknown {
                    lines: (*first, *last),
                    source: error.into(),
                }
            }
            // Rows of an uncommitted transaction are certainly not stored.
            _ => self.not_stored(error),
        }
    }

    fn not_stored(&self, error: StoreError) -> ImportError {
        ImportError::NotStored {
            processed: self.processed(),
            source: error.into(),
        }
    }

    fn stops_on_error(&self) -> bool {
        self.arguments.on_error == OnConflict::Stop && !self.arguments.dry_run
    }

    fn reject(&mut self, row: &InvalidRow) {
        self.counts.rejected += 1;
        self.print(row.line, &row.to_string());
    }

    fn print(&self, line: u64, message: &str) {
        let name = &self.name;
        progress::print(&self.progress, &format!("{name}:{line}: {message}"));
    }

    fn processed(&self) -> Processed {
        Processed {
            rows: self.counts.done,
            all_or_nothing: self.arguments.all_or_nothing,
        }
    }

    fn stopped(&self, line: u64) -> ImportError {
        ImportError::Stopped {
            line,
            processed: self.processed(),
        }
    }

    /// Prints the number of rows by outcome, unless it is unknown.
    fn print_summary(&self, error: Option<&ImportError>) {
        let RowCounts {
            done: _,
            valid,
            mut stored,
            unchanged,
            rejected,
        } = self.counts;
        let is_stored = match error {
            Some(ImportError::OutcomeUnknown(_)) => return,
            None | Some(ImportError::RowsRejected(_)) => true,
            Some(_) => !self.arguments.all_or_nothing,
        };
        if !is_stored {
            stored = 0;
        }
        let counts = if self.arguments.dry_run {
            format!("{valid} valid")
        } else {
            format!("{stored} stored, {unchanged} unchanged")
        };
        let line = format!("rows: {counts}, {rejected} rejected,");
        let end = match error {
            None | Some(ImportError::RowsRejected(_)) => End::Complete,
            Some(_) => End::Early,
        };
        progress::end(&self.progress, end, &line, valid + rejected);
    }
}
