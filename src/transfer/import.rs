//! Stores the vehicles of a file.

use std::{
    fmt,
    fs::File,
    io::{self, BufReader, Read},
    pin::{Pin, pin},
    thread,
};

use graphql_sdl::counted;
use indicatif::ProgressBar;
use tokio::sync::mpsc::{self, Receiver, Sender};

use super::progress::{self, End};
use super::{FileOrStdio, Format, InvalidRow, Reader, Row, Unreadable};
use crate::store::{Error, OnConflict, Store};

/// The number of rows of a transaction.
const BATCH_ROWS: usize = 2000;

const BUFFER_BYTES: usize = 1 << 16;

/// The maximum number of batches in the queue.
const QUEUE_LIMIT: usize = 2;

/// How to import a file.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// The file.
    pub file: FileOrStdio,
    /// Its format.
    pub format: Format,
    /// The separator of columns of CSV.
    pub delimiter: u8,
    /// What to do with an invalid row: stop (the rows before it are stored) or skip.
    pub on_error: OnConflict,
}

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
    #[error("line {line} was rejected, see above; {done}")]
    Stopped {
        /// The first line of the row.
        line: u64,
        /// What is stored.
        done: Done,
    },
    /// The rest of the file cannot be read.
    #[error("cannot read {file} further; {done}")]
    Unreadable {
        /// The name of the file.
        file: String,
        /// What is stored.
        done: Done,
        /// The error of the reader.
        source: Unreadable,
    },
    /// The database did not store a batch.
    #[error("the rows after row {} are not stored; {done}", .done.rows)]
    NotStored {
        /// What is stored.
        done: Done,
        /// The error of the store.
        source: Error,
    },
    /// The connection was lost during a commit, and the database stayed away.
    #[error(
        "the outcome is unknown for the rows {first} to {last} (lines {lines}): check the database"
    )]
    OutcomeUnknown {
        /// The first of these rows, counted from 1.
        first: u64,
        /// The last of these rows.
        last: u64,
        /// Their first and last line.
        lines: String,
        /// The error of the store.
        source: Error,
    },
    /// Stopped by a signal between two batches.
    #[error("stopped by a signal; {0}")]
    Interrupted(Done),
}

/// What of a file is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Done {
    /// Rows from the start of the file whose outcome is final.
    rows: u64,
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rows {
            0 => f.write_str("no row has been stored"),
            rows => write!(f, "the import ended after {}", counted(rows, "row")),
        }
    }
}

/// The consecutive rows of one batch.
type Rows = Vec<Result<Row, InvalidRow>>;

/// Stores the vehicles of a file; without a store the rows are only checked. Ends early when `stop` does.
pub async fn import(
    options: ImportOptions,
    store: Option<&Store>,
    stop: impl Future<Output = ()>,
) -> Result<(), ImportError> {
    let name = options.file.name("stdin");
    let progress = progress::hidden();
    let mut batches = read_on_a_thread(&options, &progress);
    let mut running = Running {
        store: store.cloned(),
        counts: Counts::default(),
        name,
        progress,
        options,
    };
    progress::begin(&running.progress);
    let outcome = running.rows(&mut batches, pin!(stop)).await;
    running.print_summary(outcome.as_ref().err());
    outcome
}

/// Reads and checks the file on a thread of its own, which is detached: a blocked read cannot be cancelled and must not
/// delay the exit.
fn read_on_a_thread(
    options: &ImportOptions,
    progress: &ProgressBar,
) -> Receiver<Result<Rows, ImportError>> {
    let (sender, batches) = mpsc::channel(QUEUE_LIMIT);
    let (options, progress) = (options.clone(), progress.clone());
    thread::spawn(move || {
        let error = match open(&options.file, &progress) {
            Ok(file) => read(file, &options, &sender).err(),
            Err(error) => Some(ImportError::Open(options.file.name("stdin"), error)),
        };
        if let Some(error) = error {
            // The receiver is closed if the import has stopped.
            let _ = sender.blocking_send(Err(error));
        }
    });
    batches
}

fn open(file: &FileOrStdio, progress: &ProgressBar) -> io::Result<Box<dyn Read + Send>> {
    match file {
        FileOrStdio::Stdio => Ok(Box::new(progress.wrap_read(io::stdin()))),
        FileOrStdio::File(path) => {
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            if metadata.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            if metadata.is_file() {
                progress::set_end(progress, metadata.len());
            }
            Ok(Box::new(progress.wrap_read(file)))
        }
    }
}

fn read(
    file: impl Read,
    options: &ImportOptions,
    sender: &Sender<Result<Rows, ImportError>>,
) -> Result<(), ImportError> {
    // What is stored is known to the receiver.
    let unreadable = |source| ImportError::Unreadable {
        file: options.file.name("stdin"),
        done: Done { rows: 0 },
        source,
    };
    let file = BufReader::with_capacity(BUFFER_BYTES, file);
    let reader = Reader::open(file, options.format, options.delimiter).map_err(unreadable)?;
    let mut rows = Rows::with_capacity(BATCH_ROWS);
    for row in reader {
        match row {
            Ok(row) => rows.push(row),
            Err(error) => {
                // The rows before the error are complete.
                let _ = sender.blocking_send(Ok(rows));
                return Err(unreadable(error));
            }
        }
        if rows.len() == BATCH_ROWS {
            let full = std::mem::replace(&mut rows, Rows::with_capacity(BATCH_ROWS));
            if sender.blocking_send(Ok(full)).is_err() {
                return Ok(());
            }
        }
    }
    let _ = sender.blocking_send(Ok(rows));
    Ok(())
}

/// The number of rows by outcome.
#[derive(Default)]
struct Counts {
    /// Rows from the start of the file whose outcome is final.
    done: u64,
    valid: u64,
    stored: u64,
    unchanged: u64,
    rejected: u64,
}

struct Running {
    options: ImportOptions,
    name: String,
    /// `None` in a dry run.
    store: Option<Store>,
    counts: Counts,
    progress: ProgressBar,
}

impl Running {
    async fn rows(
        &mut self,
        batches: &mut Receiver<Result<Rows, ImportError>>,
        mut stop: Pin<&mut impl Future<Output = ()>>,
    ) -> Result<(), ImportError> {
        loop {
            let rows = tokio::select! {
                biased;
                () = &mut stop => return Err(ImportError::Interrupted(self.done())),
                rows = batches.recv() => rows,
            };
            match rows {
                None => break,
                Some(Ok(rows)) => self.batch(rows).await?,
                Some(Err(ImportError::Unreadable { file, source, .. })) => {
                    let done = self.done();
                    return Err(ImportError::Unreadable { file, done, source });
                }
                Some(Err(error)) => return Err(error),
            }
            self.progress.set_message(counted(self.counts.done, "row"));
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

    /// Stores the valid rows out of the next `covered` rows of the file.
    async fn store(&mut self, rows: Vec<Row>, covered: usize) -> Result<(), ImportError> {
        self.counts.valid += rows.len() as u64;
        if let Some(store) = self.store.as_ref().filter(|_| !rows.is_empty()) {
            let lines: Vec<_> = rows.iter().map(|row| row.line).collect();
            let vehicles = rows.into_iter().map(|row| row.vehicle).collect();
            let stored = store.import(vehicles, self.options.on_error).await;
            let batch = stored.map_err(|error| self.batch_error(error, &lines, covered))?;
            self.counts.stored += batch.stored;
            self.counts.unchanged += batch.unchanged;
            for index in &batch.conflicting {
                let reason = "id belongs to another stored vehicle";
                self.reject(&InvalidRow::new(lines[*index], reason));
            }
            if let (true, Some(first)) = (self.stops_on_error(), batch.conflicting.first()) {
                self.counts.done += *first as u64;
                return Err(self.stopped(lines[*first]));
            }
        }
        self.counts.done += covered as u64;
        Ok(())
    }

    fn batch_error(&self, source: Error, lines: &[u64], covered: usize) -> ImportError {
        let done = self.done();
        match (&source, lines) {
            (Error::OutcomeUnknown(_), [first, ..]) => ImportError::OutcomeUnknown {
                first: done.rows + 1,
                last: done.rows + covered as u64,
                lines: format!("{first} to {}", lines.last().unwrap_or(first)),
                source,
            },
            _ => ImportError::NotStored { done, source },
        }
    }

    fn stops_on_error(&self) -> bool {
        self.options.on_error == OnConflict::Stop && self.store.is_some()
    }

    fn reject(&mut self, row: &InvalidRow) {
        self.counts.rejected += 1;
        let (name, line) = (&self.name, row.line);
        progress::print(&self.progress, &format!("{name}:{line}: {row}"));
    }

    fn done(&self) -> Done {
        Done {
            rows: self.counts.done,
        }
    }

    fn stopped(&self, line: u64) -> ImportError {
        let done = self.done();
        ImportError::Stopped { line, done }
    }

    /// Prints the number of rows by outcome.
    fn print_summary(&self, error: Option<&ImportError>) {
        let Counts {
            valid,
            stored,
            unchanged,
            rejected,
            ..
        } = self.counts;
        let by_outcome = if self.store.is_some() {
            format!("{stored} stored, {unchanged} unchanged")
        } else {
            format!("{valid} valid")
        };
        let end = match error {
            None | Some(ImportError::RowsRejected(_)) => End::Complete,
            Some(_) => End::Early,
        };
        let line = format!("rows: {by_outcome}, {rejected} rejected,");
        progress::end(&self.progress, end, &line, valid + rejected);
    }
}
