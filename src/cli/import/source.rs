//! Reads and validates a file on a separate thread, concurrently with storing.

use std::{
    fs::File,
    io::{self, BufReader, Read},
    thread,
};

use indicatif::ProgressBar;
use tokio::sync::mpsc::{self, Receiver, Sender};

use super::super::{file_or_stdio::FileOrStdio, progress};
use super::arguments::ImportArguments;
use crate::import_export::{Format, InvalidRow, Reader, Row, Unreadable};

const BUFFER_BYTES: usize = 1 << 16;

/// The maximum number of batches in the queue.
const QUEUE_LIMIT: usize = 2;

/// The consecutive rows of one batch.
pub(super) type Rows = Vec<Result<Row, InvalidRow>>;

/// Opens the file and starts the reader thread; returns the batches of rows, and the hidden progress bar of the reader.
pub(super) fn open(
    arguments: &ImportArguments,
    format: Format,
) -> io::Result<(Receiver<Result<Rows, Unreadable>>, ProgressBar)> {
    let (file, size_bytes): (Box<dyn Read + Send>, _) = match &arguments.file {
        FileOrStdio::Stdio => (Box::new(io::stdin()), None),
        FileOrStdio::File(path) => {
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            if metadata.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            let size_bytes = metadata.is_file().then_some(metadata.len());
            (Box::new(file), size_bytes)
        }
    };
    let progress = progress::hidden(size_bytes);
    let file = progress.wrap_read(file);
    let (sender, batches) = mpsc::channel(QUEUE_LIMIT);
    let arguments = arguments.clone();
    // A detached thread: a blocked read cannot be cancelled and must not delay the exit.
    thread::Builder::new()
        .name("import".to_owned())
        .spawn(move || {
            if let Err(error) = read(file, format, &arguments, &sender) {
                // The receiver is closed if the import has stopped.
                let _ = sender.blocking_send(Err(error));
            }
        })?;
    Ok((batches, progress))
}

fn read(
    file: impl Read,
    format: Format,
    arguments: &ImportArguments,
    sender: &Sender<Result<Rows, Unreadable>>,
) -> Result<(), Unreadable> {
    let file = BufReader::with_capacity(BUFFER_BYTES, file);
    let reader = Reader::open(file, format, arguments.delimiter)?;
    let batch_rows = arguments.batch_rows as usize;
    let mut rows = Rows::with_capacity(batch_rows);
    for row in reader {
        match row {
            Ok(row) => rows.push(row),
            Err(error) => {
                // The rows before the error are complete.
                let _ = sender.blocking_send(Ok(rows));
                return Err(error);
            }
        }
        if rows.len() == batch_rows {
            let full = std::mem::replace(&mut rows, Rows::with_capacity(batch_rows));
            if sender.blocking_send(Ok(full)).is_err() {
                return Ok(());
            }
        }
    }
    let _ = sender.blocking_send(Ok(rows));
    Ok(())
}
