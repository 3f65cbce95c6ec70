//! Reads a file on a thread of its own, so that reading, judging and storing go on at once.

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

use crate::{
    config::{ImportArguments, Place},
    transfer::{BadRow, Reader, Row, Unreadable},
};

const BUFFER_BYTES: usize = 1 << 16;

/// How many batches wait to be stored, at most.
const WAITING: usize = 2;

/// Rows of the file that follow each other, as many as a batch has.
pub(super) type Rows = Vec<Result<Row, BadRow>>;

/// A file that is being read.
pub(super) struct Source {
    rows: Receiver<Result<Rows, Unreadable>>,
    read_bytes: Arc<AtomicU64>,
    /// How many bytes there are, if that is known.
    pub(super) size_bytes: Option<u64>,
}

struct Counted<R> {
    inner: R,
    read_bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.read_bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl Source {
    /// Opens the file and begins to read.
    pub(super) fn open(arguments: &ImportArguments) -> io::Result<Self> {
        let (file, size_bytes): (Box<dyn Read + Send>, _) = match &arguments.file {
            Place::Standard => (Box::new(io::stdin()), None),
            Place::File(path) => {
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
        let counted = Counted {
            inner: file,
            read_bytes: Arc::clone(&read_bytes),
        };
        let (sender, rows) = mpsc::channel(WAITING);
        let arguments = arguments.clone();
        // Not a task: nobody can stop it while it waits for bytes, and the program ends without it.
        thread::Builder::new()
            .name("import".to_owned())
            .spawn(move || {
                if let Err(error) = read(counted, &arguments, &sender) {
                    // Who does not listen any longer has stopped for another reason.
                    let _ = sender.blocking_send(Err(error));
                }
            })?;
        Ok(Self {
            rows,
            read_bytes,
            size_bytes,
        })
    }

    /// The next rows, or why there are no more; nothing at the end of the file.
    pub(super) async fn next(&mut self) -> Option<Result<Rows, Unreadable>> {
        self.rows.recv().await
    }

    /// How many bytes have been read.
    pub(super) fn read_bytes(&self) -> u64 {
        self.read_bytes.load(Ordering::Relaxed)
    }
}

fn read(
    file: impl Read,
    arguments: &ImportArguments,
    sender: &Sender<Result<Rows, Unreadable>>,
) -> Result<(), Unreadable> {
    let file = BufReader::with_capacity(BUFFER_BYTES, file);
    let mut reader = Reader::open(file, arguments.format(), arguments.ids)?;
    for _ in 0..arguments.skip_rows {
        if !reader.pass_over()? {
            break;
        }
    }
    let batch_rows = arguments.batch_rows as usize;
    let mut rows = Rows::with_capacity(batch_rows);
    for row in reader {
        match row {
            Ok(row) => rows.push(row),
            Err(error) => {
                // What stands before is sound.
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
