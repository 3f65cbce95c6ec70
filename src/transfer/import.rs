//! Stores the vehicles of a file.

use std::{
    fs::File,
    io::{self, BufReader, Read},
    mem,
    pin::{Pin, pin},
    thread,
};

use graphql_sdl::counted;
use indicatif::ProgressBar;
use tokio::sync::mpsc::{self, Receiver, Sender};

use super::{FileOrStdio, Format, Reader, Row, Unreadable, progress};
use crate::catalogue::Checked;
use crate::store::{Error, OnConflict, Store};

/// The number of rows of a transaction.
const BATCH_ROWS: usize = 2000;

const BUFFER_BYTES: usize = 1 << 16;

/// The maximum number of batches in the queue.
const QUEUE_LIMIT: usize = 2;

/// How to import a file.
#[derive(Clone, Debug, clap::Args)]
pub struct ImportOptions {
    /// The file, or - for stdin
    #[arg(value_name = "FILE", value_parser = FileOrStdio::parse)]
    pub file: FileOrStdio,
    /// csv or ndjson; required if the file name does not end in .csv, .ndjson or .jsonl
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub format: Option<Format>,
    /// What to do with an invalid row: stop (the rows before it are stored) or skip
    #[arg(long, value_name = "STOP|SKIP", default_value = "stop", value_enum)]
    pub on_error: OnConflict,
    /// What separates the columns of CSV: an ASCII punctuation character, or \t for a tab
    #[arg(long, value_name = "CHARACTER", default_value = ",", value_parser = delimiter)]
    pub delimiter: u8,
    /// Validate the whole file and list every invalid row, without a database
    #[arg(long)]
    pub dry_run: bool,
}

fn delimiter(text: &str) -> Result<u8, &'static str> {
    match text.as_bytes() {
        b"\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii_punctuation() && *byte != b'"' => Ok(*byte),
        _ => Err("it must be an ASCII punctuation character other than a quotation mark, or \\t"),
    }
}

/// Why not every row of a file is stored.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Invalid rows were skipped.
    #[error("{} rejected, see above", counted(*.0, "row"))]
    RowsRejected(u64),
    /// The import stopped at an invalid row.
    #[error("line {line} was rejected, see above; {}", ended(*.done))]
    Stopped {
        /// The first line of the row.
        line: u64,
        /// Rows from the start of the file whose outcome is final.
        done: u64,
    },
    /// The file, or the rest of it, cannot be read.
    #[error("cannot read {file}; {}", ended(*.done))]
    Unreadable {
        /// The name of the file.
        file: String,
        /// Rows from the start of the file whose outcome is final.
        done: u64,
        /// The error of the reader.
        source: Unreadable,
    },
    /// The database did not confirm a batch.
    #[error("cannot store the rows from line {line} on; {}", ended(*.done))]
    NotStored {
        /// The first line of the batch.
        line: u64,
        /// Rows from the start of the file whose outcome is final.
        done: u64,
        /// The error of the store.
        source: Error,
    },
    /// Stopped by a signal between two batches, after this number of rows.
    #[error("stopped by a signal; {}", ended(*.0))]
    Interrupted(u64),
}

/// What of a file is stored, by the number of its rows whose outcome is final.
fn ended(done: u64) -> String {
    match done {
        0 => "no row has been stored".to_owned(),
        done => format!("the import ended after {}", counted(done, "row")),
    }
}

/// The rows of a batch and the position in the file after them, or why there is none.
type Batch = Result<(Vec<Row>, u64), Unreadable>;

/// Stores the vehicles of a file; without a store the rows are only checked. Ends early when `stop` does.
pub async fn import(
    options: ImportOptions,
    format: Format,
    store: Option<&Store>,
    stop: impl Future<Output = ()>,
) -> Result<(), ImportError> {
    let name = options.file.name("stdin");
    let progress = progress::without_end();
    let mut batches = read_on_a_thread(&options, format, &progress);
    let mut running = Running { store: store.cloned(), counts: Counts::default(), name, progress, options };
    let outcome = running.rows(&mut batches, pin!(stop)).await;
    running.print_summary(outcome.as_ref().err());
    outcome
}

/// Reads and checks the file on a thread of its own, which is detached: a blocked read cannot be cancelled and must not
/// delay the exit.
fn read_on_a_thread(options: &ImportOptions, format: Format, progress: &ProgressBar) -> Receiver<Batch> {
    let (sender, batches) = mpsc::channel(QUEUE_LIMIT);
    let (options, progress) = (options.clone(), progress.clone());
    thread::spawn(move || {
        let file = open(&options.file, &progress).map_err(Unreadable::Io);
        if let Err(error) = file.and_then(|file| read(file, format, options.delimiter, &sender)) {
            // The receiver is closed if the import has stopped.
            let _ = sender.blocking_send(Err(error));
        }
    });
    batches
}

fn open(file: &FileOrStdio, progress: &ProgressBar) -> io::Result<Box<dyn Read + Send>> {
    let FileOrStdio::File(path) = file else {
        return Ok(Box::new(io::stdin()));
    };
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if metadata.is_file() {
        progress::set_end(progress, metadata.len());
    }
    Ok(Box::new(file))
}

fn read(file: impl Read, format: Format, delimiter: u8, sender: &Sender<Batch>) -> Result<(), Unreadable> {
    let file = BufReader::with_capacity(BUFFER_BYTES, file);
    let mut reader = Reader::open(file, format, delimiter)?;
    let mut rows = Vec::with_capacity(BATCH_ROWS);
    loop {
        let row = reader.next();
        if rows.len() == BATCH_ROWS || !matches!(row, Some(Ok(_))) {
            let rows = mem::replace(&mut rows, Vec::with_capacity(BATCH_ROWS));
            if sender.blocking_send(Ok((rows, reader.position()))).is_err() {
                return Ok(());
            }
        }
        match row {
            Some(row) => rows.push(row?),
            None => return Ok(()),
        }
    }
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
        batches: &mut Receiver<Batch>,
        mut stop: Pin<&mut impl Future<Output = ()>>,
    ) -> Result<(), ImportError> {
        loop {
            let batch = tokio::select! {
                biased;
                () = &mut stop => return Err(ImportError::Interrupted(self.counts.done)),
                batch = batches.recv() => batch,
            };
            match batch {
                None => break,
                Some(Ok((rows, end))) => {
                    self.batch(rows).await?;
                    self.progress.set_position(end);
                }
                Some(Err(source)) => {
                    let (file, done) = (self.name.clone(), self.counts.done);
                    return Err(ImportError::Unreadable { file, done, source });
                }
            }
            self.progress.set_message(counted(self.counts.done, "row"));
        }
        match self.counts.rejected {
            0 => Ok(()),
            rejected => Err(ImportError::RowsRejected(rejected)),
        }
    }

    async fn batch(&mut self, rows: Vec<Row>) -> Result<(), ImportError> {
        let covered = rows.len();
        let mut valid = Vec::with_capacity(covered);
        for Row { line, vehicle } in rows {
            match vehicle {
                Ok(vehicle) => valid.push((line, vehicle)),
                Err(violations) if self.stops_on_error() => {
                    let covered = valid.len();
                    self.store(valid, covered).await?;
                    self.reject(line, &violations);
                    return Err(self.stopped(line));
                }
                Err(violations) => self.reject(line, &violations),
            }
        }
        self.store(valid, covered).await
    }

    /// Stores the valid rows out of the next `covered` rows of the file, which have their first lines.
    async fn store(&mut self, rows: Vec<(u64, Checked)>, covered: usize) -> Result<(), ImportError> {
        self.counts.valid += rows.len() as u64;
        if let Some(store) = self.store.as_ref().filter(|_| !rows.is_empty()) {
            let (lines, vehicles): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
            let stored = store.import(vehicles, self.options.on_error).await;
            let done = self.counts.done;
            let batch = stored.map_err(|source| ImportError::NotStored { line: lines[0], done, source })?;
            self.counts.stored += batch.stored;
            self.counts.unchanged += batch.unchanged;
            for conflict in &batch.conflicts {
                let line = lines[conflict.index];
                let (id, fields) = (conflict.id, conflict.fields.join(", "));
                let reason = format!(
                    "the vehicle {id} is stored with other values ({fields}); remove the row, or change the vehicle with \
                     updateVehicle"
                );
                self.reject(line, &[reason]);
            }
            if let (true, Some(first)) = (self.stops_on_error(), batch.conflicts.first()) {
                self.counts.done += first.index as u64;
                return Err(self.stopped(lines[first.index]));
            }
        }
        self.counts.done += covered as u64;
        Ok(())
    }

    fn stops_on_error(&self) -> bool {
        self.options.on_error == OnConflict::Stop && self.store.is_some()
    }

    fn reject(&mut self, line: u64, violations: &[String]) {
        self.counts.rejected += 1;
        progress::print(&self.progress, &format!("{}:{line}: {}", self.name, violations.join("; ")));
    }

    fn stopped(&self, line: u64) -> ImportError {
        ImportError::Stopped { line, done: self.counts.done }
    }

    /// Prints the number of rows by outcome.
    fn print_summary(&self, error: Option<&ImportError>) {
        let Counts { valid, stored, unchanged, rejected, .. } = self.counts;
        let by_outcome = if self.store.is_some() {
            format!("{stored} stored, {unchanged} unchanged")
        } else {
            format!("{valid} valid")
        };
        match error {
            None | Some(ImportError::RowsRejected(_)) => self.progress.finish(),
            Some(_) => self.progress.abandon(),
        }
        let line = format!("rows: {by_outcome}, {rejected} rejected,");
        progress::print_summary(&self.progress, &line, valid + rejected);
    }
}
