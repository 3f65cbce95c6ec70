//! Reads and validates a file on a separate thread, concurrently with storing.

use std::{
    fs::File,
    io::{self, BufReader, Read},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use tokio::sync::mpsc::{self, Receiver, Sender};

use super::{super::file_or_stdio::FileOrStdio, arguments::ImportArguments};
use crate::import_export::{Format, Ids, InvalidRow, Reader, Row, Unreadable};

const BUFFER_BYTES: usize = 1 << 16;

/// The maximum number of batches in the queue.
const QUEUE_LIMIT: usize = 2;

/// The consecutive rows of one batch.
pub(super) type Rows = Vec<Result<Row, InvalidRow>>;

/// A file that is being read.
pub(super) struct Source {
    rows: Receiver<Result<Rows, Unreadable>>,
    read_bytes: Arc<AtomicU64>,
    /// The size of the file, if it is known.
    pub(super) size_bytes: Option<u64>,
}

struct CountingReader<R> {
    inner: R,
    read_bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.read_bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl Source {
    /// Opens the file and starts the reader thread.
    pub(super) fn open(arguments: &ImportArguments, format: Format) -> io::Result<Self> {
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
        let read_bytes = Arc::new(AtomicU64::new(0));
        let counting_reader = CountingReader {
            inner: file,
            read_bytes: Arc::clone(&read_bytes),
        };
        let (sender, rows) = mpsc::channel(QUEUE_LIMIT);
        let arguments = arguments.clone();
        // A detached thread: a blocked read cannot be cancelled and must not delay the exit.
        thread::Builder::new()
            .name("import".to_owned())
            .spawn(move || {
                if let Err(error) = read(counting_reader, format, &arguments, &sender) {
                    // The receiver is closed if the import has stopped.
                    let _ = sender.blocking_send(Err(error));
                }
            })?;
        Ok(Self {
            rows,
            read_bytes,
            size_bytes,
        })
    }

    /// The next rows; `None` at the end of the file.
    pub(super) async fn next(&mut self) -> Option<Result<Rows, Unreadable>> {
        self.rows.recv().await
    }

    /// The number of bytes read.
    pub(super) fn read_bytes(&self) -> u64 {
        self.read_bytes.load(Ordering::Relaxed)
    }
}

fn read(
    file: impl Read,
    format: Format,
    arguments: &ImportArguments,
    sender: &Sender<Result<Rows, Unreadable>>,
) -> Result<(), Unreadable> {
    let file = BufReader::with_capacity(BUFFER_BYTES, file);
    let ids = match (arguments.ids, arguments.update) {
        (Ids::Keep, true) => Ids::Update,
        (ids, _) => ids,
    };
    let mut reader = Reader::open(file, format, ids)?;
    for rows in 0..arguments.skip_rows {
        if !reader.skip_row()? {
            return Err(Unreadable::TooFewRows(rows));
        }
    }
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
