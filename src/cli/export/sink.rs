//! The output of an export: stdout, or a file that is replaced atomically when it is complete.

use std::{
    fs::{self, File, Permissions},
    io::{self, BufWriter, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::super::file_or_stdio::FileOrStdio;

const BUFFER_BYTES: usize = 1 << 16;

/// A buffered writer. Without [`Sink::complete`] the file is not created or replaced.
pub(super) struct Sink {
    pub(super) bytes: BufWriter<Box<dyn Write + Send>>,
    replacement: Option<Replacement>,
}

/// A temporary file in the folder of the target; removed on drop.
struct Replacement {
    temporary: NamedTempFile,
    target: PathBuf,
    folder: File,
}

/// Whether the output is not replaced when it is complete: stdout, pipes and devices.
pub(super) fn is_written_in_place(target: &FileOrStdio) -> bool {
    match target {
        FileOrStdio::Stdio => true,
        FileOrStdio::File(path) => fs::metadata(path).is_ok_and(|found| !found.is_file()),
    }
}

impl Sink {
    pub(super) fn open(target: &FileOrStdio) -> io::Result<Self> {
        let (bytes, replacement): (Box<dyn Write + Send>, _) = match target {
            FileOrStdio::Stdio => (Box::new(io::stdout()), None),
            FileOrStdio::File(path) if is_written_in_place(target) => {
                (Box::new(File::options().write(true).open(path)?), None)
            }
            // The target of a symbolic link is replaced, not the link.
            FileOrStdio::File(path) => {
                Self::replace(fs::canonicalize(path).unwrap_or_else(|_| path.clone()))?
            }
        };
        Ok(Self {
            bytes: BufWriter::with_capacity(BUFFER_BYTES, bytes),
            replacement,
        })
    }

    fn replace(target: PathBuf) -> io::Result<(Box<dyn Write + Send>, Option<Replacement>)> {
        let name = target.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let folder = match target.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let replaced = fs::metadata(&target).map(|replaced| replaced.permissions());
        let temporary = tempfile::Builder::new()
            .prefix(&format!(".{}.", name.to_string_lossy()))
            .suffix(".tmp")
            // A new file has the permissions that the umask leaves.
            .permissions(Permissions::from_mode(if replaced.is_ok() {
                0o600
            } else {
                0o666
            }))
            .tempfile_in(folder)?;
        let file = temporary.as_file().try_clone()?;
        if let Ok(permissions) = replaced {
            file.set_permissions(permissions)?;
        }
        let replacement = Replacement {
            temporary,
            folder: File::open(folder)?,
            target,
        };
        Ok((Box::new(file), Some(replacement)))
    }

    /// Flushes, syncs the file to disk and renames it to its target. Returns the folder of the file,
    /// which must be synced for the name to be on disk, too.
    pub(super) fn complete(mut self) -> io::Result<Option<File>> {
        self.bytes.flush()?;
        let Some(replacement) = self.replacement else {
            return Ok(None);
        };
        replacement.temporary.as_file().sync_all()?;
        replacement.temporary.persist(replacement.target)?;
        Ok(Some(replacement.folder))
    }
}
