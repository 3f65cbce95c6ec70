//! Where an export goes: stdout, or a file that appears when it is complete.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use crate::config::Place;

const BUFFER_BYTES: usize = 1 << 16;

/// Takes bytes; what is not [completed](Sink::complete) leaves nothing behind in a file.
pub(super) struct Sink {
    bytes: BufWriter<Box<dyn Write + Send>>,
    replacement: Option<Replacement>,
}

/// A temporary file beside the one that it will be.
struct Replacement {
    file: File,
    temporary: PathBuf,
    target: PathBuf,
}

impl Sink {
    pub(super) fn open(place: &Place) -> io::Result<Self> {
        let (bytes, replacement): (Box<dyn Write + Send>, _) = match place {
            Place::Standard => (Box::new(io::stdout()), None),
            Place::File(path) => match fs::canonicalize(path) {
                // Devices and pipes are written, not replaced.
                Ok(path) if !path.is_file() => {
                    (Box::new(File::options().write(true).open(path)?), None)
                }
                // What a link leads to is replaced, not the link.
                Ok(path) => Self::beside(&path)?,
                Err(_) => Self::beside(path)?,
            },
        };
        Ok(Self {
            bytes: BufWriter::with_capacity(BUFFER_BYTES, bytes),
            replacement,
        })
    }

    fn beside(target: &Path) -> io::Result<(Box<dyn Write + Send>, Option<Replacement>)> {
        let name = target.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let name = format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id());
        let temporary = target.with_file_name(name);
        let file = File::create_new(&temporary)?;
        let replacement = Replacement {
            file: file.try_clone()?,
            temporary,
            target: target.to_owned(),
        };
        Ok((Box::new(file), Some(replacement)))
    }

    /// Hands over the last bytes; a file is on the disk under its name then.
    pub(super) fn complete(mut self) -> io::Result<()> {
        self.bytes.flush()?;
        if let Some(replacement) = &self.replacement {
            replacement.file.sync_all()?;
            fs::rename(&replacement.temporary, &replacement.target)?;
            self.replacement = None;
        }
        Ok(())
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.bytes.flush()
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        if let Some(replacement) = self.replacement.take() {
            // Nothing more can be done about a file that cannot be removed.
            let _ = fs::remove_file(replacement.temporary);
        }
    }
}
